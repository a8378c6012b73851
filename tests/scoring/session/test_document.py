"""Documents: an edited one is the one that would have been read, to the last offset."""

from __future__ import annotations

import re
from types import ModuleType

import numpy as np
import pytest
from conll_texts import FRAGMENTS as TABLE_FRAGMENTS
from conll_texts import SEGMENT_FRAGMENTS, hostile_segments, hostile_tables, table_pairs
from hypothesis import example, given
from hypothesis import strategies as st
from same_documents import same
from treelens.align.groups import SentenceChange
from treelens.formats import brackets, conll, lattice
from treelens.formats.brackets import Habit
from treelens.formats.table import (
    BRACKETS,
    CONLL,
    CONLLUL,
    LATTICE,
    MAPPING,
    SEGMENTATION,
    Format,
    named,
)
from treelens.present.queries import Query
from treelens.session import document as document_module
from treelens.session import readings
from treelens.session.document import Document, _read, document
from treelens.session.review import Reviews
from treelens.session.sidecar import Sidecar
from treelens.trees.forest import Symbols, encode
from trees import FRAGMENTS, hostile

edits = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 2, 9]), st.sampled_from([*FRAGMENTS, ""])),
    max_size=4,
)


@given(hostile, st.sampled_from([*BRACKETS.values(), None]), edits)
def test_incremental_reading_is_fresh_reading(
    text: str, format: Format | None, edits_: list[tuple[float, int, str]]
) -> None:
    _is_fresh_and_shares(text, format, edits_)


_FLUSH = "(S\n(NP (A b))\n(VP c))\n"
"""A tree that is not indented."""
_CLOSED = (
    _FLUSH,
    _FLUSH,
    "(S (A b)) (S (C d))\n",
    "(S (A b)) ",
    "(S (C d))",
    "\n",
    "# c\n",
    "# c",
    ") ",
    "stray\n",
    "(S\n# (\n(A b))\n",
    "()",
)
_STAYS_CLOSED = ("x", "(X y)", "\n", "\n\n", "\n\n(", ")\n(", "\r", "# (c\n", "stray ", _FLUSH, "")


@given(
    st.lists(st.sampled_from(_CLOSED), min_size=1, max_size=14).map("".join),
    st.sampled_from([*BRACKETS.values(), None]),
    st.lists(
        st.tuples(
            st.floats(0, 1), st.sampled_from([0, 0, 0, 1, 9]), st.sampled_from(_STAYS_CLOSED)
        ),
        max_size=4,
    ),
)
def test_incremental_reading_of_trees_that_end_where_they_are_closed_is_fresh_reading(
    text: str, format: Format | None, edits_: list[tuple[float, int, str]]
) -> None:
    _is_fresh_and_shares(text, format, edits_)


@pytest.mark.parametrize(
    ("tree", "habit"),
    [
        (_FLUSH, Habit.PARAGRAPH),
        ("(S (NP (A b)) (VP c)) ", Habit.COLUMN),
        ("(S (NP (A b)) (VP c))", Habit.COLUMN),
    ],
)
@pytest.mark.parametrize("elsewhere", ["", "(S (A b)))"])
def test_an_edit_far_from_any_anchor_reads_what_is_beside_it(
    tree: str, habit: Habit, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = document(encode(tree * 100 + elsewhere), Symbols(), BRACKETS[habit])
    now, change = now.edit(50 * len(tree) + 10, 50 * len(tree) + 10, b"x")
    assert change == SentenceChange(50, 51, 51)
    assert len(now.piece(50).forest) <= 5
    # Nor more where nothing is another than it was, or one more that others are like.
    monkeypatch.setattr(
        document_module, "_read", lambda text, *of: [read.append(len(text)), _read(text, *of)][1]
    )
    read = list[int]()
    now, change = now.edit(50 * len(tree) + 10, 50 * len(tree) + 11, b"x")
    assert change.first == change.old_end == change.new_end
    now, change = now.edit(70 * len(tree) + 1, 70 * len(tree) + 1, encode(tree))
    assert (change.old_end - change.first, change.new_end - change.first) == (0, 1)
    assert len(read) == 2
    assert max(read) < 8 * len(tree)


def test_a_line_that_is_read_again_and_again_is_not_kept_in_all_its_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readings, "_BYTES_KEPT", (4, 0))
    now = document(encode("(S (A b))) " * 50), Symbols())
    for sentence in range(50):
        at = int(now.start[sentence]) + 6
        now, change = now.edit(at, at, b"x")
        assert change == SentenceChange(sentence, sentence + 1, sentence + 1)
        assert sum(len(forest.source) for forest, _ in now.parts()) < 8 * now.length
    same(now, document(now.text(), now.symbols))


