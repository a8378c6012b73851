"""Which groups of a pair are worst, by the pair's first headline score."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.metrics import headlines, tagging
from treelens.session.pair import Pair


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


def worst_first(bad: Badness, groups: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.intp]:
    """Some groups, the worst first; of equal ones those with the most wrong, then by number."""
    columns = groups, *(key[groups] for key in reversed(bad.keys()))
    chosen: npt.NDArray[np.intp] = groups[np.lexsort(columns)].astype(np.intp)
    return chosen
