"""What of another file's nesting this file's tree gets: a constituent, where it ends, which of two
is above, a word in its place.

What is in the way moves: of constituents that both files have, to where it stands in the other.
So nothing else comes to differ (:mod:`treelens.edits.nesting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import ComparedSide
from treelens.compare.sides import Side
from treelens.differences.nesting import Places, counterparts, only_lone, places_on_both
from treelens.edits.brackets import TreeText
from treelens.edits.nesting import (
    Constituent,
    NewWord,
    Relation,
    constituents,
    in_order,
    placed,
    rewritten,
    rooted,
    with_word,
)
from treelens.edits.sides import GroupSides, NodePlace
from treelens.edits.text import Edits
from treelens.trees.forest import Ints, encode, running

_MOST = 50_000
"""Constituents that are put in order times those of the sentence; what has more is no annotation,
and is taken as a whole."""


class _Nested(NamedTuple):
    """A sentence here, and what its constituents are there."""

    both: GroupSides
    sentence: int
    text: TreeText
    those: list[Constituent]
    partner: Ints
    """Of each constituent here of the whole group its row there; -1: none."""
    places: tuple[Places, Places]
    """Here and there."""
    counted: list[int]
    """How many words that count are before each, and in all."""

    @property
    def base(self) -> int:
        """The row of the first word here."""
        return self.both.here.first_row(self.sentence)

    @property
    def size(self) -> int:
        return len(self.text.tree.words)

    def row(self, one: Constituent) -> int:
        """Of a constituent here its row there; -1: none."""
        if one.node < 0:
            return -1
        forest = self.both.here.side.forest
        local = self.sentence - self.both.here.sentences.start
        return int(self.partner[forest.first_node[local] + self.text.node(one.node).row])

    def own(self, row: int) -> Constituent | None:
        """The constituent here that one there is."""
        return next((one for one in self.those if self.row(one) == row), None)


def _nested(both: GroupSides, sentence: int, *, relabelled: bool = True) -> _Nested | None:
    text = both.here.text(sentence)
    those = constituents(text)
    if those is None:
        return None
    mine = 0 if both.into is Side.GOLD else 1
    partner = counterparts(both.comparison, relabelled=relabelled)[mine]
    places = places_on_both(both.comparison)
    row = both.here.first_row(sentence)
    counted = running(both.here.counting[row : row + len(text.tree.words)]).tolist()
    return _Nested(both, sentence, text, those, partner, (places[mine], places[1 - mine]), counted)


# --- what is asked for ---------------------------------------------------------------------


def take_bracket(both: GroupSides, there: NodePlace) -> Edits | None:
    """A constituent of the other file that is not here."""
    row = _row(both, there)
    span = _span(both, row)
    found = _nested(both, both.here.sentence_of(span[0])) if span else None
    if found is None:
        return None
    return _edits(found, row, _placed(found, found.those, row, _new(both, row)))


def take_place(both: GroupSides, here: NodePlace, label: bytes | None = None) -> Edits | None:
    """Where a constituent starts and ends, and what it is under; ``label``: its new one."""
    found = _nested(both, here.sentence)
    own = found and next((one for one in found.those if one.node == here.node), None)
    if found is None or own is None or (row := found.row(own)) < 0:
        return None
    if label is None:
        return _edits(found, row, _placed(found, found.those, row, own))
    others = [one for one in found.those if one is not own]
    return _edits(found, row, _placed(found, others, row, own._replace(label=label)))


def take_order(both: GroupSides, here: NodePlace) -> Edits | None:
    """The order of all constituents over the words of one."""
    found = _nested(both, here.sentence, relabelled=False)
    own = found and next((one for one in found.those if one.node == here.node), None)
    if found is None or own is None:
        return None
    return _edits(found, found.row(own), _in_their_order(found, own))


def _in_their_order(found: _Nested, own: Constituent) -> list[Constituent] | None:
    """All constituents over the words of one that both files have, in the other's order."""
    same = _counted(found, own)
    chain = [one for one in found.those if found.row(one) >= 0]
    chain = [one for one in chain if _counted(found, one) == same and (same or one[:2] == own[:2])]
    if len(chain) * len(found.those) > _MOST:
        return None
    those: list[Constituent] | None = [one for one in found.those if one not in chain]
    for one in sorted(chain, key=found.row):
        those = _placed(found, those, found.row(one), one) if those is not None else None
    return those


