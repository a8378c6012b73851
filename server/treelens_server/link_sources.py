"""What says besides :mod:`pairing` which files belong together: features of several at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Protocol

from treelens.session.session import Link, Overlay


class LinkSource(Protocol):
    """What says besides :mod:`treelens_server.pairing` which files belong together."""

    def links(self, names: Collection[str]) -> Sequence[Sequence[Link]]:
        """Of what documents that are open are in: the links of each. They set aside what files'
        names say of the same files."""

    def settle(self, unread: Set[str]) -> None:
        """These files cannot be read; all the others are there."""

    def speaks_of(self, name: str, names: Collection[str]) -> bool:
        """Whether opening or closing a document may change any of that."""

    @property
    def name(self) -> str:
        """What it is called, to tell it from the others."""

    def unpair(self, name: str) -> bool:
        """Whether what was said of a document by hand is over."""

    def said(self) -> list[list[str]]:
        """What was said by hand and holds, by files' names."""

    def say_again(self, said: Sequence[Sequence[str]]) -> None:
        """That was said by hand to a server before this one."""

    def overlay(self, name: str) -> Overlay | None:
        """What is laid over a document."""


class LinkSources:
    """All that a client's features bring."""

    def __init__(self) -> None:
        self._all: list[LinkSource] = []

    def add(self, source: LinkSource) -> None:
        self._all.append(source)

    def links(self, links: Sequence[Link], names: Collection[str]) -> list[Link]:
        """Those that files' names say, but what is said better here."""
        together = [found for source in self._all for found in source.links(names)]
        files = [{name for link in found for name in link[:2]} for found in together]
        rest = [link for link in links if not any(one.issuperset(link[:2]) for one in files)]
        return rest + [link for found in together for link in found]

    def settle(self, unread: Set[str]) -> None:
        for source in self._all:
            source.settle(unread)

    def speaks_of(self, name: str, names: Collection[str]) -> bool:
        return any(source.speaks_of(name, names) for source in self._all)

    def unpair(self, name: str) -> bool:
        return True in [source.unpair(name) for source in self._all]

    def said(self) -> dict[str, list[list[str]]]:
        return {source.name: source.said() for source in self._all}

    def say_again(self, said: Mapping[str, Sequence[Sequence[str]]]) -> None:
        for source in self._all:
            source.say_again(said.get(source.name, ()))

    def overlay(self, name: str) -> Overlay | None:
        return next(filter(None, (source.overlay(name) for source in self._all)), None)
