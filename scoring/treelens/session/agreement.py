"""How far the two annotators of a pair agree, kept up with while either file is edited.

An edit changes the tables by the sentences that it touched: taken out as they were before, which
the earlier state of the pair still knows, and put in as they are. That is exact: whole numbers.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from treelens.differences.difference import Difference
from treelens.differences.table import DIFFERENCES, rows_of
from treelens.metrics import Score, Tallies, scores
from treelens.session.pair import Pair
from treelens.statistics import uncounted
from treelens.statistics.kappa import KINDS, AgreementKind, ConfusionTable, Kappa, category_name

_BATCH = 2048
"""Groups compared at once."""

_ALL = (*KINDS, *uncounted.KINDS)


class Disagreement(NamedTuple):
    """One category of the first annotator's where the second has another; how often."""

    first: str
    second: str
    times: int


class Agreement:
    """The confusion tables of a pair, of which gold is the first annotator's file."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self._tables = _tables()
        self._uncounted: Counter[str] = Counter()
        self._others: Tallies = np.zeros_like(pair.total)
        self._add(pair, 0, len(pair))

    def include(self, other: Agreement) -> None:
        """Be about another pair of files too, with the same symbols, parameters and scores."""
        for key, table in self._tables.items():
            table.include(other._tables[key])
        self._uncounted += other._uncounted
        self._others = self._others + other.pair.total + other._others

    def follow(self, pair: Pair) -> None:
        """Be about a later state of the pair, or about another one."""
        if pair is self.pair:
            return
        splice = pair.since(self.pair)
        if splice is None:
            self._tables, self._uncounted = _tables(), Counter()
            self._add(pair, 0, len(pair))
        else:
            self._add(self.pair, splice.first, splice.old_end, -1)
            self._add(pair, splice.first, splice.new_end)
        self.pair = pair

    def scores(self) -> tuple[Score, ...]:
        """The scores of structure."""
        return scores(self.pair.total + self._others, self.pair.metrics)

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
        return self._there(uncounted.KINDS)

    def _there(self, kinds: tuple[AgreementKind, ...]) -> tuple[AgreementKind, ...]:
        return tuple(kind for kind in kinds if self._tables[kind.key].cells)

    def disagreements(self, key: str) -> list[Disagreement]:
        """Which categories stand against which, the most frequent first; of labels and such."""
        kind = next(kind for kind in _ALL if kind.key == key)
        symbols, parameters = self.pair.gold.symbols, self.pair.parameters
        found = [
            Disagreement(
                category_name(kind, first, symbols, parameters),
                category_name(kind, second, symbols, parameters),
                count,
            )
            for first, second, count in self._tables[key].disagreements()
            if kind.named
        ]
        return sorted(found, key=lambda row: (-row.times, row.first, row.second))

    @property
    def uncounted(self) -> dict[Difference, int]:
        """How often the annotators differ in what no score counts, of each kind that occurs."""
        return {one: count for one in DIFFERENCES if (count := self._uncounted[one.code])}

    def _add(self, pair: Pair, first: int, end: int, times: int = 1) -> None:
        for start in range(first, end, _BATCH):
            comparison = pair.compared(start, min(start + _BATCH, end))
            for kind in _ALL:
                self._tables[kind.key].add(kind.items(comparison), times)
            for difference, rows in rows_of(comparison):
                if not difference.counted:
                    self._uncounted[difference.code] += times * len(rows.group)


def _tables() -> dict[str, ConfusionTable]:
    return {kind.key: ConfusionTable() for kind in _ALL}
