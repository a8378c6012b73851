"""What jp-evalb does, on cases by hand; the numbers are those of the script."""

from __future__ import annotations

import pytest
from jp_runs import run
from treelens.dropin.jp.sentences import Texts, groups
from treelens.dropin.jp.words import align_words

DOG = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
CAT = "(TOP (S (NP (DT a) (JJ little) (NN cat)) (VP (VBZ sleeps) (ADVP (RB quietly)))))\n"
WE = "(TOP (S (NP (PRP we)) (VP (VBP see) (NP (PRP it)))))\n"
COLLINS = "DELETE_LABEL TOP\nDELETE_LABEL -NONE-\nDELETE_LABEL .\nEQ_LABEL ADVP PRT\n"


def grouped(system: list[str], gold: list[str]) -> list[tuple[str, str]]:
    """Groups as texts: of each side the sentences, with bars between them."""
    texts = Texts(system.__getitem__, len(system), gold.__getitem__, len(gold))
    return [
        (
            "|".join(system[i] for i in group.system),
            "|".join(gold[j] for j in group.gold),
        )
        for group in groups(texts)
    ]


# The examples of the papers: counts are matched, gold, system.


def test_contractions_are_no_difference() -> None:
    gold = "(TOP (S (NP (PRP we)) (VP (MD ca) (RB n't) (VP (VB see) (NP (PRP it))))))"
    system = "(TOP (S (NP (PRP we)) (VP (MD can) (RB not) (VP (VB see) (NP (PRP it))))))"
    assert run(gold, system).counts == [(5, 5, 5)]


def test_hebrew_segments_become_one_position() -> None:
    gold = (
        "(TOP (PP (IN B) (NP (NP (NN (DT H) (NN CL)) (PP (POSS FL) (PRN HM)))"
        " (ADJP (DT H) (JJ NEIM)))))"
    )
    system = "(TOP (PP (IN B) (NP (NP (NN CL) (PP (POSS FL) (PRN HM))) (JJ HNEIM))))"
    assert run(gold, system).counts == [(4, 6, 4)]


def test_sentences_that_were_split_are_scored_as_one() -> None:
    gold = (
        "(TOP (S (S (VP (VB Click) (ADVP (RB here))))"
        " (S (VP (TO To) (VP (VB view) (NP (PRP it))))) (. .)))\n" + DOG
    )
    system = (
        "(TOP (S (VP (VB Click) (NP (RB here)))))\n"
        "(TOP (S (VP (TO To) (VP (VB view) (NP (PRP it)))) (. .)))\n" + DOG
    )
    assert run(gold, system).counts == [(5, 8, 7), (3, 3, 3)]


# Sentences


def test_equal_texts_are_pairs_whatever_their_words() -> None:
    assert grouped(["can't go"], ["ca n't go"]) == [("can't go", "ca n't go")]
    assert grouped(["a b", "c"], ["ab", "c"]) == [("a b", "ab"), ("c", "c")]


def test_near_texts_are_pairs_if_the_next_ones_are() -> None:
    near = ("twentylettersinarowX", "twentylettersinarow!")
    assert grouped([near[0], "b"], [near[1], "b"]) == [near, ("b", "b")]
    assert grouped([near[0], "y", "b"], [near[1], "x", "b"]) == [near, ("y", "x"), ("b", "b")]


def test_three_edits_in_twenty_letters_are_near_and_four_are_not() -> None:
    gold = ["twentylettersinarow!", "b", "b", "c"]
    near, far = "twentylettersinaXYZ!", "twentylettersinWXYZ!"
    assert grouped([near, "bb", "c"], gold) == [(near, gold[0]), ("bb", "b|b"), ("c", "c")]
    # Two that are far and equally long are a group as well, unless the next is a pair.
    assert grouped([far, "bb", "c"], gold) == [(far, gold[0]), ("bb", "b|b"), ("c", "c")]
    longer = far + "!"
    assert grouped([longer, "bb", "c"], gold) == [(f"{longer}|bb|c", "|".join(gold))]


def test_a_merged_sentence_takes_in_both_parts() -> None:
    system = ["a b c d", "e f g"]
    gold = ["a b", "c d", "e f g"]
    assert grouped(system, gold) == [("a b c d", "a b|c d"), ("e f g", "e f g")]


def test_groups_grow_by_the_current_sentence_and_so_take_in_too_much() -> None:
    system = ["a", "b b", "e f g h", "end"]
    gold = ["a b b", "e", "f g h", "end"]
    # What was collected would have told that both sides are even after "b b".
    assert grouped(system, gold) == [("a|b b|e f g h", "a b b|e|f g h"), ("end", "end")]


