"""Where large texts are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.corpus import cuts, of_text
from treelens.formats import table
from treelens.formats.brackets import Habit
from treelens.trees.forest import Symbols
from treelens.trees.other_lines import tree_comments

_PIECES = {
    table.BRACKETS[Habit.COLUMN]: ("(S (X a))\n", "(S\n (X b))\n", "\n", "x" * 90, "# y\n"),
    table.BRACKETS[Habit.PARAGRAPH]: ("(S (X a))\n", "\n", " \r\n", "\n\n (S (X b))", "x" * 90),
    table.named("a.conllu"): ("1\ta\t_\n", "\n", "\r\n", "# x\n", "2\tbb\t_\n"),
}


@pytest.mark.parametrize("format", [*_PIECES], ids=lambda format: format.name)
@given(st.data())
def test_stretches_end_at_the_first_certain_place(
    format: table.Format, data: st.DataObject
) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(_PIECES[format]), max_size=30))).encode()
    size, skipped = data.draw(st.integers(1, 60)), data.draw(st.sampled_from((0, 3)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "_LOOKED_AT", data.draw(st.integers(1, 200)))
        source = of_text("a", b"\xef\xbb\xbf"[:skipped] + text)
        found = [*cuts.stretches_of(source, format, size, skipped)]
    places = cuts._finder(format)(text)
    start = 0
    for stretch in found:
        later = places[places > start + size]
        assert stretch == (start, int(later[0]) if len(later) else len(text))
        start = stretch.end
    assert start == len(text)


@pytest.mark.parametrize("habit", Habit, ids=lambda habit: habit.name)
@given(st.data())
def test_comments_stay_with_their_trees(habit: Habit, data: st.DataObject) -> None:
    pieces = ("(S (X a))\n", "(S (X a))\r\n", "(S\n (X b))\n", "\n", "\r\n", "\r", "  \n", "# x\n")
    pieces += ("% y (z)\r\n", "; w", "%))\n")
    drawn = data.draw(st.lists(st.sampled_from(pieces), max_size=30))
    text = "".join([pieces[0], *drawn]).encode()
    format, size = table.BRACKETS[habit], data.draw(st.integers(1, 60))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "_LOOKED_AT", data.draw(st.integers(1, 80)))
        patch.setattr(cuts, "_OVERLAP", data.draw(st.integers(1, 80)))
        found = [*cuts.stretches_of(of_text("a", text), format, size)]
    told = [one for part in found for one in _trees(text[part.start : part.end], format)]
    assert told == _trees(text, format)


def test_a_comment_stays_with_its_tree_also_where_lines_end_in_two_signs() -> None:
    format, tree = table.BRACKETS[Habit.PARAGRAPH], b"(S (X a))\r\n"
    texts = [tree + above + b"\r\n" + tree for above in (tree, b"; w\r\n")]
    found = [[*cuts.stretches_of(of_text("a", text), format, 1)] for text in texts]
    assert found == [[(0, 24), (24, 35)], [(0, len(texts[1]))]]


def _trees(text: bytes, format: table.Format) -> list[list[bytes]]:
    """The comments of each tree."""
    forest, _ = table.read(format, text, Symbols())
    pieces = [text[start:end] for start, end in forest.piece.tolist()]
    return [[piece[low:high] for low, high in tree_comments(piece)] for piece in pieces]


def test_the_last_stretches_are_half_as_long() -> None:
    format, tree = table.BRACKETS[Habit.COLUMN], b"(S (X a))\n"
    texts = [of_text(name, tree * 100) for name in "ab"]
    found = [*cuts.stretches(*texts, (format, format), 200, tail=400)]
    assert [gold for gold, _ in found] == [system for _, system in found]
    sizes = [gold.end - gold.start for gold, _ in found]
    assert sizes == [200, 200, 200, 100, 100, 100, 100]
