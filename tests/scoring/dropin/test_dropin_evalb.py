"""What ``treelens evalb`` promises, each quirk in a case of its own.

A row is: line, length, status, recall, precision, matched, gold and test brackets, crossing,
words, correct tags, tagging accuracy. With ``EVALB=/path/to/evalb`` in the environment every
case is checked against that program too.
"""

from __future__ import annotations

import pytest
from dropin_programs import Score, run_dropin
from treelens.dropin.evalb.dialects import EVALB

DOG = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))\n"
CROSSING = "(S (DT the) (X (NN dog) (VP (VBZ barks))) (NN .))\n"
PERFECT = "1 4 0 100.00 100.00 3 3 3 0 4 4 100.00"

WHOLE_OUTPUT = b"""\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    4    0  100.00 100.00     3      3    3      0      4     4   100.00
   2    4    0   66.67  66.67     2      3    3      1      4     3    75.00
============================================================================
                 83.33  83.33      5     6     6      1      8     7    87.50
=== Summary ===

-- All --
Number of sentence        =      2
Number of Error sentence  =      0
Number of Skip  sentence  =      0
Number of Valid sentence  =      2
Bracketing Recall         =  83.33
Bracketing Precision      =  83.33
Bracketing FMeasure       =  83.33
Complete match            =  50.00
Average crossing          =   0.50
No crossing               =  50.00
2 or less crossing        = 100.00
Tagging accuracy          =  87.50

-- len<=3 --
Number of sentence        =      0
Number of Error sentence  =      0
Number of Skip  sentence  =      0
Number of Valid sentence  =      0
Bracketing Recall         =   0.00
Bracketing Precision      =   0.00
Bracketing FMeasure       =   -nan
Complete match            =   0.00
Average crossing          =   0.00
No crossing               =   0.00
2 or less crossing        =   0.00
Tagging accuracy          =   0.00
"""


def test_the_whole_output_is_the_same_bytes(evalb: Score) -> None:
    outcome = evalb(DOG + DOG, DOG + CROSSING, "-c3")
    assert outcome.out == WHOLE_OUTPUT
    assert (outcome.exit_status, outcome.err, outcome.status_file) == (0, b"", None)


# The command line


def test_a_parameter_file_overwrites_the_options_before_it_only(evalb: Score) -> None:
    prm = "CUTOFF_LEN 7\nMAX_ERROR 0\n"
    assert b"-- len<=7 --" in evalb(DOG, DOG, prm=prm).out
    assert b"-- len<=3 --" in evalb(DOG, DOG, "-c", "3", prm=prm).out
    before = {b"gold": DOG.encode(), b"prm": prm.encode()}
    outcome = run_dropin(EVALB, [b"-c3", b"-pprm", b"gold", b"gold"], before)
    assert b"-- len<=7 --" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message", "exit_status"),
    [
        ([], "Can't open gold file ((null))", 1),
        (["gold"], "Can't open test file ((null))", 1),
        (["none", "gold"], "Can't open gold file (none)", 1),
        (["-p", "none", "gold", "gold"], "Can't open parameter file (none)", 1),
        (["gold", "gold", "-c"], "Missing argument: cut-off length for statistices", 0),
        (["gold", "gold", "-p"], "Missing argument: parameter file", 1),
        (["-h"], " evalb [-dDh][-c n][-e n][-p param_file] gold-file test-file  ", 1),
        (["-z"], " evalb [-dDh][-c n][-e n][-p param_file] gold-file test-file  ", 0),
    ],
)
def test_what_is_wrong_with_the_arguments_is_told_in_its_words(
    arguments: list[str], message: str, exit_status: int
) -> None:
    encoded = [argument.encode() for argument in arguments]
    outcome = run_dropin(EVALB, encoded, {b"gold": DOG.encode()})
    assert (outcome.messages[0], outcome.exit_status) == (message, exit_status)


