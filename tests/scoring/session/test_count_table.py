"""Rows of counts are what was added, however large, whatever was added with them."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from treelens.session.counts import CountTable

COUNTS = st.sampled_from((0, 1, -1, 32_767, 32_768, -32_769, 2**31 - 1, 2**31, -(2**62), 2**62))


@given(
    st.lists(st.lists(st.lists(COUNTS, min_size=3, max_size=3), max_size=4), min_size=1),
    st.integers(0, 5),
)
def test_rows_are_what_was_added(batches: list[list[list[int]]], room: int) -> None:
    table = CountTable(3, room)
    numbers = [
        number
        for batch in batches
        for number in table.add(np.array(batch, np.int64).reshape(-1, 3)).tolist()
    ]
    expected = np.array([row for batch in batches for row in batch], np.int64).reshape(-1, 3)
    assert numbers == [*range(len(expected))] == [*range(table.used)]
    every = np.array(numbers, np.int32)
    assert np.array_equal(table.rows(every), expected)
    assert np.array_equal(table.column(1, every[::-1]), expected[::-1, 1])
    some = every[::2]
    assert np.array_equal(table.sum(some), expected[::2].sum(axis=0))
    assert np.array_equal(
        table.packed(some).rows(np.arange(len(some), dtype=np.int32)), expected[::2]
    )


def test_a_table_that_nobody_has_is_gone_at_once() -> None:
    table = CountTable(3)
    rows = table.add(np.arange(6).reshape(2, 3))
    first, packed = weakref.ref(table), table.packed(rows[:1])
    assert packed.origin is table.origin
    assert packed.origin is not CountTable(3).origin
    gc.disable()
    try:
        del table
        assert first() is None, "neither itself nor what was made of it has it"
    finally:
        gc.enable()
