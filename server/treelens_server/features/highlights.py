"""Document highlights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.highlights import highlights

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

# A head is set off from what depends on it: clients have a second colour for what is written.
_KINDS = {
    "here": types.DocumentHighlightKind.Text,
    "head": types.DocumentHighlightKind.Write,
    "dependent": types.DocumentHighlightKind.Read,
}


def answer(
    workbench: Workbench, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight]:
    at = workbench.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    found = highlights(*at)
    places = ranges(at[0].document, [one[:2] for one in found], workbench.client.encoding)
    return [
        types.DocumentHighlight(place, _KINDS[one.kind])
        for one, place in zip(found, places, strict=True)
    ]


FEATURES = (Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, answer, empty=[]),)
