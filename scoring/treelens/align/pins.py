"""Sentences that are certain to correspond: their text occurs once on either side.

Those that are in order pin the alignment down: nothing on one side of a pin has to do with
anything on the other, so that a gap of any length costs nothing beyond itself. Which ones are in
order is the increasing subsequence (patience diff: Cohen 2003) that stands for the most sentences,
those beside a pin that are the same, too; the others were moved.

An edit changes what is unique for the texts that it takes away and gives, and for nothing else;
the rest is copied, and where something was moved it is decided anew which are in order. Knows
nothing of words or trees.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange, TextNumbers
from treelens.trees.forest import Ints, Keys, each_once

DISTINCTIVE = 16
"""Bytes from which one sentence in common is no coincidence."""

FREE, MOVED = -1, -2

_Places = npt.NDArray[np.integer[Any]]

_ROOM = 64
"""How many sentences the next pin is looked for in at first."""

_FEW = 32
"""So many texts are sooner counted one by one than all are sorted."""

_AT_ONCE = 1 << 16
"""Sentences that are looked at together."""

_SORTED = 1 << 17
"""Sentences of a side whose texts are sorted at once, for some bytes of memory each."""

_PARTS = 64
"""For each of these all texts are read."""


class Pins(NamedTuple):
    """What is pinned.

    partner: of each gold sentence, the one of system with the same text if neither side has that
    twice, or :data:`FREE`; ``(golds,)``. gold_state, system_state: of each sentence the one that
    it is pinned to, or :data:`FREE`, or :data:`MOVED`: its text stands elsewhere, out of order.
    """

    partner: Ints
    gold_state: Ints
    system_state: Ints

    def following(self, i: int, j: int) -> tuple[int, int]:
        """The first pin that is not before two sentences, or the ends of both files."""
        room = _ROOM
        while i < len(self.gold_state):
            ahead = np.flatnonzero(self.gold_state[i : i + room] >= j)
            if len(ahead):
                i += int(ahead[0])
                return i, int(self.gold_state[i])
            i, room = i + room, 2 * room
        return len(self.gold_state), len(self.system_state)

    def elsewhere(self, side: int, sentence: int) -> int | None:
        """Where the text of one side's sentence (0: gold's) stands, out of order, on the other."""
        state = (self.gold_state, self.system_state)[side]
        if sentence >= len(state) or state[sentence] != MOVED:
            return None
        if side == 0:
            return int(self.partner[sentence])
        return int(np.argmax(self.partner == sentence))


def pinned(gold: TextNumbers, system: TextNumbers) -> Pins:
    """Pins of two sides' sentences, given by length and number; ``(sentences, 2)`` each."""
    return _decided(gold, system, _partners(gold, system))


def repinned(
    old: Pins,
    before: tuple[TextNumbers, TextNumbers],
    gold: Keys,
    system: Keys,
    gold_change: SentenceChange,
    system_change: SentenceChange,
) -> Pins:
    """The pins after edits: what :func:`pinned` says. before: what both sides were."""
    asked: set[int] = set()
    for old_numbers, numbers, (first, old_end, new_end) in (
        (before[0], gold, gold_change),
        (before[1], system, system_change),
    ):
        were, are = old_numbers[first:old_end], numbers[first:new_end]
        asked.update(were[:, 1].tolist(), are[:, 1].tolist())
    if len(asked) > _FEW:
        return pinned(gold, system)
    partner = carried(old.partner, gold_change, system_change)
    decided = [np.arange(*_beside(gold_change, len(gold)))]
    for text in asked:
        ones, others = np.flatnonzero(gold[:, 1] == text), np.flatnonzero(system[:, 1] == text)
        partner[ones] = others[0] if text and len(ones) == len(others) == 1 else FREE
        decided.append(ones)
    low, high = _beside(system_change, len(system))
    if low < high:
        decided.append(np.flatnonzero((partner >= low) & (partner < high)))
    places = each_once(np.concatenate(decided))
    gold_state = carried(old.gold_state, gold_change, system_change)
    system_state = carried(old.system_state, system_change, gold_change)
    was, theirs = gold_state[places], partner[places]
    sure = theirs >= 0
    sure[sure] = _no_coincidence(gold, system, places[sure], theirs[sure])
    gone, made = ~sure & (was != FREE), sure & (was == FREE)
    system_state[was[gone & (was >= 0)]] = FREE
    gold_state[places[gone]], gold_state[places[made]] = FREE, theirs[made]
    system_state[theirs[made]] = places[made]
    # What is left of an ascending sequence is one; of others the texts beside them, too, say which
    # are in order.
    moved = (old.gold_state == MOVED).any()
    if moved or (made.any() and not _ascending(gold_state[gold_state >= 0])):
        return _ordered(gold_state != FREE, partner, gold, system)
    return Pins(partner, gold_state, system_state)


