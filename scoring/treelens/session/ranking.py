"""Which groups of a pair are worst, by the pair's first headline score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.metrics import headlines, tagging
from treelens.session.pair import Pair
from treelens.trees.forest import Ints, narrow


class Badness(NamedTuple):
    """How bad each of some groups is; ``(groups,)`` each.

    ``share`` of what is counted is wrong (of an average: so much of it there is for each);
    ``wrong`` is how much that is; ``tags``: words with a wrong tag; ``differences``: how many
    there are, those included that no score counts where the pair has them. A group with nothing to
    count has no score to be bad in.
    """

    share: npt.NDArray[np.float64]
    wrong: npt.NDArray[np.int64]
    tags: npt.NDArray[np.int64]
    differences: npt.NDArray[np.int64]

    def keys(self) -> tuple[npt.NDArray[Any], ...]:
        """What groups are sorted by, each rising, the first of them first."""
        return -self.share, -self.wrong, -self.tags, -self.differences


def badness(pair: Pair) -> Badness:
    """Of all groups, in order."""
    ratio = headlines(pair.metrics)[0]
    right, there = pair.fractions(ratio)
    wrong = there - right if ratio.higher_is_better else right
    tags = np.zeros_like(wrong)
    if tagging.METRIC in pair.metrics:
        tagged, words = pair.fractions(tagging.METRIC.ratios[0])
        tags = words - tagged
    share = np.where(there > 0, wrong / np.maximum(there, 1), 0.0)
    return Badness(share, wrong, tags, pair.differences())


@dataclass(frozen=True, slots=True)
class Places:
    """Groups of some pairs, in any order: the number of each one's pair, and its own in that."""

    part: Ints
    group: Ints

    def __len__(self) -> int:
        return len(self.part)

    def cut(self, first: int, end: int | None = None) -> Places:
        """Those from the first to the end."""
        return Places(self.part[first:end], self.group[first:end])

    def chosen(self, which: npt.NDArray[np.intp]) -> Places:
        """Those, in that order."""
        return Places(self.part[which], self.group[which])

    def plus(self, other: Places) -> Places:
        """These, then those."""
        return Places(np.append(self.part, other.part), np.append(self.group, other.group))


def worst_first(pairs: Iterable[Pair], most: int | None = None) -> Places:
    """The groups with findings of some pairs, by default all, the worst first; of equal ones those
    with the most wrong, then by pair and number."""
    found = [[np.zeros(0, np.int32)] * _COLUMNS]
    size = 0
    for number, pair in enumerate(pairs):
        groups = np.flatnonzero(pair.mismatching())
        bad = badness(pair).keys()
        keys = [narrow(key[groups]) for key in bad]
        found.append([*keys, np.full(len(groups), number, np.int32), groups.astype(np.int32)])
        size += len(groups)
        if most is not None and size > 2 * most + _FEW:
            found, size = [_sorted(found, most)], most
    *_, part, group = _sorted(found, most)
    return Places(part, group)


_COLUMNS = len(Badness._fields) + 2
_FEW = 1 << 14
"""Groups that are sorted before any are left out."""


def _sorted(parts: list[list[npt.NDArray[Any]]], most: int | None) -> list[npt.NDArray[Any]]:
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.lexsort(columns[::-1])[:most]
    return [column[order] for column in columns]
