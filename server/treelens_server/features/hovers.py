"""Hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.hovers import hover

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.HoverParams) -> types.Hover | None:
    at = workbench.locate(params.text_document.uri, params.position)
    found = hover(*at) if at else None
    if at is None or found is None:
        return None
    (place,) = ranges(at[0].document, [(found.start, found.end)], workbench.client.encoding)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, found.markdown), place)


FEATURES = (Feature(types.TEXT_DOCUMENT_HOVER, answer),)
