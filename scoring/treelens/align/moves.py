"""Sentences that stand elsewhere: blocks that both sides have, out of order.

An alignment in order leaves them alone on both sides. That is said, and only on request are they
taken together, which makes the alignment a crossing one. First come those of the same text, then
those whose words differ (:mod:`~treelens.align.reworded`). The same, mirrored, whichever side is
gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Elsewhere, GroupedBy, Groups, TextNumbers, Yields
from treelens.align.order import Pairs
from treelens.align.pins import no_coincidence, same_texts
from treelens.align.reworded import KnownTexts, reworded
from treelens.trees.forest import Ints, Keys, each_once

_FAR = np.iinfo(np.int32).max

_ROOM = 16
"""Sentences beside one of a block that are looked at together at first."""


class Move(NamedTuple):
    """As many sentences of either side, one the other's counterpart."""

    gold: range
    system: range
    reworded: tuple[int, ...] = ()
    """Those of gold's that have other words, and are known by likeness."""


@dataclass(frozen=True, slots=True)
class _Some:
    """What is known of some sentences of a side."""

    numbers: TextNumbers
    places: Ints

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: slice | npt.NDArray[np.integer[Any]]) -> Keys:
        return self.numbers[self.places[rows]]


def moves(
    batches: Iterable[Groups], sides: tuple[Yields, Yields], known: KnownTexts | None = None
) -> list[Move]:
    """The blocks of sentences that were moved, by their place in gold; of an alignment's groups,
    some at a time. known: what was looked at when that was asked before."""
    numbers = sides[0].numbers, sides[1].numbers
    alone, before = _alone(batches)
    if not all(map(len, numbers)) or not all(side.any() for side in alone):
        return []
    places = np.flatnonzero(alone[0]).astype(np.int32), np.flatnonzero(alone[1]).astype(np.int32)
    same = _of_same_text(numbers, alone)
    pairs = same.then(reworded(sides, places, same, known or KnownTexts())).in_order()
    gaps = Pairs(
        *(
            its[np.searchsorted(side, at)]
            for its, side, at in zip(before, places, pairs, strict=True)
        )
    )
    as_it_is = np.isin(pairs.gold, same.gold)
    moved = as_it_is | _out_of_order(pairs, gaps)
    texts = (of[at][:, 1] for of, at in zip(numbers, pairs, strict=True))
    return _in_blocks(pairs.some(moved), pairs.gold[moved & np.not_equal(*texts)])


def _out_of_order(pairs: Pairs, gaps: Pairs) -> npt.NDArray[np.bool_]:
    """Which pairs, by gold's order, others cross: such that belong together, or one another in one
    place; ``gaps``: how many groups that belong together are before each sentence."""
    crossed = gaps.gold != gaps.system
    for gap in each_once(gaps.gold[~crossed]).tolist():
        here = np.flatnonzero(~crossed & (gaps.gold == gap))
        systems = pairs.system[here]
        most = np.maximum.accumulate(np.append(-1, systems[:-1]))
        least = np.minimum.accumulate(np.append(_FAR, systems[:0:-1]))[::-1]
        crossed[here] = (systems < most) | (systems > least)
    return crossed


