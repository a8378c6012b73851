"""How far two annotators agree: over any number of pairs of texts, and kept up with while either
file of a pair is edited.

An edit changes the tables by the sentences that it touched: taken out as they were before, which
the earlier state of the pair still knows, and put in as they are. That is exact: whole numbers.
"""

from __future__ import annotations

import functools
import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.differences.difference import Difference
from treelens.differences.table import DIFFERENCES, rows_of
from treelens.metrics import Score, Tallies, scores
from treelens.session.pair import Pair
from treelens.statistics.kappa import (
    KINDS,
    AgreementKind,
    ConfusionTable,
    Kappa,
    Table,
    category_name,
)
from treelens.statistics.uncounted import KINDS as UNCOUNTED_KINDS

_BATCH = 2048
"""Groups compared at once."""

_NAMES = 1 << 12
"""Of categories that are remembered while they are told."""

_ALL = (*KINDS, *UNCOUNTED_KINDS)

KEYS = tuple(kind.key for kind in _ALL)
"""Of all that there is to agree on, whatever the texts have of it."""


class Disagreement(NamedTuple):
    """One category of the first annotator's where the second has another; how often."""

    first: str
    second: str
    times: int


class DisagreementSums(NamedTuple):
    """The most frequent disagreements, and how many pairs of categories, and items, there are."""

    rows: list[Disagreement]
    pairs: int
    times: int


class AgreementSums:
    """The confusion tables of some pairs, of which gold is the first annotator's file, and what
    their scores are made of.

    The pairs have the same scores and parameters as the first of them, and labels the same ids.
    uncounted: makes tables of what no score of structure counts, in which there may be many
    categories; None where nobody asks for it.
    """

    def __init__(self, first: Pair, uncounted: Callable[[], Table] | None = ConfusionTable) -> None:
        self.parameters, self.metrics = first.parameters, first.metrics
        self._symbols = first.gold.symbols
        self._total: Tallies = np.zeros_like(first.total)
        self._tables: dict[str, Table] = {kind.key: ConfusionTable() for kind in KINDS}
        self._has_all = uncounted is not None
        if uncounted:
            self._tables |= {kind.key: uncounted() for kind in UNCOUNTED_KINDS}
        self._uncounted: Counter[str] = Counter()

    def add(self, pair: Pair, *others: AgreementSums) -> None:
        """Be about another pair, too, as others are to be."""
        for one in (self, *others):
            one._symbols = pair.gold.symbols  # (These have what labels there were before as well.)
            one._total = one._total + pair.total
        _put((self, *others), pair, range(len(pair)))

    def scores(self) -> tuple[Score, ...]:
        """The scores of structure."""
        return scores(self._total, self.metrics)

    @property
    def kappas(self) -> dict[str, Kappa]:
        """By the key of what is agreed on; of what the files have nothing of there is none."""
        return {kind.key: self._tables[kind.key].kappa for kind in self.kinds}

    @property
    def kinds(self) -> tuple[AgreementKind, ...]:
        """What the files have anything of to agree on."""
        return self._there(KINDS)

    @property
    def uncounted_kappas(self) -> dict[str, Kappa]:
        """The same of what no score of structure counts."""
        return {kind.key: self._tables[kind.key].kappa for kind in self.uncounted_kinds}

    @property
    def uncounted_kinds(self) -> tuple[AgreementKind, ...]:
        """What the files have of it."""
        return self._there(UNCOUNTED_KINDS)

    def _there(self, kinds: tuple[AgreementKind, ...]) -> tuple[AgreementKind, ...]:
        return tuple(kind for kind in kinds if self._tables.get(kind.key))

    def disagreements(self, key: str) -> list[Disagreement]:
        """Which categories stand against which, the most frequent first; of labels and such."""
        return sorted(self._disagreements(key), key=_by_frequency)

    def most_frequent(self, key: str, most: int) -> DisagreementSums:
        """The first of these, and how many there are of all of them."""
        pairs = times = 0

        def counted() -> Iterator[Disagreement]:
            nonlocal pairs, times
            for one in self._disagreements(key):
                pairs, times = pairs + 1, times + one.times
                yield one

        rows = heapq.nsmallest(most, counted(), key=_by_frequency)
        return DisagreementSums(rows, pairs, times)

    def _disagreements(self, key: str) -> Iterator[Disagreement]:
        kind = next(kind for kind in _ALL if kind.key == key)
        called = functools.lru_cache(_NAMES)(
            lambda category: category_name(kind, category, self._symbols, self.parameters)
        )
        for first, second, count in self._tables[key].disagreements() if kind.named else ():
            yield Disagreement(called(first), called(second), count)

    @property
    def uncounted(self) -> dict[Difference, int]:
        """How often the annotators differ in what no score counts, of each kind that occurs."""
        return {one: count for one in DIFFERENCES if (count := self._uncounted[one.code])}


class Agreement(AgreementSums):
    """The same of one pair, as it is while it is edited."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(pair)
        self.pair = pair
        self.add(pair)

    def follow(self, pair: Pair) -> None:
        """Be about a later state of the pair, or about another one."""
        if pair is self.pair:
            return
        splice = pair.since(self.pair)
        if splice is None:
            super().__init__(pair)
            self.add(pair)
        else:
            _put((self,), self.pair, range(splice.first, splice.old_end), -1)
            _put((self,), pair, range(splice.first, splice.new_end))
            self._symbols, self._total = pair.gold.symbols, pair.total
        self.pair = pair


def _put(sums: Sequence[AgreementSums], pair: Pair, groups: range, times: int = 1) -> None:
    """Put in what some groups have; ``times`` is -1 for what is no longer there."""
    for start in groups[::_BATCH]:
        comparison = pair.compared(start, min(start + _BATCH, groups.stop))
        for kind in _ALL:
            tables = [one._tables[kind.key] for one in sums if kind.key in one._tables]
            cells = kind.cells(comparison) if tables else []
            for table in tables:
                table.add(cells, times)
        all_of = [one for one in sums if one._has_all]
        for difference, rows in rows_of(comparison) if all_of else ():
            if not difference.counted:
                for one in all_of:
                    one._uncounted[difference.code] += times * len(rows.group)


def _by_frequency(row: Disagreement) -> tuple[int, str, str]:
    return -row.times, row.first, row.second
