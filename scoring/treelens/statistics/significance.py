"""Is one system better than another? Shuffling tests and confidence intervals, for any score.

Sources: stratified shuffling (approximate randomisation), Cohen 1995, as used for parsing by
Dan Bikel's comparator; percentile bootstrap, Efron & Tibshirani 1993; Holm 1979.

Every score is one sum of counts over another, and a resampled corpus is a sum of rows, so
thousands of resamplings are products of matrices, of some rows at a time: held are a few bytes a
row. Counts are whole numbers far below 2**53: the products are exact, and so are their sums. (Of
leaf-ancestor, which counts in small units, a sum is rounded from 800,000 words on, once.) The same
seed gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.metrics import Metric, Ratio, Tallies

Floats = npt.NDArray[np.float64]

Starts = npt.NDArray[np.integer[Any]]

ITERATIONS = 10_000
_CELLS_AT_ONCE = 1 << 22
"""Of a matrix with a row an iteration and a column a row of counts."""
_DRAWN_AT_ONCE = 1 << 17
"""Rows of counts that are drawn at a time: a number in eight bytes each."""
_ROWS_AT_ONCE = 1 << 11
"""Rows of counts that are multiplied at a time: a multiple of 8, as there are bits in a byte."""
_TOGETHER = 1 << 7
"""Iterations for which they are, at most."""


class Rows(Protocol):
    """Rows of counts, in memory or not; ``(rows, counts)``."""

    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice, /) -> Tallies: ...


class Interval(NamedTuple):
    """A confidence interval of a score; None where no resampled corpus had anything to count."""

    ratio: Ratio
    low: float | None
    high: float | None


class ScoreDifference(NamedTuple):
    """A score of two systems, and how often chance alone does as much.

    p: probability, two-sided, of a difference at least this large if the systems did not
    differ; from 1/(iterations+1) up to 1. None where a system has no such score (0/0): nothing
    is tested then.
    """

    ratio: Ratio
    first: float | None
    second: float | None
    p: float | None


def units(gold_starts: Iterable[Starts], sentences: int) -> npt.NDArray[np.int64]:
    """The first gold sentences of the smallest stretches that all systems' groups respect.

    Each system's alignment groups gold's sentences in its own way; what is resampled must be
    the same stretch of gold for all. ``gold_starts[s]``: gold's first sentence of each group
    of system ``s``, ascending. Groups without a gold sentence belong to the stretch before.
    """
    return units_by_part(([starts] for starts in gold_starts), sentences).astype(np.int64)


def units_by_part(gold_starts: Iterable[Iterable[Starts]], sentences: int) -> npt.NDArray[np.int32]:
    """The same of groups that come some at a time, in less memory."""
    common = np.ones(max(sentences, 1), np.bool_)
    for parts in gold_starts:
        here = np.zeros_like(common)
        for starts in parts:
            here[starts[starts < sentences]] = True
        common &= here
    common[0] = True
    return np.flatnonzero(common).astype(np.int32)


def by_unit(tallies: Tallies, gold_starts: Starts, unit_starts: npt.NDArray[np.int64]) -> Tallies:
    """Rows of counts by group as rows by unit; ``(units, counts)``."""
    if not len(tallies):
        return np.zeros((len(unit_starts), tallies.shape[1]), np.int64)
    result = np.zeros((len(unit_starts), tallies.shape[1]), np.int64)
    np.add.at(result, _units_of(gold_starts, unit_starts), tallies)
    return result


def each_by_unit(parts: Iterable[tuple[Starts, Tallies]], unit_starts: Starts) -> Iterator[Tallies]:
    """The same of groups that come some at a time, ascending: some units at a time."""
    last = None
    done = 0
    for starts, tallies in parts:
        if not len(starts):
            continue
        of = _units_of(starts, unit_starts)
        found = np.zeros((int(of[-1]) + 1 - done, tallies.shape[1]), np.int64)
        np.add.at(found, of - done, tallies)
        if last is not None:
            found[0] += last
        # (What comes next may be of the last one, too.)
        yield found[:-1]
        last, done = found[-1], done + len(found) - 1
    if last is not None:
        rest = np.zeros((len(unit_starts) - done, len(last)), np.int64)
        rest[0] = last
        yield rest


def _units_of(gold_starts: Starts, unit_starts: Starts) -> Starts:
    """The number of the unit that each group is in."""
    return np.maximum(np.searchsorted(unit_starts, gold_starts, side="right") - 1, 0)


def shuffling(
    first: Rows,
    second: Rows,
    metrics: Sequence[Metric],
    iterations: int = ITERATIONS,
    seed: int = 0,
) -> tuple[ScoreDifference, ...]:
    """Swap the two systems' rows at random, and count how often their scores lie as far apart.

    ``first`` and ``second`` have a row for the same unit each (:func:`by_unit`). Where one of both
    has no such score after a swap (0/0), they count as not as far apart.
    """
    weights = _Weights(metrics)
    totals = _total(first), _total(second)
    observed = [weights.values(total[None, :].astype(np.float64))[0] for total in totals]
    far = np.abs(observed[0] - observed[1])
    as_far = np.zeros(len(weights.ratios), np.int64)
    for moved in _moved(first, second, iterations, seed):
        swapped = (totals[0] + moved).astype(np.float64), (totals[1] - moved).astype(np.float64)
        apart = np.abs(weights.values(swapped[0]) - weights.values(swapped[1]))
        # Both differences come from exact counts by the same divisions; the margin is for
        # the last bit of those.
        as_far += (apart >= far - 1e-12).sum(axis=0)
    return tuple(
        ScoreDifference(
            ratio,
            _or_none(ratio.scale * one),
            _or_none(ratio.scale * other),
            None if np.isnan(apart) else (int(hits) + 1) / (iterations + 1),
        )
        for ratio, one, other, apart, hits in zip(
            weights.ratios, *observed, far, as_far, strict=True
        )
    )


def _moved(first: Rows, second: Rows, iterations: int, seed: int) -> Iterator[Tallies]:
    """What the totals move by where rows are swapped at random; ``(iterations, counts)`` in all."""
    rows = len(first)

    def change(part: slice) -> Tallies:
        return second[part] - first[part]

    if not any(change(part).any() for part in _parts(rows)):  # nothing is to be drawn
        yield np.zeros((iterations, first[:0].shape[1]), np.int64)
        return
    for bits in _swaps(rows, iterations, seed):

        def swapped(part: slice, bits: npt.NDArray[np.uint8] = bits) -> Floats:
            here = bits[:, part.start // 8 : part.stop // 8 + 1]
            return np.unpackbits(here, axis=1, count=part.stop - part.start).astype(np.float64)

        yield _products(swapped, change, rows)


def _swaps(rows: int, iterations: int, seed: int) -> Iterator[npt.NDArray[np.uint8]]:
    """Which rows are swapped, a bit each; ``(iterations, bytes)`` in all."""
    random = np.random.default_rng(seed)
    size = rows // 8 + 1
    together = max(1, min(_TOGETHER, _CELLS_AT_ONCE // size))
    waiting = np.zeros((0, size), np.uint8)
    for count in _portions(iterations, rows):
        # (What is drawn depends on how many are drawn at once.)
        drawn = random.integers(0, 256, (count, size), dtype=np.uint8)
        waiting = np.concatenate([waiting, drawn])
        while len(waiting) >= together:
            yield waiting[:together]
            waiting = waiting[together:]
    if len(waiting):
        yield waiting


def bootstrap(
    tallies: Rows,
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
    tallies: Rows, weights: _Values, iterations: int, seed: int, confidence: float
) -> tuple[Interval, ...]:
    rows = len(tallies)
    found = []
    for times in drawn(rows, iterations, seed) if rows else ():

        def often(part: slice, times: npt.NDArray[np.uint8] = times) -> Floats:
            return times[:, part].astype(np.float64)

        totals = _products(often, tallies.__getitem__, rows)
        found.append(weights.values(totals.astype(np.float64)))
    values = np.concatenate(found) if found else np.full((1, len(weights.ratios)), np.nan)
    tail = 50 * (1 - confidence)
    intervals = []
    for ratio, column in zip(weights.ratios, values.T, strict=True):
        known = np.sort(column[~np.isnan(column)])
        bounds = (percentile(known, q) * ratio.scale for q in (tail, 100 - tail))
        low, high = bounds if len(known) else (None, None)
        intervals.append(Interval(ratio, low, high))
    return tuple(intervals)


def percentile(ordered: npt.NDArray[Any], percent: float) -> float:
    """What numpy's function of that name gives of values in order: that one loads masked arrays,
    which takes an eighth of the time that numpy itself does."""
    place = (len(ordered) - 1) * (percent / 100)
    before = int(place)
    low, high = (float(ordered[min(at, len(ordered) - 1)]) for at in (before, before + 1))
    between, step = place - before, high - low
    return low + step * between if between < 0.5 else high - step * (1 - between)


def drawn(rows: int, iterations: int, seed: int) -> Iterator[npt.NDArray[np.uint8]]:
    """How often each row is drawn; ``(iterations, rows)`` in all. (That one of more than 255 is
    drawn more often than 255 times is less likely than that the machine errs.)"""
    random = np.random.default_rng(seed)
    while iterations:
        count = min(iterations, _TOGETHER, max(1, _CELLS_AT_ONCE // rows))
        times = np.zeros((count, rows), np.uint8)
        at_once, columns = max(1, _DRAWN_AT_ONCE // rows), min(rows, _DRAWN_AT_ONCE)
        for first in range(0, count, at_once):
            some = times[first : first + at_once]
            # (Of several, all of a row: what is drawn does not depend on how much is at once.)
            for column in range(0, rows, columns):
                cells = random.integers(0, rows, (len(some), min(columns, rows - column)))
                cells += rows * np.arange(len(some))[:, None]
                np.add.at(some.reshape(-1), cells.ravel(), np.uint8(1))
        yield times
        iterations -= count


def _products(left: Callable[[slice], Floats], rows: Callable[[slice], Tallies], count: int) -> Any:
    """A matrix, given by some of its columns, times so many rows of counts: exact sums."""
    return sum(
        (left(part) @ rows(part).astype(np.float64)).astype(np.int64) for part in _parts(count)
    )


def _total(rows: Rows) -> Tallies:
    nothing = np.zeros(rows[:0].shape[1], np.int64)
    return sum((rows[part].sum(axis=0) for part in _parts(len(rows))), nothing)


def _parts(rows: int) -> Iterator[slice]:
    for first in range(0, rows, _ROWS_AT_ONCE):
        yield slice(first, min(first + _ROWS_AT_ONCE, rows))


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
    """The iterations in portions that are drawn at once."""
    most = max(1, _CELLS_AT_ONCE // max(rows, 1))
    while iterations > 0:
        yield min(most, iterations)
        iterations -= most


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
