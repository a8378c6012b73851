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
    behind, before = (_same_beside(gold, system, pairs, step) for step in (1, -1))
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
    """Which of some pairs are in order, and of pairs of texts that one side has twice.

    ``kept``: which of the first are without the others. None if with these no more sentences are:
    each of them that has a place between what is kept is in order all the same.
    """
    if all_fit(gold, once.some(kept), twice):
        return None
    fits = _fitting(once.some(kept), twice)
    pairs = once.then(twice)
    if _texts(gold, pairs) > _texts(system, pairs.turned()):
        gold, system, pairs = system, gold, pairs.turned()
    as_it_is = np.concatenate([kept, fits])
    chosen, sentences = _heaviest(gold, system, pairs)
    if sentences <= _heaviest(gold, system, pairs.some(as_it_is))[1]:
        return None
    return chosen[: len(kept)], chosen[len(kept) :]


def all_fit(gold: TextNumbers, kept: Pairs, twice: Pairs) -> bool:
    """Whether of each text that one side has twice a pair has a place between those in order."""
    fits = _fitting(kept, twice)
    texts = gold[twice.gold][:, 1]
    return bool(fits.all() or np.isin(texts[~fits], texts[fits]).all())


def _fitting(kept: Pairs, others: Pairs) -> _Flags:
    """Which pairs have a place between others that are in order; ``(others,)``."""
    at = np.searchsorted(kept.gold, others.gold)
    bounds = np.concatenate([[-1], kept.system, [np.iinfo(np.int32).max]])
    return (bounds[at] < others.system) & (others.system < bounds[at + 1])


def _texts(side: TextNumbers, pairs: Pairs) -> list[int]:
    """The texts of some pairs in a side's order: the side is the first of both."""
    found: list[int] = side[np.sort(pairs.gold)][:, 1].tolist()
    return found


def _heaviest(gold: TextNumbers, system: TextNumbers, pairs: Pairs) -> tuple[_Flags, int]:
    """Of pairs that may share a sentence, which are of the heaviest selection in order, and how
    many sentences that stands for."""
    order = np.lexsort((pairs.gold, pairs.system - pairs.gold))
    ones = pairs.some(order)
    behind, before = (_same_beside(gold, system, ones, step) for step in (1, -1))
    # A block goes on where nothing but the same sentences is between two pairs.
    shift = ones.system - ones.gold
    goes_on = np.append(False, shift[1:] == shift[:-1])
    goes_on[1:] &= ones.gold[1:] == ones.gold[:-1] + 1 + behind[:-1]
    before[goes_on] = 0
    # Of two blocks that share sentences, each ends where the other one begins.
    starts = ~goes_on
    for places in ones:
        cuts = np.zeros(int(places.max(initial=0)) + 1, np.bool_)
        cuts[places[~goes_on]] = True
        starts |= cuts[places]
    first = np.flatnonzero(starts)
    sentences = np.add.reduceat(1 + behind + before, first)
    blocks = ones.some(first)
    by_place = np.lexsort((-blocks.system, blocks.gold))
    ascent = _heaviest_ascent(blocks.system[by_place].tolist(), sentences[by_place].tolist())
    kept = np.zeros(len(first), np.bool_)
    kept[by_place[ascent]] = True
    chosen = np.zeros(len(order), np.bool_)
    chosen[order] = kept[np.cumsum(starts) - 1]
    return chosen, int(sentences[kept].sum())


def _same_beside(gold: TextNumbers, system: TextNumbers, pairs: Pairs, step: int) -> _Sizes:
    """How many sentences behind (step 1) or before (-1) each pair are the same on both sides, up to
    another pair; ``(pairs,)``."""
    room = np.minimum(_room(pairs.gold, len(gold), step), _room(pairs.system, len(system), step))
    pair = np.repeat(np.arange(len(room)), room)
    away = np.arange(1, len(pair) + 1) - np.repeat(np.cumsum(room) - room, room)
    texts, others = (
        side[at[pair] + step * away][:, 1]
        for side, at in ((gold, pairs.gold), (system, pairs.system))
    )
    differ = np.flatnonzero(texts != others)
    ended, first = np.unique(pair[differ], return_index=True)
    room[ended] = away[differ[first]] - 1
    return room


def _room(places: Ints, sentences: int, step: int) -> _Sizes:
    """How many sentences there are behind, or before, each of some places up to the next one."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    first = np.append(True, ordered[1:] != ordered[:-1])[: len(places)]
    room = np.diff(np.concatenate([[-1], ordered[first], [sentences]])) - 1
    found = np.zeros(len(places), np.intp)
    found[order] = room[np.cumsum(first) - 1 + (step > 0)]
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
