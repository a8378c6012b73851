"""Semantic tokens, by range: what treebanks consist of, in names that themes have colours for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.tokens import KINDS, tokens

from treelens_server.features import Feature
from treelens_server.positions import places, span_of

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
    "number": "number",
    "lemma": "variable",
    "feature": "property",
    "value": "enumMember",
    "head": "macro",
    "relation": "function",
    "key": "decorator",
}
_LEGEND = types.SemanticTokensLegend([_TYPES[kind] for kind in KINDS], [])


def answer(workbench: Workbench, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    snapshot = workbench.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    document, encoding = snapshot.document, workbench.client.encoding
    found = tokens(snapshot, *span_of(document, params.range, encoding))
    ends = places(document, [offset for token in found for offset in token[:2]], encoding)
    data: list[int] = []
    line = character = 0
    for token, (start_line, start), (_, end) in zip(found, ends[::2], ends[1::2], strict=True):
        before = character if start_line == line else 0
        data += (start_line - line, start - before, end - start, KINDS.index(token.kind), 0)
        line, character = start_line, start
    return types.SemanticTokens(data)


FEATURES = (
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, answer, _LEGEND, types.SemanticTokens([])),
)