def remove(both: GroupSides, here: NodePlace) -> Edits | None:
    """A constituent taken out that the other file does not have."""
    found = _nested(both, here.sentence)
    if found is None:
        return None
    those = [one for one in found.those if one.node != here.node]
    return _edits(found, _root(both, both.there.sentences[0]), those)


def take_words(both: GroupSides, theirs: range, written: Iterable[bytes]) -> Edits | None:
    """Words of the other file that are not here, ``written`` with their tags, in constituents
    that are here too; with an empty element, those that hold nothing else."""
    found = _nested(both, both.here.sentences[0])
    if found is None:
        return None
    side, words = both.there.side, []
    first = _holding(found, theirs[0])
    at, those = _before(found, theirs[0], first), found.those
    for one in found.those:
        if one.node in first and at in (one.first, one.last):
            those = _in_their_order(found._replace(those=those), one) or those
    lone = np.flatnonzero(only_lone(side, found.places[1])).tolist()
    for place, (row, text) in enumerate(zip(theirs, written, strict=True), at):
        new = [
            Constituent(place, place + 1, _label(side, node))
            for node in lone
            if row in _words(side, node)
        ]
        those = in_order([*with_word(those, place, _holding(found, row), those[:1]), *new])
        words.append(NewWord(place, text))
    top = _root(both, both.there.sentences[0])
    root = None if top is None else _new(both, top)
    whole = rooted(those, found.size + len(words), root)
    return rewritten(found.text, whole, words) if whole else None


def _holding(found: _Nested, row: int) -> set[int]:
    """The nodes of the constituents here that hold a word there."""
    return {one.node for one in found.those if row in _words_there(found, one)}


def _before(found: _Nested, row: int, holding: Set[int]) -> int:
    """Before which word here one of the other file goes. Where words stand around it that only
    this file has, on the side of them where it is in the right constituents."""
    here, there = found.places
    room, place = here.end > here.start[:-1], there.start[row]
    low = int(np.flatnonzero(room & (here.end <= place)).max(initial=found.base - 1)) + 1
    behind = np.flatnonzero(room & (here.start[:-1] >= place))
    high = int(behind.min(initial=found.base + found.size))
    return min(
        range(low - found.base, high - found.base + 1),
        key=lambda at: sum(_misses(one, at, one.node in holding) for one in found.those),
    )


def _misses(one: Constituent, at: int, holds: bool) -> bool:
    """Whether a constituent has a place inside that it should not have, or cannot have it."""
    inside, beside = one.first < at < one.last, at < one.first or one.last < at
    return beside if holds else inside


def _words_there(found: _Nested, one: Constituent) -> range:
    row = found.row(one)
    return _words(found.both.there.side, row) if row >= 0 else range(0)


# --- where things are ----------------------------------------------------------------------


def _row(both: GroupSides, place: NodePlace) -> int:
    """The row of a constituent there."""
    node = both.there.text(place.sentence).node(place.node)
    forest = both.there.side.forest
    return int(forest.first_node[place.sentence - both.there.sentences.start]) + node.row


def _root(both: GroupSides, sentence: int) -> int | None:
    """The row of the first constituent of a sentence there; None if it is no more than a word."""
    at = sentence - both.there.sentences.start
    first, end = both.there.side.forest.first_node[at : at + 2].tolist()
    return first if first < end else None


def _words(side: ComparedSide, row: int) -> range:
    """The rows of a constituent's words."""
    forest = side.forest
    sentence = int(forest.first_node.searchsorted(row, side="right")) - 1
    base = int(forest.first_leaf[sentence])
    return range(base + int(forest.first[row]), base + int(forest.last[row]))


def _label(side: ComparedSide, row: int) -> bytes:
    return encode(side.forest.symbols.labels[int(side.forest.label[row])])


