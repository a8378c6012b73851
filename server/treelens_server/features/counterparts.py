"""Definition, implementation and references: the same node in the paired files.

Of a word that has a head, the head defines it, and its dependents refer to it.
"""

from __future__ import annotations

from lsprotocol import types
from treelens.present.counterpart import counterparts
from treelens.present.heads import dependents, head
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges

_Positioned = types.TextDocumentPositionParams


def definition(context: Context[None], params: _Positioned) -> list[types.Location]:
    at = context.locate(params.text_document.uri, params.position)
    span = head(*at) if at else None
    if at is None or span is None:
        return implementation(context, params)
    return _here(context, at[0], [span])


def implementation(context: Context[None], params: _Positioned) -> list[types.Location]:
    return locations(context, params.text_document.uri, params.position)


def references(context: Context[None], params: _Positioned) -> list[types.Location]:
    at = context.locate(params.text_document.uri, params.position)
    spans = dependents(*at) if at else None
    if at is None or spans is None:
        return implementation(context, params)
    return _here(context, at[0], spans)


def _here(
    context: Context[None], snapshot: Snapshot, spans: list[tuple[int, int]]
) -> list[types.Location]:
    uri = context.uri(snapshot.name)
    found = ranges(snapshot.document, spans, context.encoding)
    return [types.Location(uri, place) for place in found]


def locations(context: Context[None], uri: str, position: types.Position) -> list[types.Location]:
    """Where the node at a position is in each of the other files."""
    context.look_at_compared(uri)
    at = context.locate(uri, position)
    found = []
    for place in counterparts(*at) if at else []:
        document = context.document(place.name)
        if document is not None:
            (range_,) = ranges(document, [(place.start, place.end)], context.encoding)
            found.append(types.Location(context.uri(place.name), range_))
    return found


FEATURE = Feature(
    (
        Handler(types.TEXT_DOCUMENT_DEFINITION, definition, empty=[]),
        Handler(types.TEXT_DOCUMENT_IMPLEMENTATION, implementation, empty=[]),
        Handler(types.TEXT_DOCUMENT_REFERENCES, references, empty=[]),
    )
)
