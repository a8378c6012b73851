"""What it costs to take a few sentences out of a large forest, and out of none."""

from __future__ import annotations

import tracemalloc

import numpy as np
from treelens.formats.brackets import read
from treelens.trees.forest import Symbols, gather


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
