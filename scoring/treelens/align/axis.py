"""The words of many groups of sentences on one axis, whole arrays at a time.

Where both sides have the same words, and the same tokens, each word is one cell. Where only the
spaces differ, all groups' boundaries are placed in one go. What is left is laid out by
:mod:`treelens.align.words`, group by group; that module has the rules, and these quick ways are
tested against it. Knows nothing of trees.
"""

from __future__ import annotations

import itertools
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.words import Axis, Tokens, align_tokens
from treelens.align.yields import Flags, Rows, compared, texts, token_starts
from treelens.rules.spelling import DistinctWords
from treelens.trees.forest import Forest, Ints, Keys, each_once, running

Counts = npt.NDArray[np.int64]
Way = Literal["own", "moved", "jp"]


class AxisLayout(NamedTuple):
    """Where the words of both sides lie, and what they are compared by.

    ``gold``, ``system``: ``(w, 2)``, first cell and end of each word, counted over all groups.
    ``gold_word``, ``system_word``: ``(w,)``, keys that, within a group, are equal for equal words.
    """

    gold: Ints
    system: Ints
    cells: int
    gold_word: Keys
    system_word: Keys

    @property
    def same(self) -> bool:
        """Whether all groups have the same words on both sides, so that each is a cell."""
        return self.gold is self.system


class _SideTokens(NamedTuple):
    """The overt words of one side that are in groups that differ, and their tokens."""

    rows: Rows
    """Which words they are; ``(r,)``."""
    key: Keys
    """What they are compared by; ``(r,)``."""
    first: list[int]
    """The first of them in each group, and the end."""
    words: list[bytes]
    token: list[int]
    """The first of them in each token, and the end."""
    first_token: list[int]
    """The first token of each group, and the end."""
    texts: list[bytes]
    """The tokens."""
    known: list[bool]
    """Whether the running text of each token is known."""

    def text(self, group: int) -> bytes:
        return b"".join(self.texts[self.first_token[group] : self.first_token[group + 1]])

    def has_parts(self, group: int) -> bool:
        """Whether a token has several words."""
        words = self.first[group + 1] - self.first[group]
        return words != self.first_token[group + 1] - self.first_token[group]

    def tokens(self, group: int) -> Tokens:
        first, end = self.first_token[group], self.first_token[group + 1]
        return Tokens(
            self.words[self.first[group] : self.first[group + 1]],
            self.texts[first:end],
            [b - a for a, b in itertools.pairwise(self.token[first : end + 1])],
            all(self.known[first:end]),
        )


def lay(
    gold: Forest,
    gold_group: Ints,
    system: Forest,
    system_group: Ints,
    groups: int,
    trace: Flags,
    words: DistinctWords,
    way: Way = "own",
) -> AxisLayout:
    """Put the words of both sides on the axis.

    ``*_group`` says, ascending, which of the groups each word is in; ``trace``, by label id,
    which tags are of words that nobody wrote. Those have no cells of their own in a group whose
    words differ. ``words`` says which words are the same, ``way`` whose alignment this is.
    """
    counts = np.bincount(gold_group, minlength=groups), np.bincount(system_group, minlength=groups)
    plain = _equal(gold, gold_group, system, system_group, counts[0] == counts[1])
    if plain.all():
        place = _columns(len(gold_group))
        return AxisLayout(place, place, len(gold_group), gold.word, system.word)
    plain |= np.minimum(*counts) == 0
    cells = np.maximum(*counts)
    sides = [
        _side(forest, word_group, plain, trace, words)
        for forest, word_group in ((gold, gold_group), (system, system_group))
    ]
    laid = _differing(sides[0], sides[1], np.flatnonzero(~plain).tolist(), cells, way)
    base = running(cells)
    gold_place, system_place = (
        _placed(word_group, running(count), plain, side.rows, places, base)
        for word_group, count, side, places in zip(
            (gold_group, system_group), counts, sides, laid, strict=True
        )
    )
    keys = []
    for forest, side in ((gold, sides[0]), (system, sides[1])):
        keys.append(forest.word.copy())
        keys[-1][side.rows] = side.key
    return AxisLayout(gold_place, system_place, int(base[-1]), keys[0], keys[1])


def _equal(
    gold: Forest, gold_group: Ints, system: Forest, system_group: Ints, same_size: Flags
) -> Flags:
    """Which groups, of those with as many words on both sides, have the same ones; (groups,)."""
    if same_size.all() and not (gold.anchors or system.anchors):
        equal = same_size.copy()
        equal[gold_group[gold.word != system.word]] = False
        return equal
    golds, systems = np.flatnonzero(same_size[gold_group]), np.flatnonzero(same_size[system_group])
    differ = gold.word[golds] != system.word[systems]
    if gold.anchors or system.anchors:
        differ |= token_starts(gold, golds) != token_starts(system, systems)
    equal = same_size.copy()
    equal[gold_group[golds[differ]]] = False
    return equal


