"""Sentences that are certain to correspond: their text occurs once on either side.

Those that are in order pin the alignment down: nothing on one side of a pin has to do with
anything on the other, so that a gap of any length costs nothing beyond itself. Which ones are in
order :mod:`~treelens.align.order` says; the others were moved. Texts that one side, or either, has
twice (a block that was moved and doubled) are pins where more sentences are in order so.

An edit changes what is unique, or there twice, for the texts that it takes away and gives, and for
nothing else; the rest is copied, and where something was moved it is decided anew which are in
order. Knows nothing of words or trees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange, TextNumbers
from treelens.align.order import Pairs, all_fit, ascending, beside, fitting, staying, staying_with
from treelens.trees.forest import Ints, Keys, each_once

DISTINCTIVE = 16
"""Bytes from which one sentence in common is no coincidence."""

FREE, MOVED, COPIED = -1, -2, -3

_NEAR = 16
"""So far apart the sentences of a block may be that are the same twice: others may differ."""

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

_LOW = np.uint64(0xFFFF)
"""Bits that tell most texts apart."""


class Pins(NamedTuple):
    """What is pinned.

    partner: of each gold sentence, the one of system with the same text if neither side has that
    twice, or :data:`FREE`; ``(golds,)``. gold_state, system_state: of each sentence the one that
    it is pinned to, or :data:`FREE`, or :data:`MOVED`: its text stands elsewhere, out of order; or
    :data:`COPIED`: it stands so in a block of which some sentences are in order elsewhere.
    doubled_gold, doubled_system: the pairs of texts that one side has twice and the other once
    or twice, by gold's order and system's; ``(d,)``.
    """

    partner: Ints
    gold_state: Ints
    system_state: Ints
    doubled_gold: Ints
    doubled_system: Ints

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


def pinned(gold: TextNumbers, system: TextNumbers) -> Pins:
    """Pins of two sides' sentences, given by length and number; ``(sentences, 2)`` each."""
    partner, texts = _partners(gold, system)
    doubled = _doubled(gold, system, texts)
    sure = partner >= 0
    for first in range(0, len(sure), _AT_ONCE):
        places = first + np.flatnonzero(sure[first : first + _AT_ONCE])
        sure[places] = no_coincidence(gold, system, places, partner[places])
    return _ordered(sure, partner, doubled, gold, system)


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
    doubled, made_twice = _kept(old, gold, asked, (gold_change, system_change)), []
    for text in asked - {0}:
        ones, others = np.flatnonzero(gold[:, 1] == text), np.flatnonzero(system[:, 1] == text)
        partner[ones] = others[0] if len(ones) == len(others) == 1 else FREE
        decided.append(ones)
        if {len(ones), len(others)} in ({1, 2}, {2}):
            pairs = np.repeat(ones, len(others)), np.tile(others, len(ones))
            made_twice.append(Pairs(*(places.astype(np.int32) for places in pairs)))
    for both in made_twice:
        doubled = doubled.then(both)
    doubled = doubled.in_order() if made_twice else doubled
    low, high = _beside(system_change, len(system))
    if low < high:
        decided.append(np.flatnonzero((partner >= low) & (partner < high)))
    places = each_once(np.concatenate(decided))
    gold_state = carried(old.gold_state, gold_change, system_change)
    system_state = carried(old.system_state, system_change, gold_change)
    was, theirs = gold_state[places], partner[places]
    sure = theirs >= 0
    sure[sure] = no_coincidence(gold, system, places[sure], theirs[sure])
    gone, made = ~sure & (was != FREE), sure & (was == FREE)
    system_state[was[gone & (was >= 0)]] = FREE
    gold_state[places[gone]], gold_state[places[made]] = FREE, theirs[made]
    system_state[theirs[made]] = places[made]
    # What is left of an ascending sequence is one; of others the texts beside them, too, say which
    # are in order, and so do texts that are there twice and have no place between the others.
    moved = (old.gold_state < FREE).any()
    if (
        moved
        or (made.any() and not ascending(gold_state[gold_state >= 0]))
        or not _all_fit(gold_state, doubled, gold, system)
    ):
        known = (gold_state != FREE) & (partner >= 0)
        return _ordered(known, partner, doubled, gold, system)
    return Pins(partner, gold_state, system_state, *doubled)


