"""Sentences that stand elsewhere with other words: which of those that both sides have left are
alike, in blocks.

Some letters in a row that few sentences have point at pairs of sentences; of those, and of the
sentences beside them, it is looked whether they are alike. What is found is taken for moved only if
that is no coincidence: several sentences in a row, or a long one that is much the same. Upper and
lower case are the same, and spaces are left out, so that a sentence's number says all there is to
know. The same, mirrored, whichever side is gold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Yields
from treelens.align.likeness import LIKELY, SURE
from treelens.align.order import Pairs
from treelens.rules import distances
from treelens.trees.forest import Ints, Keys

_BYTES = 1 << 20
"""Of the text that either side has left, so much is looked at: the first."""

_LONGEST = 1 << 12
"""Bytes of a sentence that is not too long for its characters to be compared."""

_IN_A_ROW = 6
"""Characters that point at a sentence if few have them; words, mostly, or parts of two."""

_OFTEN = 2
"""In so many places of a side at most."""

_POINTERS = 3
"""So many of them have to point at a pair of sentences."""

_COMPARED = 1 << 31
"""So many pairs of characters are compared at most, for some tenths of a second."""

_MOST = 1 << 15
"""Pairs that are alike, beyond which it is not looked beside them for more."""

_STEP = 3
"""Sentences of a block follow one another, or one or two of either side are between them."""

_SOME = 12
"""Characters in common at least, without which sentences at the ends of a block are none of it."""

_SINGLE, _MUCH_THE_SAME = 32, 0.7
"""Characters in common that make a counterpart, also of one sentence alone, if they are such a
share of it."""

_BLOCK, _BLOCK_SIZE = 60, 2
"""Characters in common, and sentences, that make a block."""

_Hashes = npt.NDArray[np.uint64]
_Pair = tuple[int, int]
_Pointers = tuple[_Hashes, Ints]


class _LookedAt(NamedTuple):
    """One side's sentences without counterparts: which they are, their texts (nothing of what is
    not looked at), and what :func:`_pointers` says of these."""

    key: bytes
    texts: dict[int, str]
    """By number."""
    in_order: list[str]
    pointers: _Pointers


@dataclass
class KnownTexts:
    """What was looked at when it was last asked which sentences were moved, for the next time: an
    edit changes few of them, if any."""

    sides: list[_LookedAt | None] = field(default_factory=lambda: [None, None])
    last: tuple[bytes, list[_Pair]] = b"", []
    """What was asked, and what was found."""


class _Left(NamedTuple):
    """One side's sentences without counterparts, in order, ``(n,)`` each: their places, lengths and
    numbers ``(n, 2)``, and which have none elsewhere either."""

    places: Ints
    numbers: Keys
    free: npt.NDArray[np.bool_]


def reworded(
    sides: tuple[Yields, Yields], alone: tuple[Ints, Ints], same: Pairs, known: KnownTexts
) -> Pairs:
    """Pairs of sentences that were moved and differ, by gold's order.

    alone: each side's sentences without counterparts, ascending; same: those of them that the other
    side has elsewhere as they are.
    """
    lefts = [
        _left(side, places, its)
        for side, places, its in zip(sides, alone, (same.gold, same.system), strict=True)
    ]
    if not all(left.free.any() for left in lefts):
        return Pairs(*np.zeros((2, 0), np.int32))
    there = np.isin(same.gold, lefts[0].places) & np.isin(same.system, lefts[1].places)
    both = [
        np.searchsorted(left.places, its) for left, its in zip(lefts, same.some(there), strict=True)
    ]
    asked = b"|".join(column.tobytes() for column in (*map(_asked, lefts), *both))
    last = known.last
    if last[0] != asked:
        looked_at = [*map(_looked_at, sides, lefts, known.sides)]
        known.sides[:] = looked_at
        texts = [side.in_order for side in looked_at]
        pointers = [side.pointers for side in looked_at]
        pairs = [*zip(*(rows.tolist() for rows in both), strict=True)]
        search = _Search(lefts, texts, pairs, _pointed_at(texts, pointers))
        last = known.last = asked, search.found()
    found = np.array(last[1], np.int32).reshape(-1, 2)
    return Pairs(*(left.places[rows] for left, rows in zip(lefts, found.T, strict=True)))


def _left(side: Yields, places: Ints, same: Ints) -> _Left:
    numbers = side.numbers[places]
    end = int(np.searchsorted(np.cumsum(numbers[:, 0].astype(np.int64)), _BYTES, side="right"))
    places, numbers = places[:end], numbers[:end]
    return _Left(places, numbers, ~np.isin(places, same))


def _asked(left: _Left) -> Keys:
    """All that what is found depends on: the sentences, which are free, and which are near."""
    near = np.minimum(np.diff(left.places, prepend=-_STEP), _STEP + 1)
    return np.column_stack([left.numbers, near.astype(np.uint64), left.free])


def _looked_at(side: Yields, left: _Left, before: _LookedAt | None) -> _LookedAt:
    lengths, numbers = left.numbers.T
    looked = left.free & (lengths > 0) & (lengths <= _LONGEST)
    key = np.column_stack([numbers, looked]).tobytes()
    if before and before.key == key:
        return before
    known = before.texts if before else {}
    rows = zip(left.places.tolist(), numbers.tolist(), looked.tolist(), strict=True)
    texts = [
        (known.get(number) or _text(side, place)) if its else "" for place, number, its in rows
    ]
    return _LookedAt(key, dict(zip(numbers.tolist(), texts, strict=True)), texts, _pointers(texts))


def _text(side: Yields, sentence: int) -> str:
    """In lower case, without spaces."""
    return b"".join(side.words(sentence)).decode("utf-8", "surrogateescape").lower()


class _Search:
    """What is found among the sentences that both sides have left, numbered from 0 in these."""

    def __init__(
        self,
        lefts: list[_Left],
        texts: list[list[str]],
        same: list[_Pair],
        pointed_at: list[_Pair],
    ) -> None:
        self._rooms = {way: [_rooms(left.places, way) for left in lefts] for way in (1, -1)}
        """How many of the sentences behind each, or before it, are near."""
        self._texts = texts
        self._same = {*same}
        self._pointed_at = pointed_at
        lengths = lefts[0].numbers[:, 0].tolist()
        self._common: dict[_Pair, int] = {pair: lengths[pair[0]] for pair in same}
        """Of pairs that are alike, or the same: how many characters they have in common."""
        self._unlike: set[_Pair] = set()

    def found(self) -> list[_Pair]:
        """Pairs that differ, by gold's order."""
        self._grow({*self._same, *filter(self._is_alike, self._pointed_at)})
        if len(self._common) == len(self._same):
            return []
        chosen = self._chosen()
        certain = (pair for block in self._blocks(chosen) for pair in self._certain(block))
        return sorted(pair for pair in certain if pair not in self._same)

    def _is_alike(self, pair: _Pair, share: float = LIKELY[1]) -> bool:
        """Whether both have so much in common; or are the same."""
        if pair not in self._common and pair not in self._unlike:
            one, other = (texts[at] for texts, at in zip(self._texts, pair, strict=True))
            common = distances.LCSseq.similarity(one, other) if one and other else 0
            if common and 2 * common >= LIKELY[1] * (len(one) + len(other)):
                self._common[pair] = int(common)
            else:
                self._unlike.add(pair)
        return pair in self._common and self._share(pair) >= share

    def _share(self, pair: _Pair) -> float:
        """How much of their characters two that are alike have in common, 0 to 1."""
        if pair in self._same:
            return 1.0
        size = sum(len(texts[at]) for texts, at in zip(self._texts, pair, strict=True))
        return 2 * self._common[pair] / size

    def _grow(self, found: set[_Pair]) -> None:
        """Looks beside pairs that are alike for others, and beside those, as long as these are not
        too many."""
        last = found
        while last and len(found) < _MOST:
            beside = (self._next_alike(pair, way) for pair in last for way in (1, -1))
            last = {*itertools.chain.from_iterable(beside)} - found
            found |= last

    def _next_alike(self, pair: _Pair, way: int) -> list[_Pair]:
        """The pairs beside one, behind it or before it, that are alike: the very next, or those
        that one or two sentences without counterpart are between."""
        near = [*self._near(pair, way, 2)]
        if near and self._is_alike(near[0]):
            return near[:1]
        return [*filter(self._is_alike, near[1:])]

    def _near(self, pair: _Pair, way: int, most: int) -> Iterator[_Pair]:
        """The pairs up to so many sentences away from one, the very next first."""
        one, other = pair
        rooms = self._rooms[way]
        for step in range(1, min(most, rooms[0][one]) + 1):
            for other_step in range(1, min(most, rooms[1][other]) + 1):
                yield one + way * step, other + way * other_step

    def _chosen(self) -> dict[_Pair, int]:
        """Of the pairs that are alike those that others around them are with, each sentence once;
        and how many characters they have in common."""

        def rank(pair: _Pair) -> tuple[int, ...]:
            around = (near for way in (1, -1) for near in self._near(pair, way, 2))
            strength = sum(self._common.get(near, 0) for near in around)
            # (Two that are mirrored have no sentence in common.)
            alike = -self._common[pair] - strength
            return pair not in self._same, alike, min(pair), max(pair)

        taken: tuple[set[int], set[int]] = set(), set()
        chosen = {}
        for pair in sorted(self._common, key=rank):
            if not any(at in side for side, at in zip(taken, pair, strict=True)):
                chosen[pair] = self._common[pair]
                for side, at in zip(taken, pair, strict=True):
                    side.add(at)
        return chosen

    def _blocks(self, chosen: Mapping[_Pair, int]) -> Iterator[list[_Pair]]:
        """Pairs that follow one another, nearly."""
        left = {*chosen}
        while left:
            block, waiting = [], [left.pop()]
            while waiting:
                pair = waiting.pop()
                block.append(pair)
                near = {one for way in (1, -1) for one in self._near(pair, way, _STEP)}
                waiting += near & left
                left -= near
            yield block

    def _certain(self, block: list[_Pair]) -> Iterable[_Pair]:
        """Those of a block that are no coincidence."""
        strong = [
            pair
            for pair in block
            if pair in self._same or (self._common[pair] >= _SOME and self._is_alike(pair, SURE[1]))
        ]
        common = sum(self._common[pair] for pair in strong)
        same = sum(self._common[pair] for pair in strong if self._share(pair) >= _MUCH_THE_SAME)
        if self._same.isdisjoint(strong) and not (
            (len(strong) >= _BLOCK_SIZE and common >= _BLOCK) or same >= _SINGLE
        ):
            return ()
        bounds = [(min(side), max(side)) for side in zip(*strong, strict=True)]
        return (
            pair
            for pair in block
            if all(low <= at <= high for at, (low, high) in zip(pair, bounds, strict=True))
        )


