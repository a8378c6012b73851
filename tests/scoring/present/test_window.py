"""Which sentences are near the view."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from treelens.present.window import marked, near

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


@given(views, counts)
def test_what_is_marked_holds_all_that_is_in_view(visible: range, count: int) -> None:
    found = marked(visible, count)
    assert 0 <= found.start <= found.stop <= count
    assert {*visible} & {*range(count)} <= {*found}
