"""Words on one axis: two ways of writing the same stretch of text, cut into common cells.

A word covers the cells ``[start, end)``. Boundaries with the same number are the same place
in the text, whatever the words on either side. Knows nothing of trees.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

_CHARACTERS_COMPARED = 4000
"""Past so many characters a stretch that differs is not looked into: it is one group."""


class Axis(NamedTuple):
    """Where each word of gold and of system lies; ``cells`` is the axis's length.

    A word without a counterpart has cells of its own, which nothing on the other side covers.
    """

    gold: list[tuple[int, int]]
    system: list[tuple[int, int]]
    cells: int


def align_words(gold: Sequence[bytes], system: Sequence[bytes]) -> Axis:
    """Lay both sides on one axis.

    By characters where the text agrees up to its spaces. Otherwise equal words first; and
    between them by characters where these agree, else word by word where the numbers do, and
    by the closest characters where not. Ties are broken towards the left.
    """
    if b"".join(gold) == b"".join(system):
        return _by_characters(gold, system)
    axis = Axis([], [], 0)
    for golds, systems, equal in blocks(gold, system):
        left, right = gold[golds.start : golds.stop], system[systems.start : systems.stop]
        if not equal and b"".join(left) == b"".join(right):
            block = _by_characters(left, right)
        elif len(left) == len(right) or not left or not right:
            block = _word_by_word(len(left), len(right))
        else:
            block = _by_closest_characters(left, right)
        axis = _append(axis, block)
    return axis


class Block(NamedTuple):
    """A run of items that both sides have in order, or a stretch between two such runs."""

    gold: range
    system: range
    equal: bool


def blocks(gold: Sequence[Hashable], system: Sequence[Hashable]) -> list[Block]:
    """The longest common subsequence and what lies between it, as alternating blocks."""
    found: list[Block] = []
    for code in Indel.opcodes(gold, system):
        equal = code.tag == "equal"
        start, other_start = code.src_start, code.dest_start
        if found and not equal and not found[-1].equal:
            before = found.pop()
            start, other_start = before.gold.start, before.system.start
        found.append(Block(range(start, code.src_end), range(other_start, code.dest_end), equal))
    return found


def _append(axis: Axis, block: Axis) -> Axis:
    axis.gold.extend((start + axis.cells, end + axis.cells) for start, end in block.gold)
    axis.system.extend((start + axis.cells, end + axis.cells) for start, end in block.system)
    return axis._replace(cells=axis.cells + block.cells)


def _word_by_word(gold: int, system: int) -> Axis:
    cells = max(gold, system)
    words = [(cell, cell + 1) for cell in range(cells)]
    return Axis(words[:gold], words[:system], cells)


def _by_characters(gold: Sequence[bytes], system: Sequence[bytes]) -> Axis:
    """The text is the same: every boundary of either side cuts the axis."""
    ends = [list(itertools.accumulate(map(len, words), initial=0)) for words in (gold, system)]
    return _from_boundaries(*ends)


def _from_boundaries(gold: list[int], system: list[int]) -> Axis:
    cells = {place: cell for cell, place in enumerate(sorted({*gold, *system}))}
    sides = [
        [(cells[start], cells[end]) for start, end in itertools.pairwise(places)]
        for places in (gold, system)
    ]
    return Axis(sides[0], sides[1], len(cells) - 1)


def _by_closest_characters(gold: Sequence[bytes], system: Sequence[bytes]) -> Axis:
    """Boundaries that the best alignment of characters brings together are one; others not.

    Between two common boundaries, those of gold are put before those of system: neither side
    is then ever taken to cut where the other does.
    """
    common = _common_boundaries(gold, system)
    axis = Axis([], [], 0)
    for (gold_start, system_start), (gold_end, system_end) in itertools.pairwise(common):
        golds, systems = gold_end - gold_start, system_end - system_start
        if golds == systems or not golds or not systems:
            axis = _append(axis, _word_by_word(golds, systems))
            continue
        cells = golds + systems - 1
        places = list(range(golds)), [0, *range(golds, cells)]
        axis = _append(axis, _from_boundaries([*places[0], cells], [*places[1], cells]))
    return axis


def _common_boundaries(gold: Sequence[bytes], system: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pairs of word numbers that start at the same place, ends included."""
    ends = (len(gold), len(system))
    texts = [b"".join(words).decode("utf-8", "surrogateescape") for words in (gold, system)]
    if max(map(len, texts)) > _CHARACTERS_COMPARED:
        return [(0, 0), ends]
    starts = []
    for words in (gold, system):
        lengths = (len(word.decode("utf-8", "surrogateescape")) for word in words)
        starts.append(
            {at: word for word, at in enumerate(itertools.accumulate(lengths, initial=0))}
        )
    common = [(0, 0)]
    for code in Levenshtein.opcodes(*texts):
        if code.tag != "equal":
            continue
        for step in range(code.src_end - code.src_start + 1):
            pair = starts[0].get(code.src_start + step), starts[1].get(code.dest_start + step)
            if pair[0] is not None and pair[1] is not None:
                both = (pair[0], pair[1])
                if both[0] > common[-1][0] and both[1] > common[-1][1] and both != ends:
                    common.append(both)
    return [*common, ends]
