"""Which sentences are near the view."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from treelens.present.window import marked, near
from treelens.session.view import View

counts = st.integers(0, 300)
columns = st.builds(lambda start, length: range(start, start + length), counts, st.integers(1, 200))
views = st.lists(columns, min_size=1, max_size=3)


@given(views, counts)
def test_what_is_near_is_in_the_file_bounded_and_holds_the_beginning_of_each_column(
    shown: list[range], count: int
) -> None:
    found = near(View.of(*shown), count)
    assert {*found} <= {*range(count)}
    assert len(found) <= 100 * len(shown)
    assert len(found) >= min(count, 40)
    for visible in View.of(*shown).stretches:
        if visible.start < count:
            assert visible.start in found


@given(views, counts)
def test_what_is_marked_holds_all_that_is_in_view(shown: list[range], count: int) -> None:
    found = marked(View.of(*shown), count)
    assert {*found} <= {*range(count)}
    assert {one for column in shown for one in column} & {*range(count)} <= {*found}