def test_only_the_first_letter_of_an_option_and_the_first_two_files_count() -> None:
    arguments = [b"-", b"gold", b"-dXYZ", b"gold", b"ignored"]
    outcome = run_dropin(EVALB, arguments, {b"gold": DOG.encode()})
    assert outcome.exit_status == 0
    assert b"-<1>---(wn1=  4, bn1=  3)-" in outcome.out


# The parameter file


def test_a_value_is_the_rest_of_the_line_and_a_key_starts_it(evalb: Score) -> None:
    outcome = evalb(DOG, DOG, prm="DELETE_LABEL NP VP\n DELETE_LABEL S\n# DELETE_LABEL S\nX\n")
    assert outcome.rows == [PERFECT]
    assert outcome.messages == ["Unknown keyword ( DELETE_LABEL S) in parameter file"]


def test_equal_pairs_need_two_values(evalb: Score) -> None:
    outcome = evalb(DOG, DOG, prm="EQ_LABEL A\nEQ_WORD a b c\n")
    assert outcome.messages == ["EQ_LABEL requires two values", "EQ_WORD requires two values"]


def test_a_key_without_a_value_takes_what_an_earlier_longer_line_left(evalb: Score) -> None:
    outcome = evalb(DOG, DOG, prm="# some more words NP\nDELETE_LABEL\n")
    assert outcome.rows == ["1 4 0 100.00 100.00 2 2 2 0 4 4 100.00"]


def test_numbers_are_read_as_far_as_they_go(evalb: Score) -> None:
    assert b"len<=12" in evalb(DOG, DOG, "-c", " +12x").out
    assert b"len<=0" in evalb(DOG, DOG, "-c", "x12").out
    assert b"len<=-1 " in evalb(DOG, DOG, "-c", "4294967295").out
    assert b"len<=-1 " in evalb(DOG, DOG, "-c", "99999999999999999999").out


# Words and brackets


def test_deleted_words_are_no_words_but_count_for_the_length(evalb: Score) -> None:
    outcome = evalb(DOG, DOG, prm="DELETE_LABEL .\nDELETE_LABEL DT\nDELETE_LABEL_FOR_LENGTH NN\n")
    assert outcome.rows == ["1 3 0 100.00 100.00 3 3 3 0 2 2 100.00"]


def test_a_label_is_cut_before_it_is_deleted_a_tag_is_not_cut(evalb: Score) -> None:
    gold = "(S (NP-SBJ (DT-X the)) (-NONE- (NN dog)))\n"
    test = "(S (NP=3 (DT the)) (- (NN dog)))\n"
    assert evalb(gold, test).rows == ["1 2 0 100.00 100.00 3 3 3 0 2 1 50.00"]
    prm = "DELETE_LABEL NP\nDELETE_LABEL DT\nDELETE_LABEL -NONE-\n"
    assert evalb(gold, gold, prm=prm).rows == ["1 2 0 100.00 100.00 2 2 2 0 2 2 100.00"]


def test_equal_labels_are_not_chained_and_matched_greedily(evalb: Score) -> None:
    prm = "EQ_LABEL A B\nEQ_LABEL B C\n"
    assert evalb("(A (N x))\n", "(C (N x))\n", prm=prm).rows[0].split()[5] == "0"
    # B of gold takes A of test, so that A of gold finds C only.
    gold, test = "(B (A (N x)))\n", "(A (C (N x)))\n"
    assert evalb(gold, test, prm=prm).rows == ["1 1 0 50.00 50.00 1 2 2 0 1 1 100.00"]


def test_brackets_without_words_do_not_count(evalb: Score) -> None:
    outcome = evalb(
        "(S (NP) (VP (V x)))\n", "(S (VP (V x) (X (-NONE- *))))\n", prm="DELETE_LABEL -NONE-\n"
    )
    assert outcome.rows == ["1 1 0 100.00 100.00 2 2 2 0 1 1 100.00"]


def test_two_trees_on_a_line_are_one_sentence(evalb: Score) -> None:
    two = "(A (N x)) (B (N y))\n"
    assert evalb(two, two).rows == ["1 2 0 100.00 100.00 2 2 2 0 2 2 100.00"]


