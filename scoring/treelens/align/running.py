"""Where the same running text goes on behind words that differ, told by long runs of the same.

Where words are few, sentences are alike by chance, also the same ones, and say little of where
counterparts are. A long run of words does, however it is cut into sentences.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from treelens.align.likeness import Words
from treelens.align.subsequence import WordRun, blocks
from treelens.align.words import folded

_BY_CHANCE = 1e-4
"""How likely a run of so many words is at any two places, at most, to be no chance."""

_LONGEST = 64
"""Words of such a run at most: where it would take more, all words are one for the most part."""

_SHARE = 0.25
"""Share of the words of the side that has fewer that is in such runs: of texts that are the same
but for every tenth word it is half of them, also where there is nothing but *yes* and *no*."""

_WORDS = 4000
"""Words of either side that are looked at."""


def goes_on(gold: Sequence[Words], system: Sequence[Words]) -> tuple[int, int] | None:
    """The fewest sentences of both sides, given by their words, at whose ends the same running text
    goes on; none if it is cut into the same sentences. None if it does not go on, or ends none of
    both sides at once."""
    sides = [_as_many(side) for side in (gold, system)]
    words = [[folded(word) for sentence in side for word in sentence] for side in sides]
    least = _least(*words)
    if least > _LONGEST:
        return None
    runs = [run for run in blocks(*words) if run.equal and len(run.gold) >= least]
    if not runs or sum(len(run.gold) for run in runs) < _SHARE * min(map(len, words)):
        return None
    ends = [np.cumsum([*map(len, side)]).tolist() for side in sides]
    if all(_cut_alike(run, *ends) for run in runs):
        return 0, 0
    return next((end for run in runs if (end := _end_in(run, *ends))), None)


def _as_many(sentences: Sequence[Words]) -> Sequence[Words]:
    """The first ones that have no more words than are looked at."""
    ends = np.cumsum([*map(len, sentences)])
    return sentences[: int(np.searchsorted(ends, _WORDS, side="right"))]


def _least(*sides: Words) -> int:
    """How many words a run has that is no chance: by how often a word that is there again is
    followed by the same one, as it is more often in forms and tables than words are the same.
    """
    words = sum(_again(Counter(side)) for side in sides)
    pairs = sum(_again(Counter(itertools.pairwise(side))) for side in sides)
    # (As if it had been so once, and once not: of few words nothing is certain.)
    return math.ceil(math.log(_BY_CHANCE) / math.log((pairs + 1) / (words + 2)))


def _again(counts: Counter[Any]) -> int:
    """How many pairs there are of the same."""
    return sum(count * (count - 1) for count in counts.values())


def _cut_alike(run: WordRun, golds: Sequence[int], systems: Sequence[int]) -> bool:
    """Whether the sentences within a run end at the same words."""
    inside = (
        [end - words.start for end in ends if words.start <= end <= words.stop]
        for words, ends in ((run.gold, golds), (run.system, systems))
    )
    return operator.eq(*inside)


def _end_in(run: WordRun, golds: Sequence[int], systems: Sequence[int]) -> tuple[int, int] | None:
    """How many sentences there are before the first place in a run, or at its ends, where one ends
    on both sides, given how many words there are up to the end of each."""
    shift = run.system.start - run.gold.start
    theirs = {end: number for number, end in enumerate(systems, 1)}
    for number, end in enumerate(golds, 1):
        if max(run.gold.start, 1) <= end <= run.gold.stop and end + shift in theirs:
            return number, theirs[end + shift]
    return None
