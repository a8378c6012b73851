"""Selection ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.selections import selections

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    return [_at(workbench, params.text_document.uri, place) for place in params.positions]


def _at(workbench: Workbench, uri: str, place: types.Position) -> types.SelectionRange:
    at = workbench.locate(uri, place)
    nested = None
    if at is not None:
        snapshot, offset = at
        spans = selections(snapshot, offset)
        for range_ in reversed(ranges(snapshot.document, spans, workbench.client.encoding)):
            nested = types.SelectionRange(range_, nested)
    return nested or types.SelectionRange(types.Range(place, place))


FEATURES = (Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, answer, empty=[]),)
