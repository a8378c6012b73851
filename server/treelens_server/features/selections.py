"""Selection ranges."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.selections import selections

from treelens_server.context import Context, Feature, Handler
from treelens_server.limits import LONGEST_LIST
from treelens_server.positions import ranges

_DEEPEST = 200
"""Ranges within one another: clients read them by recursion. Of more, the innermost."""


def answer(
    context: Context[None], params: types.SelectionRangeParams
) -> list[types.SelectionRange]:
    if len(params.positions) > LONGEST_LIST:
        return []
    return [_at(context, params.text_document.uri, place) for place in params.positions]


def _at(context: Context[None], uri: str, place: types.Position) -> types.SelectionRange:
    at = context.locate(uri, place)
    nested = None
    if at is not None:
        snapshot, offset = at
        spans = selections(snapshot, offset)[:_DEEPEST]
        for range_ in reversed(ranges(snapshot.document, spans, context.encoding)):
            nested = types.SelectionRange(range_, nested)
    return nested or types.SelectionRange(types.Range(place, place))


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_SELECTION_RANGE, answer, empty=[]),))