def test_unlabelled_scoring_leaves_deleted_labels_out(evalb: Score) -> None:
    outcome = evalb(DOG, CROSSING, prm="LABELED 0\nDELETE_LABEL NP\n")
    assert outcome.rows == ["1 4 0 100.00 66.67 2 2 3 0 4 3 75.00"]


def test_any_bytes_pass_through(evalb: Score) -> None:
    assert evalb("(S\xa0 (N \xff\xfe))\r\n", "(S\xa0\t(N \xff\xff))\r\n").messages == [
        "1 : Words unmatch (\xff\xfe|\xff\xff)"
    ]


# Sentences that cannot be compared


@pytest.mark.parametrize("nothing", ["", "()", "(())", "(null)", "(S)", "(TOP ())", "(. .)"])
def test_no_words_in_test_are_skipped_whatever_gold_is(evalb: Score, nothing: str) -> None:
    outcome = evalb(DOG + "\n", f"{nothing}\n" * 2, prm="DELETE_LABEL .\n")
    assert outcome.rows == [
        "1 4 2 0.00 0.00 0 0 0 0 0 0 0.00",
        "2 0 2 0.00 0.00 0 0 0 0 0 0 0.00",
    ]
    assert outcome.summary("Number of Skip  sentence") == "2"


def test_differing_words_are_errors_and_count_nowhere_else(evalb: Score) -> None:
    outcome = evalb(DOG * 2, DOG.replace("dog", "cat") + "(S (N x))\n")
    assert outcome.messages == ["1 : Words unmatch (dog|cat)", "2 : Length unmatch (4|1)"]
    assert outcome.rows == [f"{line} 4 1 0.00 0.00 0 0 0 0 0 0 0.00" for line in (1, 2)]
    assert outcome.exit_status == 0


def test_more_errors_than_the_limit_end_the_program_before_the_row(evalb: Score) -> None:
    outcome = evalb("(A (N x))\n" * 9, "(A (N y))\n" * 9, "-e", "1")
    assert len(outcome.messages) == 3
    assert len(outcome.rows) == 2
    assert outcome.exit_status == 1
    assert b"Summary" not in outcome.out


@pytest.mark.parametrize("junk", ["0", "\xef\xbb\xbf(A (N x))", "(A (N x) y)"])
def test_junk_is_reported_until_the_limit_is_reached(evalb: Score, junk: str) -> None:
    outcome = evalb(DOG + junk + "\n", DOG * 2)
    assert outcome.messages == ["2 : Reading sentence"] * 12
    assert (outcome.rows, outcome.exit_status) == ([PERFECT], 1)


def test_a_bracket_has_a_word_or_brackets(evalb: Score) -> None:
    outcome = evalb("(A (N x y))\n", DOG, "-e0")
    assert outcome.messages == [
        "1 : More than two elements in a bracket",
        "1 : Reading sentence",
    ]


def test_an_unbalanced_tree_is_an_error_with_a_scored_row(evalb: Score) -> None:
    outcome = evalb(DOG, DOG.replace("(. .))", "(. .)"))
    assert outcome.messages == ["1 : Bracketing is unbalanced (too many open bracket)"]
    assert outcome.rows == ["1 4 1 66.67 66.67 2 3 3 0 4 4 100.00"]
    assert outcome.summary("Bracketing Recall") == "0.00"


def test_one_closing_bracket_too_many_is_told_as_an_opening_one(evalb: Score) -> None:
    outcome = evalb(DOG.strip() + ")\n", DOG)
    assert outcome.messages == ["1 : Bracketing is unbalanced (too many open bracket)"]
    outcome = evalb(DOG.strip() + "))\n", DOG)
    assert outcome.messages == [
        "1 : Bracketing unbalance (too many close bracket)",
        "1 : Bracketing is unbalanced (too many open bracket)",
    ]


