"""Semantic tokens: what treebanks consist of, in names that themes have colours for.

By range; clients that know of no ranges get what is in view and around it, and then changes.
"""

from __future__ import annotations

from lsprotocol import types
from treelens.present.tokens import KINDS, MODIFIERS, tokens
from treelens.present.window import near
from treelens.session.session import Snapshot

from treelens_server.client import Client
from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import places, span_of

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
_LEGEND = types.SemanticTokensLegend([_TYPES[kind] for kind in KINDS], [*MODIFIERS])
_BITS = {modifier: 1 << bit for bit, modifier in enumerate(MODIFIERS)}
_FIVE = 5
"""Numbers of a token."""


def in_range(
    context: Context[_Sent], params: types.SemanticTokensRangeParams
) -> types.SemanticTokens:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    span = span_of(snapshot.document, params.range, context.encoding)
    return types.SemanticTokens(_encoded(context, snapshot, *span))


def in_full(context: Context[_Sent], params: types.SemanticTokensParams) -> types.SemanticTokens:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    data = _in_view(context, snapshot)
    return types.SemanticTokens(data, context.memory.keep(snapshot.name, data))


def changes(
    context: Context[_Sent], params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta:
    """What is other than in the answer that the client names; everything if that is not known."""
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    before = context.memory.known(snapshot.name, params.previous_result_id)
    data = _in_view(context, snapshot)
    number = context.memory.keep(snapshot.name, data)
    if before is None:
        return types.SemanticTokens(data, number)
    return types.SemanticTokensDelta(delta(before, data), number)


def delta(old: list[int], new: list[int]) -> list[types.SemanticTokensEdit]:
    """The one edit that makes some tokens others; none if they are the same."""
    shorter = min(len(old), len(new))
    head = next((k for k in range(shorter) if old[k] != new[k]), shorter) // _FIVE * _FIVE
    rest = shorter - head
    tail = next((k for k in range(rest) if old[-1 - k] != new[-1 - k]), rest) // _FIVE * _FIVE
    if head + tail == len(old) == len(new):
        return []
    gone = len(old) - tail - head
    return [types.SemanticTokensEdit(head, gone, new[head : len(new) - tail])]


class _Sent:
    """What clients were last told of a file's tokens, to tell them what has changed since."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, list[int]]] = {}
        self._serial = 0

    def keep(self, name: str, data: list[int]) -> str:
        """The number of an answer."""
        self._serial += 1
        self._last[name] = (str(self._serial), data)
        return str(self._serial)

    def known(self, name: str, number: str) -> list[int] | None:
        last, data = self._last.get(name, ("", []))
        return data if last == number else None

    def forget(self, name: str) -> None:
        self._last.pop(name, None)


def _in_view(context: Context[_Sent], snapshot: Snapshot) -> list[int]:
    document = snapshot.document
    shown = near(snapshot.visible, len(document))
    span = int(document.start[shown.start]), int(document.start[min(shown.stop, len(document))])
    return _encoded(context, snapshot, *span)


def _encoded(context: Context[_Sent], snapshot: Snapshot, first: int, last: int) -> list[int]:
    document, encoding = snapshot.document, context.encoding
    found = tokens(snapshot, first, last)
    ends = places(document, [offset for token in found for offset in token[:2]], encoding)
    data: list[int] = []
    line = character = 0
    for token, (start_line, start), (_, end) in zip(found, ends[::2], ends[1::2], strict=True):
        before = character if start_line == line else 0
        data += (start_line - line, start - before, end - start, KINDS.index(token.kind))
        data.append(sum(_BITS[modifier] for modifier in token.modifiers))
        line, character = start_line, start
    return data


def _without_ranges(client: Client) -> bool:
    """Whether it cannot ask by range; a client that can would ask for both."""
    return not client.can("text_document.semantic_tokens.requests.range")


_NONE = types.SemanticTokens([])
FEATURE = Feature(
    (
        Handler(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, in_range, _LEGEND, _NONE),
        Handler(
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
            in_full,
            _LEGEND,
            _NONE,
            wanted=_without_ranges,
        ),
        Handler(
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
            changes,
            _LEGEND,
            _NONE,
            wanted=_without_ranges,
        ),
    ),
    memory=_Sent,
    closed=lambda context, name: context.memory.forget(name),
)
