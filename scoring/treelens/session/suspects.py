"""What several systems agree on against gold: of a whole file, and kept up while it is edited.

That systems agree with each other and not with gold is the sharpest sign of an error in gold that
is known (van Halteren 2000; Rehbein & Ruppenhofer 2018). A place is a word, whose tag or whose
head with its relation is judged, or a stretch of words over which anybody has a bracket. A system
that has no word for it does not judge it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.session.annotators import NOTHING as NOTHING
from treelens.session.annotators import Judged, judged
from treelens.session.counts import Progress
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.statistics.reliability import MISSING

ASKED = ("tags", "attachments", "brackets")
"""What says all there is: heads and relations are the attachments."""
FEWEST = 2
"""Systems that agree by chance are one."""

_SLICE = 128
"""Sentences that are looked at in one go: some milliseconds."""


Numbers = npt.NDArray[np.int64]


class Suspect(NamedTuple):
    """A judgement of gold's that systems agree on being another.

    sentence, first, last: where it is in gold, words counted from 0 in the sentence, ``last``
    included. said: how many of ``systems``, those that judge it at all, say the same other thing.
    """

    key: str
    title: str
    sentence: int
    first: int
    last: int
    gold: str
    other: str
    said: int
    systems: int


def said(one: Suspect) -> str:
    """In a few words, as “3 of 3 systems say NP here”."""
    what = "no bracket" if one.other == NOTHING else one.other
    return f"{one.said} of {one.systems} systems say {what} here"


def suspects(gold: Document, pairs: Sequence[Pair], least: int | None = None) -> list[Suspect]:
    """What systems agree on against gold, what most say first: all that judge it, two or more;
    with ``least``, so many or more. ``pairs`` are gold's with each system."""
    found = [
        one
        for first in range(0, len(gold), _SLICE)
        for one in suspects_in(gold, pairs, range(first, min(first + _SLICE, len(gold))), least)
    ]
    return sorted(found, key=lambda one: (-one.said, one.sentence, one.first, one.key))


def suspects_in(
    gold: Document, pairs: Sequence[Pair], sentences: range, least: int | None = None
) -> list[Suspect]:
    """The same of some sentences, in text order."""
    found = [
        one
        for part in judged(gold, pairs, sentences)
        if part.key in ASKED
        for one in _suspects(part, least)
        if one.sentence in sentences and one.last < _words(gold, one.sentence)
    ]
    return sorted(found, key=lambda one: (one.sentence, one.first, -one.last, one.key))


def _words(gold: Document, sentence: int) -> int:
    """How many there are (systems may have several of gold's sentences as one)."""
    forest, row, _ = gold.piece(sentence)
    return int(forest.first_leaf[row + 1] - forest.first_leaf[row])


def _suspects(found: Judged, least: int | None) -> Iterator[Suspect]:
    gold, systems = found.category[:, 0], found.category[:, 1:]
    others = ((systems != gold[:, None]) & (systems != MISSING)).sum(axis=1)
    for row in np.flatnonzero((others >= (least or FEWEST)) & (gold != MISSING)).tolist():
        values = systems[row][systems[row] != MISSING].tolist()
        other = max(dict.fromkeys(values), key=lambda one: (one != gold[row], values.count(one)))
        said = values.count(other)
        if said >= (least or max(len(values), FEWEST)):
            where = int(found.sentence[row]), int(found.first[row]), int(found.last[row])
            names = found.name(int(gold[row])), found.name(int(other))
            yield Suspect(found.key, found.title, *where, *names, said, len(values))


class _State(NamedTuple):
    """What a gold file's suspects depend on: the pairs, by origin, and ``(sentences, pairs)`` the
    state of the group in each that a sentence of gold is in."""

    origins: tuple[object, ...]
    groups: Numbers


# --- counted, and kept up while files are edited -------------------------------------------------


class SuspectCounts(NamedTuple):
    """Of each sentence of gold, ``(sentences,)``: its places where systems agree against gold, and
    how many systems do at most. -1 where it is not known yet."""

    places: Numbers
    said: Numbers


class SuspectSurvey:
    """Sentences that are being looked at, on whichever thread."""

    def __init__(
        self, gold: Document, pairs: Sequence[Pair], state: _State, known: SuspectCounts
    ) -> None:
        self._gold, self._pairs = gold, pairs
        self.state, self.found = state, SuspectCounts(*(column.copy() for column in known))

    def work(self, progress: Progress | None = None) -> None:
        """Look at all of them; ``progress`` may raise to end it, and what was found stays."""
        todo = np.flatnonzero(self.found.places < 0)
        ends = range(int(todo[0]), int(todo[-1]) + 1) if len(todo) else range(0)
        for first in ends[::_SLICE]:
            here = range(first, min(first + _SLICE, ends.stop))
            found = suspects_in(self._gold, self._pairs, here)
            for column in self.found:
                column[here.start : here.stop] = 0
            np.add.at(self.found.places, [one.sentence for one in found], 1)
            np.maximum.at(self.found.said, [one.sentence for one in found], [s.said for s in found])
            if progress:
                progress((here.stop - ends.start) / len(ends))


class SuspectInventory:
    """What is known of one gold file's suspects; an edit costs what it touched."""

    def __init__(self) -> None:
        self._state = _State((), np.zeros((0, 0), np.int64))
        self._known = SuspectCounts(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def of(self, pairs: Sequence[Pair]) -> SuspectCounts:
        """What is known as the pairs are now; all of one gold file, two or more."""
        now = _state(pairs)
        if now.origins != self._state.origins:
            unknown = np.full(len(now.groups), -1, np.int64)
            self._known = SuspectCounts(unknown, unknown.copy())
        elif not np.array_equal(now.groups, self._state.groups):
            self._known = _kept(self._known, self._state.groups, now.groups)
        self._state = now
        return self._known

    def wanting(self, pairs: Sequence[Pair]) -> int:
        """How many sentences there are of which nothing is known yet."""
        return int((self.of(pairs).places < 0).sum())

    def begin(self, pairs: Sequence[Pair]) -> SuspectSurvey:
        """What is to be done to know all; :meth:`take` takes in what was."""
        known = self.of(pairs)
        return SuspectSurvey(pairs[0].gold, pairs, self._state, known)

    def work(self, pairs: Sequence[Pair]) -> None:
        """Begin it, do it and take it in."""
        survey = self.begin(pairs)
        survey.work()
        self.take(survey)

    def take(self, survey: SuspectSurvey) -> None:
        """Take in what was found; what has been edited since is not known."""
        self._state, self._known = survey.state, survey.found


def _state(pairs: Sequence[Pair]) -> _State:
    columns = [
        np.repeat(pair.states(), pair.groups.gold_end - pair.groups.gold_start) for pair in pairs
    ]
    return _State(tuple(pair.origin for pair in pairs), np.stack(columns, axis=1).astype(np.int64))


def _kept(known: SuspectCounts, old: Numbers, new: Numbers) -> SuspectCounts:
    """With what is known of the sentences before and behind the stretch that changed."""
    first = _alike(old, new)
    last = min(_alike(old[::-1], new[::-1]), min(len(old), len(new)) - first)
    unknown = np.full(len(new) - first - last, -1, np.int64)
    return SuspectCounts(
        *(np.concatenate([column[:first], unknown, column[len(old) - last :]]) for column in known)
    )


def _alike(old: Numbers, new: Numbers) -> int:
    """How many rows are the same from the start."""
    size = min(len(old), len(new))
    differs = np.flatnonzero((old[:size] != new[:size]).any(axis=1))
    return int(differs[0]) if len(differs) else size