def test_the_end_is_lost_where_system_has_many_more_sentences() -> None:
    system = ["a", "b", "c", "d", "e", "f", "end"]
    gold = ["a b c d e f", "end"]
    assert grouped(system, gold) == [("a|b|c|d|e|f", "a b c d e f")]


def test_mended_the_end_of_either_side_ends_a_group() -> None:
    assert grouped(["a b"], ["a", "b"]) == [("a b", "a|b")]
    assert grouped(["x", "a", "b"], ["x", "a b"]) == [("x", "x"), ("a|b", "a b")]
    assert grouped(["x"], ["x", "y", "z"]) == [("x", "x|y|z")]
    assert grouped([], ["y", "z"]) == [("", "y|z")]
    assert grouped([], []) == []


def test_mended_a_sentence_without_words_is_near_to_nothing() -> None:
    assert grouped(["a", "b"], ["", "b"]) == [("a", ""), ("b", "b")]


def test_long_runs_of_near_pairs_take_linear_time() -> None:
    count = 20_000
    system, gold = ([f"some sentence number {i} {end}" for i in range(count)] for end in "xy")
    assert len(grouped(system, gold)) == count
    assert len(grouped([*system, "a"], [*gold, "b"])) == count + 1


# Words


@pytest.mark.parametrize(
    ("system", "gold", "positions"),
    [
        ("a b c", "a b c", ([0, 1, 2], [0, 1, 2])),
        ("A b", "a B", ([0, 1], [0, 1])),
        ("can't go", "ca n't go", ([0, 1], [0, 0, 1])),
        ("B CL FL HM HNEIM", "B H CL FL HM H NEIM", ([0, 1, 2, 3, 4], [0, 1, 1, 2, 3, 4, 4])),
        ("the very little cat", "the little cat", ([0, 1, 1, 2], [0, 1, 2])),
        ("a b", "a", ([0, 0], [0])),
        ("a", "a b c", ([0], [0, 0, 0])),
        ("", "a b", ([], [0, 1])),
        ("x long", "y q", ([0, 0], [0, 0])),  # mended: the script runs past the end
    ],
)
def test_positions(system: str, gold: str, positions: tuple[list[int], list[int]]) -> None:
    assert align_words(system.split(), gold.split()) == positions


# Brackets and tags


def test_a_same_label_unary_chain_never_matches_fully() -> None:
    tree = "(TOP (S (NP (NP (NN dog))) (VP (VBZ barks))))"
    assert run(tree, tree).counts == [(3, 4, 4)]


def test_tags_are_a_bag_unless_told_otherwise() -> None:
    gold, system = "(TOP (S (NP (NN a)) (VP (VB a))))", "(TOP (S (NP (VB a)) (VP (NN a))))"
    assert run(gold, system).tags == [(2, 2)]
    assert run(gold, system, "-evalb").tags == [(2, 0)]


def test_s1_is_left_out_on_the_system_side_only() -> None:
    tree = "(S1 (S (NP (NN dog)) (VP (VBZ barks))))"
    assert run(tree, tree).counts == [(3, 4, 3)]


def test_labels_are_cut_at_hyphens_only() -> None:
    gold = "(TOP (S (NP-SBJ=2 (NN dog)) (VP=2 (VBZ barks))))"
    system = "(TOP (S (NP (NN dog)) (VP (VBZ barks))))"
    assert run(gold, system).counts == [(2, 3, 3)]
    assert run("(TOP (-X- (NN a)))", "(TOP (TOP (NN a)))").counts == [(0, 0, 0)]


def test_a_deleted_phrase_takes_its_words_along() -> None:
    outcome = run(DOG, DOG, "x.prm", prm="DELETE_LABEL NP\n")
    assert outcome.rows == ["1 3 0 100.00 100.00 2 2 2 0 2 2 100.00"]


def test_a_root_with_several_children_can_be_deleted_and_others_cannot() -> None:
    several = "(TOP (S (NN a)) (S (NN b)))"
    assert run(several, several, "x.prm", prm=COLLINS).rows[0].endswith("0 0 0 0 0 0 0.00")
    assert run(DOG, DOG, "x.prm", prm=COLLINS).counts == [(3, 3, 3)]


def test_length_counts_what_was_deleted_except_traces() -> None:
    tree = "(TOP (S (NP (-NONE- *)) (VP (VB go)) (. !)))"
    assert run(tree, tree, "x.prm", prm=COLLINS).rows[0].startswith("1 2 0 ")
    assert run(tree, tree, "-evalb").rows[0].startswith("1 3 0 ")


