"""Diagnostics, for clients that ask; those that do not get the same from the publisher."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from treelens.present.diagnostics import Diagnostic
from treelens.session.document import Document
from treelens.session.session import Snapshot

from treelens_server.features import Feature
from treelens_server.positions import Encoding, ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}

_Reports = types.FullDocumentDiagnosticReport | types.UnchangedDocumentDiagnosticReport


def pull(
    workbench: Workbench, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    report = workbench.publisher.report(snapshot)
    related = _related(workbench, snapshot)
    if report.result_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(
            result_id=report.result_id, related_documents=related
        )
    return types.RelatedFullDocumentDiagnosticReport(
        items=report.items, result_id=report.result_id, related_documents=related
    )


def _related(workbench: Workbench, snapshot: Snapshot) -> dict[str, _Reports] | None:
    """The partners' diagnostics besides, which an edit here changes as well."""
    if not workbench.client.can("text_document.diagnostic.related_document_support"):
        return None
    reports: dict[str, _Reports] = {}
    for other in snapshot.counterparts:
        partner = workbench.snapshot(other.name)
        if partner is not None:
            report = workbench.publisher.report(partner)
            reports[workbench.uri(other.name)] = types.FullDocumentDiagnosticReport(
                items=report.items, result_id=report.result_id
            )
    return reports or None


class Documents(NamedTuple):
    """What names stand for: the documents, their URIs, and the characters that positions count."""

    document: Callable[[str], Document | None]
    uri: Callable[[str], str]
    encoding: Encoding


def encoded(
    document: Document, found: Sequence[Diagnostic], others: Documents
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
    found: Sequence[Diagnostic], others: Documents
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


FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        pull,
        types.DiagnosticOptions(
            identifier="treelens", inter_file_dependencies=True, workspace_diagnostics=True
        ),
        types.RelatedFullDocumentDiagnosticReport([]),
    ),
)
