"""Definition, implementation and references: the same node in the paired files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.counterpart import counterparts

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.TextDocumentPositionParams) -> list[types.Location]:
    return places(workbench, params.text_document.uri, params.position)


def places(workbench: Workbench, uri: str, position: types.Position) -> list[types.Location]:
    """Where the node at a position is in each of the other files."""
    at = workbench.locate(uri, position)
    found = []
    for place in counterparts(*at) if at else []:
        document = workbench.document(place.name)
        if document is not None:
            (range_,) = ranges(document, [(place.start, place.end)], workbench.client.encoding)
            found.append(types.Location(workbench.uri(place.name), range_))
    return found


FEATURES = (
    Feature(types.TEXT_DOCUMENT_DEFINITION, answer, empty=[]),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, answer, empty=[]),
    Feature(types.TEXT_DOCUMENT_REFERENCES, answer, empty=[]),
)
