"""What follows on a typed character: ``‸`` is where the cursor then is."""

from __future__ import annotations

import pytest
from conll_texts import hostile_tables, tables
from drawn import alone, cursor
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.rows import read_table, renumbered
from treelens.edits.text import applied
from treelens.present.on_type import on_type
from treelens.trees.forest import decode, encode
from trees import hostile


def after(text: str, typed: str) -> str:
    plain, offset = cursor(text)
    edits = on_type(alone(plain), offset, typed)
    return decode(applied(encode(plain), edits))


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("(S (NP (N we))\n‸", "(S (NP (N we))\n  "),
        ("(S (NP (N we))\n   (VP (V see)\n   ‸", "(S (NP (N we))\n   (VP (V see)\n     "),
        ("( (S (NP (N we))\n‸(VP (V see))))", "( (S (NP (N we))\n    (VP (V see))))"),
        ("(S (N we))\n  ‸\n(S (N you))", "(S (N we))\n\n(S (N you))"),
        ("(S (NP (𝔸 é))\n; (a comment\n‸", "(S (NP (𝔸 é))\n; (a comment\n  "),
    ],
)
def test_a_new_line_is_as_deep_as_its_bracket(text: str, becomes: str) -> None:
    assert after(text, "\n") == becomes


def test_a_closing_bracket_that_begins_a_line_stands_under_its_opening_one() -> None:
    assert after("(S (NP (N we))\n      )‸", ")") == "(S (NP (N we))\n)"
    assert after("(S (NP (N we)\n      )‸", ")") == "(S (NP (N we)\n   )"
    assert after("(S (NP (N we)\n   x)‸", ")") == "(S (NP (N we)\n   x)"


def row(number: object, head: object, deps: str = "_") -> str:
    return f"{number}\tw\t_\tX\t_\t_\t{head}\tr\t{deps}\t_\n"


NEW = "{}" + "\t_" * 9 + "\n"


def test_a_row_in_the_middle_is_numbered_and_so_is_what_follows() -> None:
    before = "# text = w\n" + row(1, 2, "3.1:x|0:y") + row(2, 3)
    behind = "3-4\tab" + "\t_" * 8 + "\n" + row(3, 0) + row("3.1", "_", "3:z") + row(4, 1)
    follows = "4-5\tab" + "\t_" * 8 + "\n" + row(4, 0) + row("4.1", "_", "4:z") + row(5, 1)
    now = "# text = w\n" + row(1, 2, "4.1:x|0:y") + row(2, 4) + NEW.format(3) + follows
    other = "\n" + row(1, 0)
    assert after(before + "‸\n" + behind + other, "\n") == now + other


def test_a_row_within_a_token_of_several_words_is_a_word_of_it() -> None:
    tied = "{}\tab" + "\t_" * 8 + "\n"
    text = tied.format("1-2") + row(1, 0) + "‸\n" + row(2, 1)
    assert after(text, "\n") == tied.format("1-3") + row(1, 0) + NEW.format(2) + row(3, 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_at_the_end_has_the_next_number_and_goes_again(end: str) -> None:
    text = (row(1, 0) + row(2, 1) + "‸\n\n" + row(1, 0)).replace("\n", end)
    begun = (row(1, 0) + row(2, 1) + NEW.format(3) + "‸\n\n" + row(1, 0)).replace("\n", end)
    assert after(text, "\n") == begun.replace("‸" + end, "")
    assert after(begun, "\n") == text.replace("‸", end)


def test_a_row_of_eight_columns_is_followed_by_such_a_row() -> None:
    eight = "1\tw\t_\tX\t_\t_\t0\tr\n"
    assert after(eight + "‸", "\n") == eight + "2" + "\t_" * 7


@pytest.mark.parametrize(
    "text",
    [
        "# text\n‸\n" + row(1, 0),  # behind a comment
        row(1, 0) + "\n‸\n" + row(1, 0),  # between sentences
        row(1, 0) + "‸" + row(2, 1),  # the line is not empty
        row(1, 0) + "‸\n" + row(1, 0),  # of what follows it is not certain what it means
        "1-2\tab" + "\t_" * 8 + "\n‸\n" + row(1, 0) + row(2, 1),
    ],
)
def test_elsewhere_a_line_break_is_nothing_but_that(text: str) -> None:
    assert after(text, "\n") == cursor(text)[0]


@given(st.one_of(hostile, hostile_tables), st.integers(0, 300), st.sampled_from(["\n", ")"]))
def test_any_text_may_be_typed_in(text: str, at: int, typed: str) -> None:
    source = encode(text)
    at = min(at, len(source))
    edits = on_type(alone(text), at, typed)
    assert edits == () or applied(source, edits) != source


# --- numbers -------------------------------------------------------------------------------


@given(tables())
def test_words_that_are_in_order_stay_as_they_are(text: str) -> None:
    assert renumbered(encode(text)) == encode(text)


@given(tables(), st.data())
def test_words_that_were_put_in_by_hand_are_numbered(text: str, data: st.DataObject) -> None:
    lines = [line + "\n" for line in text.split("\n")[:-1]]
    words = [k for k, line in enumerate(lines) if line.split("\t")[0].isdigit()]
    at = data.draw(st.sampled_from(words)) + 1
    lines.insert(at, NEW.format(data.draw(st.sampled_from(["99", "x", "1"]))))
    new = renumbered(encode("".join(lines)))
    assert new is not None
    table, old = read_table(new), read_table(encode(text))
    assert table
    assert old
    # All words but the new one have the heads they had.
    added = sum(k < at for k in words)
    kept = [row for k, row in enumerate(table.words) if k != added]
    numbers = {id(row): k for k, row in enumerate(kept)}
    was = {id(row): k for k, row in enumerate(old.words)}

    def heads(rows: list, numbered: dict[int, int]) -> list[object]:
        return [one.head if isinstance(one.head, bytes) else numbered[id(one.head)] for one in rows]

    assert heads(kept, numbers) == heads(old.words, was)


def test_heads_of_words_that_are_gone_name_none() -> None:
    text = row(1, 3, "3:x|4:y") + row(2, 1) + row(4, 0)
    assert renumbered(encode(text)) == encode(row(1, "_", "3:y") + row(2, 1) + row(3, 0))


def test_a_range_that_stands_above_no_word_of_its_own_is_not_guessed_at() -> None:
    text = row(1, 0) + "2-3\tab" + "\t_" * 8 + "\n" + row(2, 1)
    assert renumbered(encode(text)) is None


@given(hostile_tables)
def test_any_text_is_numbered_once_or_not(text: str) -> None:
    new = renumbered(encode(text))
    assert new is None or renumbered(new) in (new, None)
