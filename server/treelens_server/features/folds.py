"""Folding ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.folds import folds

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    places = ranges(snapshot.document, folds(snapshot), workbench.client.encoding)
    # Of several that start on a line, the outermost is the one that an editor can fold.
    widest = {place.start.line: place.end.line for place in reversed(places)}
    return [types.FoldingRange(start, end) for start, end in sorted(widest.items())]


FEATURES = (Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, answer, empty=[]),)