def _new(both: GroupSides, row: int) -> Constituent:
    """A constituent there, with no words here yet."""
    return Constituent(0, 0, _label(both.there.side, row))


def _span(both: GroupSides, row: int) -> range | None:
    """The rows of the words here that are those of a constituent there, from the first to the
    last; None if they are cut differently, or none at all, or of several sentences."""
    mine = 0 if both.into is Side.GOLD else 1
    places = places_on_both(both.comparison)
    here, there = places[mine], places[1 - mine]
    theirs = _words(both.there.side, row)
    low, high = int(there.start[theirs.start]), int(there.end[theirs.stop - 1])
    start, end = here.start[:-1], here.end
    rows = np.flatnonzero((end > start) & (end > low) & (start < high))
    if not len(rows) or start[rows[0]] < low or end[rows[-1]] > high:
        return None
    found = range(int(rows[0]), int(rows[-1]) + 1)
    one_sentence = both.here.sentence_of(found[0]) == both.here.sentence_of(found[-1])
    return found if one_sentence else None


# --- what comes of it ----------------------------------------------------------------------


def _placed(
    found: _Nested, those: list[Constituent], row: int, one: Constituent
) -> list[Constituent] | None:
    """A constituent over the words that it has there; what only this side has at its edges stays
    where it is."""
    span = _span(found.both, row)
    if span is None or found.both.here.sentence_of(span[0]) != found.sentence:
        return None
    base = found.base
    first, last = span.start - base, span.stop - base
    room = found.places[0].end > found.places[0].start[:-1]
    counted = _counted(found, one._replace(first=first, last=last))
    whole = found.both.simple or counted == range(found.counted[-1])
    if whole and row in found.both.there.side.forest.first_node[:-1]:
        first, last = 0, found.size
    while one.first < first < one.last and not room[base + first - 1]:
        first -= 1
    while one.first < last < one.last and not room[base + last]:
        last += 1
    new = one._replace(first=first, last=last)
    return placed(those, new, lambda other: _relation(found, other, row, new, one))


def _relation(
    found: _Nested, other: Constituent, row: int, new: Constituent, old: Constituent
) -> Relation:
    """Where a constituent is to be, seen from one that is placed: as there, else by its words."""
    over = found.row(other)
    if over >= 0:
        side = found.both.there.side
        mine, theirs = _words(side, row), _words(side, over)
        if over < row and theirs.start <= mine.start and theirs.stop >= mine.stop:
            return "above"
        inside = over > row and theirs.start >= mine.start and theirs.stop <= mine.stop
        return "below" if inside else "beside"
    ours, theirs_too = _counted(found, new), _counted(found, other)
    if not ours:
        return "beside"
    if ours == theirs_too:
        was_above = other.first <= old.first and other.last >= old.last > old.first
        return "above" if was_above and _place(found, other) < _place(found, old) else "below"
    if _within(ours, theirs_too):
        return "above"
    if _within(theirs_too, ours):
        return "below"
    meet = ours.start < theirs_too.stop and theirs_too.start < ours.stop
    return "none" if meet else "beside"


def _place(found: _Nested, one: Constituent) -> int:
    return next((k for k, other in enumerate(found.those) if other.node == one.node >= 0), -1)


def _counted(found: _Nested, one: Constituent) -> range:
    """Its words that count, among those."""
    return range(found.counted[one.first], found.counted[one.last])


def _within(one: range, other: range) -> bool:
    return not one or (other.start <= one.start and one.stop <= other.stop)


def _edits(found: _Nested, row: int | None, those: list[Constituent] | None) -> Edits | None:
    """What makes the sentence so, under a root as the other file has it if it has lost its own."""
    if those is None:
        return None
    root = None
    if row is not None:
        forest = found.both.there.side.forest
        sentence = int(forest.first_node.searchsorted(row, side="right")) - 1
        top = int(forest.first_node[sentence])
        root = found.own(top) or _new(found.both, top)
    whole = rooted(those, found.size, root)
    return (rewritten(found.text, whole) or None) if whole else None