def _in_blocks(pairs: Pairs, reworded: Ints) -> list[Move]:
    """Pairs of sentences, by gold's order, in as few blocks as there can be; ``reworded``: which of
    gold's have other words, ascending."""
    starts = np.flatnonzero(
        np.append(True, (np.diff(pairs.gold) != 1) | (np.diff(pairs.system) != 1))[
            : len(pairs.gold)
        ]
    )
    sizes = np.diff(np.append(starts, len(pairs.gold)))
    golds, systems = pairs.some(starts)
    bounds = np.searchsorted(reworded, golds), np.searchsorted(reworded, golds + sizes)
    columns = golds, systems, sizes, *bounds
    return [
        Move(
            range(gold, gold + size),
            range(system, system + size),
            tuple(reworded[first:end].tolist()),
        )
        for gold, system, size, first, end in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def elsewhere(found: Sequence[Move]) -> Elsewhere:
    """Where the sentences of moved blocks stand."""
    gold, system, reworded = (
        np.array([one for move in found for one in move[column]], np.int32) for column in range(3)
    )
    return Elsewhere(gold, system, np.isin(gold, reworded))


def _of_same_text(
    numbers: tuple[TextNumbers, TextNumbers], alone: Sequence[npt.NDArray[np.bool_]]
) -> Pairs:
    """The pairs of sentences without counterparts that are of moved blocks of the same text.

    Those of texts that either side has once among them tell a block, or one of the sides twice:
    then it was moved to where that has it first. Others that both sides have beside these are of
    the block, too.
    """
    free = [side.copy() for side in alone]
    found = [Pairs(*np.zeros((2, 0), np.int32))]
    for place, theirs in _telling(numbers, free):
        if not free[0][place] or not free[1][theirs]:
            continue
        before = _same(numbers, free, (place - 1, theirs - 1), -1)
        behind = 1 + _same(numbers, free, (place + 1, theirs + 1), 1)
        block = Pairs(
            *(np.arange(at - before, at + behind, dtype=np.int32) for at in (place, theirs))
        )
        for flags, rows in zip(free, block, strict=True):
            flags[rows] = False
        found.append(block)
    return Pairs(*map(np.concatenate, zip(*found, strict=True)))


def _telling(
    numbers: tuple[TextNumbers, TextNumbers], free: Sequence[npt.NDArray[np.bool_]]
) -> Iterable[tuple[int, int]]:
    """The pairs of sentences without counterparts whose text tells a block.

    In an order that is the same whichever side is gold: by what is further ahead on either side.
    (Two that are mirrored have no sentence in common.)
    """
    places = [np.flatnonzero(side).astype(np.int32) for side in free]
    pairs = same_texts(*map(_Some, numbers, places))
    golds, systems = (side[at] for side, at in zip(places, pairs, strict=True))
    sure = no_coincidence(*numbers, golds, systems)
    golds, systems = golds[sure], systems[sure]
    texts = numbers[0][golds][:, 1]
    order = np.lexsort((texts, np.maximum(golds, systems), np.minimum(golds, systems)))
    return zip(golds[order].tolist(), systems[order].tolist(), strict=True)


def taken_together(groups: Groups, found: list[Move]) -> Groups:
    """The groups with what was moved in one, where gold has it."""
    start, end, how = groups.system_start.copy(), groups.system_end.copy(), groups.how.copy()
    gone = np.zeros(len(how), np.bool_)
    owners = [_group_of(groups, side) for side in (0, 1)]
    for move in found:
        golds, systems = (
            owner[block.start : block.stop] for owner, block in zip(owners, move[:2], strict=True)
        )
        gone[systems] = True
        start[golds], how[golds] = np.arange(move.system.start, move.system.stop), GroupedBy.MOVED
        end[golds] = start[golds] + 1
    together = groups._replace(system_start=start, system_end=end, how=how)
    return Groups._make(column[~gone] for column in together)


def _same(
    texts: tuple[TextNumbers, TextNumbers],
    free: Sequence[npt.NDArray[np.bool_]],
    start: tuple[int, int],
    step: int,
) -> int:
    """How many sentences from two on (step 1), or back (-1), are of the same text, and without
    counterparts."""
    count, room = 0, _ROOM
    most = min(len(side) - at if step > 0 else at + 1 for side, at in zip(free, start, strict=True))
    while count < most:
        size = min(room, most - count)
        lows = (at + count if step > 0 else at + 1 - count - size for at in start)
        here = [slice(low, low + size) for low in lows]
        one, other = (side[rows][:, 1] for side, rows in zip(texts, here, strict=True))
        same = (one == other) & free[0][here[0]] & free[1][here[1]]
        ended = np.flatnonzero(~same[::step])
        if len(ended):
            return count + int(ended[0])
        count, room = count + size, 2 * room
    return count


def _group_of(groups: Groups, side: int) -> npt.NDArray[np.intp]:
    """The group that each sentence of a side is in; ``(sentences,)``."""
    start, end = groups[2 * side], groups[2 * side + 1]
    return np.repeat(np.arange(len(start)), end - start)


def _alone(
    batches: Iterable[Groups],
) -> tuple[tuple[npt.NDArray[np.bool_], ...], tuple[Ints, ...]]:
    """Which sentences of gold and of system have no counterpart, ``(sentences,)`` each, and before
    each of those how many groups there are of such as have one."""
    alone: tuple[list[npt.NDArray[np.bool_]], ...] = [], []
    before: tuple[list[Ints], ...] = [], []
    count = 0
    for groups in batches:
        lone = groups.how == GroupedBy.ALONE
        counts = count + np.cumsum(~lone, dtype=np.int32)
        for side in (0, 1):
            owner = _group_of(groups, side)
            flags = lone[owner]
            alone[side].append(flags)
            before[side].append(counts[owner[flags]])
        count = int(counts[-1]) if len(counts) else count
    return tuple(map(np.concatenate, alone)), tuple(map(np.concatenate, before))
