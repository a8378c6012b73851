"""Sentences that are certain to correspond: their text occurs once on either side.

Those that are in order pin the alignment down: nothing on one side of a pin has to do with
anything on the other, so that a gap of any length costs nothing beyond itself. Which ones are in
order is a longest increasing subsequence (patience diff: Cohen 2003); the others were moved.

An edit changes what is unique for the texts that it takes away and gives, and for nothing else;
the rest is copied. Knows nothing of words or trees.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange
from treelens.trees.forest import Ints, Keys, each_once

DISTINCTIVE = 16
"""Bytes from which one sentence in common is no coincidence."""

FREE, MOVED = -1, -2

_ROOM = 64
"""How many sentences the next pin is looked for in at first."""

_FEW = 32
"""So many texts are sooner counted one by one than all are sorted."""


class Pins(NamedTuple):
    """What is pinned.

    partner: of each gold sentence, the one of system with the same text if neither side has that
    twice, or :data:`FREE`; ``(golds,)``. gold_state, system_state: of each sentence the one that
    it is pinned to, or :data:`FREE`, or :data:`MOVED`: its text stands elsewhere, out of order.
    gold_text, system_text: what texts are told apart by.
    """

    partner: Ints
    gold_state: Ints
    system_state: Ints
    gold_text: Keys
    system_text: Keys

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


def pinned(gold: Keys, system: Keys) -> Pins:
    """Pins of two sides' sentences, given by length and number; ``(sentences, 2)`` each."""
    text = np.ascontiguousarray(gold[:, 1])
    texts = text, text if gold is system else np.ascontiguousarray(system[:, 1])
    return _decided(gold, _partners(*texts), *texts)


def repinned(
    old: Pins, gold: Keys, system: Keys, gold_change: SentenceChange, system_change: SentenceChange
) -> Pins:
    """The pins after edits: what :func:`pinned` says."""
    texts = (
        _edited(old.gold_text, gold, gold_change),
        _edited(old.system_text, system, system_change),
    )
    asked: set[int] = set()
    for before, now, (first, old_end, new_end) in (
        (old.gold_text, texts[0], gold_change),
        (old.system_text, texts[1], system_change),
    ):
        asked.update(before[first:old_end].tolist(), now[first:new_end].tolist())
    if len(asked) > _FEW:
        return _decided(gold, _partners(*texts), *texts)
    partner = carried(old.partner, gold_change, system_change)
    decided = [np.arange(*_beside(gold_change, len(gold)))]
    for text in asked:
        ones, others = np.flatnonzero(texts[0] == text), np.flatnonzero(texts[1] == text)
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
    sure[sure] = _no_coincidence(gold, *texts, places[sure], theirs[sure])
    gone, made = ~sure & (was != FREE), sure & (was == FREE)
    system_state[was[gone & (was >= 0)]] = FREE
    gold_state[places[gone]], gold_state[places[made]] = FREE, theirs[made]
    system_state[theirs[made]] = places[made]
    lost = any(
        (state[change.first : change.old_end] != FREE).any()
        for state, change in ((old.gold_state, gold_change), (old.system_state, system_change))
    )
    # What is left of an ascending sequence is one; whatever else changes decides anew which are.
    moved = (lost or gone.any() or made.any()) and (old.gold_state == MOVED).any()
    if moved or (made.any() and not _ascending(gold_state[gold_state >= 0])):
        return _ordered(np.flatnonzero(gold_state != FREE), partner, *texts)
    return Pins(partner, gold_state, system_state, *texts)


def _beside(change: SentenceChange, sentences: int) -> tuple[int, int]:
    """The sentences that an edit made and those beside them: the first, and the end."""
    return max(min(change.first - 1, sentences), 0), min(change.new_end + 1, sentences)


def _edited(before: Keys, numbers: Keys, change: SentenceChange) -> Keys:
    first, old_end, new_end = change
    if first == old_end == new_end:
        return before
    return np.concatenate([before[:first], numbers[first:new_end, 1], before[old_end:]])


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