def _side(
    forest: Forest, word_group: Ints, plain: Flags, trace: Flags, spelling: DistinctWords
) -> _SideTokens:
    rows = np.flatnonzero(~(plain.take(word_group) | trace.take(forest.tag)))
    group = word_group[rows]
    first = running(np.bincount(group, minlength=len(plain))).tolist()
    key = compared(forest, rows, forest.word[rows], spelling)
    words = texts(forest.symbols, key)
    if forest.anchors is None:
        everyone, known = [*range(len(rows) + 1)], [True] * len(rows)
        return _SideTokens(rows, key, first, words, everyone, first, words, known)
    starts = np.flatnonzero(token_starts(forest, rows))
    token = [*starts.tolist(), len(rows)]
    surface = forest.anchors.surface[rows[starts]]
    tokens = texts(forest.symbols, compared(forest, rows[starts], surface, spelling))
    for at in np.flatnonzero(surface == 0).tolist():
        tokens[at] = b"".join(words[token[at] : token[at + 1]])
    first_token = running(np.bincount(group[starts], minlength=len(plain))).tolist()
    return _SideTokens(rows, key, first, words, token, first_token, tokens, (surface != 0).tolist())


def _as_jp(gold: Tokens, system: Tokens) -> Axis:
    from treelens.align import jp  # with the drop-in's words, which hardly anybody asks for

    return jp.align_words(gold.words, system.words)


def _differing(
    gold: _SideTokens, system: _SideTokens, groups: list[int], cells: Counts, way: Way
) -> list[Ints]:
    """Cells of both sides' words, counted within each group; ``cells`` gets their numbers."""
    places = [np.zeros((len(side.rows), 2), np.int32) for side in (gold, system)]
    respaced = []
    for group in groups:
        parts = gold.has_parts(group) or system.has_parts(group)
        if way != "jp" and not parts and gold.text(group) == system.text(group):
            respaced.append(group)
            continue
        sides = gold.tokens(group), system.tokens(group)
        axis = _as_jp(*sides) if way == "jp" else align_tokens(*sides)
        cells[group] = axis.cells
        for side, place, found in zip((gold, system), places, axis[:2], strict=True):
            place[side.first[group] : side.first[group + 1]] = np.reshape(found, (-1, 2))
    if respaced:
        _respaced(gold, system, np.array(respaced), cells, places)
    return places


def _respaced(
    gold: _SideTokens, system: _SideTokens, groups: Rows, cells: Counts, places: list[Ints]
) -> None:
    """Place the words of groups in which only spaces differ: each boundary cuts the axis."""
    ends, rows, ending = [], [], []
    for side in (gold, system):
        first = np.array(side.first)
        counts = first[groups + 1] - first[groups]
        before = np.cumsum(counts) - counts
        at = np.repeat(first[groups] - before, counts) + np.arange(counts.sum())
        sizes = np.fromiter(map(len, side.texts), np.int64, len(side.texts))
        # Words are tokens here; in the token's place among those of all groups, though.
        tokens = at + np.repeat((np.array(side.first_token) - first)[groups], counts)
        ends.append(np.append(0, np.cumsum(sizes[tokens])))
        rows.append(at)
        ending.append(before + counts)
    # Both sides' texts are the same, so their places in it are.
    boundaries = each_once(np.concatenate(ends))
    boundary = [np.searchsorted(boundaries, end) for end in ends]
    group_end = boundary[0][ending[0]]
    group_start = np.append(0, group_end[:-1])
    cells[groups] = group_end - group_start
    for side, at, number, place in zip((gold, system), rows, boundary, places, strict=True):
        first = np.array(side.first)
        base = np.repeat(group_start, first[groups + 1] - first[groups])
        place[at, 0], place[at, 1] = number[:-1] - base, number[1:] - base


def _placed(
    word_group: Ints, first: Ints, plain: Flags, rows: Rows, places: Ints, base: Ints
) -> Ints:
    """All words' cells on the axis of all groups, of which ``base`` says where each starts."""
    place = _columns(len(word_group))
    place += (base - first)[word_group][:, None]
    place[rows] = places + base[word_group[rows]][:, None]
    silent = ~plain[word_group]
    silent[rows] = False
    unspoken = np.flatnonzero(silent)
    if len(unspoken):
        # A trace stands, without room, before the word that follows it in its group.
        following = np.searchsorted(rows, unspoken)
        ends = base[word_group[unspoken] + 1]
        starts = np.append(place[rows, 0], base[-1])[following]
        place[unspoken] = np.minimum(starts, ends)[:, None]
    return place


def _columns(words: int) -> Ints:
    """The first cell and the end of so many words on the axis of which each is a cell."""
    # (Each column's numbers together: it is columns that are looked at.)
    start = np.arange(words, dtype=np.int32)
    return np.stack([start, start + 1]).T
