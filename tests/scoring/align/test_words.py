"""Words on one axis: equal boundaries are equal places in the text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.align.words import Axis, align_words

texts = st.lists(st.sampled_from(["a", "b", "ab", "ba", "ca", "n't", "not", "é"]), max_size=8)


def laid(gold: str, system: str) -> Axis:
    return align_words([w.encode() for w in gold.split()], [w.encode() for w in system.split()])


@given(texts, texts)
def test_both_sides_cover_the_axis_in_order(gold: list[str], system: list[str]) -> None:
    axis = laid(" ".join(gold), " ".join(system))
    for side in axis[:2]:
        assert all(start < end for start, end in side)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(side))
    covered = {cell for side in axis[:2] for start, end in side for cell in range(start, end)}
    assert covered == set(range(axis.cells))


@given(texts, texts)
def test_swapped_sides_are_swapped(gold: list[str], system: list[str]) -> None:
    axis, other = laid(" ".join(gold), " ".join(system)), laid(" ".join(system), " ".join(gold))
    assert axis == (other.system, other.gold, other.cells)


@given(texts)
def test_equal_words_take_a_cell_each(words: list[str]) -> None:
    cells = [(k, k + 1) for k in range(len(words))]
    assert laid(" ".join(words), " ".join(words)) == (cells, cells, len(words))


@given(texts, st.data())
def test_where_only_spaces_differ_boundaries_are_places_in_the_text(
    words: list[str], data: st.DataObject
) -> None:
    text = "".join(words)
    cuts = sorted(data.draw(st.sets(st.integers(1, max(len(text) - 1, 1)))) if text else [])
    other = [text[a:b] for a, b in itertools.pairwise([0, *cuts, len(text)]) if text[a:b]]
    axis = laid(" ".join(words), " ".join(other))
    ends = [list(itertools.accumulate(map(len, side))) for side in (words, other)]
    for word, (_, end) in zip(ends[0], axis.gold, strict=True):
        for other_word, (_, other_end) in zip(ends[1], axis.system, strict=True):
            assert (word == other_word) == (end == other_end)


@pytest.mark.parametrize(
    ("gold", "system", "gold_cells", "system_cells"),
    [
        ("can not go", "cannot go", [(0, 1), (1, 2), (2, 3)], [(0, 2), (2, 3)]),
        ("ca n't go", "can not go", [(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2), (2, 3)]),
        ("the dog x barks", "the dog barks", [(0, 1), (1, 2), (2, 3), (3, 4)],
         [(0, 1), (1, 2), (3, 4)]),
        ("B H CL FL HM H NEIM", "B CL FL HM HNEIM", [(k, k + 1) for k in range(7)],
         [(0, 1), (2, 3), (3, 4), (4, 5), (5, 7)]),
        ("a b c d", "q", [(0, 1), (1, 2), (2, 3), (3, 4)], [(0, 4)]),
        ("x", "", [(0, 1)], []),
        ("the the dog", "the dog", [(0, 1), (1, 2), (2, 3)], [(0, 1), (2, 3)]),
        ("The x", "y the", [(1, 2), (2, 3)], [(0, 1), (1, 2)]),
    ],
)  # fmt: skip
def test_typical_differences(
    gold: str,
    system: str,
    gold_cells: list[tuple[int, int]],
    system_cells: list[tuple[int, int]],
) -> None:
    axis = laid(gold, system)
    assert (axis.gold, axis.system) == (gold_cells, system_cells)


def test_what_is_too_long_to_compare_is_equal_at_its_ends() -> None:
    words = [b"%d" % number for number in range(40_000)]
    middle = [b"x%d" % number for number in range(30_000)]
    other = [*words[:10_000], *middle, *words[-10_000:]]
    axis = align_words(words, other)
    assert axis.gold[:10_000] == axis.system[:10_000] == [(k, k + 1) for k in range(10_000)]
    assert axis.gold[-10_000:] == axis.system[-10_000:]
