"""What a feature's handlers are given: snapshots, the client, and the feature's own memory.

A feature asks here and changes nothing but what is its own; none can reach another one's memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from lsprotocol import types
from treelens.session.document import Document
from treelens.session.guidelines import Checks
from treelens.session.pair import Pair
from treelens.session.session import Link, Snapshot
from treelens.session.since import Earlier
from treelens.trees.forest import Symbols

from treelens_server.background import Background
from treelens_server.beside import Beside
from treelens_server.client import Client
from treelens_server.documents import Documents, SaidByHand
from treelens_server.files import name_of
from treelens_server.link_sources import LinkSource
from treelens_server.positions import Encoding
from treelens_server.records import Command
from treelens_server.reports import DocumentReport, Reports
from treelens_server.reviewing import Reviewing
from treelens_server.shares import DocumentNames
from treelens_server.states import States
from treelens_server.turns import Turns

Memory = TypeVar("Memory")


@dataclass(frozen=True, slots=True)
class Context(Generic[Memory]):
    """The state as it is now, read only, and ``memory``: of this feature alone."""

    client: Client
    memory: Memory
    _documents: Documents
    _reports: Reports

    @property
    def encoding(self) -> Encoding:
        """What characters of positions are, as was agreed on with the client."""
        return self.client.encoding

    def snapshot(self, uri: str) -> Snapshot | None:
        """What is known of an open document; None while it is being read."""
        return self._documents.snapshot(uri)

    def locate(self, uri: str, position: types.Position) -> tuple[Snapshot, int] | None:
        """A snapshot and the offset of a position in it."""
        return self._documents.locate(uri, position)

    def snapshot_of(self, name: str) -> Snapshot | None:
        """What is known of a document, also of a file that is not open."""
        return self._documents.session.snapshot(name)

    def document(self, name: str) -> Document | None:
        return self._documents.session.document(name)

    @property
    def symbols(self) -> Symbols:
        """Of all documents, so that their words can be compared."""
        return self._documents.session.symbols

    def uri(self, name: str) -> str:
        """A name as the client spells it."""
        return self._documents.uri(name)

    def version(self, name: str) -> int | None:
        """The client's version of a document; None of a file that is not open."""
        opened = self._documents.open.get(name)
        return opened.version if opened else None

    @property
    def states(self) -> States:
        """Which state of a text something is said of, whether it is open or not."""
        return self._documents.states

    @property
    def opened(self) -> Sequence[str]:
        """The names of what is open."""
        return [*self._documents.open]

    @property
    def renewed(self) -> Sequence[str]:
        """The names of documents of which something is shown otherwise than after the last turn:
        those that are to be looked at where all are followed."""
        return self._documents.renewed

    @property
    def golds_renewed(self) -> Iterable[str]:
        """The gold files whose pairs are others by now, or scored otherwise, or gone."""
        links_of = self._documents.session.links_of
        golds = ((name, *(link.gold for link in links_of(name))) for name in self.renewed)
        return dict.fromkeys(itertools.chain.from_iterable(golds))

    # --- what is compared ------------------------------------------------------------------

    @property
    def by_hand(self) -> SaidByHand:
        """What was said by hand of what belongs together."""
        return self._documents.by_hand

    @property
    def links(self) -> Sequence[Link]:
        return self._documents.session.links

    def links_of(self, name: str) -> Sequence[Link]:
        """Those that a document is in, in the order in which they are shown with it."""
        there = {*self.links}
        return [link for link in self._documents.session.links_of(name) if link in there]

    def links_from(self, gold: str) -> Sequence[Link]:
        """Those in which a document is gold."""
        return self._documents.session.links_from(gold)

    def pair(self, link: Link) -> Pair | None:
        """The pair, once all of it is computed, if both files are read."""
        return self._documents.session.pair(link)

    def unread_or_pair(self, link: Link) -> Pair | None:
        """The pair, also of files of which one is not read."""
        return self._documents.session.unread_or_pair(link)

    def earlier(self, link: Link) -> Earlier | None:
        """The earlier version that a link's system file is held against, once it is compared."""
        return self._documents.session.earlier(link)

    def awaits_pairs(self, name: str) -> bool:
        """Whether it is not known yet how a document compares with its partners."""
        return self._documents.awaits_pairs(name)

    def why_nothing(self, uri: str, reason: str) -> str:
        """What to say where nothing is found in what a document is compared with: ``reason``, if
        all that there is has been compared."""
        if self.awaits_pairs(name_of(uri)):
            return "The files are still being read and compared: try again in a moment"
        return reason

    def report(self, snapshot: Snapshot) -> DocumentReport:
        """What is wrong in a document and with it."""
        return self._reports.report(snapshot)

    def report_besides(self, name: str, feature: str, items: Sequence[msgspec.Raw]) -> None:
        """Say something about an open document beside its report: a client that asks for reports
        is sent it by itself, all others with the report."""
        snapshot = self.snapshot_of(name)
        self._reports.say_besides(name, feature, items)
        report = [] if self.client.pulls or snapshot is None else self.report(snapshot).items
        besides = self._reports.besides(name)
        self.client.publish(self.uri(name), [*report, *besides], self.version(name))

    @property
    def beside(self) -> Beside:
        """What the client has of text files that are no treebanks."""
        return self._documents.beside

    @property
    def reviewing(self) -> Reviewing:
        """What has been said of sentences."""
        return self._documents.reviewing

    def look_at(self, name: str) -> None:
        """See whether a file that is not open, or what is beside one, has been written."""
        self._documents.look_at(name)

    def look_at_compared(self, uri: str) -> None:
        """The same of a document and of all that it is compared with, before something is made of
        what is in both: a snapshot that was taken earlier is an old one by then."""
        name = name_of(uri)
        for one in (name, *sorted(self._documents.session.partners(name))):
            self.look_at(one)

    @property
    def turns(self) -> Turns:
        """Which edits are under way, and what waits for them."""
        return self._documents.turns

    def checks(self, name: str) -> Checks | None:
        """What is to be checked of a document, where its folder wants that."""
        return self._documents.pairing.checks(name)

    @property
    def shows_heads(self) -> bool:
        """Whether a head's form is wanted behind its number."""
        return self._documents.shows_heads

    # --- what takes a while, and the workspace ---------------------------------------------

    @property
    def background(self) -> Background:
        return self._documents.background

    @property
    def roots(self) -> Sequence[Path]:
        """The folders of the workspace."""
        return [*self._documents.pairing.roots]

    @property
    def configured(self) -> object:
        """Another value whenever configurations may say something else of a document."""
        return self._documents.pairing.changes, self.roots

    def links_with(self, name: str) -> list[Link]:
        """The links that there would be if a file were open."""
        return self._documents.pairing.links([name])

    def format(self, name: str) -> Any:
        """What a document's name, or the client's name of its language, says that it is."""
        return self._documents.format(name)

    def watch_corpus(self, names: Sequence[str]) -> None:
        """Have all files watched that are named as those of the corpus are."""
        self._documents.watch_corpus(names)

    @property
    def names(self) -> DocumentNames:
        """What names stand for, to those who write JSON."""
        return DocumentNames(self.document, self.uri, self.encoding, self.client.shows_related)

    def unready(self, name: str) -> None:
        """It was asked what cannot be said yet: have the client ask again when it can."""
        self._reports.unready.add(name)

    def unopened(self, name: str) -> None:
        """It was asked about what is not open: have the client ask again when it is."""
        self._reports.expect(name)


