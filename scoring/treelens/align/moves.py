"""Sentences that stand elsewhere: blocks whose text both sides have, out of order.

An alignment in order leaves them alone on both sides. That is said, and only on request are they
taken together, which makes the alignment a crossing one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import GroupedBy, Groups
from treelens.align.pins import MOVED
from treelens.align.sentences import Alignment


class Move(NamedTuple):
    """As many sentences of either side, one the other's counterpart."""

    gold: range
    system: range


def moves(alignment: Alignment) -> list[Move]:
    """The blocks of sentences that were moved, by their place in gold.

    A block is known by sentences whose text both sides have once. Others that both sides have
    beside these are of the block if they have no counterpart in their place.
    """
    pins = alignment.pins
    places = np.flatnonzero(pins.gold_state == MOVED).tolist()
    free = [_alone(alignment.groups, side) for side in (0, 1)] if places else []
    found: list[Move] = []
    for place in places:
        theirs = int(pins.partner[place])
        if not free[0][place] or not free[1][theirs]:
            continue
        before, behind = 0, 1
        texts = pins.gold_text, pins.system_text
        while _same(texts, free, place - before - 1, theirs - before - 1):
            before += 1
        while _same(texts, free, place + behind, theirs + behind):
            behind += 1
        move = Move(range(place - before, place + behind), range(theirs - before, theirs + behind))
        for flags, block in zip(free, move, strict=True):
            flags[block.start : block.stop] = False
        found.append(move)
    return found


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
    texts: tuple[npt.NDArray[np.uint64], ...], free: list[npt.NDArray[np.bool_]], i: int, j: int
) -> bool:
    """Whether two sentences are of the same text, and without counterparts."""
    inside = 0 <= i < len(free[0]) and 0 <= j < len(free[1])
    return bool(inside and free[0][i] and free[1][j] and texts[0][i] == texts[1][j])


def _group_of(groups: Groups, side: int) -> npt.NDArray[np.intp]:
    """The group that each sentence of a side is in; ``(sentences,)``."""
    start, end = groups[2 * side], groups[2 * side + 1]
    return np.repeat(np.arange(len(start)), end - start)


def _alone(groups: Groups, side: int) -> npt.NDArray[np.bool_]:
    """Which sentences of a side have no counterpart; ``(sentences,)``."""
    return groups.how[_group_of(groups, side)] == GroupedBy.ALONE
