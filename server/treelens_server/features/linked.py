"""Linked editing."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.linked import linked

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


def answer(
    context: Context[None], params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | None:
    at = context.locate(params.text_document.uri, params.position)
    found = linked(*at) if at else []
    if at is None or not found:
        return None
    places = ranges(at[0].document, found, context.encoding)
    return types.LinkedEditingRanges(places, word_pattern="[0-9]+")


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, answer),))
