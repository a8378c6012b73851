"""What changed from one version of a system to the next: sums, tests, and what is worth seeing.

The numbers are those of the other reports; what was mended and what is new is
:mod:`treelens.session.changes`. Knows no form of report.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.counting.waiting import Waiting
from treelens.differences import wording
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE, Kind
from treelens.metrics import Metric, scores
from treelens.report.batches import Foremost
from treelens.report.content import headline, signature
from treelens.report.differences import waiting_rows
from treelens.session.changes import FATES, Change, ChangedStretch, Fate, changes
from treelens.session.pair import Pair, Side
from treelens.statistics.significance import ScoreDifference, by_unit, shuffling, units

Fates = npt.NDArray[np.int64]
"""How many differences were mended, are new, stay; ``(3,)``."""

ShownChanges = Literal["changed", "new", "mended", "all"]

_LENGTHS = (0, 10, 20, 30, 40)
"""Bins of gold's lengths start above these."""


class FileNames(NamedTuple):
    """What the three files are called."""

    gold: str
    old: str
    new: str


class ChangeRow(NamedTuple):
    """How many differences of one sort were mended, are new, stay."""

    name: str
    mended: int
    new: int
    stays: int

    @property
    def balance(self) -> int:
        """How many there are more than there were."""
        return self.new - self.mended


class ChangeSums:
    """What became of the differences of some stretches, which are added one after the other."""

    def __init__(self) -> None:
        self.labels = Counter[tuple[str, Fate]]()
        """Of each kind of difference with what stands there: ``NP missing``, ``NP→ADJP``."""
        self.classes = Counter[tuple[str, Fate]]()
        """Of each class of errors; what is counted is errors."""
        self.lengths = Counter[tuple[str, Fate]]()
        """Of gold's sentences of some lengths."""
        self.uncounted = Counter[tuple[str, Fate]]()
        """Of what a score does not count, by that score: ``F1``; none where it is left out."""
        self.better = self.worse = self.moved = 0
        """Stretches with fewer differences, with more of them, and with others."""
        self.left_out = [0, 0]
        """Differences of either version in sentences of gold that the other one lacks."""

    def add(self, stretch: ChangedStretch) -> None:
        length = _bin(stretch.length)
        for one in stretch.differences:
            self.labels[_title(one), one.fate] += 1
            self.lengths[length, one.fate] += 1
            if uncounted_by := BY_CODE[one.item.code].uncounted_by:
                self.uncounted[uncounted_by, one.fate] += 1
        for error in stretch.errors:
            self.classes[error.item.name, error.fate] += 1
        total = tally(stretch)
        self.better += total.balance < 0
        self.worse += total.balance > 0
        self.moved += total.mended + total.new > 0
        for at, count in enumerate(stretch.left_out):
            self.left_out[at] += count


class ChangedPlace(NamedTuple):
    """A stretch, what its files are called, the part of them that it is in, and the how-manieth it
    is of all stretches."""

    names: FileNames
    old: Pair
    new: Pair
    stretch: ChangedStretch
    number: int


class VersionCounts:
    """What is counted of both versions, the old one's first: a row a stretch of gold that both
    alignments respect."""

    def __init__(self, first: Pair, waiting: Callable[[], Waiting]) -> None:
        self.parameters, self.metrics = first.parameters, first.metrics
        self.strict = first.strict
        self.annotation = first.gold.format.annotation
        self.rows = tuple(waiting_rows(waiting, first.metrics) for _ in range(2))
        self.totals = [np.zeros_like(first.total) for _ in self.rows]

    def add(self, pairs: Sequence[Pair]) -> None:
        starts = units([pair.groups.gold_start for pair in pairs], len(pairs[0].gold))
        for at, pair in enumerate(pairs):
            self.rows[at].add(by_unit(pair.tallies(), pair.groups.gold_start, starts))
            self.totals[at] = self.totals[at] + pair.total


class Versions:
    """Both versions of all files, looked at one part after the other.

    shown: which stretches are worth seeing, of which ``tell`` says what there is to tell.
    ``waiting`` makes room for what waits till all were looked at.
    """

    def __init__(
        self,
        shown: ShownChanges,
        limit: int,
        tell: Callable[[ChangedPlace], str],
        waiting: Callable[[], Waiting],
    ) -> None:
        self.files: list[ChangeRow] = []
        self.sums = ChangeSums()
        self.counts: VersionCounts | None = None
        self.foremost = Foremost(waiting(), limit)
        self._numbers = itertools.count(1)
        self._shown, self._tell, self._waiting = shown, tell, waiting

    def add_file(self, place: str, names: FileNames, parts: Iterable[Sequence[Pair]]) -> None:
        """Look at one gold file; place: where its folder has it, where it has one."""
        fates = np.zeros(len(FATES), np.int64)
        for part in parts:
            fates += self._look_at(names, *part)
            del part  # (Two are never held.)
        self.files.append(ChangeRow(place, *fates.tolist()))

    def _look_at(self, names: FileNames, old: Pair, new: Pair) -> Fates:
        """How many differences of some sentences were mended, are new, stay."""
        self.counts = self.counts or VersionCounts(new, self._waiting)
        self.counts.add((old, new))
        fates = np.zeros(len(FATES), np.int64)
        for stretch in changes(old, new):
            self.sums.add(stretch)
            fates += tally(stretch)[1:]
            self._show(ChangedPlace(names, old, new, stretch, next(self._numbers)))
        return fates

    def _show(self, place: ChangedPlace) -> None:
        count = len(shown_changes(place.stretch, self._shown))
        if count:
            self.foremost.add((-count,), lambda: self._tell(place))

    def compared(self, names: FileNames, iterations: int, seed: int) -> VersionComparison:
        """With tests by shuffling the rows of both versions; at least one file was added."""
        counts = self.counts
        assert counts is not None
        old, new = counts.rows
        tests = shuffling(old, new, counts.metrics, iterations, seed)
        return VersionComparison(names, tuple(self.files), self.sums, counts, tests, self.foremost)


