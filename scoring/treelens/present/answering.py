"""What answers in the other files to the place of the cursor, to be lit up there.

A bracket answers to a bracket, to its label and its end; the words that it would hold, where
it has no partner. A word answers to the words that it was taken together with; in a table its
line does, and in it the same field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from treelens.present.alignment import SentenceWords, stretch
from treelens.present.counterpart import group_at, matching, node_at
from treelens.present.highlights import closing
from treelens.present.lines import line_at, numbered
from treelens.session.document import Document
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import FORM
from treelens.trees.tree import Node

AnswerKind = Literal["same", "other label", "nearest"]


class Answer(NamedTuple):
    """A place in another file: offsets of it alone, and of all that it stands for."""

    name: str
    start: int
    end: int
    whole_start: int
    whole_end: int
    kind: AnswerKind
    closing: tuple[int, int] | None = None
    """The bracket that closes a constituent."""


def answering(snapshot: Snapshot, offset: int) -> list[Answer]:
    """What to light up in each of the other files; nothing for comments and blank lines."""
    at = node_at(snapshot, offset)
    if at is None:
        return []
    sentence, node = at
    table = snapshot.dependency_tree(sentence)
    if table is not None:
        place = table.word_at(offset)
        inside = numbered(line_at(snapshot.document, offset), table) if place is None else [place]
        column = FORM if place is None else table.words[place].column(offset)
        words = SentenceWords(sentence, inside[0], inside[-1] + 1) if inside else None
    elif node.word is not None:
        return [one for other in snapshot.counterparts for one in _word(other, sentence, node)]
    else:
        return [one for other in snapshot.counterparts for one in _bracket(other, sentence, node)]
    if words is None:
        return []
    return [one for other in snapshot.counterparts for one in _words(other, words, column)]


def _bracket(other: Counterpart, sentence: int, node: Node) -> Iterator[Answer]:
    match = matching(other, sentence, node)
    if match is None:
        return
    whole = match.start, match.end
    if match.kind == "words":
        yield Answer(other.name, *whole, *whole, "nearest")
        return
    there = match.node
    end = closing(other.document, other.document.tree(match.sentence), there)
    yield Answer(other.name, there.start, there.label_end, *whole, match.kind, end)


def _word(other: Counterpart, sentence: int, node: Node) -> Iterator[Answer]:
    found = [*_words(other, SentenceWords(sentence, node.row, node.row + 1), FORM)]
    match = None if found else matching(other, sentence, node)
    if match is not None and match.kind == "same":
        # (An empty element with another index: no words are taken together there.)
        alone, whole = (match.node.word_start, match.node.word_end), (match.start, match.end)
        found = [Answer(other.name, *alone, *whole, "same")]
    yield from found


def _words(other: Counterpart, words: SentenceWords, column: int) -> Iterator[Answer]:
    group = group_at(other, words.sentence)
    if not len(group.theirs):
        return
    there = stretch(group, words.sentence, words.first, words.end).there
    if there is None:
        return
    row = group.row(words.sentence, words.first)
    kind: AnswerKind = "same" if int(group.here.words.partner[row]) >= 0 else "nearest"
    for place in range(there.first, there.end):
        spans = _spans(other.document, there.sentence, place, column)
        yield Answer(other.name, *spans, kind)


def _spans(document: Document, sentence: int, place: int, column: int) -> tuple[int, int, int, int]:
    """A word, or in a table its field (its form, where that field is empty), and its line."""
    table = document.dependency_tree(sentence)
    if table is not None:
        word = table.words[place]
        start, end = word.fields[column]
        return *((start, end) if start < end else word.fields[FORM]), word.start, word.end
    nodes = document.tree(sentence).nodes
    leaf = next(one for one in nodes if one.word is not None and one.row == place)
    return leaf.word_start, leaf.word_end, leaf.start, leaf.end
