"""The counts of groups of sentences: a row each, and the growing table of rows that a pair has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Groups
from treelens.compare.comparison import Comparison, compare, lengths, presence
from treelens.differences.table import counts_of_differences
from treelens.metrics import Metric, Tallies, tally
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.kept import Kept
from treelens.trees.forest import Ints, running

if TYPE_CHECKING:
    from treelens.differences.difference import Finding
    from treelens.errors import Error

Progress = Callable[[float], None]

BATCH = 2048
"""Groups compared at once: fewer cost more calls, more do not fit into the caches."""

PLACES = (
    "gold_first",
    "golds",
    "system_first",
    "systems",
    "gold_line",
    "system_line",
    "gold_problems",
    "system_problems",
)
"""Columns of a row that say which sentences it is of: the first one's number, from 1 (that of the
next one where there is none), how many, the line of the first from 1 (0: none), and how many
problems their text has."""

OWN = ("length", "differences", "different", "in_gold", "in_system")
"""A group's own columns, behind the metrics' counts: of differences, those that a score counts."""
LENGTH, COUNTED, MISMATCH, IN_GOLD, IN_SYSTEM = range(-len(OWN), 0)
UNCOUNTED, UNEQUAL = range(LENGTH - 2, LENGTH)
"""Columns of a pair alone, between counts and own: how many differences no score counts, and
whether there is any difference."""

_BY_THREAD = BATCH // 4
"""The same where two threads do it, each with what it holds."""

_COMPARED = 16
"""Groups whose comparison is kept: those that are being edited, or looked at closely."""


FINDING_WEIGHT = 600
"""About how many bytes a finding, or an error, takes."""

_WIDTHS = (np.int16, np.int32, np.int64)


class CountTable:
    """Rows of counts by number, the pair's own columns last; rows are added and never changed.

    Held are numbers as wide as the largest needs: hardly a sentence has 32,768 of anything. room:
    rows for which there is memory.
    """

    def __init__(self, columns: int, room: int = 0) -> None:
        self._rows: npt.NDArray[np.signedinteger[Any]] = np.zeros((room, columns), _WIDTHS[0])
        self.used = 0
        self.origin = object()
        """The same for tables that were made of one, so that states of one pair are told from
        others'. (A table that is known to itself would stay until garbage is looked for.)"""
        self.serial = 0
        """How many rows were ever added, in whichever table."""
        self.findings: Kept[tuple[Finding, ...]] = Kept()
        self.errors: Kept[tuple[Error, ...]] = Kept()
        self.comparisons: dict[int, Comparison] = {}

    def add(self, rows: Tallies) -> Ints:
        """The numbers of the new rows."""
        end = self.used + len(rows)
        most = int(np.abs(rows).max(initial=0))
        enough = next(one for one in _WIDTHS if most <= np.iinfo(one).max)
        width = np.promote_types(enough, self._rows.dtype)
        if end > len(self._rows) or width != self._rows.dtype:
            room = len(self._rows) if end <= len(self._rows) else 2 * end
            grown = np.zeros((room, self._rows.shape[1]), width)
            grown[: self.used] = self._rows[: self.used]
            self._rows = grown
        self._rows[self.used : end] = rows
        added = np.arange(self.used, end, dtype=np.int32)
        self.used = end
        self.serial += len(rows)
        return added

    def rows(self, numbers: Ints) -> Tallies:
        """Some rows; ``(k, columns)``."""
        return self._rows[numbers].astype(np.int64)

    def column(self, at: int, numbers: Ints) -> Tallies:
        """One column of some rows; ``(k,)``."""
        return self._rows[numbers, at].astype(np.int64)

    def sum(self, numbers: Ints) -> Tallies:
        """The sum of some rows; ``(columns,)``."""
        # (Those of a large file have no copy of them all.)
        parts = [
            self._rows[numbers[first : first + BATCH]].sum(axis=0, dtype=np.int64)
            for first in range(0, len(numbers) or 1, BATCH)
        ]
        return np.sum(parts, axis=0)

    def compared(self, number: int, comparison: Comparison) -> Comparison:
        """The comparison of a group, which the next features ask for again."""
        if len(self.comparisons) >= _COMPARED:
            self.comparisons.clear()
        self.comparisons[number] = comparison
        return comparison

    def packed(self, number: Ints) -> CountTable:
        """A table of these rows only."""
        table = CountTable(self._rows.shape[1])
        table._rows, table.used = self._rows[number], len(number)
        table.origin, table.serial = self.origin, self.serial
        return table


def count_groups(
    gold: Document,
    system: Document,
    groups: Groups,
    parameters: Parameters,
    metrics: tuple[Metric, ...],
    strict: bool = True,
) -> Tallies:
    """A row of counts for each group, its own columns (:data:`OWN`) last; before these, if
    ``strict``, a pair's."""
    return np.concatenate([*count_batches(gold, system, groups, parameters, metrics, strict)])


def count_batches(
    gold: Document,
    system: Document,
    groups: Groups,
    parameters: Parameters,
    metrics: tuple[Metric, ...],
    strict: bool = True,
) -> Iterator[Tallies]:
    """The same, some at a time."""

    def count(first: int, size: int = _BY_THREAD) -> Tallies:
        batch = groups.part(first, first + size)
        return counts_of(
            compare_groups(gold, system, batch, parameters), parameters, metrics, strict
        )

    total = len(groups.stood)
    if total <= BATCH:
        yield count(0, BATCH)
        return
    from concurrent.futures import ThreadPoolExecutor  # which small files do without

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(count, range(0, total, _BY_THREAD))


def without_pairs(rows: Tallies) -> Tallies:
    """Strict rows without the columns of a pair alone."""
    return np.delete(rows, [UNCOUNTED, UNEQUAL], axis=1)


def counts_of(
    comparison: Comparison, parameters: Parameters, metrics: tuple[Metric, ...], strict: bool = True
) -> Tallies:
    wrong, uncounted = counts_of_differences(comparison, strict)
    alone = (uncounted, (wrong > 0) | (uncounted > 0)) if strict else ()
    own = (lengths(comparison, parameters), wrong, wrong > 0, *presence(comparison))
    columns = np.stack([*alone, *own], axis=1)
    return np.concatenate([tally(comparison, metrics), columns], axis=1)


def compare_groups(
    gold: Document, system: Document, groups: Groups, parameters: Parameters
) -> Comparison:
    forests, owners = [], []
    for document, start, end in (
        (gold, groups.gold_start, groups.gold_end),
        (system, groups.system_start, groups.system_end),
    ):
        sizes = end - start
        sentences = np.repeat(start - running(sizes)[:-1], sizes) + np.arange(sizes.sum())
        forests.append(document.forest(sentences))
        owners.append(np.repeat(np.arange(len(sizes), dtype=np.int32), sizes))
    return compare(forests[0], owners[0], forests[1], owners[1], len(groups.stood), parameters)
