"""What is wrong with each document, as it is sent: put together once for each of its states.

Whoever shows it asks here: the client that pulls, the one that is pushed to, the whole corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from treelens.present.diagnostics import IN_VIEW, Diagnostic, Related, parts
from treelens.present.parts import Part
from treelens.session.session import Snapshot

from treelens_server.shares import (
    DocumentNames,
    Hole,
    Shares,
    WireTemplate,
    filled,
    literal,
    located,
    shown,
)

_MOST_UNOPENED = 1_000
"""A client may ask of whatever it likes."""
_SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}


class DocumentReport(NamedTuple):
    """The diagnostics of one document, with an id that changes only when they do."""

    result_id: str
    items: list[msgspec.Raw]


class Reports:
    """The last report of each document."""

    def __init__(self, names: Callable[[], DocumentNames]) -> None:
        self._names = names
        self._shares = Shares[Diagnostic]()
        self._known: dict[str, tuple[Snapshot, list[bytes], DocumentReport]] = {}
        self._serial = 0
        self._besides: dict[str, dict[str, list[msgspec.Raw]]] = {}
        self.unready: set[str] = set()
        """Documents of which it was asked what could not be said yet."""
        self.unopened: set[str] = set()
        """Documents of which it was asked before they were open."""

    def expect(self, name: str) -> None:
        """It was asked about a document that is not open."""
        if len(self.unopened) < _MOST_UNOPENED:
            self.unopened.add(name)

    def report(self, snapshot: Snapshot) -> DocumentReport:
        """Diagnostics, worked out once for each state of a document and its partners."""
        known = self._known.get(snapshot.name)
        if known is not None and known[0] is snapshot:
            return known[2]
        items = written(snapshot.name, parts(snapshot), self._names(), self._shares)
        self._shares.tidy()
        if known is not None and known[1] == items:
            report = known[2]
        else:
            self._serial += 1
            report = DocumentReport(str(self._serial), [*map(msgspec.Raw, items)])
        self._known[snapshot.name] = (snapshot, items, report)
        return report

    def say_besides(self, name: str, feature: str, items: Sequence[msgspec.Raw]) -> None:
        """What a feature says of a document beside its report, from now on."""
        self._besides.setdefault(name, {})[feature] = [*items]

    def besides(self, name: str) -> list[msgspec.Raw]:
        """What features say of a document beside its report."""
        return [item for items in self._besides.get(name, {}).values() for item in items]

    def forget(self, name: str) -> None:
        self._known.pop(name, None)
        self._besides.pop(name, None)
        self.unready.discard(name)


def encoded(name: str, found: Sequence[Diagnostic], names: DocumentNames) -> list[msgspec.Raw]:
    """Some diagnostics of a document, none of which is kept."""
    written = _diagnostics(name, names, found)
    return [msgspec.Raw(filled(one).json) for one in written]


def written(
    name: str, found: Iterable[Part[Diagnostic]], names: DocumentNames, shares: Shares[Diagnostic]
) -> list[bytes]:
    """Diagnostics of a document as they are sent, in text order."""
    write = partial(_diagnostics, name, names)
    items = [item for part in found for item in shares.of(part, names, write)]
    items.sort(key=lambda item: item[:2])
    return [item.json for item in items]


def _diagnostics(
    name: str, names: DocumentNames, found: Sequence[Diagnostic]
) -> list[WireTemplate]:
    """A document's diagnostics in the protocol's words."""
    where = located(name, [one[:2] for one in found], names)
    if not names.related:
        found = [one._replace(related=()) for one in found]
    there = _related([related for one in found for related in one.related], names)
    written = []
    for one, (place, *holes) in zip(found, where, strict=True):
        said: dict[str, object] = {"severity": _SEVERITIES[one.severity], "code": one.code}
        if one.link:
            said["codeDescription"] = {"href": one.link}
        if not one.listed:
            said["data"] = IN_VIEW
        fixed = literal(said)[1:-1]
        message = shown(one.message)
        others = [next(there) for _ in one.related]
        more = b',"relatedInformation":[%b]' % b",".join(json for json, *_ in others)
        json = b'{"range":%b,"message":%b,%b,"source":"treelens"%b}' % (
            place,
            message,
            fixed,
            more if others else b"",
        )
        holes += [hole for _, *of in others for hole in of]
        written.append(WireTemplate(one.start, one.end, json, tuple(holes)))
    return written


def _related(found: Sequence[Related], names: DocumentNames) -> Iterator[tuple[bytes, Hole, Hole]]:
    """All related information in order, each other document looked into once."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for one in found:
        spans.setdefault(one.name, []).append((one.start, one.end))
    where = {name: iter(located(name, of, names)) for name, of in spans.items()}
    for one in found:
        place, start, end = next(where[one.name])
        uri, message = literal(names.uri(one.name)), shown(one.message)
        json = b'{"location":{"uri":%b,"range":%b},"message":%b}' % (uri, place, message)
        yield json, start, end
