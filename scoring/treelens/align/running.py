"""Where the same running text goes on behind words that differ, told by long runs of the same.

Where words are few, sentences are alike by chance, also the same ones, and say little of where
counterparts are; and where they are cut otherwise, the few that are the same are those that a text
has again and again. A long run of words does, however it is cut into sentences.
"""

from __future__ import annotations

import itertools
import math
import operator
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.likeness import Words, without_punctuation
from treelens.align.subsequence import WordRun, blocks, once_in_both
from treelens.align.words import folded

_BY_CHANCE = 1e-4
"""How likely the words of a run are at any place, at most, to be no chance."""

_SHARE = 0.25
"""Share of the words of the side that has fewer that is in such runs: of texts that are the same
but for every tenth word it is half of them, also where there is nothing but *yes* and *no*."""

_ROW = 8
"""Words in a row that are no chance where words are many; a power of two."""

_GAP = 256
"""Words, and twice those of the other side, that are one; fewer may be other words."""

_WORDS = 4000
"""Words of either side that are looked at."""


def goes_on(gold: Sequence[Words], system: Sequence[Words]) -> tuple[int, int] | None:
    """The fewest sentences of both sides, given by their words, at whose ends the same running text
    goes on, or nearly, where nowhere both end; none if it is cut into the same sentences. None if
    it does not go on."""
    text = _Text.of(_as_many(gold), _as_many(system))
    chance = _Chance(*text.words)
    runs = [run for run in blocks(*text.words) if run.equal and chance.of(run) < _BY_CHANCE]
    if not runs or sum(len(run.gold) for run in runs) < _SHARE * min(map(len, text.words)):
        return None
    if all(operator.eq(*text.ends_within(run)) for run in runs):
        return 0, 0
    found = [end for run in runs for end in _ends_in(run, *text.ends)]
    return min(found)[2:] if found else None


def resumes(
    gold: Sequence[Words], system: Sequence[Words], before: tuple[int, int]
) -> tuple[int, int] | None:
    """The same where words are many, told by rows of them that both sides have once: up to a gap of
    whatever length, or behind it if that is next. None if there is no such place.

    It is not looked for, (0, 0), where sentences are mostly cut alike, and where the same running
    text is ``before`` so many sentences of both sides.
    """
    # (Punctuation that one side has none of does not make its sentences others.)
    gold, system = ([*map(without_punctuation, side)] for side in (gold, system))
    text = _Text.of(gold, system)
    runs = once_in_both(text.words[0], text.words[1], _ROW)
    ends = [text.ends_within(run) for run in runs]
    alike = sum(len(one & other) for one, other in ends)
    if 2 * alike >= max(sum(len(pair[side]) for pair in ends) for side in (0, 1)):
        return (0, 0) if alike else None
    golds, systems = (
        sum(map(len, side[:n])) for side, n in zip((gold, system), before, strict=True)
    )
    behind = any((run.gold.start < golds) != (run.system.start < systems) for run in runs)
    is_end = (golds, systems) == (len(text.words[0]), len(text.words[1]))
    if not behind and not is_end and _is_among(runs, golds, systems):
        return 0, 0
    last: tuple[int, int] | None = None
    i = j = 0
    for run in runs:
        fewer, more = sorted((run.gold.start - i, run.system.start - j))
        if more > 2 * max(fewer, 0) + _GAP:
            if last:
                return last
            behind = True
        if found := [*_ends_in(run, *text.ends)]:
            if behind:
                return min(found)[2:]
            last = max(found, key=lambda end: (-end[0], end[1]))[2:]
        i, j = run.gold.stop, run.system.stop
    return None


def _is_among(runs: Sequence[WordRun], golds: int, systems: int) -> bool:
    """Whether text goes on past so many words of both sides as it does in the run before or in the
    one behind: a copy of it that stands elsewhere does in neither."""
    shifts = [0]
    for run in runs:
        shifts.append(run.system.start - run.gold.start)
        if run.gold.start >= golds:
            return any(abs(systems - golds - shift) <= _GAP for shift in shifts[-2:])
    return True


def _as_many(sentences: Sequence[Words]) -> Sequence[Words]:
    """The first ones that have no more words than are looked at."""
    ends = np.cumsum([*map(len, sentences)])
    return sentences[: int(np.searchsorted(ends, _WORDS, side="right"))]


class _Text(NamedTuple):
    """The words of both sides, whatever their case, and how many there are up to each sentence's
    end."""

    words: list[list[bytes]]
    ends: list[list[int]]

    @classmethod
    def of(cls, *sides: Sequence[Words]) -> _Text:
        words = [[folded(word) for sentence in side for word in sentence] for side in sides]
        return cls(words, [np.cumsum([*map(len, side)]).tolist() for side in sides])

    def ends_within(self, run: WordRun) -> list[set[int]]:
        """At which words of a run sentences of either side end."""
        return [
            {
                end - words.start
                for end in ends[bisect_left(ends, words.start) : bisect_right(ends, words.stop)]
            }
            for words, ends in zip((run.gold, run.system), self.ends, strict=True)
        ]


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


def _ends_in(
    run: WordRun, golds: Sequence[int], systems: Sequence[int]
) -> Iterator[tuple[int, int, int, int]]:
    """The ends of sentences in a run, given how many words there are up to the end of each: how far
    the other side's nearest is off, in words, at which word, and how many sentences are before
    either."""
    shift = run.system.start - run.gold.start
    first = bisect_left(golds, max(run.gold.start, 1))
    for number, end in enumerate(golds[first : bisect_right(golds, run.gold.stop)], first + 1):
        at = bisect_left(systems, end + shift)
        for other in range(max(at - 1, 0), min(at + 1, len(systems))):
            if max(run.system.start, 1) <= systems[other] <= run.system.stop:
                yield abs(systems[other] - end - shift), end, number, other + 1
