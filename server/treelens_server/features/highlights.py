"""Document highlights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.highlights import highlights

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(
    workbench: Workbench, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    at = workbench.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    places = ranges(at[0].document, highlights(*at), workbench.client.encoding)
    return [types.DocumentHighlight(place) for place in places]


FEATURES = (Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answer, empty=[]),)
