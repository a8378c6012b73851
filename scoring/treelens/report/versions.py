"""What changed from one version of a system to the next: sums, tests, and what is worth seeing.

The numbers are those of the other reports; what was mended and what is new is
:mod:`treelens.session.changes`. Knows no form of report.
"""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.differences import wording
from treelens.differences.difference import Finding
from treelens.differences.table import BY_CODE, Kind
from treelens.metrics import Metric, Tallies, scores
from treelens.report.batches import Told, told
from treelens.report.content import headline, signature
from treelens.session.changes import FATES, Change, ChangedStretch, Fate, changes
from treelens.session.pair import Pair, Side
from treelens.statistics.significance import ScoreDifference, by_unit, shuffling, units
from treelens.trees.forest import running

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

    def add(self, stretch: ChangedStretch) -> None:
        length = _bin(stretch.length)
        for one in stretch.differences:
            self.labels[_title(one), one.fate] += 1
            self.lengths[length, one.fate] += 1
        for error in stretch.errors:
            self.classes[error.item.name, error.fate] += 1


class Stretches(Protocol):
    """Stretches by number, wherever they are kept."""

    def append(self, stretch: ChangedStretch, /) -> None: ...
    def __getitem__(self, number: int, /) -> ChangedStretch: ...


class OfFiles(NamedTuple):
    """What changed in one gold file; place: where its folder has it, where it has one."""

    place: str
    names: FileNames
    old: Pair
    new: Pair
    stretches: Stretches
    """Where either version differs from gold."""
    fates: npt.NDArray[np.int32]
    """How many differences of each were mended, are new, stay; ``(stretches, 3)``."""

    @property
    def total(self) -> ChangeRow:
        return ChangeRow(self.place, *self.fates.sum(axis=0).tolist())


class ChangedPlace(NamedTuple):
    """A stretch, the files that it is of, and the how-manieth it is of those that are shown."""

    files: OfFiles
    stretch: ChangedStretch
    rank: int


class VersionComparison(NamedTuple):
    """All that changed between two versions, and how sure it is that one is better."""

    names: FileNames
    files: tuple[OfFiles, ...]
    """At least one."""
    sums: ChangeSums
    tests: tuple[ScoreDifference, ...]
    """A score each; ``first`` is the old version's."""

    @property
    def fates(self) -> npt.NDArray[np.int32]:
        """Those of all files' stretches."""
        return np.concatenate([one.fates for one in self.files])

    @property
    def total(self) -> ChangeRow:
        return ChangeRow("differences", *self.fates.sum(axis=0).tolist())

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.files[0].new.metrics

    @property
    def counts(self) -> tuple[Tallies, Tallies]:
        """The counts of the old version, and of the new one."""
        return _sum(one.old.total for one in self.files), _sum(one.new.total for one in self.files)

    @property
    def signature(self) -> str:
        return signature(self.files[0].new.parameters, self.metrics)


def _sum(counts: Iterable[Tallies]) -> Tallies:
    total: Tallies = np.sum([*counts], axis=0)
    return total


def of_files(
    place: str, names: FileNames, old: Pair, new: Pair, kept: Stretches, sums: ChangeSums
) -> OfFiles:
    """What changed in one gold file; the stretches go to ``kept`` and into the sums."""
    fates = array("i")
    for stretch in changes(old, new):
        kept.append(stretch)
        sums.add(stretch)
        fates.extend(tally(stretch)[1:])
    columns = np.array(fates, np.int32).reshape(-1, len(FATES))
    return OfFiles(place, names, old, new, kept, columns)


def compared(
    names: FileNames, files: Sequence[OfFiles], sums: ChangeSums, iterations: int, seed: int
) -> VersionComparison:
    """With tests by shuffling the stretches of gold that both versions' alignments respect."""
    rows = [np.concatenate(column) for column in zip(*map(_rows_of, files), strict=True)]
    tests = tuple(shuffling(rows[0], rows[1], files[0].new.metrics, iterations, seed))
    return VersionComparison(names, tuple(files), sums, tests)


def _rows_of(files: OfFiles) -> list[Tallies]:
    """Both versions' counts, a row a stretch."""
    both = files.old, files.new
    starts = units([pair.groups.gold_start for pair in both], len(files.old.gold))
    return [by_unit(pair.tallies(), pair.groups.gold_start, starts) for pair in both]


def worse(found: VersionComparison, least: float) -> bool:
    """Whether the headline score is by more than ``least`` points worse than it was."""
    old, new = (headline(scores(counts, found.metrics)) for counts in found.counts)
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


def by_file(found: VersionComparison) -> list[ChangeRow]:
    """Of each of many files, in their order; of one there is nothing to say."""
    return [one.total for one in found.files] if len(found.files) > 1 else []


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


# --- what is worth seeing ------------------------------------------------------------------------


def chosen_stretches(found: VersionComparison, shown: ShownChanges) -> npt.NDArray[np.intp]:
    """What is worth seeing, by its number among all files' stretches: those with the most new, or
    mended, differences first."""
    counts = found.fates[:, [FATES.index(fate) for fate in _fates(shown)]].sum(axis=1)
    # (Files and what is in them are in order, and stay so where as much has changed.)
    order = np.argsort(-counts, kind="stable")
    return order[: np.count_nonzero(counts)]


def shown_stretches(
    found: VersionComparison,
    chosen: npt.NDArray[np.intp],
    tell: Callable[[ChangedPlace], Told],
) -> Iterator[Told]:
    """What there is to tell of the stretches that were chosen, in their order."""
    firsts = running(np.array([len(one.fates) for one in found.files]))

    def said(place: tuple[int, int]) -> Told:
        number, rank = place
        at = int(np.searchsorted(firsts, number, side="right")) - 1
        of = found.files[at]
        return tell(ChangedPlace(of, of.stretches[number - int(firsts[at])], rank))

    return told([*zip(chosen.tolist(), itertools.count(1))], said)


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
