"""Which kinds of differences, or which classes of errors, each group of a pair has.

Worked out once for each state of a group; what an edit leaves alone is not looked at again.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison
from treelens.differences.table import Kinds, kinds
from treelens.session.counts import Progress
from treelens.session.pair import Pair

Numbers = npt.NDArray[np.int64]

_SLICE = 256
"""Groups that are looked at in one go: a few milliseconds."""

Look = Callable[[Comparison], Kinds]
"""What there is to know of the groups of a comparison."""


class Survey:
    """Groups that are being looked at, on whichever thread."""

    def __init__(self, look: Look, pair: Pair, todo: npt.NDArray[np.intp]) -> None:
        self.origin = pair.origin
        self.parts: list[tuple[Numbers, Kinds]] = []
        """The groups' states, and what was found of these."""
        self._look, self._pair, self._todo = look, pair, todo

    def work(self, progress: Progress | None = None) -> None:
        """Look at all of them; ``progress`` may raise to end it, and what was found stays."""
        states, done = self._pair.states(), 0
        for first, end in _slices(self._todo):
            found = self._look(self._pair.compared(first, end))
            here = states[first:end].astype(np.int64)
            self.parts.append((here, Kinds(here[found.group], found.kind)))
            done += end - first
            if progress:
                progress(done / len(self._todo))


class Inventory:
    """What is known of a pair's groups, kept for as long as they stay as they are."""

    def __init__(self, look: Look = kinds) -> None:
        self._look = look
        self._origin: object = None
        self._known = np.zeros(0, np.bool_)
        self._parts: list[Kinds] = []

    def wanting(self, pair: Pair) -> int:
        """How many groups there are of which nothing is known yet."""
        return len(self._todo(pair))

    def begin(self, pair: Pair) -> Survey:
        """What is to be done to know all; :meth:`take` takes in what was."""
        return Survey(self._look, pair, self._todo(pair))

    def work(self, pair: Pair) -> None:
        """Begin it, do it and take it in."""
        survey = self.begin(pair)
        survey.work()
        self.take(survey)

    def take(self, survey: Survey) -> None:
        """Take in what was found so far; the survey may go on meanwhile."""
        if survey.origin is not self._origin:
            self._origin, self._known, self._parts = survey.origin, np.zeros(0, np.bool_), []
        while survey.parts:
            states, found = survey.parts.pop(0)
            most = int(states.max(initial=-1)) + 1
            if most > len(self._known):
                self._known = np.append(self._known, np.zeros(2 * most, np.bool_))
            fresh = ~self._known[found.group]
            self._parts.append(Kinds(found.group[fresh], found.kind[fresh]))
            self._known[states] = True

    def of(self, pair: Pair) -> Kinds:
        """What is known of the pair's groups as they are."""
        if pair.origin is not self._origin or not self._parts:
            return Kinds(np.zeros(0, np.int64), np.zeros(0, np.int64))
        if len(self._parts) > 1:
            columns = zip(*self._parts, strict=True)
            self._parts = [Kinds(*(np.concatenate(column) for column in columns))]
        owner, kind = self._parts[0]
        states = pair.states()
        group = np.full(max(len(self._known), int(states.max(initial=-1)) + 1), -1, np.int64)
        group[states] = np.arange(len(states))
        found = group[owner]
        here = np.flatnonzero(found >= 0)
        order = here[np.argsort(found[here], kind="stable")]
        return Kinds(found[order], kind[order])

    def _todo(self, pair: Pair) -> npt.NDArray[np.intp]:
        states = pair.states()
        if pair.origin is not self._origin:
            return np.arange(len(states))
        known = np.zeros(len(states), np.bool_)
        inside = states < len(self._known)
        known[inside] = self._known[states[inside]]
        return np.flatnonzero(~known)


def _slices(groups: npt.NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Runs of neighbours among some groups, none of them long."""
    if not len(groups):
        return
    cuts = np.flatnonzero(np.diff(groups) > 1) + 1
    for low, high in itertools.pairwise([0, *cuts.tolist(), len(groups)]):
        start, end = int(groups[low]), int(groups[high - 1]) + 1
        for first in range(start, end, _SLICE):
            yield first, min(first + _SLICE, end)


class Classes:
    """Classes of errors as numbers: places in ``names``, which only grow."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def look(self, comparison: Comparison) -> Kinds:
        """The classes of the groups' errors."""
        from treelens.errors import count  # which kinds do without

        group, kind = [], []
        for number, errors in sorted(count(comparison).items()):
            for error in errors:
                group.append(number)
                kind.append(self._number(error.kind.name))
        return Kinds(np.array(group, np.int64), np.array(kind, np.int64))

    def _number(self, name: str) -> int:
        with self._lock:
            if name not in self._numbers:
                self._numbers[name] = len(self.names)
                self.names.append(name)
            return self._numbers[name]
