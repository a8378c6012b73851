"""Where the same running text goes on behind words that differ, told by long runs of the same.

Where words are few, sentences are alike by chance, also the same ones, and say little of where
counterparts are. A long run of words does, however it is cut into sentences.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from treelens.align.likeness import Words
from treelens.align.subsequence import WordRun, blocks
from treelens.align.words import folded

_BY_CHANCE = 1e-4
"""How likely the words of a run are at any place, at most, to be no chance."""

_SHARE = 0.25
"""Share of the words of the side that has fewer that is in such runs: of texts that are the same
but for every tenth word it is half of them, also where there is nothing but *yes* and *no*."""

_WORDS = 4000
"""Words of either side that are looked at."""


def goes_on(gold: Sequence[Words], system: Sequence[Words]) -> tuple[int, int] | None:
    """The fewest sentences of both sides, given by their words, at whose ends the same running text
    goes on, or nearly, where nowhere both end; none if it is cut into the same sentences. None if
    it does not go on."""
    sides = [_as_many(side) for side in (gold, system)]
    words = [[folded(word) for sentence in side for word in sentence] for side in sides]
    chance = _Chance(*words)
    runs = [run for run in blocks(*words) if run.equal and chance.of(run) < _BY_CHANCE]
    if not runs or sum(len(run.gold) for run in runs) < _SHARE * min(map(len, words)):
        return None
    ends = [np.cumsum([*map(len, side)]).tolist() for side in sides]
    if all(_cut_alike(run, *ends) for run in runs):
        return 0, 0
    found = [end for run in runs for end in _ends_in(run, *ends)]
    return min(found)[2:] if found else None


def _as_many(sentences: Sequence[Words]) -> Sequence[Words]:
    """The first ones that have no more words than are looked at."""
    ends = np.cumsum([*map(len, sentences)])
    return sentences[: int(np.searchsorted(ends, _WORDS, side="right"))]


class _Chance:
    """How likely words are, each behind the one before it, as often as that is so in two texts."""

    def __init__(self, gold: Words, system: Words) -> None:
        self._gold = gold
        self._words = Counter(itertools.chain(gold, system))
        self._pairs = Counter(itertools.chain(itertools.pairwise(gold), itertools.pairwise(system)))
        self._all = len(gold) + len(system)

    def of(self, run: WordRun) -> float:
        """That the words of a run that both have stand at some place of either, 0 to 1: but for
        where they are the same here."""
        words = self._gold[run.gold.start : run.gold.stop]
        return self._alone(words[0]) * math.prod(
            (self._pairs[pair] - 2 + self._alone(pair[1])) / (self._words[pair[0]] - 1)
            for pair in itertools.pairwise(words)
        )

    def _alone(self, word: bytes) -> float:
        return (self._words[word] - 1) / self._all


def _cut_alike(run: WordRun, golds: Sequence[int], systems: Sequence[int]) -> bool:
    """Whether the sentences within a run end at the same words."""
    inside = (
        [end - words.start for end in ends if words.start <= end <= words.stop]
        for words, ends in ((run.gold, golds), (run.system, systems))
    )
    return operator.eq(*inside)


def _ends_in(
    run: WordRun, golds: Sequence[int], systems: Sequence[int]
) -> Iterator[tuple[int, int, int, int]]:
    """The ends of sentences in a run, given how many words there are up to the end of each: how far
    the other side's nearest is off, in words, at which word, and how many sentences are before
    either."""
    shift = run.system.start - run.gold.start
    for number, end in enumerate(golds, 1):
        if max(run.gold.start, 1) <= end <= run.gold.stop:
            at = int(np.searchsorted(systems, end + shift))
            for other in range(max(at - 1, 0), min(at + 1, len(systems))):
                if max(run.system.start, 1) <= systems[other] <= run.system.stop:
                    yield abs(systems[other] - end - shift), end, number, other + 1
