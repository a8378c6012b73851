"""Inlay hints."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.hints import hints

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import positions, span_of


def answer(context: Context[None], params: types.InlayHintParams) -> list[types.InlayHint]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    document, encoding = snapshot.document, context.encoding
    found = hints(snapshot, *span_of(document, params.range, encoding), heads=context.shows_heads)
    places = positions(document, [hint.offset for hint in found], encoding)
    return [
        types.InlayHint(
            place, hint.text, types.InlayHintKind.Type, tooltip=hint.tooltip, padding_left=True
        )
        for place, hint in zip(places, found, strict=True)
    ]


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_INLAY_HINT, answer, empty=[]),))
