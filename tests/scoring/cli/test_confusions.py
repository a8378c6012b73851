"""Confusion tables that wait on disk are those in memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.cli import confusions
from treelens.cli.confusions import WaitingTables
from treelens.statistics.kappa import ConfusionTable

CATEGORY = st.sampled_from([b"", b"=", b"=a", b"=1 a", b"=a 1", b"=\t \r", b"=\xff"])
CELLS = st.lists(st.lists(st.tuples(CATEGORY, CATEGORY, st.integers(1, 9)), max_size=6))


@pytest.mark.parametrize("most", [1, 5, 1000])
@given(cells=CELLS)
def test_whatever_memory_holds(most: int, cells: list[list[tuple[bytes, bytes, int]]]) -> None:
    held = ConfusionTable()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confusions, "_MOST", most)
        tables = WaitingTables()
        waiting, other = tables.table(), tables.table()
        for some in cells:
            held.add(some)
            waiting.add(some)
            other.add(some[::-1])
        assert bool(waiting) == bool(held)
        assert waiting.kappa == other.kappa == held.kappa
        assert sorted(waiting.disagreements()) == sorted(held.disagreements())
        assert waiting.kappa == held.kappa
