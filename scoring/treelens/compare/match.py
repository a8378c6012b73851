"""The one matcher: facts of gold against facts of system, as arrays of comparable keys.

A fact is a whole number that stands for (group, span, label) or whatever a metric compares.
Knows neither trees nor metrics.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Ints, each_once

Numbers = npt.NDArray[np.int64]
_PLACES_AT_ONCE = 1 << 22
_NONE = np.array([-1, np.iinfo(np.int32).max], np.int32)
"""Start and end of the lowest span where there is none: nothing crosses it."""


class Partners(NamedTuple):
    """Each fact's partner on the other side, as an index there; -1 where it has none."""

    gold: Ints
    system: Ints


def pack(*columns: Ints | Numbers) -> Numbers:
    """One number for each row of several columns of numbers that are not negative."""
    packed = columns[0].astype(np.int64)
    room = int(packed.max(initial=0)) + 1
    for column in columns[1:]:
        base = int(column.max(initial=0)) + 1
        if room * base >= 1 << 62:  # wider than a word: number the rows so far densely
            packed = np.unique(packed, return_inverse=True)[1].astype(np.int64)
            room = int(packed.max(initial=0)) + 1
        packed = packed * base + column
        room *= base
    return packed


def partners(gold: Numbers, system: Numbers) -> Partners:
    """Match equal facts one to one: the n-th of gold with the n-th of system."""
    both = np.concatenate([gold, system])
    # Both halves are nearly sorted already (trees are in pre-order), which this sort uses;
    # being stable, it leaves gold's facts before system's equal ones.
    order = np.argsort(both, kind="stable")
    ordered, golds = both[order], order < len(gold)
    equal = ordered[1:] == ordered[:-1]
    # Nearly all that are equal are one of gold's and one of system's.
    several = equal & golds[1:]
    met = equal & golds[:-1] & ~golds[1:]
    met[1:] &= ~several[:-1]
    at = np.flatnonzero(met)
    others = at + 1
    if several.any():
        more = _of_several(ordered, golds, each_once(ordered[1:][several]))
        at, others = (np.append(one, two) for one, two in zip((at, others), more, strict=True))
    gold_at, system_at = order[at], order[others] - len(gold)
    result = Partners(np.full(len(gold), -1, np.int32), np.full(len(system), -1, np.int32))
    result.gold[gold_at] = system_at
    result.system[system_at] = gold_at
    return result


def _of_several(
    ordered: Numbers, golds: npt.NDArray[np.bool_], facts: Numbers
) -> tuple[Numbers, Numbers]:
    """Where, among facts in order, the partners of some stand that gold has several times."""
    first = np.searchsorted(ordered, facts)
    runs = np.searchsorted(ordered, facts, side="right") - first
    ours = np.add.reduceat(golds[_ranges(first, runs)], np.cumsum(runs) - runs, dtype=np.int64)
    pairs = np.minimum(ours, runs - ours)
    at = _ranges(first, pairs)
    return at, at + np.repeat(ours, pairs)


def _ranges(first: Ints | Numbers, counts: Numbers) -> Numbers:
    """So many numbers from each of some on, one after the other."""
    return np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def leftover_partners(gold: Numbers, system: Numbers, matched: Partners) -> Partners:
    """Match, by other keys, the facts that are still without a partner."""
    free_gold = np.flatnonzero(matched.gold < 0)
    free_system = np.flatnonzero(matched.system < 0)
    found = partners(gold[free_gold], system[free_system])
    result = Partners(np.full_like(matched.gold, -1), np.full_like(matched.system, -1))
    hit = found.gold >= 0
    result.gold[free_gold[hit]] = free_system[found.gold[hit]]
    hit = found.system >= 0
    result.system[free_system[hit]] = free_gold[found.system[hit]]
    return result


def crossing(
    start: Ints, end: Ints, others_start: Ints, others_end: Ints, boundaries: int
) -> npt.NDArray[np.bool_]:
    """Which spans cross at least one of the others, all on one axis; shape (spans,).

    The others are those of trees, in pre-order. A span crosses one of them iff one that starts
    inside of it ends behind it, or one that ends inside of it starts before it; of those that
    start (or end) at one place the longest tells.
    """
    wide = np.flatnonzero(end - start > 1)
    start, end, crosses = start[wide], end[wide], np.zeros(len(start), np.bool_)
    inner = end.astype(np.int64) - start - 1
    if not len(wide):
        return crosses
    if inner.sum() > _PLACES_AT_ONCE:
        low, high = _lowest(others_start, others_end, boundaries)
        crosses[wide] = (high.take(start) < end) | (low.take(end) > start)
        return crosses
    # Parents before children: what is written last at a place is the longest span's.
    long = np.flatnonzero(others_end - others_start > 1)[::-1]
    starts, ends = others_start[long], others_end[long]
    last, first = (np.arange(boundaries + 1, dtype=np.int32) for _ in range(2))
    last[starts], first[ends] = ends, starts
    inside, of_each = _ranges(start + 1, inner), np.cumsum(inner) - inner
    crosses[wide] = np.maximum.reduceat(last[inside], of_each) > end
    crosses[wide] |= np.minimum.reduceat(first[inside], of_each) < start
    return crosses


def _lowest(start: Ints, end: Ints, boundaries: int) -> tuple[Ints, Ints]:
    """Start and end of the lowest span strictly around each boundary; (boundaries+1,) each. Of the
    spans around a boundary the lowest is the shortest: what crosses any of them crosses it."""
    low, high = (np.full(boundaries + 1, none, np.int32) for none in _NONE)
    # Deeply nested, as nobody's trees are: one boundary at a time, with the open spans.
    spans = list(zip(start.tolist(), end.tolist(), strict=True))
    opened: list[tuple[int, int]] = []
    at = 0
    for boundary in range(boundaries + 1):
        while at < len(spans) and spans[at][0] < boundary:
            while opened and opened[-1][1] <= spans[at][0]:
                opened.pop()
            opened.append(spans[at])
            at += 1
        while opened and opened[-1][1] <= boundary:
            opened.pop()
        if opened:
            low[boundary], high[boundary] = opened[-1]
    return low, high
