"""Which groups are wholly inside another one's places: S, SBAR and VP of one clause are one thing.

Brackets and relations inside longer strings of words, or inside sentences that are the same as a
whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.groups import VariationGroup
from treelens.trees.forest import each_once

Numbers = npt.NDArray[np.int64]

_INNER = ("relations", "brackets")
_OUTER = ("brackets", "texts")
_PAIRS = 1 << 18
"""That are looked at together: some 20 MB."""


class Extents(NamedTuple):
    """Where some groups are: of each its kind and how many places it has, ``(n,)``; of each place
    its sentence, and the first and the last word of it there, ``(k, 3)``."""

    kind: Sequence[str]
    counts: Sequence[int]
    places: Numbers


def extent(one: VariationGroup) -> list[tuple[int, int, int]]:
    """The places of one group. What is the same as a whole extends beyond its words."""
    if one.kind == "texts":
        return [(place.sentence, -1, len(one.key)) for place in one.occurrences]
    return [(place.sentence, place.words[0], place.words[-1]) for place in one.occurrences]


def largest(groups: Sequence[VariationGroup]) -> list[VariationGroup]:
    """Without those that are inside another one's places."""
    places = [place for one in groups for place in extent(one)]
    kept = outermost(
        Extents(
            [one.kind for one in groups],
            [len(one.occurrences) for one in groups],
            np.array(places, np.int64).reshape(-1, 3),
        )
    )
    return [one for one, is_kept in zip(groups, kept.tolist(), strict=True) if is_kept]


def outermost(groups: Extents) -> npt.NDArray[np.bool_]:
    """Which groups are not wholly inside one other; ``(n,)``."""
    kept = np.ones(len(groups.kind), np.bool_)
    first = np.cumsum([0, *groups.counts])
    held = _Holders.of(groups)
    inner = np.flatnonzero([kind in _INNER for kind in groups.kind])
    for one, other in held.of_first_places(groups, inner, first[inner]):
        pair, at = _spread(first[one], first[one + 1])
        inside = np.zeros(len(at), np.bool_)
        place, row = held.in_sentence(other[pair], groups.places[at, 0])
        inside[place[held.has_inside(row, groups.places[at[place]])]] = True
        # (Every group has a place.)
        ends = np.cumsum(first[one + 1] - first[one])
        kept[one[np.logical_and.reduceat(inside, np.append(0, ends[:-1]))]] = False
    return kept


class _Holders(NamedTuple):
    """The places of all groups that others may be inside, by group and sentence, ``(h,)`` each:
    the group, and the three columns of :class:`Extents`."""

    group: Numbers
    places: Numbers
    is_bracket: npt.NDArray[np.bool_]

    @staticmethod
    def of(groups: Extents) -> _Holders:
        outer = np.array([kind in _OUTER for kind in groups.kind], np.bool_)
        group = np.repeat(np.arange(len(groups.kind)), groups.counts)
        rows = np.flatnonzero(outer[group])
        rows = rows[np.lexsort((groups.places[rows, 0], group[rows]))]
        bracket = np.array([kind == "brackets" for kind in groups.kind], np.bool_)
        return _Holders(group[rows], groups.places[rows], bracket[group[rows]])

    def of_first_places(
        self, groups: Extents, inner: Numbers, place: Numbers
    ) -> Iterator[tuple[Numbers, Numbers]]:
        """Some of the inner groups, and of each one that may hold it: a pair a row, once each."""
        is_relation = np.array([groups.kind[one] == "relations" for one in inner.tolist()], bool)
        order = np.argsort(self.places[:, 0], kind="stable")
        sentences = self.places[order, 0]
        wanted = groups.places[place, 0]
        low, end = (np.searchsorted(sentences, wanted, side) for side in ("left", "right"))
        done = np.cumsum(end - low)
        start = 0
        while start < len(inner):
            before = int(done[start - 1]) if start else 0
            stop = max(int(np.searchsorted(done, before + _PAIRS)), start + 1)
            which, at = _spread(low[start:stop], end[start:stop])
            which, row = which + start, order[at]
            may = self.has_inside(row, groups.places[place[which]])
            may &= (self.group[row] != inner[which]) & ~(is_relation[which] & self.is_bracket[row])
            pairs = each_once(inner[which[may]] * len(groups.kind) + self.group[row[may]])
            if len(pairs):
                yield pairs // len(groups.kind), pairs % len(groups.kind)
            start = stop

    def in_sentence(self, group: Numbers, sentence: Numbers) -> tuple[Numbers, Numbers]:
        """The rows of some groups, each in a sentence: which of these, and the row."""
        width = max(int(self.places[:, 0].max(initial=0)), int(sentence.max(initial=0))) + 1
        keys, wanted = self.group * width + self.places[:, 0], group * width + sentence
        low, end = (np.searchsorted(keys, wanted, side) for side in ("left", "right"))
        return _spread(low, end)

    def has_inside(self, row: Numbers, places: Numbers) -> npt.NDArray[np.bool_]:
        """Whether the place of a row has another one inside, and more than that; ``(k,)``."""
        low, high = self.places[row, 1], self.places[row, 2]
        first, last = places[:, 1], places[:, 2]
        return (low <= first) & (last <= high) & ((low < first) | (last < high))


def _spread(low: Numbers, end: Numbers) -> tuple[Numbers, Numbers]:
    """All numbers of some ranges: of which range, and the number."""
    count = end - low
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) + np.repeat(low - (np.cumsum(count) - count), count)
