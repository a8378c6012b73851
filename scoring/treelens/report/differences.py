"""Which system is better, and how sure that is: every score with its interval and its test."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from treelens.metrics import Metric, Tallies
from treelens.render.width import clean, shortened
from treelens.report.content import signature
from treelens.rules.parameters import Parameters
from treelens.session.pair import Pair
from treelens.statistics.significance import (
    Interval,
    ScoreDifference,
    bootstrap,
    by_unit,
    holm,
    shuffling,
    units,
)

_NAME = 30
_SURE = 0.05


class SystemComparison(NamedTuple):
    """Two systems by place, their differences by score, and those corrected for all pairs."""

    first: int
    second: int
    differences: tuple[ScoreDifference, ...]
    corrected: tuple[float, ...]


class Differences(NamedTuple):
    """Several systems against one gold file, on the same stretches of it."""

    names: tuple[str, ...]
    units: int
    intervals: tuple[tuple[Interval, ...], ...]
    comparisons: tuple[SystemComparison, ...]
    signature: str


def differences(
    names: Sequence[str],
    pairs: Sequence[Pair],
    parameters: Parameters,
    iterations: int,
    seed: int,
) -> Differences:
    """Resample the stretches of gold that all systems' alignments respect."""
    rows = stretches(pairs)
    line = signature(parameters, pairs[0].metrics)
    return resampled(names, rows, pairs[0].metrics, line, iterations, seed)


def stretches(pairs: Sequence[Pair]) -> list[Tallies]:
    """Each system's counts of the stretches of gold that all systems' alignments respect."""
    starts = units([pair.groups.gold_start for pair in pairs], len(pairs[0].gold))
    return [by_unit(pair.tallies(), pair.groups.gold_start, starts) for pair in pairs]


def resampled(
    names: Sequence[str],
    rows: Sequence[Tallies],
    metrics: tuple[Metric, ...],
    signature: str,
    iterations: int,
    seed: int,
) -> Differences:
    """Resample rows of counts, which are of the same stretches of gold for all systems."""
    intervals = tuple(bootstrap(row, metrics, iterations, seed) for row in rows)
    both = list(itertools.combinations(range(len(rows)), 2))
    tests = [shuffling(rows[a], rows[b], metrics, iterations, seed) for a, b in both]
    corrected = [holm([test.p for test in of_score]) for of_score in zip(*tests, strict=True)]
    comparisons = tuple(
        SystemComparison(a, b, test, tuple(of_score[at] for of_score in corrected))
        for at, ((a, b), test) in enumerate(zip(both, tests, strict=True))
    )
    line = f"{signature}|iterations:{iterations}|seed:{seed}"
    return Differences(tuple(names), len(rows[0]), intervals, comparisons, line)


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
    yield "for the number of pairs of systems (Holm)."
    yield found.signature


def _row(test: ScoreDifference, corrected: float) -> str:
    if test.first is None or test.second is None:
        return f"{'–':>7} {'–':>7} {'–':>7} {'–':>8} {'–':>9}"
    sure = " *" if corrected < _SURE else ""
    apart = test.second - test.first
    return (
        f"{test.first:7.2f} {test.second:7.2f} {apart:+7.2f} {test.p:8.4f} {corrected:9.4f}{sure}"
    )


def as_json(found: Differences) -> Iterator[str]:
    """Everything, unrounded; 0/0 is null."""
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


def _values(test: ScoreDifference, corrected: float) -> dict[str, Any]:
    return {"first": test.first, "second": test.second, "p": test.p, "corrected": corrected}