def _kept(
    old: Pins, gold: Keys, asked: set[int], changes: tuple[SentenceChange, SentenceChange]
) -> Pairs:
    """The pairs of texts that are there twice, as they are numbered now, without those of the
    texts that an edit took away or gave."""
    pairs = Pairs(old.doubled_gold, old.doubled_system)
    if not len(pairs.gold):
        return pairs
    there = np.ones(len(pairs.gold), np.bool_)
    for places, change in zip(pairs, changes, strict=True):
        there &= (places < change.first) | (places >= change.old_end)
    pairs = Pairs(
        *(
            places + np.int32(change.shift) * (places >= change.old_end)
            for places, change in zip(pairs.some(there), changes, strict=True)
        )
    )
    return pairs.some(~np.isin(gold[pairs.gold][:, 1], np.array([*asked], np.uint64)))


def _all_fit(gold_state: Ints, doubled: Pairs, gold: Keys, system: Keys) -> bool:
    """Whether all texts that are there twice have a place between what is pinned."""
    if not len(doubled.gold):
        return True
    pinned_ones = np.flatnonzero(gold_state >= 0)
    kept = Pairs(pinned_ones.astype(np.int32), gold_state[pinned_ones])
    sure = doubled.some(no_coincidence(gold, system, *doubled))
    return all_fit(gold, kept, sure)


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


def same_texts(gold: TextNumbers, system: TextNumbers) -> Pairs:
    """The pairs that there are of texts that both sides have once or twice."""
    partner, doubled = _partners(gold, system)
    once = np.flatnonzero(partner >= 0).astype(np.int32)
    return Pairs(once, partner[once]).then(_doubled(gold, system, doubled)).in_order()


def _doubled(gold: TextNumbers, system: TextNumbers, doubled: Keys) -> Pairs:
    """The pairs that there are of texts that one side has twice and the other once or twice."""
    if not len(doubled):
        return Pairs(*np.zeros((2, 0), np.int32))
    (texts, places), (others, their_places) = (_places(side, doubled) for side in (gold, system))
    first, end = (np.searchsorted(others, texts, side=side) for side in ("left", "right"))
    second = end - first == 2
    pairs = Pairs(
        np.concatenate([places, places[second]]),
        np.concatenate([their_places[first], their_places[first[second] + 1]]),
    )
    return pairs.in_order()


def _places(side: TextNumbers, texts: Keys) -> tuple[Keys, Ints]:
    """Which sentences of a side have one of some texts, by text and place: the text and place."""
    found, places = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    # (Most have others of these bits, and need not be looked for.)
    low = np.zeros(1 << 16, np.bool_)
    low[texts & _LOW] = True
    for first in range(0, len(side), _AT_ONCE):
        rows = side[first : first + _AT_ONCE][:, 1]
        here = np.flatnonzero(low[rows & _LOW])
        at = np.minimum(np.searchsorted(texts, rows[here]), len(texts) - 1)
        here = here[texts[at] == rows[here]]
        found.append(rows[here])
        places.append((here + first).astype(np.int32))
    all_found = np.concatenate(found)
    order = np.argsort(all_found, kind="stable")
    return all_found[order], np.concatenate(places)[order]