def _rooms(places: Ints, way: int) -> list[int]:
    at = np.arange(len(places))
    ends = np.searchsorted(places, places + way * _STEP, "right" if way > 0 else "left")
    rooms: list[int] = (ends - 1 - at if way > 0 else at - ends).tolist()
    return rooms


def _pointed_at(sides: list[list[str]], pointers: list[_Pointers]) -> list[_Pair]:
    """Pairs of texts, by number, that have some characters in a row that few others have."""
    _, *rows = np.intersect1d(pointers[0][0], pointers[1][0], True, return_indices=True)
    # Each of the one side's owners with each of the other's, (n, _OFTEN, _OFTEN).
    owners = [owner[at].astype(np.int64) for (_, owner), at in zip(pointers, rows, strict=True)]
    ones, others = np.broadcast_arrays(owners[0][:, :, None], owners[1][:, None, :])
    there = (ones >= 0) & (others >= 0)
    pairs, votes = np.unique(ones[there] * len(sides[1]) + others[there], return_counts=True)
    ones, others = np.divmod(pairs, max(len(sides[1]), 1))
    lengths = [np.array([*map(len, texts)], np.int64) for texts in sides]
    cost = lengths[0][ones] * lengths[1][others]
    # Those with the most votes, all with as many or none.
    by_votes = np.bincount(votes, weights=cost, minlength=_POINTERS + 1)[::-1]
    least = len(by_votes) - int(np.searchsorted(np.cumsum(by_votes), _COMPARED, side="right"))
    enough = votes >= max(least, _POINTERS)
    return [*zip(ones[enough].tolist(), others[enough].tolist(), strict=True)]


