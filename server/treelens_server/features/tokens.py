"""Semantic tokens, by range: what treebanks consist of, in names that themes have colours for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.tokens import KINDS, tokens

from treelens_server.features import Feature
from treelens_server.positions import ranges, span_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

_TYPES = {
    "label": "type",
    "function": "decorator",
    "index": "number",
    "tag": "keyword",
    "word": "string",
    "trace": "comment",
    "punctuation": "operator",
}
_LEGEND = types.SemanticTokensLegend([_TYPES[kind] for kind in KINDS], [])


def answer(workbench: Workbench, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    document, encoding = snapshot.document, workbench.client.encoding
    found = tokens(snapshot, *span_of(document, params.range, encoding))
    data: list[int] = []
    line = character = 0
    for token, place in zip(
        found, ranges(document, [token[:2] for token in found], encoding), strict=True
    ):
        start, end = place.start, place.end
        if start.line != line:
            line, character, step = start.line, 0, start.line - line
        else:
            step = 0
        data += (step, start.character - character, end.character - start.character)
        data += (KINDS.index(token.kind), 0)
        character = start.character
    return types.SemanticTokens(data)


FEATURES = (
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, answer, _LEGEND, types.SemanticTokens([])),
)
