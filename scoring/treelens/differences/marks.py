"""Marks: where in its sentence something stands that differs, and what is written there.

Offsets are relative to the start of the sentence's piece, so that a mark stays true while the
text before it changes. Longer than other modules are: every way in which a difference is placed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import NOTHING
from treelens.compare.comparison import ComparedSide, Words
from treelens.differences.parts import FIELDS
from treelens.trees.enhanced import Deps, enhanced
from treelens.trees.forest import (
    DEPREL,
    DEPS,
    FEATS,
    HEAD,
    LEMMA,
    MISC,
    NOWHERE,
    ROOT,
    XPOS,
    decode,
)

if TYPE_CHECKING:
    from treelens.trees.other_lines import OtherLine

_WORDS = 6
"""Words that a mark has before they are shortened."""
ELISION = "…"
"""Stands among a mark's words for those that are left out."""


class Mark(NamedTuple):
    """A place on one side: a sentence and offsets in bytes of UTF-8, ``end`` not included.

    In what :meth:`treelens.api.Result.sentences` and :meth:`~treelens.api.Result.errors` give, both
    are of the text: sentences count from 0, offsets from its first byte. Until a mark is put in
    its place they are relative, so that what is known of a group holds wherever edits move it: the
    n-th sentence of the group, and offsets within that sentence’s piece of the text.
    """

    sentence: int
    start: int
    end: int
    span: tuple[int, int] = (0, 0)
    """Words of the sentence that it is about."""
    written: str = ""
    """What this side has there: a label, a tag, a relation; a head's form in quotation marks,
    ``0`` for the root; empty where it has nothing."""
    words: tuple[str, ...] = ()
    """The words that it is about; of many the first and the last ones."""
    size: int = 0
    """How many words those are, over all sentences."""
    columns: tuple[int, ...] = ()
    """Where fields of a table's line are written: which; ``_`` among them is nothing."""


