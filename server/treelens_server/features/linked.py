"""Linked editing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.linked import linked

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(
    workbench: Workbench, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | None:
    at = workbench.locate(params.text_document.uri, params.position)
    found = linked(*at) if at else []
    if at is None or not found:
        return None
    places = ranges(at[0].document, found, workbench.client.encoding)
    return types.LinkedEditingRanges(places, word_pattern="[0-9]+")


FEATURES = (Feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, answer),)
