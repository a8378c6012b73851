"""The fast path is the model: the same bytes for any text, whatever is left to which."""

from __future__ import annotations

import itertools

import pytest
from dropin_programs import Outcome, Score, run_dropin
from dropin_strategies import OPTIONS, SPMRL_OPTIONS, files, parameters
from hypothesis import given, settings
from hypothesis import strategies as st
from treelens.dropin.evalb import batches, comparison, stretches
from treelens.dropin.evalb.batches import equivalence
from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL, Dialect
from treelens.dropin.shared import line_brackets, tree_lines
from treelens.dropin.shared.lines import piece_starts
from treelens.dropin.shared.row_columns import RowPrinter
from treelens.dropin.shared.rows import Tally, percent, row

WITHOUT_DEADLINE = settings(deadline=None)  # a busy machine is no mistake of the code


def fast_and_slow(
    dialect: Dialect, options: list[bytes], texts: tuple[bytes, bytes], prm: bytes, lines: int
) -> tuple[Outcome, Outcome]:
    contents = {b"gold": texts[0], b"test": texts[1], b"prm": prm}
    arguments = [b"-p", b"prm", *options, b"gold", b"test"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "ENOUGH_BYTES", 0)
        patch.setattr(stretches, "STRETCH_BYTES", 40 * lines)
        fast = run_dropin(dialect, arguments, contents)
        patch.setattr(batches, "ENOUGH_BYTES", 1 << 60)
        patch.setattr(stretches, "STRETCH_BYTES", 1 << 60)
        slow = run_dropin(dialect, arguments, contents)
    return fast, slow


@WITHOUT_DEADLINE
@given(options=OPTIONS, texts=files(), prm=parameters(), lines=st.sampled_from([1, 4, 8192]))
def test_evalb_in_columns_is_the_model(
    options: list[bytes], texts: tuple[bytes, bytes], prm: bytes, lines: int
) -> None:
    fast, slow = fast_and_slow(EVALB, options, texts, prm, lines)
    assert fast == slow


@WITHOUT_DEADLINE
@given(options=SPMRL_OPTIONS, texts=files(), prm=parameters(), lines=st.sampled_from([1, 4, 8192]))
def test_spmrl_in_columns_is_the_model(
    options: list[bytes], texts: tuple[bytes, bytes], prm: bytes, lines: int
) -> None:
    fast, slow = fast_and_slow(EVALB_SPMRL, options, texts, prm, lines)
    assert fast == slow


@WITHOUT_DEADLINE
@given(gold=st.text("()SN a\n\t\0", max_size=60), test=st.text("()SN a\n", max_size=60))
def test_hostile_text_in_columns_is_the_model(gold: str, test: str) -> None:
    fast, slow = fast_and_slow(EVALB, [b"-e50"], (gold.encode(), test.encode()), b"", 8192)
    assert fast == slow


def test_ordinary_pairs_need_no_model(evalb: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole point: were every pair left to the model, the tests above would pass too."""
    monkeypatch.setattr(batches, "ENOUGH_BYTES", 0)
    monkeypatch.setattr(comparison, "score_pair", lambda *_: pytest.fail("model"))
    tree = "( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks) (-NONE- *)) (. .)))\n"
    assert (
        evalb(tree * 3, tree * 3, prm="DELETE_LABEL .\nEQ_LABEL A B\n").rows[2].startswith("3 5 0")
    )


def test_long_and_deep_trees_in_columns_are_the_model() -> None:
    right_branching = b"(A (N x) " * 300 + b"(N x)" + b")" * 300
    left_branching = b"(B " * 300 + b"(N x)" + b" (N x))" * 300
    many = b"(S" + b" (N word)" * 1500 + b")"
    lines = [right_branching, left_branching, many]
    gold = b"\n".join(lines * 2) + b"\n"
    test = b"\n".join([left_branching, right_branching, many] * 2) + b"\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_brackets, "_MANY", 1000)
        for large in (1 << 18, 1000):
            patch.setattr(line_brackets, "_LARGE", large)
            fast, slow = fast_and_slow(EVALB_SPMRL, [], (gold, test), b"", 8192)
            assert fast == slow


@WITHOUT_DEADLINE
@given(
    st.lists(st.tuples(*[st.integers(0, 12)] * 8), min_size=1), st.sampled_from([1, 9998, 99999])
)
def test_rows_in_columns_are_rows(numbers: list[tuple[int, ...]], line: int) -> None:
    import numpy as np

    # A part is never larger than its whole.
    tallies = [
        Tally(
            length,
            status % 3,
            matched,
            matched + gold,
            matched + test,
            crossing,
            tags + words,
            tags,
        )
        for length, status, matched, gold, test, crossing, words, tags in numbers
    ]
    expected = b"".join(row(line + k, tally) for k, tally in enumerate(tallies))
    assert RowPrinter(row, percent).rows(line, np.array(tallies).T) == expected


def test_pairs_of_equal_labels_are_numbers_only_if_chains_are_complete() -> None:
    a, b, c = b"a", b"b", b"c"
    assert equivalence([(b, a), (a, b)]) == {a: a, b: a}
    assert equivalence([(a, b), (b, c)]) is None
    assert equivalence([(a, b), (b, c), (c, a)]) == {a: a, b: a, c: a}


@WITHOUT_DEADLINE
@given(st.binary(max_size=60), st.integers(2, 9))
def test_pieces_are_lines_or_full_buffers(text: bytes, size: int) -> None:
    starts = piece_starts(text, size)
    assert [*tree_lines.line_starts(text, size)] == starts
    pieces = [text[start:end] for start, end in itertools.pairwise(starts)]
    assert b"".join(pieces) == text
    assert all(b"\n" not in piece[:-1] and 0 < len(piece) < size for piece in pieces)
    assert all(piece.endswith(b"\n") or len(piece) == size - 1 for piece in pieces[:-1])