def _partners(gold: TextNumbers, system: TextNumbers) -> tuple[Ints, Keys]:
    """Of each gold sentence, the one of system with the same text, if there are no others; and the
    texts that one of them has twice and the other once or twice."""
    partner = np.full(len(gold), FREE, np.int32)
    doubled = [np.zeros(0, np.uint64)]
    parts = min(max(len(gold), len(system)) // _SORTED + 1, _PARTS)
    for part in range(parts):
        (texts, places, two), (others, their_places, their_two) = (
            _few_times(*_some_texts(side, part, parts)) for side in (gold, system)
        )
        if len(others):
            at = np.minimum(np.searchsorted(others, texts), len(others) - 1)
            same = others[at] == texts
            partner[places[same]] = their_places[at[same]]
        doubled += [_common(texts, their_two), _common(others, two), _common(two, their_two)]
    return partner, np.sort(np.concatenate(doubled))


def _common(one: Keys, other: Keys) -> Keys:
    """The texts that are in both, which have none twice."""
    together = np.sort(np.concatenate([one, other]))
    return together[1:][together[1:] == together[:-1]]


def _some_texts(side: TextNumbers, part: int, parts: int) -> tuple[Keys, Ints]:
    """One of so many parts of a side's texts, and where they are: equal ones are in one part."""
    texts, places = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for first in range(0, len(side), _AT_ONCE):
        rows = side[first : first + _AT_ONCE]
        here = np.flatnonzero(rows[:, 1] % np.uint64(parts) == part)
        texts.append(rows[here, 1])
        places.append((here + first).astype(np.int32))
    return np.concatenate(texts), np.concatenate(places)


def _few_times(texts: Keys, places: Ints) -> tuple[Keys, Ints, Keys]:
    """The texts that occur once, and where, and those that occur twice; the empty one is none."""
    order = np.argsort(texts, kind="stable")
    ordered = texts[order]
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])[: len(texts) + 1]
    ends = np.flatnonzero(differs[1:]) if len(texts) else np.zeros(0, np.intp)
    sizes = np.diff(ends, prepend=-1)
    once, twice = (ends[(sizes == size) & (ordered[ends] != 0)] for size in (1, 2))
    return ordered[once], places[order[once]], ordered[twice]


def _ordered(
    sure: npt.NDArray[np.bool_],
    partner: Ints,
    doubled: Pairs,
    gold: TextNumbers,
    system: TextNumbers,
) -> Pins:
    """The pins; ``sure``: which gold sentences have a counterpart for sure, ``(golds,)``."""
    once = Pairs(np.flatnonzero(sure).astype(np.int32), partner[sure])
    kept = np.ones(len(once.gold), np.bool_)
    if not ascending(once.system):
        kept = staying(gold, system, once)
    pinned_ones = once.some(kept)
    others = doubled.some(no_coincidence(gold, system, *doubled))
    found = staying_with(gold, system, once, kept, others) if len(others.gold) else None
    if found is not None:
        kept = found[0]
        pinned_ones = once.some(kept).then(others.some(found[1]))
    gold_state, system_state = (np.full(len(side), FREE, np.int32) for side in (gold, system))
    for state, places, theirs in (
        (gold_state, once.gold, pinned_ones),
        (system_state, once.system, pinned_ones.turned()),
    ):
        state[places] = MOVED
        state[theirs.gold] = theirs.system
    copied = _of_copies(once.some(~kept), others, pinned_ones, gold_state, system_state)
    gold_state[copied.gold] = system_state[copied.system] = COPIED
    return Pins(partner, gold_state, system_state, *doubled)


def _of_copies(
    left_out: Pairs, twice: Pairs, pinned_ones: Pairs, gold_state: Ints, system_state: Ints
) -> Pairs:
    """Which pairs that are not in order belong to a block that is a copy: other sentences of it,
    whose texts are there twice, are in order elsewhere."""
    all_twice, twice = twice, twice.some(beside(twice, left_out))
    if not len(twice.gold):
        return twice
    # (What has a place between pins is in order, too.)
    staying_ones = all_twice.some(fitting(pinned_ones.in_order(), all_twice))
    elsewhere = np.zeros(len(twice.gold), np.bool_)
    for state, places, theirs, (these, counterparts) in (
        (gold_state.copy(), *twice, staying_ones),
        (system_state.copy(), *twice.turned(), staying_ones.turned()),
    ):
        state[these] = counterparts
        elsewhere |= (state[places] >= 0) & (state[places] != theirs)
    pairs = left_out.then(twice)
    shift = pairs.system - pairs.gold
    order = np.lexsort((pairs.gold, shift))
    is_next = (np.diff(pairs.gold[order]) <= _NEAR) & (np.diff(shift[order]) == 0)
    block = np.empty(len(order), np.intp)
    block[order] = np.append(0, np.cumsum(~is_next))
    known, others = np.split(block, [len(left_out.gold)])
    return left_out.some(np.isin(known, others[elsewhere]))


def no_coincidence(
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