def _beside(change: SentenceChange, sentences: int) -> tuple[int, int]:
    """The sentences that an edit made and those beside them: the first, and the end."""
    return max(min(change.first - 1, sentences), 0), min(change.new_end + 1, sentences)


def carried(state: Ints, change: SentenceChange, other: SentenceChange, gone: int = FREE) -> Ints:
    """What was known of one side's sentences, numbers of the other side's as they are now.

    Of new sentences that is :data:`FREE`; ``gone`` replaces the numbers of those that changed.
    """
    first, old_end, new_end = change
    made = np.full(new_end - first, FREE, np.int32)
    known = np.concatenate([state[:first], made, state[old_end:]])
    if other.first < other.old_end:
        known[(known >= other.first) & (known < other.old_end)] = gone
    if other.shift:
        known[known >= other.old_end] += np.int32(other.shift)
    return known


def _staying(
    gold: TextNumbers, system: TextNumbers, places: Ints, theirs: Ints
) -> npt.NDArray[np.bool_]:
    """Which of some pairs, by gold's order, are in order: the same ones whichever side is gold.

    places, theirs: where gold and system have them. Those stay that stand for the most sentences.
    """
    rank = _ranks(theirs)
    behind, before = (_same_beside(gold, system, places, theirs, step) for step in (1, -1))
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


def _same_beside(
    gold: TextNumbers, system: TextNumbers, places: Ints, theirs: Ints, step: int
) -> npt.NDArray[np.intp]:
    """How many sentences behind (step 1) or before (-1) each pair are the same on both sides, up to
    another pair; ``(pairs,)``."""
    room = np.minimum(_room(places, len(gold), step), _room(theirs, len(system), step))
    pair = np.repeat(np.arange(len(room)), room)
    away = np.arange(1, len(pair) + 1) - np.repeat(np.cumsum(room) - room, room)
    texts, others = (
        side[at[pair] + step * away][:, 1] for side, at in ((gold, places), (system, theirs))
    )
    differ = np.flatnonzero(texts != others)
    ended, first = np.unique(pair[differ], return_index=True)
    room[ended] = away[differ[first]] - 1
    return room


def _room(places: Ints, sentences: int, step: int) -> npt.NDArray[np.intp]:
    """How many sentences there are behind, or before, each of some places up to the next one."""
    order = np.argsort(places, kind="stable")
    bounds = np.concatenate([[-1], places[order], [sentences]])
    room = np.zeros(len(places), np.intp)
    room[order] = (np.diff(bounds) - 1)[slice(1, None) if step > 0 else slice(-1)]
    return room


def _ranks(numbers: Ints) -> Ints:
    """The place that each of some different numbers has among them all; ``(n,)``."""
    rank = np.empty(len(numbers), np.int32)
    rank[np.argsort(numbers, kind="stable")] = np.arange(len(numbers), dtype=np.int32)
    return rank


def in_order(
    numbers: Ints, weights: npt.NDArray[np.integer[Any]] | None = None
) -> npt.NDArray[np.bool_]:
    """Which of some different numbers are of the heaviest ascending selection of them, or of a
    longest one; ``(n,)``."""
    if _ascending(numbers):
        return np.ones(len(numbers), np.bool_)
    rank = _ranks(numbers)
    # Neighbours by place and by rank are taken together, or left: a moved block is one.
    starts = np.flatnonzero(np.append(True, rank[1:] != rank[:-1] + 1))
    sizes = np.diff(np.append(starts, len(rank)))
    sums = sizes if weights is None else np.add.reduceat(weights, starts)
    chosen = _heaviest_ascent(rank[starts].tolist(), sums.tolist())
    return np.repeat(np.isin(np.arange(len(starts)), chosen), sizes)


