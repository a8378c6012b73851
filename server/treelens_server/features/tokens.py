"""Semantic tokens: what treebanks consist of, in names that themes have colours for.

By range; clients that know of no ranges get what is in view and around it, and then changes.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from lsprotocol import types
from treelens.present.tokens import KINDS, MODIFIERS, MOST, SemanticToken, part
from treelens.present.window import near
from treelens.session.document import Document
from treelens.session.kept import Kept
from treelens.session.session import Snapshot

from treelens_server.answers import RangeParams
from treelens_server.client import Client
from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import Encoding, Position, places, span_of

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
_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_BITS = {modifier: 1 << bit for bit, modifier in enumerate(MODIFIERS)}
_FIVE = 5
"""Numbers of a token."""
_WEIGHT = 400
"""About how many bytes one takes."""


class _Share(NamedTuple):
    """A sentence's tokens in the protocol's numbers, the first one's place left open."""

    data: list[int]
    starts: list[Position]
    """Where each token starts, by lines from the sentence's first."""
    spans: list[tuple[int, int]]
    """Its bytes, from where the sentence starts."""

    def within(self, start: int, end: int) -> _Share:
        """The tokens of a stretch of the sentence."""
        first = bisect.bisect_left(self.spans, (start,))
        last = bisect.bisect_right(self.spans, end, key=itemgetter(1))
        part = slice(first, max(first, last))
        data = self.data[_FIVE * part.start : _FIVE * part.stop]
        return _Share(data, self.starts[part], self.spans[part])


_NO_PLACE = (0, 0)


class _Memory:
    """The tokens of sentences, and what clients without ranges were last told of a file's."""

    def __init__(self) -> None:
        self.shares = Kept[_Share]()
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


def in_range(context: Context[_Memory], params: RangeParams) -> dict[str, list[int]]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return {"data": []}
    span = span_of(snapshot.document, params.range, context.encoding)
    return {"data": _data(context, snapshot, span)}


def in_full(context: Context[_Memory], params: types.SemanticTokensParams) -> types.SemanticTokens:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return types.SemanticTokens([])
    data = _in_view(context, snapshot)
    return types.SemanticTokens(data, context.memory.keep(snapshot.name, data))


def changes(
    context: Context[_Memory], params: types.SemanticTokensDeltaParams
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


def _in_view(context: Context[_Memory], snapshot: Snapshot) -> list[int]:
    document = snapshot.document
    shown = near(snapshot.visible, len(document))
    ends = ((document.start[one.start], document.start[one.stop]) for one in shown.stretches)
    return _data(context, snapshot, *((int(start), int(end)) for start, end in ends))


def _data(context: Context[_Memory], snapshot: Snapshot, *spans: tuple[int, int]) -> list[int]:
    """The tokens from offsets to others, each sentence's made once."""
    data: list[int] = []
    before = _NO_PLACE
    document = snapshot.document
    for sentence, start, end in _sentences(document, spans):
        share = _share(context, snapshot, sentence)
        piece = int(document.start[sentence])
        if piece < start or end < document.start[sentence + 1]:
            share = share.within(start - piece, end - piece)
        if share.data:
            base, here = int(document.line[sentence]), len(data)
            (first_line, character), (last_line, last) = share.starts[0], share.starts[-1]
            line = first_line + base
            data += share.data
            data[here] = line - before[0]
            data[here + 1] = character - (before[1] if line == before[0] else 0)
            before = last_line + base, last
    context.memory.shares.tidy()
    return data


def _sentences(
    document: Document, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """The sentences of each of some spans, each with where that starts and ends."""
    for start, end in spans:
        first, last = document.sentence_at(start), document.sentence_at(end)
        if first is not None and last is not None:
            for sentence in range(first, min(last + 1, first + MOST)):
                yield sentence, start, end


def _share(context: Context[_Memory], snapshot: Snapshot, sentence: int) -> _Share:
    document, shares = snapshot.document, context.memory.shares
    one = part(snapshot, sentence)
    if not document.starts(sentence).begins_line:
        return _written(document, one.make(), sentence, context.encoding)
    key = one.key, context.encoding
    known = shares.get(key)
    if known is None:
        known = _written(document, one.make(), sentence, context.encoding)
        shares.keep(key, known, _WEIGHT * len(known.spans))
    return known


def _written(
    document: Document,
    found: Sequence[SemanticToken],
    sentence: int,
    encoding: Encoding,
) -> _Share:
    base, piece = int(document.line[sentence]), int(document.start[sentence])
    ends = places(document, [offset for token in found for offset in token[:2]], encoding)
    data: list[int] = []
    line = character = 0
    for token, (start_line, start), (_, end) in zip(found, ends[::2], ends[1::2], strict=True):
        before = character if start_line == line else 0
        bits = sum([_BITS[modifier] for modifier in token.modifiers])
        data += (start_line - line, start - before, end - start, _NUMBERS[token.kind], bits)
        line, character = start_line, start
    starts = [(line - base, character) for line, character in ends[::2]]
    spans = [(token.start - piece, token.end - piece) for token in found]
    return _Share(data, starts, spans)


def _without_ranges(client: Client) -> bool:
    """Whether it cannot ask by range; a client that can would ask for both."""
    return not client.can("text_document.semantic_tokens.requests.range")


_NONE = types.SemanticTokens([])
FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, in_range, _LEGEND, {"data": []}, RangeParams
        ),
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
    memory=_Memory,
    closed=lambda context, name: context.memory.forget(name),
)
