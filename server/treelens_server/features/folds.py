"""Folding ranges."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.folds import folds

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


def answer(context: Context[None], params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    places = ranges(snapshot.document, folds(snapshot), context.encoding)
    # Of several that start on a line, the outermost is the one that an editor can fold.
    widest = {place.start.line: place.end.line for place in reversed(places)}
    return [types.FoldingRange(start, end) for start, end in sorted(widest.items())]


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_FOLDING_RANGE, answer, empty=[]),))
