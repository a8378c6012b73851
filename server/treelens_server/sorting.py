"""What is wrong in all of a pair, by kind and by class: counted at once, or in the background."""

from __future__ import annotations

import time

import numpy as np
from treelens.present.names import short_name
from treelens.present.revisions import names_of
from treelens.present.worklist import By, Named, named
from treelens.session.inventory import Classes, Inventory, Survey
from treelens.session.pair import Pair
from treelens.session.session import Link

from treelens_server.background import Progress
from treelens_server.reading import Start

_AT_ONCE = 64
"""Groups that are looked at while somebody waits."""
_PAUSE = 0.001
"""Seconds between two slices of work on the thread, for those who type."""

_NOTHING = Named(np.zeros(0, np.int64), np.zeros(0, np.int64), ())


class Sorting:
    """The errors of one pair, as far as they have been looked at; an edit costs what it touched."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self._classes = Classes()
        self._mismatches = Inventory()
        self._errors = Inventory(self._classes.look)
        self._given_up: set[str] = set()
        """What was cancelled: nobody begins it again unasked."""
        self.begun: set[str] = set()
        """What is being counted."""

    def errors(self, pair: Pair, by: By, link: Link) -> Named:
        """By what a list is grouped by, as far as is known; what is not is begun."""
        if by == "state":
            return _NOTHING
        self._complete(pair, by, link.system)
        if by == "class":
            return Named(*self._errors.of(pair), tuple(self._classes.names))
        return named(self._mismatches.of(pair), pair, by, names_of(link))

    def is_wanting(self, pair: Pair, by: By) -> bool:
        """Whether something is not known yet."""
        return by != "state" and bool(self._kept(by).wanting(pair))

    def again(self) -> None:
        """What was cancelled may be begun again."""
        self._given_up.clear()

    def _kept(self, by: By) -> Inventory:
        return self._errors if by == "class" else self._mismatches

    def _complete(self, pair: Pair, by: By, system: str) -> None:
        """Find out what is not known: a few groups at once, many on the thread, with progress."""
        key, kept = "class" if by == "class" else "kind", self._kept(by)
        wanting = kept.wanting(pair)
        if not wanting or key in self.begun | self._given_up:
            return
        if wanting <= _AT_ONCE:
            kept.work(pair)
            return
        survey = kept.begin(pair)
        self.begun.add(key)

        def work(progress: Progress) -> Survey:
            def pausing(share: float) -> None:
                progress(share)
                time.sleep(_PAUSE)

            survey.work(pausing)
            return survey

        def done(found: Survey | None) -> None:
            kept.take(survey)
            self.begun.discard(key)
            if found is None:
                self._given_up.add(key)

        what = f"errors of {short_name(system)} by class" if key == "class" else "mismatches"
        self._start(f"sorting {what}", frozenset(), work, done)
