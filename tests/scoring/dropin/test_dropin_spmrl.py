"""What ``treelens evalb-spmrl`` does differently; the rows are those of ``test_dropin_evalb``.

With ``EVALB_SPMRL=/path/to/evalb_spmrl`` in the environment every case is checked against
that program too.
"""

from __future__ import annotations

from dropin_programs import Score

DOG = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))\n"
PERFECT = "1 4 0 100.00 100.00 3 3 3 0 4 4 100.00"


def test_terminals_are_never_deleted(spmrl: Score) -> None:
    prm = "DELETE_LABEL .\nDELETE_LABEL_FOR_LENGTH .\n"
    assert spmrl(DOG, DOG, prm=prm).rows == ["1 3 0 100.00 100.00 3 3 3 0 4 4 100.00"]


def test_labels_and_tags_are_cut_at_features_too(spmrl: Score) -> None:
    gold = DOG.replace("NP", "NP##num=sg##").replace("VBZ", "VBZ-3")
    assert spmrl(gold, DOG).rows == [PERFECT]


def test_deleting_none_deletes_every_label_that_is_cut_to_nothing(spmrl: Score) -> None:
    tree = "( (S (-X- (N x))))\n"
    assert spmrl(tree, tree).rows[0].split()[5:8] == ["3", "3", "3"]
    assert spmrl(tree, tree, prm="DELETE_LABEL -NONE-\n").rows[0].split()[5:8] == ["1", "1", "1"]


def test_a_length_mismatch_counts_as_a_perfect_sentence(spmrl: Score) -> None:
    outcome = spmrl(DOG, "(S (N x))\n")
    assert outcome.messages == ["1 : Length unmatch (4|1)"]
    assert outcome.rows == ["1 4 0 0.00 0.00 0 0 0 0 0 0 0.00"]
    assert outcome.summary("Complete match") == "100.00"
    assert outcome.summary("Number of Error sentence") == "0"


def test_with_one_gold_word_it_is_counted_and_scored_again(spmrl: Score) -> None:
    outcome = spmrl("(S (N x))\n", "(S (N x) (N y))\n")
    assert outcome.messages == []
    assert outcome.rows == [
        "1 1 0 0.00 0.00 0 0 0 0 0 0 0.00",
        "1 1 0 0.00 0.00 0 1 1 0 1 1 100.00",
    ]
    assert outcome.summary("Number of sentence") == "2"


def test_unparsed_gold_brackets_count_once_more_for_each_other_delete_label(
    spmrl: Score,
) -> None:
    prm = "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\n"
    assert spmrl(DOG, "(())\n", prm=prm).rows == ["1 4 2 0.00 0.00 0 0 0 0 0 0 0.00"]
    outcome = spmrl(DOG, "(())\n", "-X", prm=prm)
    assert outcome.rows == ["1 4 3 0.00 0.00 0 9 0 0 4 0 0.00"]
    assert outcome.summary("Number of Skip  sentence") == "0"


def test_the_compact_line_exchanges_precision_and_recall(spmrl: Score) -> None:
    outcome = spmrl(DOG, "(S (DT the) (NN dog) (VP (VBZ barks)) (. .))\n", "-L")
    assert outcome.out.decode().splitlines()[-1] == (
        "F1:  80.00 %\tPrec:  66.67 %\tRec: 100.00 %\tPOS: 100.00 %\tEX:   0.00 %\t"
        "Unparsed:      0\tSent:      1\tfile: test"
    )
    assert outcome.status_file is None
    within_cutoff = spmrl(DOG, DOG, "-l", "-c3").out.decode().splitlines()[-1]
    assert within_cutoff.startswith("F1:   -nan %\tPrec:   0.00 %\t")


def test_the_full_summary_writes_a_status_file(spmrl: Score) -> None:
    outcome = spmrl(DOG, "(S (DT the) (NN dog) (VP (VBZ barks)) (. .))\n")
    assert outcome.status_file == (
        b"---\nF1: 80.00\nLP: 100.00\nLR: 66.67\nPOS: 100.00\nerrorRate: 20.00\n"
    )
    nothing = spmrl(DOG, "\n").status_file
    assert nothing == b"---\nF1: -nan\nLP: 0.00\nLR: 0.00\nPOS: 0.00\nerrorRate: -nan\n"


def test_k_stops_after_that_many_pairs_but_not_before_the_first(spmrl: Score) -> None:
    for option, pairs in {"-K0": 1, "-K1": 1, "-K2": 2, "-K3": 3, "-K-1": 3}.items():
        outcome = spmrl(DOG * 3, DOG * 3, option)
        assert len(outcome.rows) == pairs
    assert spmrl(DOG * 3, DOG * 4, "-K3").messages == []
    assert spmrl(DOG * 3, DOG * 4, "-K4").messages == [
        "4 : Number of lines unmatch (too many lines in test file)"
    ]


def test_the_summary_can_name_the_files(spmrl: Score) -> None:
    assert b"=== Summary: gold\tvs\ttest ===\n" in spmrl(DOG, DOG, "-V").out


def test_debugging_left_in_the_program_stays(spmrl: Score) -> None:
    assert spmrl(DOG, DOG, "-c", "7").messages == ["cutoff 7"]
    outcome = spmrl("(A (N x y))\n", DOG, "-e0")
    assert outcome.messages[:2] == [
        "debug djam: q=  y))",
        "",
    ]
