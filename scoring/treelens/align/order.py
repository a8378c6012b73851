"""Which of some pairs of sentences are in order: those that stand for the most sentences.

A pair stands for the sentences beside it that are the same on both sides, too, up to another pair.
What is chosen is an ascending selection of pairs of greatest weight, of whole blocks (patience
diff: Cohen 2003, of blocks), the same one whichever side is gold. Knows nothing of words or trees.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import TextNumbers
from treelens.trees.forest import Ints

_Flags = npt.NDArray[np.bool_]
_Sizes = npt.NDArray[np.intp]


_FOUR = 4
"""Pairs of a text that both sides have twice."""


class Pairs(NamedTuple):
    """Sentences of the same text, by where gold and system have them; ``(pairs,)`` each."""

    gold: Ints
    system: Ints

    def some(self, which: npt.NDArray[Any]) -> Pairs:
        return Pairs(self.gold[which], self.system[which])

    def in_order(self) -> Pairs:
        """By gold's order, those of one sentence by system's."""
        return self.some(np.lexsort((self.system, self.gold)))

    def turned(self) -> Pairs:
        return Pairs(self.system, self.gold)

    def then(self, other: Pairs) -> Pairs:
        return Pairs(*map(np.concatenate, zip(self, other, strict=True)))


def staying(gold: TextNumbers, system: TextNumbers, pairs: Pairs) -> _Flags:
    """Which of some pairs, by gold's order, no two of one sentence, are in order; ``(pairs,)``.

    Those that stand for the most sentences, and the same ones whichever side is gold.
    """
    places, theirs = pairs
    rank = _ranks(theirs)
    behind, before = _same_beside(gold, system, pairs)
    # (What is before the next pair was counted as behind this one.)
    before[1:][rank[1:] == rank[:-1] + 1] = 0
    weights = 1 + behind + before
    first = int(np.argmax(rank != np.arange(len(rank), dtype=np.int32)))
    order = np.empty_like(rank)
    order[rank] = np.arange(len(rank), dtype=np.int32)
    # (The text that either side has first where they differ.)
    mine, its = gold[places[[first, order[first]]]][:, 1].tolist()
    if mine <= its:
        return in_order(rank, weights)
    kept = np.zeros(len(rank), np.bool_)
    kept[order[in_order(order, weights[order])]] = True
    return kept


def staying_with(
    gold: TextNumbers, system: TextNumbers, once: Pairs, kept: _Flags, twice: Pairs
) -> tuple[_Flags, _Flags] | None:
    """Which of some pairs are in order, and of pairs of texts that a side has twice.

    ``kept``: which of the first are without the others. None if with these no more sentences are:
    each of them that has a place between what is kept is in order all the same.
    """
    # (What a pair that is left out stands for may have been counted for others, too.)
    left_out = beside(twice, once.some(~kept)).any()
    if not left_out and all_fit(gold, once.some(kept), twice):
        return None
    fits = fitting(once.some(kept), twice)
    pairs = once.then(twice)
    if _is_second(gold, system, pairs):
        gold, system, pairs = system, gold, pairs.turned()
    as_it_is = np.concatenate([kept, fits])
    chosen, sentences = _heaviest(gold, system, pairs)
    if sentences <= _heaviest(gold, system, pairs.some(as_it_is))[1]:
        return None
    return chosen[: len(kept)], chosen[len(kept) :]


def beside(pairs: Pairs, others: Pairs) -> _Flags:
    """Which of some pairs are as far apart as any of the others; ``(pairs,)``."""
    if not len(others.gold):
        return np.zeros(len(pairs.gold), np.bool_)
    return np.isin(pairs.system - pairs.gold, others.system - others.gold)


def all_fit(gold: TextNumbers, kept: Pairs, twice: Pairs) -> bool:
    """Whether of each text that a side has twice as many pairs have places of their own between
    those in order as there could be: of one that both have twice, two."""
    fits = fitting(kept, twice)
    if fits.all():
        return True
    texts = gold[twice.gold][:, 1]
    order = np.argsort(texts, kind="stable")
    texts, fits = texts[order], fits[order]
    first = np.flatnonzero(np.append(True, texts[1:] != texts[:-1]))
    # (By gold's place, then system's: of four the first and the last are in order.)
    four = np.diff(np.append(first, len(texts))) == _FOUR
    both = fits[first] & fits[np.minimum(first + _FOUR - 1, len(fits) - 1)]
    return bool(np.where(four, both, np.maximum.reduceat(fits, first)).all())


def fitting(kept: Pairs, others: Pairs) -> _Flags:
    """Which pairs have a place between others that are in order; ``(others,)``."""
    at = np.searchsorted(kept.gold, others.gold)
    bounds = np.concatenate([[-1], kept.system, [np.iinfo(np.int32).max]])
    return (bounds[at] < others.system) & (others.system < bounds[at + 1])


def _is_second(gold: TextNumbers, system: TextNumbers, pairs: Pairs) -> bool:
    """Whether of the texts of some pairs, in each side's order, gold has the later one where they
    first differ."""
    texts, others = (
        side[np.sort(at)][:, 1] for side, at in zip((gold, system), pairs, strict=True)
    )
    differ = texts != others
    first = int(np.argmax(differ))
    return bool(differ.any() and texts[first] > others[first])


class _Runs(NamedTuple):
    """Pairs of which each is the next on both sides, taken together, ``(runs,)`` each: first and
    last places, how many pairs they are, and the number of the first."""

    first: Pairs
    last: Pairs
    size: _Sizes
    number: _Sizes


def _runs(pairs: Pairs) -> _Runs:
    """The runs of pairs, by their distance on both sides and by place."""
    ends = np.flatnonzero((np.diff(pairs.gold) != 1) | (np.diff(pairs.system) != 1))
    number = np.append(0, ends + 1)
    size = np.diff(np.append(number, len(pairs.gold)))
    order = np.lexsort((pairs.gold[number], (pairs.system - pairs.gold)[number]))
    number, size = number[order], size[order]
    return _Runs(pairs.some(number), pairs.some(number + size - 1), size, number)


class _Pieces(NamedTuple):
    """Runs, cut, in their order, ``(pieces,)`` each: the run, how many of its pairs are before, how
    many are in it, and whether it starts a block."""

    run: _Sizes
    before: _Sizes
    size: _Sizes
    starts: _Flags


def _pieces(runs: _Runs, starts: _Flags) -> _Pieces:
    """Of two blocks that share sentences, each ends where the other one begins; ``starts``: the
    runs that start one, whatever they share."""
    run, before, also = [np.arange(len(starts))], [np.zeros(len(starts), np.intp)], starts
    for first, last in zip(runs.first, runs.last, strict=True):
        cuts = np.sort(first[starts])
        low, high = (np.searchsorted(cuts, places, side="right") for places in (first, last))
        # (Where a block begins at a run's first place, the one at hand is among those.)
        also = also | (cuts[np.maximum(low - 1, 0)] == first)
        inside = high - low
        run.append(np.repeat(run[0], inside))
        at = np.arange(int(inside.sum())) + np.repeat(low - (np.cumsum(inside) - inside), inside)
        before.append(cuts[at] - np.repeat(first, inside))
    room = int(runs.size.max()) + 1
    codes = np.sort(np.concatenate(run) * room + np.concatenate(before))
    whole, offset = np.divmod(codes[np.append(True, codes[1:] != codes[:-1])], room)
    is_last = np.append(whole[1:] != whole[:-1], True)
    size = np.where(is_last, runs.size[whole], np.append(offset[1:], 0)) - offset
    return _Pieces(whole, offset, size, (offset > 0) | also[whole])


def _heaviest(gold: TextNumbers, system: TextNumbers, pairs: Pairs) -> tuple[_Flags, int]:
    """Of pairs that may share a sentence, which are of the heaviest selection in order, and how
    many sentences that stands for."""
    runs = _runs(pairs)
    room, its = (
        _Rooms.of(places, len(side)) for places, side in zip(pairs, (gold, system), strict=True)
    )
    first, last = runs.first, runs.last
    behind = np.minimum(room.behind(last.gold), its.behind(last.system))
    before = np.minimum(room.before(first.gold), its.before(first.system))
    behind = _same(gold, system, last, behind, 1)
    before = _same(gold, system, first, before, -1)
    # A block goes on where nothing but the same sentences is between two runs.
    shift = first.system - first.gold
    goes_on = np.append(False, shift[1:] == shift[:-1])
    goes_on[1:] &= first.gold[1:] == last.gold[:-1] + 1 + behind[:-1]
    before[goes_on] = 0
    pieces = _pieces(runs, ~goes_on)
    starts = np.flatnonzero(pieces.starts)
    is_last = np.append(pieces.run[1:] != pieces.run[:-1], True)
    weights = pieces.size + before[pieces.run] * (pieces.before == 0) + behind[pieces.run] * is_last
    sentences = np.add.reduceat(weights, starts)
    golds, systems = (side[pieces.run[starts]] + pieces.before[starts] for side in first)
    by_place = np.lexsort((-systems, golds))
    kept = np.zeros(len(starts), np.bool_)
    kept[by_place] = _ascent(golds[by_place], systems[by_place], sentences[by_place])
    # Back in the order of the pairs.
    order = np.argsort(runs.number[pieces.run] + pieces.before)
    chosen = np.repeat(kept[np.cumsum(pieces.starts) - 1][order], pieces.size[order])
    return chosen, int(sentences[kept].sum())


def _ascent(golds: _Sizes, systems: _Sizes, weights: _Sizes) -> _Flags:
    """Which of some blocks, by gold's place, are of the heaviest selection in order."""
    rank = np.empty(len(systems), np.intp)
    rank[np.argsort(systems, kind="stable")] = np.arange(len(systems))
    # Those that nothing else comes between on either side are taken together, or left.
    alone = np.ones(len(rank), np.bool_)
    for places in (golds, systems):
        alone &= np.bincount(places)[places] == 1
    together = (rank[1:] == rank[:-1] + 1) & alone[1:] & alone[:-1]
    starts = np.flatnonzero(np.append(True, ~together))
    sums = np.add.reduceat(weights, starts)
    chosen = _heaviest_ascent(systems[starts].tolist(), sums.tolist())
    kept = np.zeros(len(starts), np.bool_)
    kept[chosen] = True
    return np.repeat(kept, np.diff(np.append(starts, len(rank))))


