"""Formatting of a file, and of a selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.formatting import MOST, formatting
from treelens.session.session import Snapshot

from treelens_server.edits import text_edits
from treelens_server.features import Feature
from treelens_server.positions import span_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def of_document(
    workbench: Workbench, params: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    return _edits(workbench, snapshot, 0, snapshot.document.length)


def of_range(
    workbench: Workbench, params: types.DocumentRangeFormattingParams
) -> list[types.TextEdit]:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    span = span_of(snapshot.document, params.range, workbench.client.encoding)
    return _edits(workbench, snapshot, *span)


def _edits(workbench: Workbench, snapshot: Snapshot, start: int, end: int) -> list[types.TextEdit]:
    found = formatting(snapshot, start, end)
    if found is None:
        workbench.client.tell(
            f"More than {MOST:,} trees are not laid out at once: select some, and format those."
        )
        return []
    return text_edits(workbench, snapshot.document, found)


FEATURES = (
    Feature(types.TEXT_DOCUMENT_FORMATTING, of_document, empty=[]),
    Feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, of_range, empty=[]),
)