def test_other_parameters_are_ignored() -> None:
    gold = "(TOP (S (NP (NN dog)) (VP (VBZ barks))))"
    system = "(TOP (S (VP (NN dog)) (NP (VBZ barks))))"
    prm = "LABELED 0\nCUTOFF_LEN 1\nMAX_ERROR 0\nEQ_WORD a b\nNONSENSE\n"
    assert run(gold, system, "x.prm", prm=prm).out == run(gold, system).out


def test_equal_labels() -> None:
    gold = "(TOP (S (ADVP (NN up)) (VP (VBZ barks))))"
    system = "(TOP (S (PRT (NN up)) (VP (VBZ barks))))"
    assert run(gold, system, "x.prm", prm="EQ_LABEL ADVP PRT\n").counts == [(3, 3, 3)]
    assert run(gold, system, "-evalb").counts == [(3, 3, 3)]
    # Named twice, it counts twice; a lone label means its letters.
    assert run(gold, system, "x.prm", prm="EQ_LABEL ADVP PRT\n" * 2).counts == [(4, 3, 3)]
    gold, system = "(TOP (N (NN a)))", "(TOP (P (NN a)))"
    assert run(gold, system, "x.prm", prm="EQ_LABEL NP\n").counts == [(1, 1, 1)]


def test_different_numbers_of_tags_are_an_error_with_evalb_only() -> None:
    gold, system = DOG + WE, DOG + "(TOP (S (NP (PRP we)) (VP (VBP see))))\n"
    assert run(gold, system, "-evalb").rows[1] == "2 3 1 0.00 0.00 0 0 0 0 0 0 0.00"
    assert run(gold, system).rows[1].startswith("2 3 0 ")


def test_a_phrase_that_nothing_is_left_of_counts_when_it_is_deep_enough() -> None:
    trace = "(SBAR (S (NP (-NONE- *))))"
    gold = f"(TOP (S (NP (NN a)) {trace} (VP (VB b))))"
    assert run(gold, gold, "x.prm", prm=COLLINS).counts == [(4, 4, 4)]
    mended = f"(TOP (S (NP (NN a)) {trace}))"
    assert run(mended, mended, "x.prm", prm=COLLINS).counts == [(3, 3, 3)]


# Input and output


def test_nothing_gives_an_empty_table() -> None:
    outcome = run("", "")
    assert outcome.exit_status == 0
    assert outcome.rows == []
    assert outcome.summary("Bracketing FMeasure") == "nan"


def test_mended_lines_are_told() -> None:
    gold = DOG + WE + CAT
    system = "\n" + WE + CAT.replace(")))))", ")))")
    outcome = run(gold, system)
    assert outcome.exit_status == 0
    assert outcome.err.splitlines() == [
        "system:1: no tree: a sentence without words",
        "system:3: 2 brackets are not closed: closed at the end of the line",
    ]
    assert outcome.counts[-1] == (4, 4, 4)


@pytest.mark.parametrize("line", ["word", ")", "(S (NN a)) (S (NN b))", "(NP a b)", "((", "()"])
def test_mended_any_line_has_a_score(line: str) -> None:
    for options in ([], ["-evalb"]):
        outcome = run(f"{DOG}{line}\n{WE}", f"{DOG}{line}\n{WE}", *options)
        assert outcome.summary("Number of sentence") == "3"


def test_depth_is_no_limit() -> None:
    tree = "(S " * 20_000 + "(NN a)" + ")" * 20_000
    assert run(tree, tree).counts == [(1, 20_000, 20_000)]


def test_merged_groups_may_be_large() -> None:
    gold = "".join(f"(S (NP (NN a{i}) (NN b)) (VP (VB c)))\n" for i in range(3_000))
    system = "".join(f"(S (NP (NN x{i})) (VP (VB y) (NP (NN zz))))\n" for i in range(2_000))
    outcome = run(gold, system)
    assert sum(gold for _, gold, _ in outcome.counts) <= 9_000


@pytest.mark.parametrize(
    "options", [["x.txt"], ["-evalb", "x.txt"], ["x.prm", "-evalb"], ["x.prm", "y.prm"]]
)
def test_other_arguments_end_it(options: list[str]) -> None:
    outcome = run(DOG, DOG, *options)
    assert outcome.exit_status == 1
    assert outcome.out == ""
    assert outcome.err.startswith("usage: treelens jp-evalb GOLD SYSTEM")


def test_missing_files_are_named() -> None:
    from jp_runs import run_files

    outcome = run_files(["nothing", "system"], {b"system": b""})
    assert outcome == (1, "", "treelens jp-evalb: cannot read 'nothing'\n")