class View:
    """One side of some groups, with plain numbers for its rows; marks are in its sentences."""

    def __init__(self, side: ComparedSide) -> None:
        self.side = side
        forest = side.forest
        self.forest = forest
        self.first_leaf = forest.first_leaf.tolist()
        self.label_names = forest.symbols.labels

    @functools.cached_property
    def sentence_of_node(self) -> list[int]:
        """``(c,)``: which sentence each constituent is in."""
        forest = self.forest
        return np.repeat(np.arange(len(forest)), np.diff(forest.first_node)).tolist()

    @functools.cached_property
    def sentence_of_word(self) -> list[int]:
        """``(w,)``: which sentence each word is in."""
        forest = self.forest
        return np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf)).tolist()

    @functools.cached_property
    def _other_lines(self) -> dict[int, OtherLine]:
        """Lines of tables that are no words', by where they start."""
        from treelens.trees.other_lines import other_lines  # which most texts do without

        return {line.start: line for line in other_lines(self.forest)}

    @functools.cached_property
    def _deps(self) -> dict[int, Deps]:
        """DEPS fields by where they and what they say start."""
        fields = [*enhanced(self.forest)]
        return {
            start: one for one in fields for start in (one.start, *(e.start for e in one.edges))
        }

    # --- what there is ----------------------------------------------------------------------

    def label(self, bracket: int) -> str:
        return self.label_names[int(self.forest.label[self.row(bracket)])]

    def row(self, bracket: int) -> int:
        return int(self.side.brackets.row[bracket])

    def rows(self, bracket: int) -> range:
        """The rows of a bracket's words."""
        return self.rows_of_node(self.row(bracket))

    def rows_of_node(self, node: int) -> range:
        """The rows of a constituent's words."""
        base = self.first_leaf[self.sentence_of_node[node]]
        return range(base + int(self.forest.first[node]), base + int(self.forest.last[node]))

    def word(self, row: int) -> str:
        return decode(self.forest.symbols.token(int(self.forest.word[row])))

    def tag(self, row: int) -> str:
        return self.label_names[int(self.forest.tag[row])]

    def words(self, rows: Sequence[int]) -> tuple[str, ...]:
        """A few words; of many the first and the last ones."""
        if len(rows) <= _WORDS:
            return tuple(map(self.word, rows))
        half = _WORDS // 2
        head, tail = rows[:half], rows[-half:]
        return (*map(self.word, head), ELISION, *map(self.word, tail))

    def field(self, row: int, column: int) -> str:
        """What is written in a field of a word's line; ``_`` is nothing."""
        # (By what was read of it: sentences together may be of several sources.)
        fields, dependencies = self.forest.fields, self.forest.dependencies
        assert fields is not None
        if column == DEPREL and dependencies is not None:
            return self.label_names[int(dependencies.relation[row])]
        if column == XPOS:
            return self.label_names[int(fields.xpos[row])] or NOTHING
        key = {LEMMA: fields.lemma, FEATS: fields.feats, DEPS: fields.deps, MISC: fields.misc}
        return decode(self.forest.symbols.token(int(key[column][row])))

    def field_span(self, row: int, column: int) -> tuple[int, int]:
        """Where that is."""
        assert self.forest.fields is not None
        field = self.forest.fields.bounds[row]
        return int(field[column]), max(int(field[column + 1]) - 1, int(field[column]))

    def relation(self, row: int) -> str:
        """A word's relation; empty where none is given."""
        relation = self.field(row, DEPREL)
        return "" if relation == NOTHING else relation

    def head(self, row: int) -> str:
        """A word's head, as :attr:`Mark.written` has it."""
        assert self.side.arcs is not None
        head = int(self.side.arcs.head[row])
        if head == NOWHERE:
            return ""
        return "0" if head == ROOT else f"“{self.word(head)}”"

    # --- marks ------------------------------------------------------------------------------

    def at_bracket(self, bracket: int) -> Mark:
        """The opening bracket and its label."""
        return self.at_node(self.row(bracket))

    def at_node(self, node: int) -> Mark:
        """The same of any constituent."""
        forest = self.forest
        sentence = self.sentence_of_node[node]
        base = int(forest.piece[sentence, 0])
        rows = self.rows_of_node(node)
        span = int(forest.first[node]), int(forest.last[node])
        start, end = int(forest.open[node]) - base, int(forest.label_end[node]) - base
        written = bare_name(self.label_names[int(forest.label[node])])
        return Mark(sentence, start, end, span, written, self.words(rows), len(rows))

    def at_words(self, rows: range, written: str = "") -> Mark:
        """Words, from the first to the last one of the same sentence.

        In a table, the first one's form: the others' are on lines of their own.
        """
        forest = self.forest
        sentence = self.sentence_of_word[rows[0]]
        base, first = int(forest.piece[sentence, 0]), self.first_leaf[sentence]
        last = min(rows[-1], self.first_leaf[sentence + 1] - 1)
        end_row = last if forest.layout == "brackets" else rows[0]
        start, end = int(forest.word_start[rows[0]]), int(forest.word_end[end_row])
        span = rows[0] - first, last + 1 - first
        return Mark(sentence, start - base, end - base, span, written, self.words(rows), len(rows))

    def at_tag(self, row: int) -> Mark:
        """A word's tag, with its bracket where it has one; the word if it has no tag."""
        forest = self.forest
        bracketed = forest.layout == "brackets"
        start = int(forest.leaf_open[row] if bracketed else forest.tag_start[row])
        return self._of_word(row, start, int(forest.tag_end[row]), bare_name(self.tag(row)))

    def at_field(self, row: int, column: int, written: str) -> Mark:
        """A field of a word's line; the word if the line does not have it."""
        return self._of_word(row, *self.field_span(row, column), written)

    def _of_word(self, row: int, start: int, end: int, written: str) -> Mark:
        forest = self.forest
        sentence = self.sentence_of_word[row]
        base, at = int(forest.piece[sentence, 0]), row - self.first_leaf[sentence]
        if start == end:
            start, end = int(forest.word_start[row]), int(forest.word_end[row])
        words = (self.word(row),)
        return Mark(sentence, start - base, end - base, (at, at + 1), written, words, 1)

    def other_line(self, start: int) -> OtherLine | None:
        """The line of a table that starts at an offset of the source, if it is no word's."""
        return self._other_lines.get(start)

    def about(self, line: OtherLine) -> range:
        """The rows of what a line that is no word's is about: a token's words, the word before an
        empty node, or all words of the sentence."""
        first = self.first_leaf[line.sentence]
        return {
            "token": range(line.first, line.last),
            "empty": range(max(line.first - 1, first), max(line.first, first + 1)),
            "comment": range(first, self.first_leaf[line.sentence + 1]),
        }[line.kind]

    def at_line(self, line: OtherLine, written: str) -> Mark:
        """All of a line that is no word's."""
        base, first = int(self.forest.piece[line.sentence, 0]), self.first_leaf[line.sentence]
        rows = self.about(line)
        span = rows.start - first, rows.stop - first
        place = line.start - base, line.end - base
        return Mark(line.sentence, *place, span, written, self.words(rows), len(rows))

    def deps_at(self, start: int) -> Deps:
        """The DEPS field that starts at an offset of the source, or that says something there."""
        return self._deps[start]

    def at_deps(self, deps: Deps, start: int, end: int) -> Mark:
        """A stretch of a DEPS field; the word if there is no such field."""
        written = decode(self.forest.source[start:end])
        return self._of_word(deps.word, start, end, written)

    def at_sentence(self, sentence: int) -> Mark:
        """The root's opening bracket and label; in a table, the first word's number and form."""
        forest = self.forest
        base, start = int(forest.piece[sentence, 0]), int(forest.tree[sentence, 0])
        node, word = int(forest.first_node[sentence]), self.first_leaf[sentence]
        count = self.first_leaf[sentence + 1] - word
        if forest.layout == "rows" and count:
            start, end = int(forest.leaf_open[word]), int(forest.word_end[word])
        elif node < forest.first_node[sentence + 1]:
            end = int(forest.label_end[node])
        else:
            end = start + 1
        return Mark(sentence, start - base, max(end, start + 1) - base, (0, count), "", (), count)


