"""Diagnostics, for clients that ask; those that do not get the same from the publisher."""

from __future__ import annotations

from lsprotocol import types
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler

_Reports = types.FullDocumentDiagnosticReport | types.UnchangedDocumentDiagnosticReport


def pull(
    context: Context[None], params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    report = context.report(snapshot)
    related = _related(context, snapshot)
    if report.result_id == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(
            result_id=report.result_id, related_documents=related
        )
    return types.RelatedFullDocumentDiagnosticReport(
        items=report.items, result_id=report.result_id, related_documents=related
    )


def _related(context: Context[None], snapshot: Snapshot) -> dict[str, _Reports] | None:
    """The partners' diagnostics besides, which an edit here changes as well."""
    if not context.client.can("text_document.diagnostic.related_document_support"):
        return None
    reports: dict[str, _Reports] = {}
    for other in snapshot.counterparts:
        partner = context.snapshot(other.name)
        if partner is not None:
            report = context.report(partner)
            reports[context.uri(other.name)] = types.FullDocumentDiagnosticReport(
                items=report.items, result_id=report.result_id
            )
    return reports or None


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_DIAGNOSTIC,
            pull,
            types.DiagnosticOptions(
                identifier="treelens", inter_file_dependencies=True, workspace_diagnostics=True
            ),
            types.RelatedFullDocumentDiagnosticReport([]),
        ),
    )
)