def _same_beside(gold: TextNumbers, system: TextNumbers, pairs: Pairs) -> tuple[_Sizes, _Sizes]:
    """How many sentences behind and before each pair are the same on both sides, up to another
    pair; ``(pairs,)`` each."""
    room, its = (
        _Rooms.of(places, len(side)) for places, side in zip(pairs, (gold, system), strict=True)
    )
    behind = np.minimum(room.behind(pairs.gold), its.behind(pairs.system))
    before = np.minimum(room.before(pairs.gold), its.before(pairs.system))
    return _same(gold, system, pairs, behind, 1), _same(gold, system, pairs, before, -1)


def _same(gold: TextNumbers, system: TextNumbers, pairs: Pairs, room: _Sizes, step: int) -> _Sizes:
    """The same of one direction, ``step`` 1 or -1, where there is so much room."""
    pair = np.flatnonzero(room)
    sizes = room[pair]
    away = np.arange(1, int(sizes.sum()) + 1) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    pair = np.repeat(pair, sizes)
    texts, others = (
        side[at[pair] + step * away][:, 1]
        for side, at in ((gold, pairs.gold), (system, pairs.system))
    )
    differ = np.flatnonzero(texts != others)
    ended, first = np.unique(pair[differ], return_index=True)
    room[ended] = away[differ[first]] - 1
    return room