def bare_name(name: str) -> str:
    """A label or tag without the features after ``##`` that some treebanks write."""
    return name.split("##", 1)[0]


# --- from rows -----------------------------------------------------------------------------


class RowSides(NamedTuple):
    """A row of a difference, seen from one side.

    own, own_end: what this side has, and one behind the last where it is several; -1: nothing.
    Of which things these are numbers, the difference knows: brackets, words or sentences.
    """

    here: View
    there: View
    own: int
    own_end: int
    other: int
    other_end: int


Marking = Callable[[RowSides], Mark | None]
"""Where a row of a difference stands on one side; None where there is nothing to point at."""


def at_bracket(at: RowSides) -> Mark | None:
    return at.here.at_bracket(at.own)


def at_node(at: RowSides) -> Mark | None:
    return at.here.at_node(at.own)


def at_whole_label(at: RowSides) -> Mark | None:
    """A constituent, with all that is written in its label, features too."""
    label = at.here.label_names[int(at.here.forest.label[at.own])]
    return at.here.at_node(at.own)._replace(written=label)


def at_whole_tag(at: RowSides) -> Mark | None:
    """The same of a tag."""
    return at.here.at_tag(at.own)._replace(written=at.here.tag(at.own))


def at_tag(at: RowSides) -> Mark | None:
    return at.here.at_tag(at.own)


def at_head(at: RowSides) -> Mark | None:
    return at.here.at_field(at.own, HEAD, at.here.head(at.own))


def at_words(at: RowSides) -> Mark | None:
    return at.here.at_words(range(at.own, at.own_end)) if at.own >= 0 else None


def at_sentence(at: RowSides) -> Mark | None:
    """The how-manieth sentence; the last one, where this side has fewer."""
    count = len(at.here.forest)
    return at.here.at_sentence(at.own) if 0 <= at.own < count else None


def at_first_word(at: RowSides) -> Mark | None:
    """Where a bracket is there: :func:`at_word_of` its words."""
    return at_word_of(at, at.there.rows(at.other))


def at_first_word_of_node(at: RowSides) -> Mark | None:
    """The same of any constituent there."""
    return at_word_of(at, at.there.rows_of_node(at.other))


def at_word_of(at: RowSides, rows: range) -> Mark | None:
    """The first word here on the cells of some words there; where there is none, the word before
    which they would stand, or the last one of the group."""
    theirs, ours = at.there.side.words, at.here.side.words
    if not rows:
        return None
    group = theirs.group[rows[0]]
    behind = int(np.searchsorted(ours.end, theirs.start[rows[0]], side="right"))
    for row in (_spoken_from(ours, behind), _spoken_before(ours, behind)):
        if row is not None and ours.group[row] == group:
            return at.here.at_words(range(row, row + 1))
    return None


def _spoken_from(words: Words, row: int) -> int | None:
    """The first word that is spoken, from a row on. (Of thousands of empty elements in one place
    none is looked at but the first.)"""
    while row < len(words.end):
        if words.end[row] > words.start[row]:
            return row
        row = int(np.searchsorted(words.end, words.end[row], side="right"))
    return None


def _spoken_before(words: Words, row: int) -> int | None:
    """The last one before a row."""
    row -= 1
    while row >= 0:
        if words.end[row] > words.start[row]:
            return row
        row = min(int(np.searchsorted(words.end, words.end[row])), row - 1)
    return None


def at_crossed(at: RowSides) -> Mark | None:
    """The shortest bracket here that one there crosses."""
    theirs, ours = at.there.side.brackets, at.here.side.brackets
    start, end = theirs.start[at.other], theirs.end[at.other]
    crossed = (ours.start < start) & (start < ours.end) & (ours.end < end)
    crossed |= (start < ours.start) & (ours.start < end) & (end < ours.end)
    found = np.flatnonzero(crossed)
    return at.here.at_bracket(int(found[np.argmin(ours.end[found] - ours.start[found])]))


def field(column: int) -> Marking:
    """The placing of a field, which is written as it stands there."""

    def at_field(at: RowSides) -> Mark | None:
        written = at.here.field(at.own, column)
        return at.here.at_field(at.own, column, "" if written == NOTHING else written)

    return at_field


def at_morphology(at: RowSides) -> Mark | None:
    """The first of lemma, second tag and features that differs; written are all that do."""
    arcs = at.here.side.arcs
    assert arcs is not None
    return morphology_of(at, arcs.unlike[at.own])


def morphology_of(at: RowSides, chosen: npt.NDArray[np.bool_]) -> Mark | None:
    """The first of some of lemma, second tag and features, ``(3,)``; written are all of these."""
    columns = [column for column, flag in zip((LEMMA, XPOS, FEATS), chosen, strict=True) if flag]
    written = FIELDS.join(at.here.field(at.own, column) for column in columns)
    return at.here.at_field(at.own, columns[0], written)._replace(columns=(*columns,))
