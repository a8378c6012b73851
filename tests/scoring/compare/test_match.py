"""The matcher and the crossing test against what is slow and obvious."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.compare import match
from treelens.compare.match import crossing, leftover_partners, pack, partners

facts = st.lists(st.integers(0, 6), max_size=10).map(lambda values: np.array(values, np.int64))


@given(facts, facts)
def test_partners_are_the_multiset_intersection(gold: np.ndarray, system: np.ndarray) -> None:  # type: ignore[type-arg]
    found = partners(gold, system)
    matched = [(i, j) for i, j in enumerate(found.gold.tolist()) if j >= 0]
    assert Counter(gold[i] for i, _ in matched) == Counter(gold.tolist()) & Counter(system.tolist())
    assert all(gold[i] == system[j] and found.system[j] == i for i, j in matched)
    assert len(matched) == int((found.system >= 0).sum())


@given(facts, facts)
def test_leftovers_are_matched_by_other_keys(gold: np.ndarray, system: np.ndarray) -> None:  # type: ignore[type-arg]
    first = partners(gold, system)
    second = leftover_partners(gold // 3, system // 3, first)
    assert not np.any((first.gold >= 0) & (second.gold >= 0))
    together = int((first.gold >= 0).sum() + (second.gold >= 0).sum())
    coarse = Counter((gold // 3).tolist()) & Counter((system // 3).tolist())
    assert together == coarse.total()


@given(st.lists(st.tuples(*3 * [st.sampled_from([0, 1, 5, 2**31 - 1])]), max_size=8))
def test_packed_rows_are_equal_where_the_rows_are(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array(rows, np.int32).reshape(-1, 3).T
    packed = pack(*columns).tolist()
    for one, row in zip(packed, rows, strict=True):
        for other, other_row in zip(packed, rows, strict=True):
            assert (one == other) == (row == other_row)


@st.composite
def nested(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Spans of a tree over eight words, in pre-order."""
    spans: list[tuple[int, int]] = []

    def grow(start: int, end: int, depth: int) -> None:
        if draw(st.booleans()):
            spans.append((start, end))
        if end - start > 1 and depth < 5:
            cut = draw(st.integers(start + 1, end - 1))
            grow(start, cut, depth + 1)
            grow(cut, end, depth + 1)

    grow(0, 8, 0)
    return spans


@given(nested(), nested())
def test_crossing_is_what_comparing_all_pairs_finds(
    spans: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    columns = [np.array(s, np.int32).reshape(-1, 2).T for s in (spans, others)]
    found = crossing(*columns[0], *columns[1], 8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "_PLACES_AT_ONCE", 0)
        assert crossing(*columns[0], *columns[1], 8).tolist() == found.tolist()
    expected = [any(a < i < b < j or i < a < j < b for a, b in others) for i, j in spans]
    assert found.tolist() == expected
