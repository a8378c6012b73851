"""What the sentences of one side say: their words, as the walk over both sides compares them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.forest import Forest, Keys

_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)
_HALF = np.uint64(32)


def yield_hashes(forest: Forest, trace: npt.NDArray[np.bool_]) -> Keys:
    """A hash of each sentence's words in order; ``(sentences,)``.

    ``trace`` says, by label id, which tags are of words that nobody wrote; those are left out.
    Equal hashes only steer the search: whether words are equal is looked up before they count.
    """
    spoken = ~trace[forest.tag]
    place = np.zeros(len(spoken) + 1, np.uint64)
    np.cumsum(spoken, out=place[1:])
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
    within = place[:-1] - place[forest.first_leaf[sentence]]
    mixed = (
        forest.word[spoken] * _MULTIPLIERS[1] + (within[spoken] + np.uint64(1)) * _MULTIPLIERS[0]
    )
    for multiplier in _MULTIPLIERS[1:]:
        mixed = (mixed ^ (mixed >> _HALF)) * multiplier
    mixed ^= mixed >> _HALF
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])  # wraps around, and so do the differences
    ends = place[forest.first_leaf].astype(np.int64)
    return sums[ends[1:]] - sums[ends[:-1]]
