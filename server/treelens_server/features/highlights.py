"""Document highlights."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.highlights import highlights

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges

# A head is set off from what depends on it: clients have a second colour for what is written.
_KINDS = {
    "here": types.DocumentHighlightKind.Text,
    "head": types.DocumentHighlightKind.Write,
    "dependent": types.DocumentHighlightKind.Read,
}


def answer(
    context: Context[None], params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    at = context.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    found = highlights(*at)
    places = ranges(at[0].document, [one[:2] for one in found], context.encoding)
    return [
        types.DocumentHighlight(place, _KINDS[one.kind])
        for one, place in zip(found, places, strict=True)
    ]


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answer, empty=[]),))