def _staying(texts: Keys, theirs: Ints) -> npt.NDArray[np.bool_]:
    """Which of some pairs, by gold's order, are in order: the same ones whichever side is gold.

    texts: what each pair's sentences are told apart by; theirs: where system has them.
    """
    order = np.argsort(theirs, kind="stable")
    differs = np.flatnonzero(texts != texts[order])[:1]
    if (texts[differs] <= texts[order[differs]]).all():
        return in_order(theirs)
    kept = np.zeros(len(theirs), np.bool_)
    kept[order[in_order(order.astype(np.int32))]] = True
    return kept


def in_order(numbers: Ints) -> npt.NDArray[np.bool_]:
    """Which of some different numbers are of a longest ascending selection of them; ``(n,)``."""
    if _ascending(numbers):
        return np.ones(len(numbers), np.bool_)
    order = np.argsort(numbers, kind="stable")
    rank = np.empty(len(numbers), np.intp)
    rank[order] = np.arange(len(numbers))
    # Neighbours by place and by rank are taken together, or left: a moved block is one.
    starts = np.flatnonzero(np.append(True, rank[1:] != rank[:-1] + 1))
    sizes = np.diff(np.append(starts, len(rank)))
    chosen = _heaviest_ascent(rank[starts].tolist(), sizes.tolist())
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


def _partners(gold: Keys, system: Keys) -> Ints:
    """Of each gold sentence, the one of system with the same text, if there are no others."""
    (texts, places), (others, their_places) = _unique(gold), _unique(system)
    partner = np.full(len(gold), FREE, np.int32)
    if len(others):
        at = np.minimum(np.searchsorted(others, texts), len(others) - 1)
        same = others[at] == texts
        partner[places[same]] = their_places[at[same]]
    return partner


def _unique(texts: Keys) -> tuple[Keys, npt.NDArray[np.intp]]:
    """The texts that occur once, and where; the empty one is none."""
    order = np.argsort(texts, kind="stable")
    ordered = texts[order]
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    once = differs[1:] & differs[:-1] & (ordered != 0) if len(texts) else ordered != 0
    return ordered[once], order[once]


def _decided(gold: Keys, partner: Ints, gold_text: Keys, system_text: Keys) -> Pins:
    places = np.flatnonzero(partner >= 0)
    sure = _no_coincidence(gold, gold_text, system_text, places, partner[places])
    return _ordered(places[sure], partner, gold_text, system_text)


def _ordered(
    places: npt.NDArray[np.intp], partner: Ints, gold_text: Keys, system_text: Keys
) -> Pins:
    """The pins, of gold sentences that have a counterpart for sure."""
    theirs = partner[places]
    kept = _staying(gold_text[places], theirs)
    gold_state = np.full(len(gold_text), FREE, np.int32)
    system_state = np.full(len(system_text), FREE, np.int32)
    gold_state[places], system_state[theirs] = theirs, places
    gold_state[places[~kept]] = system_state[theirs[~kept]] = MOVED
    return Pins(partner, gold_state, system_state, gold_text, system_text)


def _no_coincidence(
    gold: Keys, gold_text: Keys, system_text: Keys, places: npt.NDArray[np.intp], theirs: Ints
) -> npt.NDArray[np.bool_]:
    """Which pairs are of long sentences, or of a long text with equal ones beside them, or have
    such (or an end) on both sides."""
    length = gold[places, 0]
    sure = length >= DISTINCTIVE
    short = np.flatnonzero(~sure)
    if len(short):
        # The ends of both files are equal to one another, and to no sentence.
        ones = np.concatenate([[_END], gold_text, [_END]])
        others = np.concatenate([[_END], system_text, [_END]])
        lengths = np.concatenate([_ENDS_LENGTH, gold[:, 0], _ENDS_LENGTH])
        mine, its, together = places[short] + 1, theirs[short] + 1, length[short]
        equal = np.zeros(len(short), np.intp)
        for beside in (-1, 1):
            one = ones[mine + beside]
            same = (one == others[its + beside]) & (one != 0)
            equal += same
            together = together + lengths[mine + beside] * same
        sure[short] = (equal == 2) | (equal.astype(bool) & (together >= DISTINCTIVE))
    return sure


_END = np.uint64(0xFFFFFFFFFFFFFFFF)
_ENDS_LENGTH = np.array([DISTINCTIVE], np.uint64)