@given(
    hostile.map(lambda text: (text, brackets, 60)) | hostile_tables.map(lambda it: (it, conll, 6)),
    st.integers(1, 6),
    edits,
)
def test_what_there_is_no_care_left_for_is_the_same_too(
    drawn: tuple[str, ModuleType, int], times: int, edits_: list[tuple[float, int, str]]
) -> None:
    text, module, most = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_CARE", most)
        _is_fresh(text * times, None, edits_)


def test_what_has_been_mended_takes_no_care_any_more() -> None:
    broken, good = b"(S (A b)\n", b"(S (A b))\n"
    now = document(good * 20, Symbols())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brackets, "MOST_CARE", 1000)
        for _ in range(100):  # (Each of them takes some.)
            now, _ = now.edit(len(good) - 2, len(good) - 1, b"")
            assert 0 < now.care <= 1
            now, _ = now.edit(len(good) - 2, len(good) - 2, b")")
        assert now.care <= 1
        now, _ = now.edit(0, 0, broken * 100)
        assert now.care > 1
        now, _ = now.edit(0, 100 * len(broken), b"")
        assert now.care == 0


def test_the_beginning_of_a_text_says_its_format_whatever_was_there_before() -> None:
    now = document(b"", Symbols())
    for letter in "(S (N a)\n(V b))\n\n(S (N a)\n(V b))\n":
        now, _ = now.edit(now.length, now.length, encode(letter))
        same(now, document(now.text(), now.symbols))
    assert now.format is BRACKETS[Habit.PARAGRAPH]
    now, change = now.edit(0, now.length, b"1\tgo\t_\tV\t_\t_\t0\troot\t_\t_\n")
    assert (now.format, change) == (CONLL, SentenceChange(0, 2, 1))
    now, _ = document(now.text(), Symbols(), CONLL).edit(0, now.length, b"(S (N a))")
    assert now.format is CONLL  # (which its name may say)


table_edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.sampled_from([0, 0, 1, 2, 9, 60]),
        st.sampled_from([*TABLE_FRAGMENTS, ""]),
    ),
    max_size=4,
)


@given(st.one_of(hostile_tables, table_pairs().map("".join)), table_edits)
@example("4\n#\n\n1\n\n3", [(1.0, 0, "")])
@example("\t\t\t_\n\t\t\t_\n1-\n\n1\n\n6", [(1.0, 0, "")])
def test_incremental_reading_of_tables_is_fresh_reading(
    text: str, edits_: list[tuple[float, int, str]]
) -> None:
    _is_fresh_and_shares(text, CONLL, edits_)


segment_edits = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.sampled_from([0, 0, 1, 2, 9, 30]),
        st.sampled_from([*SEGMENT_FRAGMENTS, ""]),
    ),
    max_size=4,
)


@given(hostile_segments, st.sampled_from([LATTICE, MAPPING, SEGMENTATION, CONLLUL]), segment_edits)
def test_incremental_reading_of_segments_is_fresh_reading(
    text: str, format: Format, edits_: list[tuple[float, int, str]]
) -> None:
    _is_fresh(text, format, edits_)


