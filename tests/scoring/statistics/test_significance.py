"""Significance: against exact enumeration where that is possible, and laws where it is not."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.metrics import scores
from treelens.metrics.table import metrics_of
from treelens.statistics import significance
from treelens.statistics.significance import (
    bootstrap,
    by_unit,
    drawn,
    each_by_unit,
    holm,
    percentile,
    shuffling,
    units,
)

METRICS = metrics_of("constituents")
COUNTS = sum(len(metric.counts) for metric in METRICS)


def rows(seed: int, count: int, shift: int = 0) -> np.ndarray:  # type: ignore[type-arg]
    """Counts of made-up sentences, in which nothing exceeds what it is a part of."""
    draw = np.random.default_rng(seed)
    gold = draw.integers(8, 20, count)
    matched = np.clip(gold - draw.integers(0, 6, count) + shift, 0, gold)
    columns = {
        **dict.fromkeys(("matched", "spans"), matched),
        **dict.fromkeys(("gold", "system", "words", "nodes"), gold),
        **dict.fromkeys(("sentences", "parsed"), np.ones(count)),
        "tagged": gold - 1,
    }
    names = [name for metric in METRICS for name in metric.counts]
    return np.stack([columns.get(name, np.zeros(count)) for name in names], axis=1).astype(np.int64)


def test_shuffling_agrees_with_all_ways_to_swap() -> None:
    first, second = rows(1, 8), rows(2, 8)
    found = shuffling(first, second, METRICS, iterations=20_000)[0]
    apart = []
    for swap in itertools.product([False, True], repeat=8):
        mask = np.array(swap)[:, None]
        sides = np.where(mask, second, first), np.where(mask, first, second)
        values = [scores(side.sum(axis=0), METRICS)[0].value or 0 for side in sides]
        apart.append(abs(values[0] - values[1]))
    exact = np.mean(np.array(apart) >= apart[0] - 1e-9)
    assert found.p == pytest.approx(exact, abs=0.02)


def test_a_system_does_not_differ_from_itself() -> None:
    assert all(difference.p == 1 for difference in shuffling(rows(1, 50), rows(1, 50), METRICS)
               if difference.first is not None)  # fmt: skip


def test_a_clear_difference_is_significant_and_a_seed_repeats_it() -> None:
    worse, better = rows(1, 300), rows(1, 300, shift=2)
    found = shuffling(worse, better, METRICS)[0]
    assert found.ratio.name == "F1"
    assert found.p == pytest.approx(1 / 10_001)
    assert shuffling(worse, better, METRICS, seed=3) == shuffling(worse, better, METRICS, seed=3)


def test_a_shuffle_without_the_score_is_not_as_far() -> None:
    # Each system has one of two sentences: of the four ways to swap, two leave one of them none.
    first, second = rows(1, 2), rows(1, 2, shift=-3)
    first[1], second[0] = 0, 0
    found = shuffling(first, second, METRICS, iterations=20_000)[0]
    assert found.first != found.second
    assert found.p == pytest.approx(0.5, abs=0.02)


def test_scores_are_those_of_the_totals() -> None:
    first, second = rows(1, 40), rows(2, 40)
    found = shuffling(first, second, METRICS, iterations=10)
    for side, total in (("first", first.sum(axis=0)), ("second", second.sum(axis=0))):
        values = [score.value for score in scores(total, METRICS)]
        assert [getattr(difference, side) for difference in found] == pytest.approx(values)


def test_intervals_hold_the_score_and_narrow_with_more_sentences() -> None:
    widths = []
    for count in (50, 5000):
        tallies = rows(4, count)
        interval = bootstrap(tallies, METRICS, iterations=500)[0]
        value = scores(tallies.sum(axis=0), METRICS)[0].value
        assert interval.low is not None
        assert interval.high is not None
        assert value is not None
        assert interval.low <= value <= interval.high
        widths.append(interval.high - interval.low)
    assert widths[1] < widths[0] / 5


def test_nothing_to_count_has_no_interval() -> None:
    empty = np.zeros((0, COUNTS), np.int64)
    assert all(interval.low is None for interval in bootstrap(empty, METRICS, iterations=10))


@given(st.lists(st.floats(0, 1), max_size=6))
def test_corrected_probabilities_never_shrink_and_keep_their_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(value <= new <= 1 for value, new in zip(values, corrected, strict=True))
    assert sorted(range(len(values)), key=lambda at: values[at]) == sorted(
        range(len(values)), key=lambda at: (corrected[at], values[at])
    )


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0, 100))
def test_percentiles_are_numpys_to_the_last_bit(values: list[float], percent: float) -> None:
    for asked in (percent, 2.5, 97.5, 99.0):
        assert percentile(np.sort(values), asked) == np.percentile(values, asked)


def test_units_are_the_stretches_that_all_alignments_respect() -> None:
    one, other = np.array([0, 1, 3, 3, 4]), np.array([0, 2, 3])
    starts = units([one, other], 5)
    assert starts.tolist() == [0, 3]
    counts = np.arange(5)[:, None]
    assert by_unit(counts, one, starts).tolist() == [[0 + 1], [2 + 3 + 4]]
    assert by_unit(counts[:3], other, starts).tolist() == [[1], [2]]


@given(
    size=st.integers(1, 40),
    iterations=st.integers(1, 30),
    at_once=st.sampled_from([8, 16, 2048]),
    together=st.integers(1, 9),
)
def test_some_rows_at_a_time_are_all_at_once(
    size: int, iterations: int, at_once: int, together: int
) -> None:
    first, second = rows(1, size), rows(2, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(significance, "_ROWS_AT_ONCE", at_once)
        patch.setattr(significance, "_TOGETHER", together)
        patch.setattr(significance, "_CELLS_AT_ONCE", 100)
        intervals = bootstrap(first, METRICS, iterations, seed=3)
        tests = shuffling(first, second, METRICS, iterations, seed=3)
    drawn = np.random.default_rng(3).integers(0, size, (iterations, size))
    resampled = [first[one].sum(axis=0) for one in drawn]
    values = [[score.value for score in scores(total, METRICS)] for total in resampled]
    for interval, column in zip(intervals, zip(*values, strict=True), strict=True):
        known = [value for value in column if value is not None]
        bounds = np.percentile(known, [2.5, 97.5]).tolist() if known else [None, None]
        assert [interval.low, interval.high] == pytest.approx(bounds, rel=1e-12)
    random, portion = np.random.default_rng(3), max(1, 100 // size)
    apart = []
    for start in range(0, iterations, portion):
        count = min(portion, iterations - start)
        bits = random.integers(0, 256, (count, size // 8 + 1), dtype=np.uint8)
        for swaps in np.unpackbits(bits, axis=1)[:, :size].astype(bool):
            sides = [np.where(swaps[:, None], *both) for both in ((second, first), (first, second))]
            both = [[one.value for one in scores(side.sum(axis=0), METRICS)] for side in sides]
            apart.append(
                [None if None in (a, b) else abs(a - b) for a, b in zip(*both, strict=True)]
            )
    for test, column in zip(tests, zip(*apart, strict=True), strict=True):
        if test.first is not None and test.second is not None:
            far = abs(test.first - test.second)
            hits = sum(value is not None and value >= far - 1e-9 for value in column)
            assert test.p == (hits + 1) / (iterations + 1)


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=12),
    st.lists(st.integers(0, 12), max_size=4),
    st.integers(1, 12),
)
def test_units_of_some_groups_at_a_time_are_those_of_all(
    starts: list[int], cuts: list[int], sentences: int
) -> None:
    gold_starts = np.sort(np.minimum(starts, sentences))
    unit_starts = units([gold_starts], sentences)
    counts = np.arange(2 * len(starts)).reshape(-1, 2)
    bounds = [0, *sorted(min(cut, len(starts)) for cut in cuts), len(starts)]
    parts = [(gold_starts[a:b], counts[a:b]) for a, b in itertools.pairwise(bounds)]
    found = np.concatenate([*each_by_unit(parts, unit_starts)])
    assert found.tolist() == by_unit(counts, gold_starts, unit_starts).tolist()


@pytest.mark.parametrize("rows", [1, 5, 2_400, (1 << 17) + 1, 300_000])
def test_what_is_drawn_is_so_many_of_all_rows_one_iteration_after_the_other(rows: int) -> None:
    random = np.random.default_rng(3)
    iterations = 5
    found = np.concatenate([*drawn(rows, iterations, 3)])
    for times in found:
        cells = random.integers(0, rows, rows)
        assert np.array_equal(times, np.bincount(cells, minlength=rows))
    assert len(found) == iterations


def test_of_many_rows_a_byte_each_is_held_while_they_are_drawn() -> None:
    rows = 1 << 21
    tracemalloc.start()
    try:
        next(drawn(rows, 1, 0))
        assert tracemalloc.get_traced_memory()[1] < 3 * rows
    finally:
        tracemalloc.stop()
