"""What each piece of text is, for colours: labels in their parts, tags, words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from treelens.parameters import TRACE
from treelens.session.session import Snapshot
from treelens.tree import Node

Kind = Literal["label", "function", "index", "tag", "word", "trace", "punctuation"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_SENTENCES = 100
"""What is asked for at once; a client that wants the whole file gets its beginning."""

# NP-SBJ=2-1: a category, then function tags after hyphens, indices after hyphens or =.
_PARTS = re.compile(
    r"(?P<label>\A-?[^-=#]+-?\Z|\A[^-=#]+)|[-=](?P<index>\d+)|-(?P<function>[^-=#]+)"
)
_PUNCTUATION = re.compile(r"\W+")


class Token(NamedTuple):
    start: int
    end: int
    kind: Kind


def tokens(snapshot: Snapshot, start: int, end: int) -> list[Token]:
    """The tokens from one offset to another, in text order."""
    first, last = snapshot.document.sentence_at(start), snapshot.document.sentence_at(end)
    if first is None or last is None:
        return []
    return [
        token
        for sentence in range(first, min(last + 1, first + _SENTENCES))
        for node in snapshot.tree(sentence).nodes
        for token in _of_node(node)
        if start <= token.start and token.end <= end
    ]


def _of_node(node: Node) -> Iterator[Token]:
    if node.word is None:
        yield from _of_label(node)
        return
    if node.label_start < node.label_end:
        yield Token(node.label_start, node.label_end, "tag")
    kind: Kind = "word"
    if node.label == TRACE:
        kind = "trace"
    elif _PUNCTUATION.fullmatch(node.word):
        kind = "punctuation"
    yield Token(node.word_start, node.word_end, kind)


def _of_label(node: Node) -> Iterator[Token]:
    if len(node.label) != node.label_end - node.label_start:  # not ASCII: as a whole
        yield Token(node.label_start, node.label_end, "label")
        return
    for match in _PARTS.finditer(node.label):
        kind: Kind = match.lastgroup  # type: ignore[assignment]
        start, end = match.span(match.lastgroup or 0)
        yield Token(node.label_start + start, node.label_start + end, kind)
