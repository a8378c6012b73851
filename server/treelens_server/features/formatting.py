"""Formatting of a file, and of a selection."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.formatting import MOST, formatting
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.edits import text_edits
from treelens_server.positions import span_of


def of_document(
    context: Context[None], params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    return _edits(context, snapshot, 0, snapshot.document.length)


def of_range(
    context: Context[None], params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    span = span_of(snapshot.document, params.range, context.encoding)
    return _edits(context, snapshot, *span)


def _edits(
    context: Context[None], snapshot: Snapshot, start: int, end: int
) -> list[types.TextEdit]:
    found = formatting(snapshot, start, end)
    if found is None:
        context.client.tell(
            f"More than {MOST:,} trees are not laid out at once: select some, and format those."
        )
        return []
    return text_edits(context, snapshot.document, found)


FEATURE = Feature(
    (
        Handler(types.TEXT_DOCUMENT_FORMATTING, of_document, empty=[]),
        Handler(types.TEXT_DOCUMENT_RANGE_FORMATTING, of_range, empty=[]),
    )
)
