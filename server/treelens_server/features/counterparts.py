"""Definition, implementation and references: the same node in the paired files.

Of a word that has a head, the head defines it, and its dependents refer to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.counterpart import counterparts
from treelens.present.heads import dependents, head
from treelens.session.session import Snapshot

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

_Positioned = types.TextDocumentPositionParams


def definition(workbench: Workbench, params: _Positioned) -> list[types.Location]:
    at = workbench.locate(params.text_document.uri, params.position)
    span = head(*at) if at else None
    if at is None or span is None:
        return implementation(workbench, params)
    return _here(workbench, at[0], [span])


def implementation(workbench: Workbench, params: _Positioned) -> list[types.Location]:
    return places(workbench, params.text_document.uri, params.position)


def references(workbench: Workbench, params: _Positioned) -> list[types.Location]:
    at = workbench.locate(params.text_document.uri, params.position)
    spans = dependents(*at) if at else None
    if at is None or spans is None:
        return implementation(workbench, params)
    return _here(workbench, at[0], spans)


def _here(
    workbench: Workbench, snapshot: Snapshot, spans: list[tuple[int, int]]
) -> list[types.Location]:
    uri = workbench.uri(snapshot.name)
    found = ranges(snapshot.document, spans, workbench.client.encoding)
    return [types.Location(uri, place) for place in found]


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
    Feature(types.TEXT_DOCUMENT_DEFINITION, definition, empty=[]),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, implementation, empty=[]),
    Feature(types.TEXT_DOCUMENT_REFERENCES, references, empty=[]),
)
