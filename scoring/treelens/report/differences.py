"""Which system is better, and how sure that is: every score with its interval and its test."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from treelens.counting.waiting import Waiting, WaitingRows
from treelens.metrics import Metric
from treelens.render.width import clean, shortened
from treelens.report.content import Behind
from treelens.session.pair import Pair
from treelens.statistics.significance import (
    Interval,
    Rows,
    ScoreDifference,
    bootstrap,
    each_by_unit,
    holm,
    shuffling,
    units_by_part,
)
from treelens.trees.forest import Ints

CountRows = WaitingRows[np.int64]

_NAME = 30
_SURE = 0.05


class SystemComparison(NamedTuple):
    """Two systems by place, their differences by score, and the p of those corrected for all pairs
    that are tested; None where the two are not."""

    first: int
    second: int
    differences: tuple[ScoreDifference, ...]
    corrected: tuple[float | None, ...]


class Differences(NamedTuple):
    """Several systems against one gold file, on the same stretches of it."""

    names: tuple[str, ...]
    units: int
    intervals: tuple[tuple[Interval, ...], ...]
    comparisons: tuple[SystemComparison, ...]
    signature: str


def waiting_rows(waiting: Callable[[], Waiting], metrics: Sequence[Metric]) -> CountRows:
    """Room for rows of counts."""
    return WaitingRows(waiting(), sum(len(metric.counts) for metric in metrics), np.int64)


def add_stretches(rows: Sequence[CountRows], systems: Sequence[Behind], golds: int) -> None:
    """Each system's counts of the stretches of gold that all systems' alignments respect."""
    starts = units_by_part((map(_starts, system.counts()) for system in systems), golds)
    for found, system in zip(rows, systems, strict=True):
        parts = ((_starts(pair), pair.tallies()) for pair in system.counts())
        for some in each_by_unit(parts, starts):
            found.add(some)


def _starts(pair: Pair) -> Ints:
    """Gold's first sentence of each group, of the whole text."""
    return pair.groups.gold_start + np.int32(pair.gold.before.sentences)


def resampled(
    names: Sequence[str],
    rows: Sequence[Rows],
    metrics: tuple[Metric, ...],
    signature: str,
    iterations: int,
    seed: int,
) -> Differences:
    """Resample rows of counts, which are of the same stretches of gold for all systems."""
    intervals = tuple(bootstrap(row, metrics, iterations, seed) for row in rows)
    both = list(itertools.combinations(range(len(rows)), 2))
    tests = [shuffling(rows[a], rows[b], metrics, iterations, seed) for a, b in both]
    corrected = [_corrected([test.p for test in of_score]) for of_score in zip(*tests, strict=True)]
    comparisons = tuple(
        SystemComparison(a, b, test, tuple(of_score[at] for of_score in corrected))
        for at, ((a, b), test) in enumerate(zip(both, tests, strict=True))
    )
    line = f"{signature}|iterations:{iterations}|seed:{seed}"
    return Differences(tuple(names), len(rows[0]), intervals, comparisons, line)


def _corrected(p_values: Sequence[float | None]) -> list[float | None]:
    """Of one score, for so many pairs as are tested: what a system has no such score for is no
    test, and makes the others no less sure."""
    found = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(found) for p in p_values]


def as_table(found: Differences) -> Iterator[str]:
    """Plain text: the scores with 95 % intervals, then each pair of systems."""
    titles = [interval.ratio.title for interval in found.intervals[0]]
    width = max(map(len, titles))
    for name, intervals in zip(found.names, found.intervals, strict=True):
        yield shortened(clean(name), 3 * _NAME)
        for title, interval in zip(titles, intervals, strict=True):
            bounds = "–" if interval.low is None else f"{interval.low:.2f} to {interval.high:.2f}"
            yield f"  {title:<{width}}  {bounds:>18}"
        yield ""
    for comparison in found.comparisons:
        first, second = (found.names[at] for at in comparison[:2])
        yield f"{shortened(clean(first), _NAME)} against {shortened(clean(second), _NAME)}"
        yield f"  {'':<{width}}  {'first':>7} {'second':>7} {'apart':>7} {'p':>8} {'corrected':>9}"
        for title, test, corrected in zip(
            titles, comparison.differences, comparison.corrected, strict=True
        ):
            yield f"  {title:<{width}}  {_row(test, corrected)}"
        yield ""
    yield f"Intervals: 95 % of {found.units:,} stretches of gold drawn anew (bootstrap)."
    yield "p: a difference at least this large by shuffling alone; * below 0.05 when corrected"
    yield "for the number of pairs of systems that have the score (Holm)."
    yield found.signature


def _row(test: ScoreDifference, corrected: float | None) -> str:
    if test.first is None or test.second is None or corrected is None:
        return f"{'–':>7} {'–':>7} {'–':>7} {'–':>8} {'–':>9}"
    sure = " *" if corrected < _SURE else ""
    apart = test.second - test.first
    return (
        f"{test.first:7.2f} {test.second:7.2f} {apart:+7.2f} {test.p:8.4f} {corrected:9.4f}{sure}"
    )


def as_json(found: Differences) -> Iterator[str]:
    """Everything, unrounded; 0/0 is null."""
    import json  # which `changes` does not need

    yield json.dumps(
        {
            "signature": found.signature,
            "units": found.units,
            "systems": [
                {"name": name, "intervals": {i.ratio.name: [i.low, i.high] for i in intervals}}
                for name, intervals in zip(found.names, found.intervals, strict=True)
            ],
            "comparisons": [
                {
                    "first": found.names[comparison.first],
                    "second": found.names[comparison.second],
                    "scores": {
                        test.ratio.name: _values(test, corrected)
                        for test, corrected in zip(
                            comparison.differences, comparison.corrected, strict=True
                        )
                    },
                }
                for comparison in found.comparisons
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def _values(test: ScoreDifference, corrected: float | None) -> dict[str, Any]:
    return {"first": test.first, "second": test.second, "p": test.p, "corrected": corrected}
