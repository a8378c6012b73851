"""The table of metrics. A metric is a module here and its line in :mod:`treelens.metrics.table`.

Every metric of the field is one computation: match the facts of gold with those of system,
count, divide once. A metric counts whole numbers for each group of sentences (its tally, a row
of :attr:`Metric.counts`), and each of its scores is one sum of counts over another. So totals
are column sums, an edited sentence changes a total by ``- old + new`` exactly, and what is
undefined, 0/0, is ``None`` and not a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison
from treelens.trees.forest import Annotation

Tallies = npt.NDArray[np.int64]
"""Counts by group (rows) and kind (columns); a single row is a total."""


class Ratio(NamedTuple):
    """A score: a weighted sum of counts over another.

    scale: 100 for percentages (range 0 to 100), 1 for averages (0 upwards).
    headline: its name where there is room for a few numbers only; empty if it is not shown there.
    unit: how many of the sums make one of what is counted; reports divide both by it.
    """

    name: str
    title: str
    numerator: Mapping[str, int]
    denominator: Mapping[str, int]
    scale: int = 100
    higher_is_better: bool = True
    headline: str = ""
    unit: int = 1


class Metric(NamedTuple):
    """What is counted, how, and what is reported of it.

    takes: what both files have to say of their words for the metric to be counted.
    standard: whether it is counted when nobody asks for it.
    from_heads: whether dependencies may be found in constituents by a table of heads.
    options: the command line's options that change what is counted, but for words.
    where: counts without any of which its scores are not shown.
    """

    name: str
    title: str
    source: str
    counts: tuple[str, ...]
    ratios: tuple[Ratio, ...]
    tally: Callable[[Comparison], Tallies]
    takes: frozenset[Annotation]
    standard: bool = True
    from_heads: bool = False
    options: tuple[str, ...] = ()
    where: tuple[str, ...] = ()


CONSTITUENTS: frozenset[Annotation] = frozenset(["constituents"])
DEPENDENCIES: frozenset[Annotation] = frozenset(["dependencies"])


class Score(NamedTuple):
    """A ratio that was worked out; ``value`` is None where nothing was there to count."""

    ratio: Ratio
    numerator: int
    denominator: int

    @property
    def value(self) -> float | None:
        if not self.denominator:
            return None
        return self.ratio.scale * self.numerator / self.denominator

    @property
    def counted(self) -> str:
        """Both sums in words: ``199 of 219``."""
        unit = self.ratio.unit
        if unit == 1:
            return f"{self.numerator:,} of {self.denominator:,}"
        return f"{self.numerator / unit:,.2f} of {self.denominator // unit:,}"


def by_group(group: npt.NDArray[np.int32], comparison: Comparison) -> npt.NDArray[np.int64]:
    """How often each group number occurs; ``(groups,)``."""
    return np.bincount(group, minlength=comparison.groups)


def tally(comparison: Comparison, metrics: Sequence[Metric]) -> Tallies:
    """The counts of several metrics side by side; ``(groups, sum of counts)``."""
    return np.concatenate([metric.tally(comparison) for metric in metrics], axis=1)


def scores(total: Tallies, metrics: Sequence[Metric]) -> tuple[Score, ...]:
    """Every ratio of some metrics that is shown, from one row of their counts."""
    found: list[Score] = []
    at = 0
    for metric in metrics:
        counts = dict(zip(metric.counts, total[at : at + len(metric.counts)].tolist(), strict=True))
        at += len(metric.counts)
        if not all(counts[name] for name in metric.where):
            continue
        for ratio in metric.ratios:
            numerator, denominator = (
                sum(weight * counts[name] for name, weight in side.items())
                for side in (ratio.numerator, ratio.denominator)
            )
            found.append(Score(ratio, numerator, denominator))
    return tuple(found)


def headlines(metrics: Sequence[Metric]) -> tuple[Ratio, ...]:
    """The scores that stand for all where there is room for a few; the first for one only."""
    ratios = [ratio for metric in metrics for ratio in metric.ratios]
    return tuple(ratio for ratio in ratios if ratio.headline) or tuple(ratios[:1])


def fractions(rows: Tallies, metrics: Sequence[Metric], ratio: Ratio) -> tuple[Tallies, Tallies]:
    """Numerators and denominators of one score, from rows of counts; ``(rows,)`` each."""
    at = 0
    for metric in metrics:
        if ratio in metric.ratios:
            columns = rows[:, at : at + len(metric.counts)]
            numerator, denominator = (
                columns @ np.array([side.get(name, 0) for name in metric.counts], np.int64)
                for side in (ratio.numerator, ratio.denominator)
            )
            return numerator, denominator
        at += len(metric.counts)
    raise KeyError(ratio.name)
