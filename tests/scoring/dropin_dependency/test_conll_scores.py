"""The CoNLL scorers on small files: expectations worked out by hand."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from dependency_programs import Outcome, run_conll
from treelens.dropin.conll.dialects import EVAL07, EVAL_CONLLX, EVAL_SPMRL, Dialect
from treelens.dropin.conll.perl import is_punctuation, number, split, width
from treelens.dropin.conll.tally import error_kind, head_kind
from treelens.dropin.conll.tokens import columns
from treelens.dropin.conll.world import Beside


def sentence(text: str) -> str:
    """A sentence of CoNLL-X from ``form/pos/head/relation`` parts."""
    rows = []
    for index, part in enumerate(text.split(), start=1):
        form, pos, head, relation = part.rsplit("/", 3)
        rows.append(f"{index}\t{form}\t_\t{pos}\t{pos}\t_\t{head}\t{relation}\t_\t_\n")
    return "".join(rows) + "\n"


GOLD = sentence("Dogs/N/2/subj bark/V/0/root loudly/A/2/mod ./P/2/punct") + sentence(
    "Wahrheit/N/0/root heit/N/1/DERIV"
)
SYSTEM = sentence("Dogs/N/2/obj bark/V/0/root loudly/A/1/mod ./P/1/x") + sentence(
    "Wahrheit/N/0/root heit/N/1/subj"
)


def score(
    dialect: Dialect,
    *options: str,
    gold: str = GOLD,
    system: str = SYSTEM,
    beside: Beside | None = None,
) -> Outcome:
    files = {b"gold": gold.encode(), b"system": system.encode()}
    return run_conll(dialect, [*options, "-g", "gold", "-s", "system"], files, beside)


@pytest.mark.parametrize(
    "beside",
    [
        lambda work: nullcontext(work),
        lambda work: nullcontext(lambda: None),  # as where a process has died
        lambda work: nullcontext(),  # as where there is only one processor
    ],
)
@pytest.mark.parametrize("options", [(), ("-b",), ("-p",)])
def test_a_long_report_is_the_same_whoever_makes_a_part_of_it(
    beside: Beside, options: tuple[str, ...]
) -> None:
    assert score(EVAL07, *options, beside=beside) == score(EVAL07, *options)


def test_what_is_wrong_with_files_is_told_once_whoever_reads_them() -> None:
    for system in (SYSTEM + "1\tx\n", SYSTEM.replace("\t2\tobj", "\t-9\tobj"), ""):
        found = score(EVAL07, system=system, beside=lambda work: nullcontext(lambda: None))
        assert found == score(EVAL07, system=system)
        assert found.err


def summary(done: Outcome) -> list[str]:
    """The fractions of the three scores: LAS, UAS, label accuracy."""
    lines = done.out.decode().splitlines()
    return [line.split(":")[1].split("*")[0].strip() for line in lines if "score:" in line]


def test_labeled_unlabeled_and_label_accuracy() -> None:
    # Dogs: wrong relation; loudly: wrong head; the full stop: both; heit: wrong relation.
    assert summary(score(EVAL07, "-q")) == ["2 / 6", "4 / 6", "3 / 6"]


@pytest.mark.parametrize("dialect", [EVAL07, EVAL_SPMRL])
def test_p_leaves_punctuation_out_in_2007(dialect: Dialect) -> None:
    assert summary(score(dialect, "-q", "-p")) == ["2 / 5", "4 / 5", "3 / 5"]


def test_p_lets_punctuation_count_in_2006() -> None:
    assert summary(score(EVAL_CONLLX, "-q")) == ["2 / 5", "4 / 5", "3 / 5"]
    assert summary(score(EVAL_CONLLX, "-q", "-p")) == ["2 / 6", "4 / 6", "3 / 6"]


def test_d_leaves_derivations_out_and_is_unknown_in_2006() -> None:
    assert summary(score(EVAL07, "-qd")) == ["2 / 5", "3 / 5", "3 / 5"]
    done = score(EVAL_CONLLX, "-qpd")
    assert (summary(done), done.err) == (["2 / 6", "4 / 6", "3 / 6"], b"Unknown option: d\n")


def test_b_has_a_row_for_every_sentence() -> None:
    rows = score(EVAL07, "-q", "-b").out.decode().splitlines()[3:5]
    assert rows == [
        "     1    4    0   50.00  25.00     2       1           4    0 0 0 0",
        "     2    2    0  100.00  50.00     2       1           2    0 0 0 0",
    ]


def test_a_sentence_without_scored_tokens_has_no_score() -> None:
    gold = sentence("!/P/0/root") + sentence("a/N/0/root")
    row = score(EVAL07, "-qbp", gold=gold, system=gold).out.decode().splitlines()[3]
    assert row == "     1    1    0     NaN    NaN     0       0           0    0 0 0 0"


def test_one_line_names_the_system() -> None:
    line = score(EVAL_SPMRL, "-q", "-L").out
    assert line == b"LAS: 33.33 %\tUAS: 66.67 %\tLaS: 50.00 %\tsystem\n"


def test_a_file_for_the_report() -> None:
    assert score(EVAL07, "-q", "-o", "report").out == score(EVAL07, "-q").out


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ([], 2, b"usage: treelens eval07"),
        (["-h"], 2, b"usage: treelens eval07"),
        (["-g", "gold"], 2, b"System output file (-s) missing\n"),
        (["-s", "gold"], 2, b"Gold standard file (-g) missing\n"),
        (["-g", "none", "-s", "gold"], 2, b"Could not open gold standard file none\n"),
        (["-g", "gold", "-s", "none"], 2, b"Could not open system output file none\n"),
        (["-zv"], 0, b"Unknown option: z\n"),
    ],
)
def test_what_ends_it_before_it_begins(options: list[str], status: int, message: bytes) -> None:
    done = run_conll(EVAL07, options, {b"gold": GOLD.encode()})
    assert done.exit_status == status
    assert done.err.startswith(message)


def test_the_version_of_the_original() -> None:
    assert run_conll(EVAL07, ["-v"], {}).out == b"Version 1.4\n"
    assert run_conll(EVAL_CONLLX, ["-v"], {}).out == b"Version 1.9\n"


def test_files_that_are_not_parallel_are_told_with_line_and_sentence() -> None:
    done = score(EVAL07, "-q", system=SYSTEM.replace("2\theit", "\n2\theit"))
    assert done.exit_status == 1
    assert done.out == b""
    lines = done.err.decode().splitlines()
    assert lines[0] == "Fatal: line mismatch, line 7, file system:"
    assert lines[-1].endswith("in sentence 2, they do")


def test_a_blank_line_too_few_or_too_many_is_told_and_ignored() -> None:
    done = score(EVAL07, "-q", system=SYSTEM[:-1])
    assert summary(done) == summary(score(EVAL07, "-q"))
    assert done.err == b"Warning: ignoring missing blank line at the end of system.\n"
    done = score(EVAL07, "-q", system=SYSTEM + "\n")
    assert done.err == b"Warning: ignoring extra blank line at the end of system.\n"
    assert score(EVAL_CONLLX, "-q", system=SYSTEM + "\n").exit_status == 1


def test_nothing_to_score_is_nothing_to_divide_by() -> None:
    assert score(EVAL07, "-q", gold="", system="").exit_status == 255


def test_a_head_before_the_first_word_ends_it() -> None:
    wrong = SYSTEM.replace("\t2\tobj", "\t-9\tobj")
    assert score(EVAL07, "-q", system=wrong).exit_status == 25
    assert summary(score(EVAL07, "-q", system=SYSTEM.replace("\t2\tobj", "\t-1\tobj")))


def test_an_empty_column_shifts_the_ones_after_it() -> None:
    assert columns(b"1\tw\t\tN\tN\t_\t3\tsubj\t_") == (b"w", b"N", b"subj", b"_")
    assert columns(b" 1\tw\tl\tN\tN\t_\t3\tsubj\t_") == (b"1", b"l", b"_", b"3")
    assert columns(b"1\tw") == (b"w", b"", b"", b"")


def test_the_long_report_of_a_small_file() -> None:
    report = score(EVAL07).out.decode()
    assert "  total      |     6 |     4 |  67% |     3 |  50% |     2 |  33%\n" in report
    assert "  punct           |    1 |       0 |      0 |       0.00 |           NaN\n" in report
    assert "  left            |    3 |       3 |      3 |     100.00 |        100.00\n" in report
    assert "  Specific errors, 4 most frequent errors:\n" in report
    assert "   Sentence 1 line 1, 2 head errors, 2 dependency errors, 3 word errors\n" in report


def test_kinds_of_errors() -> None:
    # Of the third word.
    assert error_kind(head_kind(3, b"1", b"5"), b"a", b"b") == b"40x01ba0x01a->b"
    assert error_kind(head_kind(3, b"1", b"0"), b"a", b"b") == b"00x01b00x01a->b"
    assert error_kind(head_kind(3, b"1", b"1"), b"a", b"b") == b"-0x01bb0x01a->b"
    assert error_kind(head_kind(3, b"3", b"1"), b"a", b"a") == b"-20x01eb0x01-"


def test_values_as_perl_has_them() -> None:
    assert [number(each) for each in (b"7", b" -3x", b"_", b"1e1", b".5", b"")] == [
        7,
        -3,
        0,
        10.0,
        0.5,
        0,
    ]
    assert split(b"a++b++", b"+") == [b"a", b"", b"b"]
    assert width("שָׁ".encode()) == 1
    assert is_punctuation("«…".encode())
    assert not is_punctuation(b"")
    assert not is_punctuation(b"$")


@pytest.mark.parametrize(
    ("text", "characters"),
    [
        (b"caf\xe9", 4),
        (b"\xe9t\xe9", 3),
        (b"\xe2\x82 x", 3),
        (b"\xe0\x80b", 2),
        (b"a\xed\xa0\x80b", 3),
        (b"a\xf4\x90\x80\x80", 2),
        (b"\xc1\x81x", 2),
        (b"\x81\x81", 2),
        (b"\xfe", 1),
        (b"\xd7\xa9\xd6\xb8\xe9", 2),
        (b"\x80\xc0\x80", 1),
        (b"\x80\xce\xb8", 2),
        (b"\x8e\xce\xb8\x9c", 1),
        (b"a\x80\xe4\xa0\x80b", 3),
        (b"\xff\xf4\x80\x80\x80", 1),
        (b"\xc1\xc0\xc0\x81", 2),
        ("ひらがな".encode("euc-jp"), 5),
    ],
)
def test_what_is_no_utf_8_is_as_wide_as_perls_decoder_has_it(text: bytes, characters: int) -> None:
    assert width(text) == characters
