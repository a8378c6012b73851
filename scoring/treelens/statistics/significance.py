"""Is one system better than another? Shuffling tests and confidence intervals, for any score.

Sources: stratified shuffling (approximate randomisation), Cohen 1995, as used for parsing by
Dan Bikel's comparator; percentile bootstrap, Efron & Tibshirani 1993; Holm 1979.

Every score is one sum of counts over another, and a resampled corpus is a sum of rows, so
thousands of resamplings are one product of matrices. Counts are whole numbers far below 2**53:
the products are exact. (Leaf-ancestor counts in small units: from 800,000 words on, its products
are exact to the last bit but one.) The same seed gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.metrics import Metric, Ratio, Tallies
from treelens.trees.forest import each_once

Floats = npt.NDArray[np.float64]

ITERATIONS = 10_000
_CELLS_AT_ONCE = 1 << 22


class Interval(NamedTuple):
    """A confidence interval of a score; None where no resampled corpus had anything to count."""

    ratio: Ratio
    low: float | None
    high: float | None


class ScoreDifference(NamedTuple):
    """A score of two systems, and how often chance alone does as much.

    p: probability, two-sided, of a difference at least this large if the systems did not
    differ; from 1/(iterations+1) up to 1.
    """

    ratio: Ratio
    first: float | None
    second: float | None
    p: float


def units(
    gold_starts: Sequence[npt.NDArray[np.integer[Any]]], sentences: int
) -> npt.NDArray[np.int64]:
    """The first gold sentences of the smallest stretches that all systems' groups respect.

    Each system's alignment groups gold's sentences in its own way; what is resampled must be
    the same stretch of gold for all. ``gold_starts[s]``: gold's first sentence of each group
    of system ``s``, ascending. Groups without a gold sentence belong to the stretch before.
    """
    common = np.arange(sentences)
    for starts in gold_starts:
        common = np.intersect1d(common, each_once(starts), assume_unique=True)
    return each_once(np.append(common, 0))


def by_unit(
    tallies: Tallies,
    gold_starts: npt.NDArray[np.integer[Any]],
    unit_starts: npt.NDArray[np.int64],
) -> Tallies:
    """Rows of counts by group as rows by unit; ``(units, counts)``."""
    if not len(tallies):
        return np.zeros((len(unit_starts), tallies.shape[1]), np.int64)
    owner = np.maximum(np.searchsorted(unit_starts, gold_starts, side="right") - 1, 0)
    result = np.zeros((len(unit_starts), tallies.shape[1]), np.int64)
    np.add.at(result, owner, tallies)
    return result


def shuffling(
    first: Tallies,
    second: Tallies,
    metrics: Sequence[Metric],
    iterations: int = ITERATIONS,
    seed: int = 0,
) -> tuple[ScoreDifference, ...]:
    """Swap the two systems' rows at random, and count how often their scores lie as far apart.

    ``first`` and ``second`` have a row for the same unit each (:func:`by_unit`).
    """
    weights = _Weights(metrics)
    totals = first.sum(axis=0), second.sum(axis=0)
    observed = [weights.values(total[None, :].astype(np.float64))[0] for total in totals]
    far = np.abs(observed[0] - observed[1])
    as_far = np.zeros(len(weights.ratios), np.int64)
    for moved in _moved((second - first).astype(np.float64), iterations, seed):
        apart = np.abs(weights.values(totals[0] + moved) - weights.values(totals[1] - moved))
        # Both differences come from exact counts by the same divisions; the margin is for
        # the last bit of those.
        as_far += (apart >= far - 1e-12).sum(axis=0)
    return tuple(
        ScoreDifference(
            ratio,
            _or_none(ratio.scale * one),
            _or_none(ratio.scale * other),
            (int(hits) + 1) / (iterations + 1),
        )
        for ratio, one, other, hits in zip(weights.ratios, *observed, as_far, strict=True)
    )


def _moved(change: Floats, iterations: int, seed: int) -> Iterator[Floats]:
    """What the totals move by where rows are swapped at random; ``(iterations, counts)`` in all."""
    if not change.any():  # nothing is to be drawn, nor loaded for that
        yield np.zeros((iterations, change.shape[1]))
        return
    random = np.random.default_rng(seed)
    for count in _portions(iterations, len(change)):
        bits = random.integers(0, 256, (count, len(change) // 8 + 1), dtype=np.uint8)
        yield np.unpackbits(bits, axis=1)[:, : len(change)].astype(np.float64) @ change


def bootstrap(
    tallies: Tallies,
    metrics: Sequence[Metric],
    iterations: int = ITERATIONS,
    seed: int = 0,
    confidence: float = 0.95,
) -> tuple[Interval, ...]:
    """Percentile intervals of the scores of corpora drawn, with replacement, from the rows."""
    return _bootstrap(tallies, _Weights(metrics), iterations, seed, confidence)


def bootstrap_ratio(
    fractions: Sequence[npt.NDArray[np.int64]], ratio: Ratio, iterations: int = ITERATIONS
) -> Interval:
    """The same of one score, given numerators and denominators of each row; ``(rows,)`` both."""
    rows = np.stack(fractions, axis=1)
    (found,) = _bootstrap(rows, _Fractions(ratio), iterations, 0, 0.95)
    return found


def _bootstrap(
    tallies: Tallies, weights: _Values, iterations: int, seed: int, confidence: float
) -> tuple[Interval, ...]:
    random = np.random.default_rng(seed)
    rows = len(tallies)
    found = []
    for count in _portions(iterations, rows) if rows else ():
        drawn = random.integers(0, rows, (count, rows)) + rows * np.arange(count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows)
        found.append(weights.values(times.astype(np.float64) @ tallies.astype(np.float64)))
    values = np.concatenate(found) if found else np.full((1, len(weights.ratios)), np.nan)
    tail = 50 * (1 - confidence)
    intervals = []
    for ratio, column in zip(weights.ratios, values.T, strict=True):
        known = column[~np.isnan(column)]
        bounds = np.percentile(known, [tail, 100 - tail]) * ratio.scale if len(known) else None
        low, high = (None, None) if bounds is None else map(float, bounds)
        intervals.append(Interval(ratio, low, high))
    return tuple(intervals)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The probabilities, corrected for so many comparisons (Holm 1979), in the given order."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[at]))
        corrected[at] = largest
    return tuple(corrected)


class _Values(Protocol):
    """What becomes of totals."""

    ratios: list[Ratio]

    def values(self, totals: Floats) -> Floats:
        """Every ratio of every row of totals, unscaled; nan for 0/0."""


class _Fractions:
    """Totals that are a ratio's own numerator and denominator."""

    def __init__(self, ratio: Ratio) -> None:
        self.ratios = [ratio]

    def values(self, totals: Floats) -> Floats:
        return _divided(totals[:, :1], totals[:, 1:])


class _Weights:
    """The ratios of some metrics as two matrices over their counts side by side."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        counts = [(metric.name, name) for metric in metrics for name in metric.counts]
        column = {key: at for at, key in enumerate(counts)}
        pairs = [(metric, ratio) for metric in metrics for ratio in metric.ratios]
        self.ratios = [ratio for _, ratio in pairs]
        self._sides = np.zeros((2, len(counts), len(pairs)))
        for at, (metric, ratio) in enumerate(pairs):
            for side, sums in enumerate((ratio.numerator, ratio.denominator)):
                for name, weight in sums.items():
                    self._sides[side, column[metric.name, name], at] += weight

    def values(self, totals: Floats) -> Floats:
        return _divided(totals @ self._sides[0], totals @ self._sides[1])


def _divided(numerators: Floats, denominators: Floats) -> Floats:
    empty = denominators == 0
    return np.where(empty, np.nan, numerators / np.where(empty, 1, denominators))


def _portions(iterations: int, rows: int) -> Iterator[int]:
    """The iterations in portions whose matrices are of bounded size."""
    most = max(1, _CELLS_AT_ONCE // max(rows, 1))
    while iterations > 0:
        yield min(most, iterations)
        iterations -= most


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
