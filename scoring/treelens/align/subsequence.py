"""What two sequences have in common, in order: exactly, or of very long ones nearly, by what both
have once.

A longest common subsequence takes the product of both lengths. Past some such product, items that
both have once are found first, or rows of items where items are repeated ones; between those that
are in order (patience diff: Cohen 2003) the rest is looked for the same way, and exactly in what is
short. Knows nothing of words or sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.order import in_order
from treelens.rules import distances

PAIRS_COMPARED = 1 << 28
"""So many pairs of items are compared for which ones correspond: a bit of memory for each."""

PAIRS_COUNTED = 1 << 26
"""So many are for how many do; that is asked of many pairs of sentences."""

_PAIRS_BETWEEN = 1 << 20
"""So many are between two items that both sequences have once."""

_LONGEST_ROW = 16
"""Items in a row at most that are looked for where each is there many times."""

_Items = npt.NDArray[np.int64]


class WordRun(NamedTuple):
    """A run of items that both sides have in order, or a stretch between two such runs."""

    gold: range
    system: range
    equal: bool


class _Equal(NamedTuple):
    """So many equal items from two places on."""

    one: int
    other: int
    size: int


class _Between(NamedTuple):
    """Items ``[first, end)`` of either sequence."""

    first: int
    end: int
    other_first: int
    other_end: int

    @property
    def pairs(self) -> int:
        return (self.end - self.first) * (self.other_end - self.other_first)


def blocks(gold: Sequence[Hashable], system: Sequence[Hashable]) -> list[WordRun]:
    """The longest common subsequence and what lies between it, as alternating blocks."""
    if len(gold) * len(system) > PAIRS_COMPARED:
        return _alternating(_by_anchors(gold, system), len(gold), len(system))
    found: list[WordRun] = []
    for code in distances.Indel.opcodes(gold, system):
        equal = code.tag == "equal"
        start, other_start = code.src_start, code.dest_start
        if found and not equal and not found[-1].equal:
            before = found.pop()
            start, other_start = before.gold.start, before.system.start
        found.append(WordRun(range(start, code.src_end), range(other_start, code.dest_end), equal))
    return found


def in_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """How many items of a longest common subsequence there are; of very long sequences nearly."""
    if len(one) * len(other) <= PAIRS_COUNTED:
        return int(distances.LCSseq.similarity(one, other))
    return sum(equal.size for equal in _by_anchors(one, other))


def share_in_common(
    one: Sequence[Hashable], other: Sequence[Hashable], least: float = 0.0
) -> float:
    """The same as a share of the longer one, 0 to 1; 0 where it is less than ``least``."""
    if len(one) * len(other) <= PAIRS_COUNTED:
        return float(distances.LCSseq.normalized_similarity(one, other, score_cutoff=least))
    longer = max(len(one), len(other))
    if (Counter(one) & Counter(other)).total() < least * longer:  # in any order
        return 0.0
    share = in_common(one, other) / longer
    return share if share >= least else 0.0


def once_in_both(gold: Sequence[Hashable], system: Sequence[Hashable], row: int) -> list[WordRun]:
    """Runs of items of which both sides have each row of so many (a power of two) once, those that
    are in order."""
    one, other = _numbered_by_item(gold, system)
    length = 1
    while length < row:
        one, other = _twice_as_long(one, other, length)
        length *= 2
    places = _as_often_in_both(one, other, 1)
    return [
        WordRun(range(at, at + size + row - 1), range(its, its + size + row - 1), True)
        for at, its, size in _runs(places[:, in_order(places[1])])
    ]


def _alternating(found: Iterator[_Equal], golds: int, systems: int) -> list[WordRun]:
    runs: list[WordRun] = []
    i = j = 0
    for at, other, size in (*found, _Equal(golds, systems, 0)):
        if i < at or j < other:
            runs.append(WordRun(range(i, at), range(j, other), False))
        elif runs and runs[-1].equal:
            before = runs.pop()
            at, other, size = before.gold.start, before.system.start, size + len(before.gold)
        i, j = at + size, other + size
        if size:
            runs.append(WordRun(range(at, i), range(other, j), True))
    return runs


def _by_anchors(one: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[_Equal]:
    """Runs of equal items, in order."""
    ones, others = _numbered_by_item(one, other)
    waiting: list[_Equal | _Between] = [_Between(0, len(ones), 0, len(others))]
    while waiting:
        found = waiting.pop()
        if isinstance(found, _Equal):
            yield found
        elif found.pairs:
            waiting += reversed(_looked_into(ones, others, found))


def _looked_into(ones: _Items, others: _Items, where: _Between) -> list[_Equal | _Between]:
    """What is equal in a stretch, and what is still to be looked into."""
    first, end, other_first, other_end = where
    one, other = ones[first:end], others[other_first:other_end]
    shorter = min(len(one), len(other))
    head = _equal_run(one[:shorter], other[:shorter])
    tail = _equal_run(*(side[::-1][: shorter - head] for side in (one, other)))
    between = _Between(first + head, end - tail, other_first + head, other_end - tail)
    return [
        _Equal(first, other_first, head),
        *_inside(ones, others, between),
        _Equal(between.end, between.other_end, tail),
    ]


def _inside(ones: _Items, others: _Items, where: _Between) -> list[_Equal | _Between]:
    """The same of a stretch that neither begins nor ends with equal items."""
    first, end, other_first, other_end = where
    sides = ones[first:end], others[other_first:other_end]
    if where.pairs > _PAIRS_BETWEEN:
        found: list[_Equal | _Between] = []
        i, j = first, other_first
        for at, its, size in _anchors(*sides):
            at, its = first + at, other_first + its
            found += [_Between(i, at, j, its), _Equal(at, its, size)]
            i, j = at + size, its + size
        if found:
            return [*found, _Between(i, end, j, other_end)]
    if not 0 < where.pairs <= PAIRS_COMPARED:
        return []
    return [
        _Equal(first + code.src_start, other_first + code.dest_start, code.src_end - code.src_start)
        for code in distances.Indel.opcodes(*(side.tolist() for side in sides))
        if code.tag == "equal"
    ]


def _anchors(one: _Items, other: _Items) -> list[_Equal]:
    """Where rows of items start that both have once, in order, of the length of which most are; if
    none do, of long ones that both have as often."""
    best = np.zeros((2, 0), np.int32)
    one, other = _numbered(one, other)
    length, shorter = 1, min(len(one), len(other))
    while length <= min(_LONGEST_ROW, shorter) and 2 * best.shape[1] < shorter:
        places = _as_often_in_both(one, other, 1)
        kept = in_order(places[1])
        if kept.sum() > best.shape[1]:
            best = places[:, kept]
        one, other = _twice_as_long(one, other, length)
        length *= 2
    if not best.size:
        places = _as_often_in_both(one, other, shorter)
        best = places[:, in_order(places[1])]
    return _runs(best)


def _runs(places: npt.NDArray[np.int32]) -> list[_Equal]:
    """Pairs of equal items, ``(2, n)`` in order, as runs."""
    starts = np.flatnonzero(np.append(True, (np.diff(places) != 1).any(axis=0)))
    sizes = np.diff(np.append(starts, places.shape[1]))
    return [*map(_Equal, *places[:, starts].tolist(), sizes.tolist())] if places.size else []


def _numbered_by_item(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[_Items, _Items]:
    numbers: dict[Hashable, int] = {}
    ones, others = (
        np.array([numbers.setdefault(item, len(numbers)) for item in side], np.int64)
        for side in (one, other)
    )
    return ones, others


def _as_often_in_both(one: _Items, other: _Items, most: int) -> npt.NDArray[np.int32]:
    """Of the numbers that both have as often, and so often at most: where they are, the first with
    the first and so on, in the order of the first sequence; ``(2, n)``."""
    counts = np.bincount(one), np.bincount(other)
    numbers = min(map(len, counts))
    often = (counts[0][:numbers] == counts[1][:numbers]) & (counts[0][:numbers] <= most)
    places = []
    for side in (one, other):
        here = np.flatnonzero(side < numbers)
        here = here[often[side[here]]]
        places.append(here[np.argsort(side[here], kind="stable")])
    found = np.stack(places).astype(np.int32)
    return found[:, np.argsort(found[0])]


def _twice_as_long(one: _Items, other: _Items, length: int) -> tuple[_Items, _Items]:
    """Numbers of the rows of twice as many items as those of so many are of."""
    rows = [
        side[:-length] * (1 << 32) + side[length:] if len(side) > length else side[:0]
        for side in (one, other)
    ]
    return _numbered(*rows)


def _numbered(one: _Items, other: _Items) -> tuple[_Items, _Items]:
    """The same items by small numbers."""
    numbers = np.unique(np.concatenate([one, other]), return_inverse=True)[1].reshape(-1)
    return numbers[: len(one)], numbers[len(one) :]


def _equal_run(one: _Items, other: _Items) -> int:
    differ = np.flatnonzero(one != other)
    return int(differ[0]) if len(differ) else len(one)
