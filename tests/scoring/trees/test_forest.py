"""What it costs to take a few sentences out of a large forest, and out of none; running counts."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from treelens.formats.brackets import read
from treelens.trees.forest import Symbols, gather, running


def test_a_few_sentences_of_a_large_forest_cost_what_there_is_of_them() -> None:
    forest, _ = read(b"(S (N a))\n" * 200_000, Symbols())
    few = np.arange(140_000, 140_010)
    gather(forest, few)
    tracemalloc.start()
    try:
        assert len(gather(forest, few)) == 10
        assert tracemalloc.get_traced_memory()[1] < len(forest)
    finally:
        tracemalloc.stop()


def test_all_sentences_in_order_are_the_forest_itself() -> None:
    forest, _ = read(b"(S (N a))\n(S (N b))\n", Symbols())
    assert gather(forest, np.arange(2)) is forest
    assert gather(forest, np.array([1, 0])).piece.tolist() == [[10, 20], [0, 10]]


@given(st.lists(st.integers(0, 1), max_size=40), st.integers(1, 300))
def test_flags_are_counted_like_numbers(flags: list[int], times: int) -> None:
    flags *= times
    expected = [0, *itertools.accumulate(flags)]
    for counts in (np.array(flags, np.bool_), np.array(flags, np.int8), np.array(flags, np.int64)):
        found = running(counts)
        assert found.dtype == np.int32
        assert found.tolist() == expected