def _nothing(*_: object) -> None:
    return None


def _together(found: Any, more: list[Any]) -> Any:
    return found + more if isinstance(found, list) else found


class Handler(NamedTuple):
    """A method of the protocol, and the function that answers it.

    ``params``: the record that a message of our own brings; LSP's own are known. ``wanted``:
    of what is not for every client, whether it is for one. ``join``: an answer put together with
    what other features add.
    """

    method: str
    answer: Callable[[Any, Any], Any]
    """Of its context, or what else it was registered with, and the parameters."""
    options: Any = None
    empty: Any = None
    params: Any = None
    wanted: Callable[[Client], bool] | None = None
    join: Callable[[Any, list[Any]], Any] = _together


class Joined(NamedTuple):
    """What a feature adds to another one's answer, as a list: what becomes of it is the other
    one's to say (:attr:`Handler.join`)."""

    method: str
    answer: Callable[[Any, Any], list[Any]]


Run = Callable[[Context[Any], Any], Any]


class Feature(NamedTuple):
    """All that there is of a feature: what it answers, what it runs, what it keeps in mind."""

    handlers: Sequence[Handler] = ()
    commands: Sequence[tuple[Command, Run]] = ()
    joins: Sequence[Joined] = ()
    memory: Callable[[], Any] = _nothing
    """Makes the feature's memory of one client."""
    links: Callable[[Any, Documents], LinkSource | None] = _nothing
    """Given that memory, what the feature says of which files belong together."""
    turned: Callable[[Context[Any]], object] = _nothing
    """Called after each turn of work; true if it has more to do soon."""
    opened: Callable[[Context[Any], str], object] = _nothing
    """Called when a document, by name, has been opened."""
    closed: Callable[[Context[Any], str], object] = _nothing
    files_changed: Callable[[Context[Any]], object] = _nothing
    """Called when files on disk may have changed, or which of them are the workspace's."""
