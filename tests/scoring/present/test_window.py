"""Which sentences are near the view."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from treelens.present.window import near, nearest

counts = st.integers(0, 300)
views = st.builds(lambda start, length: range(start, start + length), counts, st.integers(0, 200))


@given(views, counts)
def test_what_is_near_is_in_the_file_bounded_and_holds_the_beginning_of_the_view(
    visible: range, count: int
) -> None:
    found = near(visible, count)
    assert 0 <= found.start <= found.stop <= count
    assert len(found) <= 100
    assert len(found) >= min(count, 40)
    if len(visible) and visible.start < count:
        assert visible.start in found


@given(st.lists(st.integers(0, 500), unique=True), views)
def test_the_nearest_are_the_nearest(sentences: list[int], visible: range) -> None:
    starts = np.array(sorted(sentences), np.int64)
    chosen = starts[nearest(starts, starts + 1, visible)].tolist()

    def distance(sentence: int) -> int:
        return max(sentence - visible.stop + 1, visible.start - sentence, 0)

    assert len(chosen) == len({*chosen})
    assert [*map(distance, chosen)] == sorted(map(distance, sentences))[: len(chosen)]
    assert len(chosen) >= min(len(sentences), 30)
