"""What is wrong with each document, in the protocol's words: made once for each of its states.

Whoever shows it asks here: the client that pulls, the one that is pushed to, the whole corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types
from treelens.present.diagnostics import Diagnostic, diagnostics
from treelens.session.document import Document
from treelens.session.session import Snapshot

from treelens_server.positions import Encoding, ranges

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


class Report(NamedTuple):
    """The diagnostics of one document, with an id that changes only when they do."""

    result_id: str
    items: list[types.Diagnostic]


class Names(NamedTuple):
    """What names stand for: the documents, their URIs, and the characters that positions count."""

    document: Callable[[str], Document | None]
    uri: Callable[[str], str]
    encoding: Encoding


class Reports:
    """The last report of each document."""

    def __init__(self, names: Callable[[], Names]) -> None:
        self._names = names
        self._known: dict[str, tuple[Snapshot, Report]] = {}
        self._serial = 0
        self.unready: set[str] = set()
        """Documents of which it was asked what could not be said yet."""

    def report(self, snapshot: Snapshot) -> Report:
        """Diagnostics, worked out once for each state of a document and its partners."""
        known = self._known.get(snapshot.name)
        if known is not None and known[0] is snapshot:
            return known[1]
        items = encoded(snapshot.document, diagnostics(snapshot), self._names())
        if known is not None and known[1].items == items:
            report = known[1]
        else:
            self._serial += 1
            report = Report(str(self._serial), items)
        self._known[snapshot.name] = (snapshot, report)
        return report

    def forget(self, name: str) -> None:
        self._known.pop(name, None)
        self.unready.discard(name)


def encoded(
    document: Document, found: Sequence[Diagnostic], others: Names
) -> list[types.Diagnostic]:
    """A document's diagnostics in the protocol's words."""
    places = ranges(document, [one[:2] for one in found], others.encoding)
    related = _related_places(found, others)
    return [
        types.Diagnostic(
            range=place,
            message=one.message,
            severity=_SEVERITIES[one.severity],
            code=one.code,
            source="treelens",
            related_information=[next(related) for _ in one.related] or None,
        )
        for one, place in zip(found, places, strict=True)
    ]


def _related_places(
    found: Sequence[Diagnostic], others: Names
) -> Iterator[types.DiagnosticRelatedInformation]:
    """The related information of all diagnostics, each other document looked into once."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for diagnostic in found:
        for one in diagnostic.related:
            spans.setdefault(one.name, []).append((one.start, one.end))
    places = {}
    for name, of_name in spans.items():
        document = others.document(name)
        assert document is not None
        places[name] = iter(ranges(document, of_name, others.encoding))
    for diagnostic in found:
        for one in diagnostic.related:
            where = types.Location(others.uri(one.name), next(places[one.name]))
            yield types.DiagnosticRelatedInformation(where, one.message)
