"""The corpora of a workspace, each with what varies in it: the feature's memory."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treelens.consistency.agreed import FILE_NAME, Agreed
from treelens.consistency.declared import ConsistencyCheck
from treelens.consistency.index import Index
from treelens.present.consistency import IndexView
from treelens.session.document import Document
from treelens.session.view import View

from treelens_server.background import Progress
from treelens_server.context import Context as ContextOf
from treelens_server.files import Stamp, uri_of


@dataclass(slots=True)
class Folder:
    """Files of a folder, or where ``root`` is None, what is open; each format apart.

    references: names of what the others are held against. stamps: of the files that were read
    from disk. agreed: the text of what is right both ways; agreed_stamp: of its
    file when it was read.
    """

    root: Path | None
    wanted: ConsistencyCheck
    config: str
    agreed: str = ""
    agreed_stamp: Stamp | None = None
    references: frozenset[str] = frozenset()
    stamps: dict[str, Stamp | None] = field(default_factory=dict)
    views: dict[str, IndexView] = field(default_factory=dict)
    """By the name of the format."""

    @property
    def documents(self) -> dict[str, Document]:
        return {
            name: view.index.document(name)
            for view in self.views.values()
            for name in view.index.names
        }

    def refer(self, names: frozenset[str]) -> None:
        """Others are held against these files now."""
        self.references = names
        self.views = {
            key: dataclasses.replace(view, references=names) for key, view in self.views.items()
        }

    @property
    def agreed_name(self) -> str:
        """What the file of what is right both ways is called; empty where there is none."""
        return uri_of(self.root / FILE_NAME) if self.root else ""

    def agree(self, text: str) -> None:
        """What is right both ways is another text now."""
        self.agreed, agreed = text, Agreed(text)
        self.views = {
            key: dataclasses.replace(view, agreed=agreed) for key, view in self.views.items()
        }


@dataclass(slots=True)
class Memory:
    folders: list[Folder] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while something is being read."""
    begun: bool = False
    """Whether it was looked at what the workspace's configurations want."""
    stale: bool = False
    """Whether files may be others than were read."""
    crowded: bool = False
    """Whether more has changed than is put into an index while somebody types."""
    seen: dict[str, Document] = field(default_factory=dict)
    """The state of each open document that is in an index, or waits to be."""
    waiting: set[str] = field(default_factory=set)
    published: dict[str, list[bytes]] = field(default_factory=dict)
    """The marks that the client was sent, as they were written."""
    shown: dict[str, View] = field(default_factory=dict)
    """What was in view of each document."""
    asked: bool = False
    """Whether the client has asked for the list."""

    def view(self, name: str) -> IndexView | None:
        every = (view for folder in self.folders for view in folder.views.values())
        return next((view for view in every if name in view.index), None)

    def ready(self, name: str, document: Document) -> IndexView | None:
        """The view of a document, where what it says is about this state of it."""
        view = self.view(name)
        if view is None or name in self.waiting:
            return None
        return view if view.index.document(name) is document else None


Context = ContextOf[Memory]


def views(
    folder: Folder, documents: Mapping[str, Document], progress: Progress
) -> dict[str, IndexView]:
    """What varies in some documents, made afresh; of each format by itself, by its name."""
    agreed, wanted = Agreed(folder.agreed), folder.wanted
    corpora: dict[str, dict[str, Document]] = {}
    for name, one in documents.items():
        corpora.setdefault(one.format.name, {})[name] = one
    return {
        format: IndexView(
            Index(wanted.options, part, progress), wanted.tier, agreed, folder.references
        )
        for format, part in sorted(corpora.items(), reverse=True)
    }
