"""What each piece of text is, for colours: labels in their parts, tags, words; a table's fields.

And what is the matter with it: that another file has something else there, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Literal, NamedTuple, get_args

from treelens.differences.difference import Modifier
from treelens.differences.table import BY_CODE
from treelens.present.lines import Line, lines
from treelens.present.parts import Part, is_alone, of_sentence, state_of
from treelens.rules.parameters import TRACE
from treelens.session.document import Document
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import FEATS, FORM
from treelens.trees.tree import Node

TokenType = Literal[
    "label",
    "function",
    "index",
    "tag",
    "word",
    "trace",
    "punctuation",
    "number",
    "lemma",
    "feature",
    "value",
    "head",
    "relation",
    "key",
]
KINDS: tuple[TokenType, ...] = get_args(TokenType)

MODIFIERS: tuple[Modifier, ...] = get_args(Modifier)

MOST = 100
"""What is asked for at once; a client that wants the whole file gets its beginning."""

# NP-SBJ=2-1: a category, then function tags after hyphens, indices after hyphens or =.
_PARTS = re.compile(
    r"(?P<label>\A-?[^-=#]+-?\Z|\A[^-=#]+)|[-=](?P<index>\d+)|-(?P<function>[^-=#]+)"
)
_PUNCTUATION = re.compile(r"\W+")


class SemanticToken(NamedTuple):
    start: int
    end: int
    kind: TokenType
    modifiers: tuple[Modifier, ...] = ()


def tokens(snapshot: Snapshot, start: int, end: int) -> list[SemanticToken]:
    """The tokens from one offset to another, in text order; of the first sentences of many."""
    first, last = snapshot.document.sentence_at(start), snapshot.document.sentence_at(end)
    if first is None or last is None:
        return []
    return [
        token
        for sentence in range(first, min(last + 1, first + MOST))
        for token in tokens_of(snapshot, sentence)
        if start <= token.start and token.end <= end
    ]


def tokens_of(snapshot: Snapshot, sentence: int) -> list[SemanticToken]:
    """The tokens of one sentence."""
    if snapshot.document.format.layout == "rows":
        found = _of_table(snapshot.document, sentence)
    else:
        nodes = snapshot.tree(sentence).nodes
        found = (token for node in nodes for token in _of_node(node))
    marks = [mark for other in snapshot.marked for mark in _marks(other, sentence)]
    return _modified([*found], sorted(marks))


def part(snapshot: Snapshot, sentence: int) -> Part[SemanticToken]:
    """The same, and what it depends on."""
    states = tuple([_state(snapshot, other, sentence) for other in snapshot.marked])
    return of_sentence(snapshot, sentence, states, partial(tokens_of, snapshot, sentence))


def _of_node(node: Node) -> Iterator[SemanticToken]:
    if node.word is None:
        yield from _of_label(node)
        return
    if node.label_start < node.label_end:
        yield SemanticToken(node.label_start, node.label_end, "tag")
    kind: TokenType = "word"
    if node.label == TRACE:
        kind = "trace"
    elif _PUNCTUATION.fullmatch(node.word):
        kind = "punctuation"
    yield SemanticToken(node.word_start, node.word_end, kind)


def _of_label(node: Node) -> Iterator[SemanticToken]:
    if len(node.label) != node.label_end - node.label_start:  # not ASCII: as a whole
        yield SemanticToken(node.label_start, node.label_end, "label")
        return
    for match in _PARTS.finditer(node.label):
        kind: TokenType = match.lastgroup  # type: ignore[assignment]
        start, end = match.span(match.lastgroup or 0)
        yield SemanticToken(node.label_start + start, node.label_start + end, kind)


# --- mismatches ----------------------------------------------------------------------------


class _Marked(NamedTuple):
    start: int
    end: int
    modifiers: tuple[Modifier, ...]
    kinds: frozenset[str]


def _marks(other: Counterpart, sentence: int) -> Iterator[_Marked]:
    for finding in other.pair.findings_in(other.side, sentence):
        mark, difference = finding.at(other.side), BY_CODE[finding.code]
        modifier = difference.modifier_on(other.side)
        if mark is not None and modifier is not None:
            also: tuple[Modifier, ...] = () if difference.counted else ("uncounted",)
            yield _Marked(mark.start, mark.end, (modifier, *also), difference.tokens)


def _state(snapshot: Snapshot, other: Counterpart, sentence: int) -> Hashable:
    """What changes whenever the marks do: those themselves, in one of several sentences here that
    are compared together, as it stays as it is where something is typed in another."""
    group = other.pair.group_of(other.side, sentence)
    if is_alone(other, group):
        return state_of(snapshot, other, group)
    base = int(snapshot.document.start[sentence])
    marks = _marks(other, sentence)
    return tuple([one._replace(start=one.start - base, end=one.end - base) for one in marks])


def _modified(plain: list[SemanticToken], marks: list[_Marked]) -> list[SemanticToken]:
    """The tokens, those within marks with what is the matter with them; all in text order."""
    found, ahead, around = [], 0, list[_Marked]()
    for token in plain:
        while ahead < len(marks) and marks[ahead].start <= token.start:
            around.append(marks[ahead])
            ahead += 1
        around = [mark for mark in around if mark.end > token.start]
        if not around:
            found.append(token)
            continue
        within = [one for one in around if token.end <= one.end and token.kind in one.kinds]
        # What no score counts is drawn lighter, unless there is something else the matter.
        counted = [one for one in within if "uncounted" not in one.modifiers]
        names = {name for one in counted or within for name in one.modifiers}
        modifiers = tuple(sorted(names, key=MODIFIERS.index))
        found.append(token._replace(modifiers=modifiers) if names else token)
    return found


# --- tables --------------------------------------------------------------------------------

_COLUMNS: tuple[TokenType | None, ...] = (
    "number",
    "word",
    "lemma",
    "tag",
    "tag",
    None,  # features, in their parts
    "head",
    "relation",
    None,
    None,
)
_FEATURE = re.compile(rb"([^=|]+)=([^|]*)")
_KEY = re.compile(rb"#[ \t]*([^=\s]+)[ \t]*(?:=|\Z)")


def _of_table(document: Document, sentence: int) -> Iterator[SemanticToken]:
    start, end = (int(document.start[k]) for k in (sentence, sentence + 1))
    for line in lines(document, start, end):
        if line.kind == "comment":
            key = _KEY.match(line.text)
            if key:
                yield SemanticToken(line.start + key.start(1), line.start + key.end(1), "key")
        elif line.kind != "other":
            yield from _of_line(line)


def _of_line(line: Line) -> Iterator[SemanticToken]:
    for column, (start, end) in enumerate(line.fields[: len(_COLUMNS)]):
        text = line.field(column)
        if not text or (text == b"_" and column != FORM):
            continue
        kind = _COLUMNS[column]
        if kind == "word" and line.kind == "empty node":
            kind = "trace"
        if kind is not None:
            yield SemanticToken(start, end, kind)
        elif column == FEATS:
            for match in _FEATURE.finditer(text):
                yield SemanticToken(start + match.start(1), start + match.end(1), "feature")
                if match[2]:
                    yield SemanticToken(start + match.start(2), start + match.end(2), "value")
