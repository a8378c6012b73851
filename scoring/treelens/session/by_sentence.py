"""What several pairs of one gold file say of each of its sentences: of a whole file, and kept up
while files are edited. What it is that they say, whoever makes a :class:`SentenceInventory` knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.session.counts import Progress
from treelens.session.pair import Pair
from treelens.statistics.significance import units

_SLICE = 128
"""Sentences that are looked at in one go: some milliseconds."""

Numbers = npt.NDArray[np.int64]

Look = Callable[[Sequence[Pair], range], Numbers]
"""What is to be known of some of gold's sentences, not below 0; ``(sentences, columns)``."""


class _State(NamedTuple):
    """What the sentences depend on: the pairs, and ``(sentences, 2 * pairs)`` the last state of a
    group in the stretch that a sentence is in, and how many groups there are in it.

    Each state is a higher number than all before, so nothing changes without one of the two.
    """

    pairs: tuple[object, ...]
    stretches: Numbers


class SentenceSurvey:
    """Sentences that are being looked at, on whichever thread."""

    def __init__(self, look: Look, pairs: Sequence[Pair], state: _State, known: Numbers) -> None:
        self._look, self._pairs = look, pairs
        self.state, self.found = state, known.copy()

    def work(self, progress: Progress | None = None) -> None:
        """Look at all of them; ``progress`` may raise to end it, and what was found stays."""
        todo = np.flatnonzero(self.found[:, 0] < 0)
        ends = range(int(todo[0]), int(todo[-1]) + 1) if len(todo) else range(0)
        for first in ends[::_SLICE]:
            here = range(first, min(first + _SLICE, ends.stop))
            self.found[here.start : here.stop] = self._look(self._pairs, here)
            if progress:
                progress((here.stop - ends.start) / len(ends))


class SentenceInventory:
    """What is known of one gold file's sentences; an edit costs what it touched."""

    def __init__(self, look: Look, columns: int) -> None:
        self._look = look
        self._state = _State((), np.zeros((0, 0), np.int64))
        self._known = np.zeros((0, columns), np.int64)

    def of(self, pairs: Sequence[Pair]) -> Numbers:
        """What is known as the pairs are now, all of one gold file; -1 where nothing is yet."""
        now = _state(pairs)
        if now.pairs != self._state.pairs:
            self._known = self._unknown(len(now.stretches))
        elif not np.array_equal(now.stretches, self._state.stretches):
            first = _alike(self._state.stretches, now.stretches)
            shorter = min(len(self._state.stretches), len(now.stretches)) - first
            last = min(_alike(self._state.stretches[::-1], now.stretches[::-1]), shorter)
            unknown = self._unknown(len(now.stretches) - first - last)
            rest = self._known[len(self._known) - last :]
            self._known = np.concatenate([self._known[:first], unknown, rest])
        self._state = now
        return self._known

    def wanting(self, pairs: Sequence[Pair]) -> int:
        """How many sentences there are of which nothing is known yet."""
        return int((self.of(pairs)[:, 0] < 0).sum())

    def begin(self, pairs: Sequence[Pair]) -> SentenceSurvey:
        """What is to be done to know all; :meth:`take` takes in what was."""
        known = self.of(pairs)
        return SentenceSurvey(self._look, pairs, self._state, known)

    def work(self, pairs: Sequence[Pair]) -> None:
        """Begin it, do it and take it in."""
        survey = self.begin(pairs)
        survey.work()
        self.take(survey)

    def take(self, survey: SentenceSurvey) -> None:
        """Take in what was found; what has been edited since is not known."""
        self._state, self._known = survey.state, survey.found

    def _unknown(self, sentences: int) -> Numbers:
        return np.full((sentences, self._known.shape[1]), -1, np.int64)


def _state(pairs: Sequence[Pair]) -> _State:
    count = len(pairs[0].gold)
    starts = units([pair.groups.gold_start for pair in pairs], count)
    columns = []
    for pair in pairs:
        owner = np.searchsorted(starts, pair.groups.gold_start, side="right") - 1
        last = np.full(len(starts), -1, np.int64)
        np.maximum.at(last, owner, pair.states())
        columns += [last, np.bincount(owner, minlength=len(starts))]
    sizes = np.diff(np.append(starts, count))
    stretches = np.repeat(np.stack(columns, axis=1), sizes, axis=0).astype(np.int64)
    return _State(tuple((pair.origin, pair.strict) for pair in pairs), stretches)


def _alike(old: Numbers, new: Numbers) -> int:
    """How many rows are the same from the start."""
    size = min(len(old), len(new))
    differs = np.flatnonzero((old[:size] != new[:size]).any(axis=1))
    return int(differs[0]) if len(differs) else size
