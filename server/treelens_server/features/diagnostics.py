"""Diagnostics, for clients that ask; those that do not get the same from the publisher."""

from __future__ import annotations

from lsprotocol import types
from msgspec import UNSET, UnsetType
from treelens.session.session import Snapshot

from treelens_server.answers import DiagnosticParams, DiagnosticReport
from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of

_NONE = DiagnosticReport(kind="full", items=[])


def pull(context: Context[None], params: DiagnosticParams) -> DiagnosticReport:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        # VS Code asks of what is in a tab before it says that it is open, and then not again.
        context.unopened(name_of(params.text_document.uri))
        return _NONE
    related = _related(context, snapshot)
    result_id, items = context.report(snapshot)
    if result_id == params.previous_result_id:
        return DiagnosticReport(kind="unchanged", result_id=result_id, related_documents=related)
    return DiagnosticReport(
        kind="full", result_id=result_id, items=items, related_documents=related
    )


def _related(context: Context[None], snapshot: Snapshot) -> dict[str, DiagnosticReport] | UnsetType:
    """The partners' diagnostics besides, which an edit here changes as well."""
    if not context.client.can("text_document.diagnostic.related_document_support"):
        return UNSET
    reports = {}
    for other in snapshot.counterparts:
        partner = context.snapshot(other.name)
        if partner is not None:
            result_id, items = context.report(partner)
            found = DiagnosticReport(kind="full", result_id=result_id, items=items)
            reports[context.uri(other.name)] = found
    return reports or UNSET


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_DIAGNOSTIC,
            pull,
            types.DiagnosticOptions(
                identifier="treelens", inter_file_dependencies=True, workspace_diagnostics=True
            ),
            _NONE,
            DiagnosticParams,
        ),
    )
)
