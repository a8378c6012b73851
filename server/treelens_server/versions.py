"""Earlier versions of system files, which these are held against to see what is new: texts under
names of our own, for no client to see, or another system's file. What was said by hand, and what
files were when they were opened, is remembered here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treelens.session.document import Document
from treelens.session.session import EarlierVersion, Link

_EARLIER = "earlier:"


def earlier_name(gold: str, system: str) -> str:
    """What a text that a system file was before goes by, of one pair: against another gold file it
    may be held against another text. Its ending stays, and says what it is."""
    return f"{_EARLIER}{gold} {system}"


class Version(NamedTuple):
    old: str
    """Its name."""
    called: str
    text: bytes | None = None
    """Of one that is no file."""


class Versions:
    """Which version each system file is held against, by the names of its pair."""

    def __init__(self) -> None:
        self._chosen: dict[tuple[str, str], Version] = {}
        self._first: dict[str, Document] = {}

    def choose(self, pair: tuple[str, str], version: Version | None) -> None:
        """This one from now on, or none."""
        self._chosen.pop(pair, None)
        if version is not None:
            self._chosen[pair] = version

    @property
    def chosen(self) -> dict[tuple[str, str], Version]:
        return dict(self._chosen)

    def forget(self, name: str) -> None:
        """Nothing is held against what is not there, nor against a file that is by itself."""
        kept = self._chosen.items()
        self._chosen = {pair: one for pair, one in kept if name not in (*pair, one.old)}

    def is_spoken_of(self, name: str) -> bool:
        """Whether a document is held against another one, or another one against it."""
        return any(name in (*pair, one.old) for pair, one in self._chosen.items())

    def texts(self) -> set[str]:
        """The names of those that nobody could read again."""
        return {one.old for one in self._chosen.values() if is_ours(one.old)}

    def of(self, links: Iterable[Link]) -> dict[Link, EarlierVersion]:
        """Those of some links that are there."""
        return {
            link: EarlierVersion(link._replace(system=chosen.old), chosen.called)
            for link in links
            if (chosen := self._chosen.get(link[:2])) is not None
        }

    def opened(self, name: str, document: Document | None) -> None:
        """A file as it was when it was opened, or was read first; None to forget it."""
        if document is None:
            self._first.pop(name, None)
        else:
            self._first.setdefault(name, document)

    def as_opened(self, name: str) -> bytes | None:
        """Its text then."""
        known = self._first.get(name)
        return known.text() if known is not None else None


def is_ours(name: str) -> bool:
    """Whether a name is no file's, but that of an earlier version."""
    return name.startswith(_EARLIER)
