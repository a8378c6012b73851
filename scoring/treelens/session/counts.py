"""The counts of groups of sentences: a row each, and the growing table of rows that a pair has."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Groups
from treelens.compare.comparison import Comparison, compare, lengths
from treelens.differences.table import counts_of_differences
from treelens.metrics import Metric, Tallies, presence, tally
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
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


class CountTable:
    """Rows of counts by number, the pair's own columns last; rows are added and never changed."""

    def __init__(self, rows: npt.NDArray[np.integer[Any]]) -> None:
        self.rows = np.asarray(rows, np.int64)
        self.used = len(rows)
        self.origin = self
        """The table that this one was made of, so that states of one pair are told from others'."""
        self.serial = len(rows)
        """How many rows were ever added, in whichever table."""
        self.findings: dict[int, tuple[Finding, ...]] = {}
        self.errors: dict[int, tuple[Error, ...]] = {}
        self.comparisons: dict[int, Comparison] = {}

    def add(self, rows: Tallies) -> Ints:
        """The numbers of the new rows."""
        end = self.used + len(rows)
        if end > len(self.rows):
            grown = np.zeros((2 * end, self.rows.shape[1]), np.int64)
            grown[: self.used] = self.rows[: self.used]
            self.rows = grown
        self.rows[self.used : end] = rows
        added = np.arange(self.used, end, dtype=np.int32)
        self.used = end
        self.serial += len(rows)
        return added

    def compared(self, number: int, comparison: Comparison) -> Comparison:
        """The comparison of a group, which the next features ask for again."""
        if len(self.comparisons) >= _COMPARED:
            self.comparisons.clear()
        self.comparisons[number] = comparison
        return comparison

    def packed(self, number: Ints) -> CountTable:
        """A table of these rows only."""
        table = CountTable(self.rows[number])
        table.origin, table.serial = self.origin, self.serial
        return table


def count_groups(
    gold: Document,
    system: Document,
    groups: Groups,
    parameters: Parameters,
    metrics: tuple[Metric, ...],
    progress: Progress | None = None,
    strict: bool = True,
) -> Tallies:
    """A row of counts for each group, its own columns (:data:`OWN`) last; before these, if
    ``strict``, a pair's."""

    def count(first: int, size: int = _BY_THREAD) -> Tallies:
        batch = groups.part(first, first + size)
        return counts_of(
            compare_groups(gold, system, batch, parameters), parameters, metrics, strict
        )

    total = len(groups.stood)
    if total <= BATCH:
        return count(0, BATCH)
    from concurrent.futures import ThreadPoolExecutor  # which small files do without

    batches = range(0, total, _BY_THREAD)
    with ThreadPoolExecutor(2) as pool:
        counted = pool.map(count, batches)
        start = next(counted)
        # (One piece of memory: many would keep what is freed between them.)
        rows = np.empty((total, start.shape[1]), start.dtype)
        for first, batch in zip(batches, itertools.chain([start], counted), strict=True):
            rows[first : first + len(batch)] = batch
            if progress:
                progress((first + len(batch)) / total)
    return rows


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
