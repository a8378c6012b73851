"""Dependencies in their order: rows of bits, and rows of arrays, against cells one by one."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sparseval_table import table
from treelens.dropin.sparseval import banded, sequences
from treelens.dropin.sparseval.dependencies import Dependency
from treelens.dropin.sparseval.matches import Matches
from treelens.dropin.sparseval.sequences import Common, by_bits, common
from treelens.dropin.sparseval.settings import Settings
from treelens.dropin.sparseval.words import Words

WIDE = 2000


def words() -> Words:
    settings = Settings()
    settings.equal_words = [("a", "b"), ("c", "b")]
    settings.filled_pauses = [("d", "1"), ("e", "1")]
    return Words(settings)


def dependency(word: str, is_open: bool = True, head_word: str | None = "head") -> Dependency:
    return Dependency("S", "NP", head_word, word, is_open)


DEPENDENCIES = st.lists(
    st.builds(
        dependency,
        st.sampled_from("abcdefg"),
        st.booleans(),
        st.sampled_from(["head", "head", "head", "Head", None]),
    ),
    max_size=25,
)


def matches(gold: list[Dependency], test: list[Dependency]) -> Matches:
    return Matches(gold, test, words(), labelled=True)


@given(DEPENDENCIES, DEPENDENCIES, st.sampled_from([1, 2, 5, 256]), st.sampled_from([0, 1 << 29]))
def test_rows_of_bits_give_what_the_table_gives_however_many_are_kept(
    gold: list[Dependency], test: list[Dependency], step: int, kept: int
) -> None:
    both = matches(gold, test)
    with patch.object(sequences, "_STEP", step), patch.object(sequences, "_BITS_KEPT", kept):
        assert by_bits(both) == table(both, WIDE)


@given(DEPENDENCIES, DEPENDENCIES, st.sampled_from([1, 2, 4]))
def test_where_cells_are_left_out_bits_give_the_same_or_nothing(
    gold: list[Dependency], test: list[Dependency], window: int
) -> None:
    both = matches(gold, test)
    with patch.object(sequences, "WINDOW", window), patch.object(banded, "WINDOW", window):
        expected = table(both, window)
        assert by_bits(both) in (None, expected)
        assert banded.table(both) == expected


def test_a_way_far_from_the_diagonal_is_left_to_the_table() -> None:
    gold = [dependency("a")]
    test = [dependency("c")] * WIDE + [dependency("a")]
    both = matches(gold, test)
    assert by_bits(both) is None
    # The original never looks at the last column.
    assert banded.table(both) == table(both, WIDE) == (0, 0)


def test_the_order_counts() -> None:
    one, other = dependency("f"), dependency("g")
    assert common([one, other], [other, one], words(), labelled=True).length == 1


def test_of_several_longest_ones_it_is_the_originals() -> None:
    """The one that is found first from the end: which of the two words matches is a tie."""
    opened, closed = dependency("f", True), dependency("g", False)
    assert common([opened, closed], [closed, opened], words(), labelled=True) == (1, 0)
    assert common([closed, opened], [opened, closed], words(), labelled=True) == (1, 1)


@pytest.mark.parametrize(
    ("gold", "test", "length"),
    [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("a", "c", 0), ("d", "e", 1), ("A", "a", 1)],
)
def test_equal_words_match_in_both_directions_but_are_not_chained(
    gold: str, test: str, length: int
) -> None:
    found = common([dependency(gold)], [dependency(test)], words(), labelled=True)
    assert found.length == length


def test_a_phrase_whose_head_is_edited_matches_nothing() -> None:
    headless = [dependency("a", head_word=None)]
    assert common(headless, headless, words(), labelled=True) == Common(0, 0)


def test_without_labels_only_words_count() -> None:
    one, other = dependency("a"), dependency("a")._replace(parent="VP", child="X")
    assert common([one], [other], words(), labelled=True).length == 0
    assert common([one], [other], words(), labelled=False).length == 1