class VersionComparison(NamedTuple):
    """All that changed between two versions, and how sure it is that one is better."""

    names: FileNames
    files: tuple[ChangeRow, ...]
    """What became of the differences in each; at least one."""
    sums: ChangeSums
    counts: VersionCounts
    tests: tuple[ScoreDifference, ...]
    """A score each; ``first`` is the old version's."""
    foremost: Foremost
    """What there is to tell of the stretches with the most new, or mended, differences."""

    @property
    def total(self) -> ChangeRow:
        columns = zip(*(row[1:] for row in self.files), strict=True)
        return ChangeRow("differences", *map(sum, columns))

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.counts.metrics

    @property
    def strict(self) -> bool:
        """Whether what no score counts is a difference."""
        return self.counts.strict

    @property
    def signature(self) -> str:
        return signature(self.counts.parameters, self.metrics)


def worse(found: VersionComparison, least: float) -> bool:
    """Whether the headline score is by more than ``least`` points worse than it was."""
    old, new = (headline(scores(total, found.metrics)) for total in found.counts.totals)
    if old.value is None or new.value is None:
        return old.value is not None
    down = old.value - new.value if new.ratio.higher_is_better else new.value - old.value
    return down > least


# --- sums ----------------------------------------------------------------------------------------


def by_label(found: VersionComparison) -> list[ChangeRow]:
    """Of each kind of difference with what stands there."""
    return _rows(found.sums.labels)


def by_class(found: VersionComparison) -> list[ChangeRow]:
    """Of each class of errors."""
    return _rows(found.sums.classes)


def by_length(found: VersionComparison) -> list[ChangeRow]:
    """Of gold's sentences of some lengths."""
    rows = _rows(found.sums.lengths)
    bins = list(dict.fromkeys(_bin(length) for length in range(_LENGTHS[-1] + 2)))
    return sorted(rows, key=lambda row: bins.index(row.name))


def by_uncounted(found: VersionComparison) -> list[ChangeRow]:
    """Of each score that does not count some of them, those."""
    return _rows(found.sums.uncounted)


def by_file(found: VersionComparison) -> list[ChangeRow]:
    """Of each of many files, in their order; of one there is nothing to say."""
    return [*found.files] if len(found.files) > 1 else []


def _bin(length: int) -> str:
    first = max((edge for edge in _LENGTHS if edge < length), default=0)
    after = [edge for edge in _LENGTHS if edge > first]
    return f"{first + 1}–{after[0]} words" if after else f"over {first} words"


def _title(change: Change[Finding]) -> str:
    """Of what both versions have wrong, as it is now."""
    finding = change.item
    difference = BY_CODE[finding.code]
    has = [
        wording.written(difference, mark) if difference.owner in (None, side) else ""
        for side, mark in ((side, finding.at(side)) for side in Side)
    ]
    return wording.title(Kind(difference, *has))


def _rows(found: Counter[tuple[str, Fate]]) -> list[ChangeRow]:
    """The most changed first, then the most frequent."""
    names = {name for name, _ in found}
    rows = [ChangeRow(name, *(found[name, fate] for fate in FATES)) for name in names]
    return sorted(rows, key=lambda row: (-row.mended - row.new, -row.stays, row.name))


# --- of one stretch -------------------------------------------------------------------------------


def tally(stretch: ChangedStretch) -> ChangeRow:
    """How many differences of a stretch were mended, are new, stay."""
    fates = [one.fate for one in stretch.differences]
    return ChangeRow("", *map(fates.count, FATES))


def shown_changes(stretch: ChangedStretch, shown: ShownChanges) -> list[Change[Finding]]:
    """Those of its differences that are asked for."""
    return [one for one in stretch.differences if one.fate in _fates(shown)]


def _fates(shown: ShownChanges) -> tuple[Fate, ...]:
    by_choice: dict[ShownChanges, tuple[Fate, ...]] = {
        "changed": ("mended", "new"),
        "new": ("new",),
        "mended": ("mended",),
        "all": FATES,
    }
    return by_choice[shown]
