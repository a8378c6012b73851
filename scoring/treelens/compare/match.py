"""The one matcher: facts of gold against facts of system, as arrays of comparable keys.

A fact is a whole number that stands for (group, span, label) or whatever a metric compares.
Knows neither trees nor metrics.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Ints, running

Numbers = npt.NDArray[np.int64]
_PAINTED_AT_ONCE = 1 << 22
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
    ordered = both[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(both) else order
    runs = np.diff(np.append(first, len(both)))
    golds_before = running(order < len(gold))
    golds = golds_before[first + runs] - golds_before[first]
    pairs = np.minimum(golds, runs - golds)
    matched = np.flatnonzero(pairs)
    again = matched[pairs[matched] > 1]  # few
    more = pairs[again] - 1
    nth = 1 + np.arange(int(more.sum())) - np.repeat(np.cumsum(more) - more, more)
    at = np.append(first[matched], np.repeat(first[again], more) + nth)
    gold_at = order[at]
    system_at = order[at + golds[np.append(matched, np.repeat(again, more))]] - len(gold)
    result = Partners(np.full(len(gold), -1, np.int32), np.full(len(system), -1, np.int32))
    result.gold[gold_at] = system_at
    result.system[system_at] = gold_at
    return result


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

    The others are those of trees, in pre-order. Of the other spans around a boundary the
    lowest is the shortest, so a span crosses one of them iff the lowest one around its start
    ends before it does, or the lowest one around its end starts after it does.
    """
    low, high = _lowest(others_start, others_end, boundaries)
    return (high.take(start) < end) | (low.take(end) > start)


def _lowest(start: Ints, end: Ints, boundaries: int) -> tuple[Ints, Ints]:
    """Start and end of the lowest span strictly around each boundary; (boundaries+1,) each."""
    count = np.maximum(end.astype(np.int64) - start - 1, 0)
    if count.sum() <= _PAINTED_AT_ONCE:
        shift = np.repeat(start + 1 - (np.cumsum(count) - count), count)
        lowest = np.full(boundaries + 1, -1, np.int32)
        # Parents before children: what is written last at a boundary is the lowest span.
        lowest[shift + np.arange(len(shift))] = np.repeat(
            np.arange(len(start), dtype=np.int32), count
        )
        return np.append(start, _NONE[0])[lowest], np.append(end, _NONE[1])[lowest]
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
