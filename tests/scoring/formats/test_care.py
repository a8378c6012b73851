"""Texts that are mostly no trees are read in bounded time and memory, and it is said what is not.

Counted is what is kept and what is looked at, not time.
"""

from __future__ import annotations

from typing import Any

import pytest
from treelens.formats import brackets, brackets_repair, conll, conll_repair, lattice
from treelens.formats.brackets_repair import read_carefully
from treelens.session.document import document
from treelens.trees.forest import DEEPEST, Symbols

GOOD = b"(S (A b))\n"
ROW = b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def nested(depth: int) -> bytes:
    return b"(X " * depth + b"(A b)" + b")" * depth + b"\n"


@pytest.mark.parametrize("depth", [DEEPEST - 1, DEEPEST, DEEPEST + 1])
def test_columns_and_care_agree_on_how_deep_brackets_nest(depth: int) -> None:
    source = nested(depth)
    columns, problems = brackets.read(source, Symbols())
    careful, _ = read_carefully(source, [(0, len(source))], Symbols())
    assert len(columns.label) == len(careful.label)
    assert columns.words(0) == careful.words(0) == ["b"]
    assert bool(problems) == (depth > DEEPEST)


def test_brackets_that_nest_too_deep_are_left_out_and_their_words_kept() -> None:
    text = b"(X " * DEEPEST + b"(Y (A b) (Z (B c) d)) (C e)" + b")" * DEEPEST + b"\n" + GOOD
    forest, problems = brackets.read(text, Symbols())
    assert forest.words(0) == ["b", "c", "d", "e"]
    assert forest.words(1) == ["b"]
    assert [one.code for one in problems if one.code != "untagged"] == ["too-deep"]
    assert text[problems[0].start :].startswith((b"(A", b"(Y"))


@pytest.mark.parametrize("unit", [b"(", b"(\n ", b"( (", b"(S "])
def test_a_text_of_brackets_that_open_is_one_tree_of_bounded_depth(unit: bytes) -> None:
    found = [brackets.read(unit * size, Symbols()) for size in (50_000, 100_000)]
    assert [len(forest.label) for forest, _ in found] == 2 * [DEEPEST + 1]
    assert [one.code for one in found[0][1]] == [one.code for one in found[1][1]]
    opening = unit.count(b"(") * 100_000
    assert f"{opening:,} closing brackets missing" in found[1][1][0].message


def test_brackets_that_close_nothing_are_told_together_where_there_are_many() -> None:
    _, problems = brackets.read(b")" * 5000 + b"\n" + GOOD + b")" * 2 + b"\n", Symbols())
    *single, more = [one for one in problems if one.start < 5000]
    assert (len(single), more.code, more.start, more.end) == (1000, "more-unopened", 1000, 5000)
    assert "4,000" in more.message
    assert [one.code for one in problems if one.start > 5000] == ["unopened"] * 2


class Counting:
    """How many bytes are read with care."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: Any, caller: Any) -> None:
        self.bytes = 0
        read = module.read_carefully

        def counted(source: bytes, regions: Any, symbols: Symbols) -> Any:
            regions = [*regions]
            self.bytes += sum(end - start for start, end in regions)
            return read(source, regions, symbols)

        monkeypatch.setattr(caller, "read_carefully", counted)


BROKEN = [b"(\n", b"(a)\n", b"(S (A b)\n", b"(S a b c d)\n", b"(S (A b)) x\n"]


@pytest.mark.parametrize("broken", BROKEN)
def test_what_is_past_the_bound_is_left_out_and_said(
    broken: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brackets, "MOST_CARE", 3000)
    counting = Counting(monkeypatch, brackets_repair, brackets_repair)
    text = GOOD * 3 + broken * 2000 + GOOD * 3
    forest, problems = brackets.read(text, Symbols())
    assert 0 < counting.bytes <= 11 * 3000
    # Well-formed trees are all there, before and behind; at each end of what is broken, it may
    # take its neighbour with it.
    assert forest.words(0) == forest.words(len(forest) - 1) == ["b"]
    (unread,) = [one for one in problems if one.code == "unread"]
    assert len(GOOD) * 2 < unread.start < len(text) - 2 * len(GOOD)
    assert all(one.start <= unread.start for one in problems)
    whole = document(text, Symbols())
    assert whole.text() == text
    assert whole.unread == unread


@pytest.mark.parametrize("broken", [b"1\n\n", b"1\ta\n\n", b"1\ta\n", b"junk\n", b"1-2\n"])
def test_so_it_is_of_tables(broken: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conll, "MOST_CARE", 100)
    counting = Counting(monkeypatch, conll_repair, conll)
    text = ROW * 3 + broken * 2000 + b"\n" + ROW * 3
    forest, problems = conll.read(text, Symbols())
    assert counting.bytes <= 100 * len(broken)
    assert forest.words(0) == forest.words(len(forest) - 1) == ["a"]
    assert len(forest) >= 6
    assert [one.code for one in problems].count("unread") == 1


@pytest.mark.parametrize("text", [b"\0" * 5000, b"a b\n" * 2000, b"(" * 5000, b"(" * 5000 + GOOD])
def test_a_large_text_that_holds_no_trees_is_not_looked_through(
    text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brackets, "MOST_CARE", 1000)
    monkeypatch.setattr(brackets, "prepare", None)
    forest, (problem,) = brackets.read(text, Symbols(), brackets.Habit.COLUMN)
    assert (len(forest), problem.code) == (0, "unread")


@pytest.mark.parametrize("line", [b"x\n", b"0\t0\ta\tb\tc\td\te\t1\n", b"x\n\n"])
def test_of_lattices_so_much_is_told_and_the_rest_counted(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lattice, "MOST_TOLD", 50)
    arc = b"0\t1\ta\tb\tc\td\te\t1\n\n"
    forest, problems = lattice.read_arcs(arc + line * 200 + b"\n" + arc, Symbols())
    assert forest.words(0) == forest.words(1) == ["a"]
    assert len(problems) == 51
    assert (problems[-1].code, problems[-1].start) == ("more-lines", len(arc) + 50 * len(line))
    assert "150 more" in problems[-1].message


def test_what_is_not_large_is_read_as_a_whole() -> None:
    text = b"(S a b)\n" * 10_000 + b")" * 10
    forest, problems = brackets.read(text, Symbols())
    assert len(forest) == 10_000
    assert {one.code for one in problems} == {"untagged", "unopened"}
    assert document(text, Symbols()).unread is None