def _ascending(numbers: Ints) -> bool:
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


def _partners(gold: TextNumbers, system: TextNumbers) -> Ints:
    """Of each gold sentence, the one of system with the same text, if there are no others."""
    partner = np.full(len(gold), FREE, np.int32)
    parts = min(max(len(gold), len(system)) // _SORTED + 1, _PARTS)
    for part in range(parts):
        (texts, places), (others, their_places) = (
            _unique(*_some_texts(side, part, parts)) for side in (gold, system)
        )
        if len(others):
            at = np.minimum(np.searchsorted(others, texts), len(others) - 1)
            same = others[at] == texts
            partner[places[same]] = their_places[at[same]]
    return partner


def _some_texts(side: TextNumbers, part: int, parts: int) -> tuple[Keys, Ints]:
    """One of so many parts of a side's texts, and where they are: equal ones are in one part."""
    texts, places = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for first in range(0, len(side), _AT_ONCE):
        rows = side[first : first + _AT_ONCE]
        here = np.flatnonzero(rows[:, 1] % np.uint64(parts) == part)
        texts.append(rows[here, 1])
        places.append((here + first).astype(np.int32))
    return np.concatenate(texts), np.concatenate(places)


def _unique(texts: Keys, places: Ints) -> tuple[Keys, Ints]:
    """The texts that occur once, and where; the empty one is none."""
    order = np.argsort(texts, kind="stable")
    ordered = texts[order]
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    once = differs[1:] & differs[:-1] & (ordered != 0) if len(texts) else ordered != 0
    return ordered[once], places[order[once]]


def _decided(gold: TextNumbers, system: TextNumbers, partner: Ints) -> Pins:
    sure = partner >= 0
    for first in range(0, len(sure), _AT_ONCE):
        places = first + np.flatnonzero(sure[first : first + _AT_ONCE])
        sure[places] = _no_coincidence(gold, system, places, partner[places])
    return _ordered(sure, partner, gold, system)


def _ordered(
    sure: npt.NDArray[np.bool_], partner: Ints, gold: TextNumbers, system: TextNumbers
) -> Pins:
    """The pins; ``sure``: which gold sentences have a counterpart for sure, ``(golds,)``."""
    gold_state = np.where(sure, partner, np.int32(FREE))
    system_state = np.full(len(system), FREE, np.int32)
    theirs = partner[sure]
    places = np.arange(len(sure), dtype=np.int32)[sure]
    system_state[theirs] = places
    if not _ascending(theirs):
        kept = _staying(gold, system, places, theirs)
        gold_state[places[~kept]] = system_state[theirs[~kept]] = MOVED
    return Pins(partner, gold_state, system_state)


def _no_coincidence(
    gold: TextNumbers, system: TextNumbers, places: _Places, theirs: Ints
) -> npt.NDArray[np.bool_]:
    """Which pairs are of long sentences, or of a long text with equal ones beside them, or have
    such (or an end) on both sides."""
    length = gold[places][:, 0]
    sure = length >= DISTINCTIVE
    short = np.flatnonzero(~sure)
    if len(short):
        together = length[short]
        equal = np.zeros(len(short), np.intp)
        for beside in (-1, 1):
            one, its = _at(gold, places[short] + beside), _at(system, theirs[short] + beside)
            same = (one[:, 1] == its[:, 1]) & (one[:, 1] != 0)
            equal += same
            together = together + one[:, 0] * same
        sure[short] = (equal == 2) | (equal.astype(bool) & (together >= DISTINCTIVE))
    return sure


def _at(side: TextNumbers, places: _Places) -> Keys:
    """Sentences at some places, the ends, which are equal to one another and to no sentence,
    at those beyond; ``(k, 2)``."""
    inside = (places >= 0) & (places < len(side))
    found = np.full((len(places), 2), _END, np.uint64)
    found[inside] = side[places[inside]]
    return found


_END = np.array([DISTINCTIVE, 0xFFFFFFFFFFFFFFFF], np.uint64)
"""Length and number."""
