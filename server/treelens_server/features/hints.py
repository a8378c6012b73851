"""Inlay hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.hints import hints

from treelens_server.features import Feature
from treelens_server.positions import positions, span_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.InlayHintParams) -> list[types.InlayHint]:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    document, encoding = snapshot.document, workbench.client.encoding
    found = hints(snapshot, *span_of(document, params.range, encoding), heads=workbench.shows_heads)
    places = positions(document, [hint.offset for hint in found], encoding)
    return [
        types.InlayHint(
            place, hint.text, types.InlayHintKind.Type, tooltip=hint.tooltip, padding_left=True
        )
        for place, hint in zip(places, found, strict=True)
    ]


FEATURES = (Feature(types.TEXT_DOCUMENT_INLAY_HINT, answer, empty=[]),)
