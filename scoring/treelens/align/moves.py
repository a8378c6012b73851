"""Sentences that stand elsewhere: blocks whose text both sides have, out of order.

An alignment in order leaves them alone on both sides. That is said, and only on request are they
taken together, which makes the alignment a crossing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Elsewhere, GroupedBy, Groups, TextNumbers
from treelens.align.pins import no_coincidence, same_texts
from treelens.trees.forest import Ints, Keys

_ROOM = 16
"""Sentences beside one of a block that are looked at together at first."""


class Move(NamedTuple):
    """As many sentences of either side, one the other's counterpart."""

    gold: range
    system: range


@dataclass(frozen=True, slots=True)
class _Some:
    """What is known of some sentences of a side."""

    numbers: TextNumbers
    places: Ints

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: slice | npt.NDArray[np.integer[Any]]) -> Keys:
        return self.numbers[self.places[rows]]


def moves(batches: Iterable[Groups], numbers: tuple[TextNumbers, TextNumbers]) -> list[Move]:
    """The blocks of sentences that were moved, by their place in gold; of an alignment's groups,
    some at a time.

    Of the sentences without counterparts, those of texts that either side has once among them tell
    a block, or one of the sides twice: then it was moved to where that has it first. Others that
    both sides have beside these are of the block, too.
    """
    free = [np.concatenate(side) for side in zip(*map(_alone, batches), strict=True)]
    found: list[Move] = []
    for place, theirs in _of_same_text(numbers, free):
        if not free[0][place] or not free[1][theirs]:
            continue
        before = _same(numbers, free, (place - 1, theirs - 1), -1)
        behind = 1 + _same(numbers, free, (place + 1, theirs + 1), 1)
        move = Move(range(place - before, place + behind), range(theirs - before, theirs + behind))
        for flags, block in zip(free, move, strict=True):
            flags[block.start : block.stop] = False
        found.append(move)
    return found


def elsewhere(found: Sequence[Move]) -> Elsewhere:
    """Where the sentences of moved blocks stand."""
    return Elsewhere(
        np.array([one for move in found for one in move.gold], np.int32),
        np.array([one for move in found for one in move.system], np.int32),
    )


def _of_same_text(
    numbers: tuple[TextNumbers, TextNumbers], free: Sequence[npt.NDArray[np.bool_]]
) -> Iterable[tuple[int, int]]:
    """The pairs of sentences without counterparts whose text tells a block, in order."""
    if not all(map(len, numbers)) or not all(side.any() for side in free):
        return ()
    places = [np.flatnonzero(side).astype(np.int32) for side in free]
    pairs = same_texts(*map(_Some, numbers, places))
    golds, systems = (side[at] for side, at in zip(places, pairs, strict=True))
    sure = no_coincidence(*numbers, golds, systems)
    return zip(golds[sure].tolist(), systems[sure].tolist(), strict=True)


def taken_together(groups: Groups, found: list[Move]) -> Groups:
    """The groups with what was moved in one, where gold has it."""
    start, end, how = groups.system_start.copy(), groups.system_end.copy(), groups.how.copy()
    gone = np.zeros(len(how), np.bool_)
    owners = [_group_of(groups, side) for side in (0, 1)]
    for move in found:
        golds, systems = (
            owner[block.start : block.stop] for owner, block in zip(owners, move, strict=True)
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


def _alone(groups: Groups) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which sentences of gold and of system have no counterpart; ``(sentences,)`` each."""
    alone = groups.how == GroupedBy.ALONE
    return alone[_group_of(groups, 0)], alone[_group_of(groups, 1)]
