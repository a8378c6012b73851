"""What is in view, in one column or several."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from treelens.session.view import View

stretches = st.builds(
    lambda start, length: range(start, start + length), st.integers(0, 60), st.integers(0, 20)
)
several = st.lists(stretches, max_size=4)


@given(several)
def test_a_view_is_the_sentences_of_all_columns_in_stretches_that_do_not_touch(
    columns: list[range],
) -> None:
    view = View.of(*columns)
    sentences = sorted({one for column in columns for one in column})
    assert [*view] == sentences
    assert len(view) == len(sentences)
    assert [one for one in range(90) if one in view] == sentences
    assert all(one.stop < after.start for one, after in pairwise(view.stretches))


@given(several.filter(any), several.filter(all))
def test_how_far_away_is_said_of_the_nearest_column(
    columns: list[range], others: list[range]
) -> None:
    away = View.of(*columns).away(
        np.array([one.start for one in others], np.int64),
        np.array([one.stop for one in others], np.int64),
    )
    seen = {one for column in columns for one in column}
    assert away.tolist() == [min(abs(a - b) for a in other for b in seen) for other in others]