class _Rooms(NamedTuple):
    """How many sentences of a side are between those that some pairs have; ``(different + 1,)``,
    and of each sentence how many of these there are up to it, ``(sentences,)``."""

    sizes: _Sizes
    number: Ints

    @classmethod
    def of(cls, places: Ints, sentences: int) -> _Rooms:
        taken = np.zeros(sentences, np.bool_)
        taken[places] = True
        sizes = np.diff(np.concatenate([[-1], np.flatnonzero(taken), [sentences]])) - 1
        return cls(sizes, np.cumsum(taken, dtype=np.int32))

    def behind(self, places: Ints) -> _Sizes:
        """Of places that a pair has: how many behind it are of none."""
        found: _Sizes = self.sizes[self.number[places]]
        return found

    def before(self, places: Ints) -> _Sizes:
        found: _Sizes = self.sizes[self.number[places] - 1]
        return found


def _ranks(numbers: Ints) -> Ints:
    """The place that each of some different numbers has among them all; ``(n,)``."""
    rank = np.empty(len(numbers), np.int32)
    rank[np.argsort(numbers, kind="stable")] = np.arange(len(numbers), dtype=np.int32)
    return rank


def in_order(numbers: Ints, weights: npt.NDArray[np.integer[Any]] | None = None) -> _Flags:
    """Which of some different numbers are of the heaviest ascending selection of them, or of a
    longest one; ``(n,)``."""
    if ascending(numbers):
        return np.ones(len(numbers), np.bool_)
    rank = _ranks(numbers)
    # Neighbours by place and by rank are taken together, or left: a moved block is one.
    starts = np.flatnonzero(np.append(True, rank[1:] != rank[:-1] + 1))
    sizes = np.diff(np.append(starts, len(rank)))
    sums = sizes if weights is None else np.add.reduceat(weights, starts)
    chosen = _heaviest_ascent(rank[starts].tolist(), sums.tolist())
    return np.repeat(np.isin(np.arange(len(starts)), chosen), sizes)


def ascending(numbers: Ints) -> bool:
    return bool((numbers[1:] > numbers[:-1]).all())


def _heaviest_ascent(ranks: list[int], weights: list[int]) -> list[int]:
    """The places of an ascending selection of ranks with the greatest sum of weights."""
    # Ranks that a selection may end with, ascending, the greatest sum there, and its last place.
    ends: list[int] = []
    sums: list[int] = []
    lasts: list[int] = []
    previous = []
    for place, (rank, weight) in enumerate(zip(ranks, weights, strict=True)):
        at = bisect_left(ends, rank)
        previous.append(lasts[at - 1] if at else -1)
        total = weight + (sums[at - 1] if at else 0)
        stop = at
        while stop < len(sums) and sums[stop] <= total:
            stop += 1
        ends[at:stop], sums[at:stop], lasts[at:stop] = [rank], [total], [place]
    chosen = [lasts[-1]]
    while previous[chosen[-1]] >= 0:
        chosen.append(previous[chosen[-1]])
    return chosen[::-1]