def _pointers(texts: list[str]) -> _Pointers:
    """What few of some texts have: hashes of characters in a row, and whose they are, ``(n,)`` and
    ``(n, _OFTEN)``, -1 where it is of fewer."""
    letters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    owner = np.repeat(np.arange(len(texts), dtype=np.uint64), [*map(len, texts)])
    count = max(len(letters) - _IN_A_ROW + 1, 0)
    keys = np.zeros(count, np.uint64)
    for step in range(_IN_A_ROW):
        keys += letters[step : step + count]
        keys *= _BASE
    # Whose each is in its last bits: numbers are sorted in a tenth of the time that their order is
    # found in.
    keys &= ~_OWNERS
    keys |= owner[:count]
    keys = np.sort(keys[owner[:count] == owner[_IN_A_ROW - 1 :]])
    hashes, owners = keys & ~_OWNERS, (keys & _OWNERS).astype(np.int32)
    first = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)])
    sizes = np.diff(np.append(first, len(hashes)))
    first, sizes = first[sizes <= _OFTEN], sizes[sizes <= _OFTEN]
    more = [
        np.where(sizes > step, owners[np.minimum(first + step, len(owners) - 1)], np.int32(-1))
        for step in range(1, _OFTEN)
    ]
    return hashes[first], np.column_stack([owners[first], *more])


_BASE, _OWNERS = np.uint64(0x9E3779B97F4A7C15), np.uint64(_BYTES - 1)