@given(hostile_segments, st.sampled_from([LATTICE, MAPPING, SEGMENTATION, CONLLUL]), segment_edits)
def test_more_of_them_than_is_told_is_the_same_too(
    text: str, format: Format, edits_: list[tuple[float, int, str]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lattice, "MOST_TOLD", 3)
        _is_fresh(text, format, edits_)


def _is_fresh(text: str, format: Format | None, edits_: list[tuple[float, int, str]]) -> None:
    now = document(encode(text), Symbols(), format)
    for where, length, replacement in edits_:
        start = int(where * now.length)
        end = min(start + length, now.length)
        now, _ = now.edit(start, end, encode(replacement))
        same(now, document(now.text(), now.symbols, format))


def _is_fresh_and_shares(
    text: str, format: Format | None, edits_: list[tuple[float, int, str]]
) -> None:
    now = document(encode(text), Symbols(), format)
    for where, length, replacement in edits_:
        start = int(where * now.length)
        end = min(start + length, now.length)
        before, old = now, now.text()
        now, change = now.edit(start, end, encode(replacement))
        assert now.text() == old[:start] + encode(replacement) + old[end:]
        same(now, document(now.text(), now.symbols, format))
        _untouched_sentences_are_shared(before, now, change)


def _untouched_sentences_are_shared(
    before: Document, after: Document, change: SentenceChange
) -> None:
    first, old_end, new_end = change
    assert len(before) - old_end == len(after) - new_end
    pieces = [*range(first), *range(new_end - len(after), 0)]
    for k in pieces:
        old = before.tree(k % len(before))
        new = after.tree(k % len(after))
        assert [node[:7] for node in old.nodes] == [node[:7] for node in new.nodes]


@given(hostile)
def test_lines_end_where_the_protocol_has_it(text: str) -> None:
    source = encode(text)
    lines = re.split(rb"\r\n|\r|\n", source)
    now = document(source, Symbols())
    assert now.line_count == len(lines)
    offset = 0
    for number, line in enumerate(lines):
        assert now.line_bounds(number) == (offset, offset + len(line))
        assert now.line_at(offset) == number == now.line_at(offset + len(line))
        assert now.lines_at(np.array([offset, offset + len(line)])).tolist() == [number, number]
        end = offset + len(line) + (2 if source.startswith(b"\r\n", offset + len(line)) else 1)
        for within in range(offset, min(end, len(source) + 1)):
            assert now.line_start(within) == (number, offset)
        offset = end
    assert now.line_bounds(len(lines)) == (len(source), len(source))


def test_an_edit_reads_its_own_sentence_only() -> None:
    trees = [b"(S (NP (DT the) (NN dog)) (VP (VB x%d)))\n" % k for k in range(1000)]
    now = document(b"".join(trees), Symbols())
    start = int(now.start[500]) + 4
    now, change = now.edit(start, start + 2, b"ADJP")
    assert change == SentenceChange(500, 501, 501)
    now, change = now.edit(int(now.start[501]) - 2, int(now.start[501]) - 1, b"")
    assert change == SentenceChange(500, 501, 501)
    assert [problem.code for problem in now.problems()] == ["unclosed"]
    now, change = now.edit(int(now.start[700]), int(now.start[703]), b"")
    assert change == SentenceChange(700, 703, 700)


def test_thousands_of_edits_leave_nothing_behind() -> None:
    now = document(b"(S (A b))\n(S (C d))\n", Symbols())
    for count in range(1000):
        now, _ = now.edit(4, 5, b"X" if count % 2 else b"A")
    same(now, document(now.text(), now.symbols, now.format))
    assert len(now._readings.forests) < 80


_NAMED = (*_CLOSED, "# sent_id = c\n", "(S (A x)) # sent_id = c\n", "1\tx\t_\n# review = checked\n")


@given(
    st.lists(st.sampled_from(_NAMED), min_size=1, max_size=14).map("".join) | hostile_tables,
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from([0, 0, 1, 9]),
            st.sampled_from([*_STAYS_CLOSED, *TABLE_FRAGMENTS]),
        ),
        max_size=8,
    ),
)
def test_readings_that_are_put_together_are_those_of_a_text_that_is_read_at_once(
    text: str, edits_: list[tuple[float, int, str]]
) -> None:
    now = document(encode(text), Symbols())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "_FORESTS_KEPT", 1)
        for where, length, replacement in edits_:
            start = int(where * now.length)
            now = _edited_as_fresh(now, start, min(start + length, now.length), replacement)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        # In text order, whatever was edited first.
        ("".join(f"# sent_id = {name}\n(S (A a))\n" for name in "cxyz"), [2, 1, 0]),
        # Behind a tree on the same line there is no ID.
        ("(S (A a)) (S (B b))\n# sent_id = c\n" + "(S (A a))\n" * 5, [0, 1, 5]),
    ],
)
def test_so_they_are_in_order_and_on_lines_of_their_own(text: str, order: list[int]) -> None:
    now = document(encode(text), Symbols())
    places = [match.start() + 1 for match in re.finditer(r"\(A", text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "_FORESTS_KEPT", 1)
        for number in order:
            now = _edited_as_fresh(now, places[number], places[number] + 1, "B")


def _edited_as_fresh(before: Document, start: int, end: int, replacement: str) -> Document:
    now, change = before.edit(start, end, encode(replacement))
    fresh = document(now.text(), now.symbols)
    same(now, fresh)
    _untouched_sentences_are_shared(before, now, change)
    for query in ("c", "x"):  # (which are looked for in all of a forest's text)
        found, wanted = (Query(query).matching(one) for one in (now, fresh))
        assert found.tolist() == wanted.tolist()
    states, expected = (Reviews().of(one, Sidecar()) for one in (now, fresh))
    assert states.code.tolist() == expected.code.tolist()
    return now


def test_a_forest_for_each_edit_is_not_kept() -> None:
    """What is looked up in each took longer and longer, the more sentences had been edited."""
    tree, broken = b"# text = a b\n(S (A a) (B b))\n", b"(S (A a) (B b) (\n"
    now = first = document((tree + broken) * 200 + b"(S a) (S b)\n" * 3 + tree[:-1], Symbols())
    for sentence in range(0, len(now), 3):
        before, at = now, int(now.start[sentence])
        at += now.piece_text(sentence).index(b"(S ")
        now, change = before.edit(at + 1, at + 2, b"X")
        assert now.since(before) == change == SentenceChange(sentence, sentence + 1, sentence + 1)
    same(now, document(now.text(), now.symbols, now.format))
    assert len([*now.parts()]) < 80
    assert now.since(first).first == 0


def test_a_name_or_a_language_says_the_format_where_the_text_does_not() -> None:
    for name in ("a.conllu", "A.CONLLU", "x.conllx", "x.conll", "x.conll06", "x.conll07"):
        assert named(name) is CONLL
    assert named("untitled:1", "conllu") is named("untitled:1", "conllx") is CONLL
    assert named("x.mrg") is named("x.txt", "penn-treebank") is None


def test_a_table_is_typed_from_nothing() -> None:
    now = document(b"", Symbols(), CONLL)
    for letter in "1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n1\tnow":
        now, _ = now.edit(now.length, now.length, encode(letter))
    same(now, document(now.text(), now.symbols, CONLL))
    assert [len(now.tree(k).nodes) for k in range(len(now))] == [1, 1]


@given(hostile_tables, hostile_tables, st.integers(0, 400), st.integers(0, 400))
def test_what_an_earlier_state_does_not_have_is_found_without_being_told(
    text: str, typed: str, one: int, other: int
) -> None:
    old = document(encode(text), Symbols(), CONLL)
    start, end = sorted(min(offset, old.length) for offset in (one, other))
    new, _ = old.edit(start, end, encode(typed))
    first, old_end, new_end = new.since(old)
    assert 0 <= first <= min(old_end, new_end)
    assert (len(old) - old_end, old_end <= len(old)) == (len(new) - new_end, True)
    for k in [*range(first), *range(new_end, len(new))]:
        before = k if k < first else k - new_end + old_end
        assert new.piece_text(k) == old.piece_text(before)
    assert new.since(new) == SentenceChange(len(new), len(new), len(new))
