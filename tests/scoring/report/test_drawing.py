"""Spans drawn under words: what is expected is drawn here as it is on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from treelens.render.width import width
from treelens.report.drawing import Underline, draw
from treelens.report.paint import plain


def check(text: str, expected: str, *lines: tuple[int, int, str, str], columns: int = 40) -> None:
    underlines = [Underline(first, last, sign, label, "") for first, last, sign, label in lines]
    drawn = list(draw(text.split(), underlines, columns, "  ", plain))
    assert drawn == expected.strip("\n").splitlines()


def test_a_label_stands_to_the_right() -> None:
    check(
        "the old dog barks",
        """
  the old dog barks
  ----------- NP missing
              ~~~~~ VP → S
""",
        (0, 3, "-", "NP missing"),
        (3, 4, "~", "VP → S"),
    )


def test_a_label_stands_to_the_left_where_the_right_is_full() -> None:
    check(
        "the old dog barks at the postman",
        """
  the old dog barks at the postman
         PP missing --------------
""",
        (4, 7, "-", "PP missing"),
        columns=36,
    )


def test_a_label_stands_below_where_neither_side_has_room() -> None:
    check(
        "the old dog barks at the postman",
        """
  the old dog barks at the postman
  --------------------------------
  S missing
      ++++++++++++++++++++++++++++
      a VP that is long extra
""",
        (0, 7, "-", "S missing"),
        (1, 7, "+", "a VP that is long extra"),
        columns=36,
    )


def test_a_span_goes_on_in_the_next_line_and_is_labelled_where_it_ends() -> None:
    check(
        "the old dog barks at the man",
        """
  the old dog barks
      -------------
  at the man
  ------ X missing
""",
        (1, 6, "-", "X missing"),
        columns=19,
    )


def test_wide_characters_and_marks_take_the_columns_that_they_take() -> None:
    check(
        "猫 é が",
        """
  猫 é が
  -- N missing
     ^ X
       == w
""",
        (0, 1, "-", "N missing"),
        (1, 2, "^", "X"),
        (2, 3, "=", "w"),
    )


def test_control_characters_are_shown_and_take_their_room() -> None:
    drawn = list(draw(["a\x1b", "", "b"], [Underline(2, 3, "-", "X", "")], 40, "", plain))
    assert drawn == ["a␛ \ufffd b", "     - X"]


words = st.lists(st.text("aé猫ש̈x", min_size=1, max_size=9), min_size=1, max_size=12)


@given(words, st.data(), st.integers(20, 60))
def test_every_word_is_there_and_every_sign_under_its_words(
    words: list[str], data: st.DataObject, columns: int
) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    drawn = list(draw(words, [Underline(first, last, "#", "X", "")], columns, "", plain))
    assert all(width(line) <= columns for line in drawn)
    texts = [line for line in drawn if "#" not in line and line.strip() != "X"]
    assert " ".join(texts).replace("\u200e", "").split() == " ".join(words).split()
    inside = sum(max(width(word), 1) for word in words[first:last])
    rows = sum("#" in line for line in drawn)
    assert "".join(drawn).count("#") == inside + (last - first) - rows
