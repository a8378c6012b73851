"""What is wrong in all of a pair, by kind and by class: counted at once, or in the background."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from treelens.present.names import short_name
from treelens.present.revisions import names_of
from treelens.present.worklist import NamedErrors, WorklistBy, named_errors
from treelens.session import since, suspects
from treelens.session.inventory import Classes, Inventory
from treelens.session.pair import Pair
from treelens.session.session import Link
from treelens.session.since import Earlier
from treelens.session.suspects import SuspectCounts

from treelens_server.background import Progress
from treelens_server.reading import StartTask

_AT_ONCE = 64
"""Groups that are looked at while somebody waits."""
_FIRST = 0.5
"""Seconds after which the first errors that were found are shown; then after twice as many."""
_PAUSE = 0.001
"""Seconds between two slices of work on the thread, for those who type."""

_NOTHING = NamedErrors(np.zeros(0, np.int64), np.zeros(0, np.int64), ())


_Asked = TypeVar("_Asked", contravariant=True)
_Looked = TypeVar("_Looked", bound="_Survey")


class _Survey(Protocol):
    """What is to be done to know all."""

    def work(self, progress: Progress | None = None) -> None: ...


class _Kept(Protocol[_Asked, _Looked]):
    """What is known of a pair, or of several."""

    def wanting(self, asked: _Asked, /) -> int: ...
    def begin(self, asked: _Asked, /) -> _Looked: ...
    def work(self, asked: _Asked, /) -> None: ...
    def take(self, survey: _Looked, /) -> None: ...


class Sorting:
    """The errors of one pair, as far as they have been looked at; an edit costs what it touched."""

    def __init__(self, start: StartTask) -> None:
        self._start = start
        self._classes = Classes()
        self._mismatches = Inventory()
        self._errors = Inventory(self._classes.look)
        self._suspects = suspects.inventory()
        self._changes = since.inventory()
        self._given_up: set[str] = set()
        """What was cancelled: nobody begins it again unasked."""
        self.begun: set[str] = set()
        """What is being counted."""
        self.news = 0
        """How often some of it was taken in before all was there."""

    def errors(self, pair: Pair, by: WorklistBy, link: Link) -> NamedErrors:
        """By what a list is grouped by, as far as is known; what is not is begun."""
        if by == "state":
            return _NOTHING
        if by == "class":
            what = f"errors of {short_name(link.system)} by class"
            self._complete("class", self._errors, pair, f"sorting {what}")
        else:
            self._complete("kind", self._mismatches, pair, "sorting mismatches")
        if by == "class":
            return NamedErrors(*self._errors.of(pair), tuple(self._classes.names))
        return named_errors(self._mismatches.of(pair), pair, by, names_of(link))

    def suspects(self, pairs: Sequence[Pair]) -> SuspectCounts:
        """What the systems of one gold file agree on against it, of each of gold's sentences, as
        far as is known; what is not is begun."""
        self._complete("suspects", self._suspects, pairs, "looking for what systems agree on")
        return SuspectCounts(*self._suspects.of(pairs).T)

    def changes(self, earlier: Earlier, pair: Pair) -> since.ChangeCounts:
        """What is new since an earlier version, and mended, of each of gold's sentences, as far as
        is known; what is not is begun."""
        pairs, title = (earlier.pair, pair), f"looking for what is new since {earlier.called}"
        self._complete("worse", self._changes, pairs, title)
        return since.ChangeCounts(*self._changes.of(pairs).T)

    def is_wanting(self, pair: Pair, by: WorklistBy) -> bool:
        """Whether something is not known yet."""
        return by != "state" and bool(self._kept(by).wanting(pair))

    def again(self) -> None:
        """What was cancelled may be begun again."""
        self._given_up.clear()

    def _kept(self, by: WorklistBy) -> Inventory:
        return self._errors if by == "class" else self._mismatches

    def _complete(self, key: str, kept: _Kept[_Asked, _Looked], asked: _Asked, title: str) -> None:
        """Find out what is not known: a few groups at once, many on the thread, with progress."""
        wanting = kept.wanting(asked)
        if not wanting or key in self.begun | self._given_up:
            return
        if wanting <= _AT_ONCE:
            kept.work(asked)
            return
        survey = kept.begin(asked)
        self.begun.add(key)
        begun, wait = time.monotonic(), _FIRST

        def work(progress: Progress) -> _Looked:
            def pausing(share: float) -> None:
                progress(share)
                time.sleep(_PAUSE)

            survey.work(pausing)
            return survey

        def meanwhile() -> bool:
            nonlocal wait
            if time.monotonic() < begun + wait:
                return False
            wait *= 2
            kept.take(survey)
            self.news += 1
            return True

        def done(found: _Looked | None) -> None:
            kept.take(survey)
            self.begun.discard(key)
            if found is None:
                self._given_up.add(key)

        self._start(title, frozenset(), work, done, meanwhile if key in ("class", "kind") else None)