@pytest.mark.parametrize(("gold", "test", "side"), [(DOG * 2, DOG, "gold"), (DOG, DOG * 3, "test")])
def test_the_first_line_without_a_partner_is_told(
    evalb: Score, gold: str, test: str, side: str
) -> None:
    outcome = evalb(gold, test)
    assert outcome.messages == [f"2 : Number of lines unmatch (too many lines in {side} file)"]
    assert (outcome.rows, outcome.exit_status) == ([PERFECT], 0)


# Memory that C reads on in


def test_a_label_at_the_end_of_a_line_reads_on_in_earlier_lines(evalb: Score) -> None:
    # Behind the second line's end lies "mething))" of the first: its N becomes a terminal
    # with the empty word, and its S is closed.
    text = "(S (A x) (N something))\n" + "(S (A x) (N \n"
    outcome = evalb(text, text)
    assert outcome.messages == []
    assert outcome.rows[1] == "2 2 0 100.00 100.00 1 1 1 0 2 2 100.00"


def test_a_nul_ends_a_word_and_between_brackets_the_line(evalb: Score) -> None:
    outcome = evalb("(S (N x\0y) (N z))\0 (S (N w))\n", "(S (N x) (N z))\n")
    assert outcome.rows == ["1 2 0 100.00 100.00 1 1 1 0 2 2 100.00"]


def test_long_lines_are_read_in_pieces_of_the_buffer_less_one_byte(evalb: Score) -> None:
    word = "w" * 89
    tree = "(S" + f" (NN {word})" * 51 + ")"
    padded = tree + " " * (4999 - len(tree)) + "(S (NN z))\n"
    outcome = evalb(padded, padded)
    assert [row.split()[1] for row in outcome.rows] == ["51", "1"]


def test_the_limits_of_the_c_arrays_are_none_of_ours() -> None:
    tree = b"(S" + b" (N %s)" % (b"w" * 12) * 240 + b" (" + b"X" * 60 + b" (V v)))\n"
    outcome = run_dropin(EVALB, [b"gold", b"gold"], {b"gold": tree})
    assert outcome.rows == ["1 241 0 100.00 100.00 2 2 2 0 241 241 100.00"]


# Quotation marks, and traces of what is done


QUOTES = "DELETE_LABEL ''\nQUOTE_LABEL ''\nQUOTE_LABEL POS\n"


def test_a_deleted_quotation_mark_is_put_back_for_a_possessive(evalb: Score) -> None:
    gold = "(S (NP (NN dogs) (POS ')) (NN tail))\n"
    test = "(S (NP (NN dogs)) ('' ') (NN tail))\n"
    outcome = evalb(gold, test, prm=QUOTES)
    assert outcome.messages == []
    assert outcome.rows == ["1 3 0 50.00 50.00 1 2 2 0 3 2 66.67"]


def test_debugging_lists_words_and_brackets(evalb: Score) -> None:
    outcome = evalb("(S (N x))\n", "(S (V x) (N ))\n", "-d")
    assert outcome.out.decode().splitlines()[4:11] == [
        "-<1>---(wn1=  1, bn1=  1)-           -<2>---(wn2=  2, bn2=  1)-",
        "  0 : 9 : N       x                       0 : 9 : V       x               ",
        " " * 40,
        "",
        "  0 : 9 :   0    1  S             0 : 9 :   0    2  S     ",
        "",
        "========",
    ]


def test_more_debugging_tells_every_step(evalb: Score) -> None:
    outcome = evalb(DOG, CROSSING, "-D")
    lines = outcome.out.decode().splitlines()
    assert lines[3:5] == ["label=S, word=, wid=0", "label=NP, word=, wid=0"]
    assert "1.res=0, 2.res=0, 1.start=0, 2.start=0, 1.end=4, 2.end=4" in lines
    assert [line for line in lines if line.startswith("  ") and "]: " in line] == [
        "  BRACKET[0-1]:  (DT the) (NN dog)",
        "  EXTRA[1-2]:  (NN dog) (VP (VBZ barks))",
        "  CROSSING[0-1]:  (DT the) (NN dog)",
    ]
