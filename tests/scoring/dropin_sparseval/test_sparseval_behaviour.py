"""What SParseval does, case by case; the C program is asked too, if there is one.

Longer than other modules are: case after case of one program.
"""

from __future__ import annotations

import pytest
from sparseval_runs import HEADS, PARAMETERS, run, run_files
from treelens.dropin.sparseval import program, reading

DOG = "(S1 (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP it)))))\n"


def test_little_at_a_time_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, str | bytes] = {"g": DOG * 4 + DOG.replace("NP", "X")}
    whole = run_files(["-v", "-F", "out", "g", "g"], files)
    report = files.pop("out")
    monkeypatch.setattr(program, "_AT_ONCE", 2)
    monkeypatch.setattr(reading, "_REMEMBERED", 2)
    assert run_files(["-v", "-F", "out", "g", "g"], files) == whole
    assert files["out"] == report
    assert run_files(["-v", "g", "g"], files).out.encode() == report


def test_the_root_is_no_bracket_but_has_a_dependent() -> None:
    found = run(DOG, DOG)
    assert found.brackets == (4, 4, 4, 0)
    # (TOP, saw), (NP, the), (S, dog), (VP, it)
    assert found.heads == (4, 4, 4)


def test_the_root_counts_where_the_parameters_do_not_delete_it() -> None:
    assert run(DOG, DOG, prm="").brackets == (5, 5, 5, 0)


def test_crossing_counts_brackets_of_the_test() -> None:
    gold = "(S1 (S (X (A a) (B b)) (X (C c) (D d))))\n"
    test = "(S1 (S (A a) (Y (B b) (C c)) (Y (Z (B d)))))\n"
    assert run(gold, test).brackets == (1, 3, 4, 1)


def test_equal_brackets_match_as_often_as_both_sides_have_them() -> None:
    gold = "(S1 (NP (NP (NN a))))\n"
    test = "(S1 (NP (NP (NP (NN a)))))\n"
    assert run(gold, test).brackets == (2, 2, 3, 0)


def test_unlabelled_ignores_the_labels_of_brackets_and_dependencies() -> None:
    test = DOG.replace("NP", "X")
    assert run(DOG, test).brackets[0] == 2
    assert run(DOG, test, "-u").brackets[0] == 4
    assert run(DOG, test, "-u").heads[0] > run(DOG, test).heads[0]


@pytest.mark.parametrize(
    ("gold", "test", "same"),
    [
        ("NP-SBJ-1", "NP", True),
        ("NP=2", "NP", True),
        ("-NP-SBJ", "-NP", True),
        ("NP-", "NP", False),
        ("ADVP-TMP", "PRT", True),
        ("NP", "VP", False),
    ],
)
def test_labels_are_cut_inside_and_renamed(gold: str, test: str, same: bool) -> None:
    found = run(f"(S1 ({gold} (NN a)))\n", f"(S1 ({test} (NN a)))\n")
    assert found.brackets[0] == same


def test_renaming_holds_for_heads_too() -> None:
    """An ADVP has the head of a PRT: EQ_LABEL is a new name, not an equivalence."""
    heads = "*default* (l)\nADVP (l)\nPRT (r)\n"
    gold = "(S1 (ADVP (RB a) (IN b)))\n"
    assert run(gold, gold, heads=heads).open_heads == (0, 0, 0)
    assert run(gold, gold, heads=heads, prm="CLOSED_CLASS IN").open_heads == (1, 1, 1)


@pytest.mark.parametrize(
    ("gold", "test"),
    [
        ("uh", "um"),
        ("uh", "UM"),
        ("is", "'s"),
        ("'s", "was"),
        ("Mother-in-law", "motherinlaw"),
        ("'s", "Gs"),
    ],
)
def test_words_that_are_equal(gold: str, test: str) -> None:
    """The last pair: ``'`` is 32 before ``G``, as ``G`` is before ``g``."""
    assert _found_by_words(gold, test) == (1, 1, 1)


@pytest.mark.parametrize(
    ("gold", "test"), [("uh", "mhm"), ("is", "was"), ("a", "b"), ("'s", "gs"), ("é", "è")]
)
def test_words_that_are_not_equal(gold: str, test: str) -> None:
    assert _found_by_words(gold, test) == (0, 1, 1)


def _found_by_words(gold: str, test: str) -> tuple[int, ...]:
    return run(f"(S1 (NP (NN {gold})))\n", f"(S1 (NP (NN {test})))\n", "-b").heads


def test_dependencies_of_closed_classes_are_not_open() -> None:
    tree = "(S1 (PP (IN in) (NP (NN town))))\n"
    found = run(tree, tree)
    assert (found.heads, found.open_heads) == ((2, 2, 2), (0, 0, 0))


def test_the_bag_of_dependencies_has_an_order() -> None:
    gold = "(S1 (NP (NN a)))\n(S1 (NP (NN b)))\n"
    test = "(S1 (NP (NN b)))\n(S1 (NP (NN a)))\n"
    assert run(gold, test, "-b", "-c").heads == (1, 2, 2)


def test_a_bag_has_no_brackets_and_no_line_for_them() -> None:
    found = run(DOG, DOG, "-b")
    assert found.brackets == (0, 0, 0, 0)
    assert "Bracketing" not in found.out


class TestEditedSpeech:
    def test_it_is_flat_and_raised_and_one_with_its_neighbour(self) -> None:
        gold = "(S1 (S (EDITED (NP (DT a) (NN b))) (EDITED (NN c)) (NP (NN d))))\n"
        test = "(S1 (EDITED (DT a) (X (NN b)) (NN c)) (S (NP (NN d))))\n"
        assert run(gold, test).brackets == (3, 3, 3, 0)

    def test_nothing_in_it_depends_on_anything(self) -> None:
        tree = "(S1 (S (EDITED (DT a) (NN b)) (NP (NN d))))\n"
        assert run(tree, tree).heads == (1, 1, 1)
        assert run(tree, tree, "-b").heads == (1, 1, 1)

    def test_it_is_a_head_only_where_there_is_no_other(self) -> None:
        heads = "*default* (l EDITED NN) (l)\n"
        tree = "(S1 (S (NP (DT a) (EDITED (NN b)) (NN c))))\n"
        # (TOP, c) and (NP, a)
        assert run(tree, tree, heads=heads).heads == (2, 2, 2)
        # Now NP has an edited head, which has no word.
        tree = tree.replace("(NN c)", "(DT c)")
        assert run(tree, tree, heads=heads).heads == (0, 0, 0)
        assert run(tree, tree, "-b", heads=heads).heads == (0, 2, 2)

    def test_punctuation_keeps_it_apart_where_it_is_a_part_of_the_alignment(self) -> None:
        tree = "(S1 (X (NN x)) (EDITED (NN a)) (, ,) (EDITED (NN b)))\n"
        assert run(tree, tree).brackets == (3, 3, 3, 0)
        aligned = "x\tx\t000\na\ta\t000\nb\tb\t000\n"
        assert run(tree, tree, "-a", "align", align=aligned).brackets == (2, 2, 2, 0)


class TestWithoutAnAlignmentFile:
    def test_words_that_are_not_golds_are_told(self) -> None:
        found = run(DOG, DOG.replace("saw", "was"))
        assert "warning, potential test mis-alignment (0,4): was saw" in found.err
        assert found.brackets == (4, 4, 4, 0)

    def test_a_word_may_be_two_of_golds(self) -> None:
        gold = "(S1 (NP (NN tooth) (NN brush)))\n"
        found = run(gold, "(S1 (NP (NN tooth-brush)))\n")
        assert "mis-alignment" not in found.err

    def test_words_deleted_in_gold_are_deleted_in_the_test(self) -> None:
        gold = "(S1 (S (NP (NN a)) (. .)))\n"
        test = "(S1 (S (NP (NN a)) (X (NN .))))\n"
        assert run(gold, test).brackets == (2, 2, 2, 0)

    def test_more_words_than_gold_has_end_it(self) -> None:
        found = run(DOG, DOG.replace("it", "it) (UH uh"))
        assert found.exit_status == 1
        assert "warning: test mis-alignment: (-1,-1) uh" in found.err
        assert found.ours[-1].endswith("from 'uh' on")

    def test_gold_without_words_is_compared_by_dependencies_only(self) -> None:
        found = run("(S1 (NP (-NONE- *)))\n", "(S1 (NP (NN a)))\n")
        assert (found.brackets, found.heads) == ((0, 0, 0, 0), (0, 0, 1))


class TestAlignmentFiles:
    GOLD = "(S1 (NP (DT the) (NN dog)))\n(S1 (VP (VBD ran)))\n"
    TEST = "(S1 (NP (DT a) (NN dog)) (VP (VBD ran) (UH uh)))\n"
    ALIGNED = "the\ta\t001\ndog\tdog\t000\nran\tran\t000\n\tuh\t010\n"

    def test_a_file_is_one_sentence(self) -> None:
        found = run(self.GOLD, self.TEST, "-a", "align", align=self.ALIGNED)
        assert found.brackets == (1, 2, 2, 0)
        assert found.heads == (2, 3, 4)

    def test_a_deletion_has_a_place_and_no_word_of_the_test(self) -> None:
        test = "(S1 (NP (NN dog)) (VP (VBD ran)))\n"
        aligned = "the\t100\ndog\tdog\t000\nran\tran\t000\n"
        assert run(self.GOLD, test, "-a", "align", align=aligned).brackets == (2, 2, 2, 0)

    def test_a_word_of_the_alignment_may_be_two_of_the_tree(self) -> None:
        aligned = "thedog\tadog\t001\nran\tran\t000\n\tuh\t010\n"
        found = run(self.GOLD, self.TEST, "-a", "align", align=aligned)
        assert "mis-alignment" not in found.err

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("the", "without flags behind it, '' has to be 100, for a deletion"),
            ("\ta\t000", "there is no word of gold"),
            ("the\ta\t011", "the flags say that a word is inserted"),
            ("", "without flags behind it"),
        ],
    )
    def test_lines_that_contradict_themselves_are_told_with_their_number(
        self, line: str, message: str
    ) -> None:
        found = run(self.GOLD, self.TEST, "-a", "align", align=f"the\ta\t001\n{line}\n")
        assert found.exit_status == 1
        assert "disagreement in alignment" in found.err
        assert found.ours[-1].startswith(f"treelens sparseval: align:2: {message}")

    def test_an_empty_file_is_told(self) -> None:
        found = run(self.GOLD, self.TEST, "-a", "align")
        assert found.exit_status == 1
        assert "no alignment data in file!" in found.err


class TestOurOwnAlignment:
    def test_words_that_differ_are_aligned(self) -> None:
        gold = "(S1 (S (NP (DT the) (NN dog)) (VP (VBD ran) (ADVP (RB off)))))\n"
        test = "(S1 (S (NP (NN dog)) (UH uh) (VP (VBD ran) (ADVP (RB off)))))\n"
        aligned = "the\t100\ndog\tdog\t000\n\tuh\t010\nran\tran\t000\noff\toff\t000\n"
        found = run(gold, test, "--align", "own")
        # A bracket starts where the one before it ended, so VP starts before "uh" in gold.
        assert found.brackets == (3, 4, 4, 0)
        assert found.heads == (3, 4, 4)
        assert found.out == run(gold, test, "-a", "align", align=aligned).out
        assert "mis-alignment" not in found.err

    def test_it_is_the_same_as_golds_words_where_the_words_are_the_same(self) -> None:
        assert run(DOG, DOG, "--align=own").out == run(DOG, DOG).out

    def test_trees_of_a_side_need_not_be_the_same(self) -> None:
        gold = "(S1 (NP (NN a)))\n(S1 (VP (VBD b)))\n"
        test = "(S1 (NP (NN a)) (VP (VBD b)))\n"
        assert run(gold, test, "--align", "own", "-c").brackets == (2, 2, 2, 0)

    def test_it_excludes_a_file(self) -> None:
        found = run(DOG, DOG, "--align", "own", "-a", "align")
        assert found.exit_status == 1
        assert "exclude each other" in found.err

    def test_other_values_are_refused(self) -> None:
        found = run(DOG, DOG, "--align", "theirs")
        assert found.exit_status == 1
        assert "--align knows one value, 'own', not 'theirs'" in found.err


class TestTrees:
    @pytest.mark.parametrize(
        "written",
        [
            "( (NP (NN a)))",
            "((NP (NN a)))",
            "  (TOP (NP (NN a)))",
            "  (TOP (NP (NN a))) and more",
            "(X\t (NP (NN a)) )",
            "(TOP (X (-NONE- *)) (NP (NN a) (, ,) (. .)))",
        ],
    )
    def test_roots_blanks_and_what_is_left_out_make_no_difference(self, written: str) -> None:
        found = run("(TOP (NP (NN a)))\n", f"\n{written}\n", "-b")
        assert found.heads == (1, 1, 1)

    def test_a_bracket_without_a_label_is_another_one_on_each_side(self) -> None:
        tree = "(TOP ( (NN a)))\n"
        assert run(tree, tree).brackets == (0, 1, 1, 0)
        assert run(tree, tree, "-u").brackets == (1, 1, 1, 0)

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("(S1 (NP (NN a))", "test:2:16: misbracketing: the line ends inside of (TOP …"),
            ("(S1 (NP (NN a", "test:2:14: misbracketing: the line ends in the word “a”"),
            ("(S1 (NP (NN a))))", "test:2:17: misbracketing: the line goes on behind the tree"),
            ("(S1 (NP (NN a)))\r", "goes on behind the tree: “\\r”"),
            ("S1", "test:2:1: misbracketing: a tree starts with a (, not with “S1”"),
        ],
    )
    def test_what_is_no_tree_is_told_with_line_and_column(self, line: str, said: str) -> None:
        found = run(DOG + DOG, f"{DOG}{line}\n")
        assert found.exit_status == 1
        assert said in found.ours[-1]
        assert found.out.splitlines()[-1].split()[0] == "1"

    def test_a_test_file_that_ends_early_ends_it(self) -> None:
        found = run(DOG + DOG, DOG)
        assert found.exit_status == 1
        assert "file length mismatch (files): gold test" in found.err
        assert "Total" not in found.out

    def test_a_gold_file_that_ends_early_is_told(self) -> None:
        found = run(DOG, f"{DOG}\n{DOG}")
        assert found.exit_status == 0
        assert found.ours == [
            "treelens sparseval: test:3: gold has ended; this and what follows is not scored"
        ]

    def test_deep_trees_are_trees(self) -> None:
        deep = "(S " * 20_000 + "(NN a)" + ")" * 20_000
        assert run(deep, deep).brackets == (19_999, 19_999, 19_999, 0)
        assert run(deep, deep, "-b").heads == (1, 1, 1)


class TestWhereTheOriginalCrashes:
    def test_a_tree_that_is_a_tagged_word_has_nothing_to_count(self) -> None:
        found = run("(NN a)\n", "(NN a)\n")
        assert (found.exit_status, found.row) == (0, (0,) * 10)

    def test_further_trees_may_follow_one_without_words(self) -> None:
        side = "(S1 (, ,))\n(S1 (NP (NN a)))\n"
        assert run(side, side, "-b", "-c").heads == (1, 1, 1)

    def test_edited_words_without_a_bracket_of_their_own_stay_apart(self) -> None:
        tree = "(S1 (S (NP (NN a)) (EDITED b) (EDITED c) (VP (VBD d))))\n"
        assert run(tree, tree).brackets == (3, 3, 3, 0)

    def test_long_labels_in_a_head_table(self) -> None:
        label = "X" * 100
        tree = f"(S1 ({label} (A a) (B b)))\n"
        found = run(tree, tree, heads=f"*default* (r)\n{label} (l {label} A)\n")
        assert found.heads == (2, 2, 2)


class TestFiles:
    def test_lists_of_files_are_scored_as_one(self) -> None:
        files = {"g": "a\nb\n", "t": "a\nb\n", "a": DOG, "b": DOG + DOG}
        found = run_files(["-l", "-v", "g", "t"], files)
        assert len(found.rows) == 3

    def test_a_list_that_ends_early_ends_it(self) -> None:
        found = run_files(["-l", "-v", "g", "t"], {"g": "a\na\n", "t": "a\n", "a": DOG})
        assert found.exit_status == 1
        assert "file length mismatch: g t" in found.err
        assert found.ours[-1] == "treelens sparseval: g names 2 files, t only 1"

    def test_a_report_may_go_to_a_file(self) -> None:
        files: dict[str, str | bytes] = {"g": DOG}
        found = run_files(["-F", "out", "g", "g"], files)
        assert (found.exit_status, found.out) == (0, "")
        assert files["out"] == run_files(["g", "g"], files).out.encode()

    @pytest.mark.parametrize(
        "arguments", [["none", "g"], ["g", "none"], ["-p", "none", "g", "g"], ["-l", "none", "g"]]
    )
    def test_a_missing_file_is_told_with_the_reason(self, arguments: list[str]) -> None:
        found = run_files(arguments, {"g": DOG})
        assert found.exit_status == 1
        assert found.err.startswith('ERROR: could not open file none in mode "r"\n')
        assert found.ours == ["treelens sparseval: none: No such file or directory"]

    def test_an_output_that_cannot_be_written_is_told_first(self) -> None:
        found = run_files(["-F", "no/where", "none", "none"], {})
        assert found.exit_status == 1
        assert found.err.startswith('ERROR: could not open file no/where in mode "w"\n')


class TestHeadTables:
    def test_ours_are_there_by_name(self) -> None:
        files = {"g": DOG}
        assert run_files(["-v", "-h", "charniak", "g", "g"], files).heads == (4, 4, 4)
        assert run_files(["-v", "-h", "collins", "g", "g"], files).heads == (4, 4, 4)

    def test_a_file_of_that_name_goes_before(self) -> None:
        files = {"g": DOG, "charniak": "NP (r NN)\n"}
        found = run_files(["-v", "-h", "charniak", "g", "g"], files)
        assert "Head rules with insufficient default conditions" in found.err

    def test_other_names_are_told_what_there_is(self) -> None:
        found = run_files(["-h", "hwa", "g", "g"], {"g": DOG})
        assert found.exit_status == 1
        assert "and our own tables are charniak, collins" in found.err

    def test_a_line_that_is_no_rule_ends_it(self) -> None:
        found = run(DOG, DOG, heads="*default* (r)\nNP r NN\n")
        assert (found.exit_status, found.out) == (1, "")
        assert "misparse head file" in found.err
        assert found.ours[0].startswith("treelens sparseval: heads:2: a rule such as (r NN)")

    def test_a_phrase_that_no_rule_fits_ends_it(self) -> None:
        found = run(DOG + DOG, DOG + DOG, heads="*default* (r NN VBD VP)\n")
        assert found.exit_status == 1
        assert found.ours == [
            "treelens sparseval: tree 1: no head rule, nor a default, fits (NP PRP)"
        ]

    def test_without_a_table_there_are_no_dependencies(self) -> None:
        found = run_files(["-v", "g", "g"], {"g": DOG})
        assert found.heads == (0, 0, 0)
        assert "Labeled Head-dependency Recall:                   -nan\n" in found.out


class TestParameters:
    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("FOO bar", "'FOO bar' is no parameter: ignored"),
            ("DELETE_LABEL  X", "blanks and line ends are part of the label ' X'"),
            ("DELETE_LABEL X\r", "blanks and line ends are part of the label 'X\\r'"),
            ("EQ_LABEL X", "EQ_LABEL takes two values with a blank between them"),
            ("EQ_WORDS mrs.mrs", "'mrs.mrs' is read as 'mrs.mrs' and ''"),
            ("FILLED_PAUSE1", "FILLED_PAUSE takes a digit, a blank and a word: ignored"),
            ("FILLED_PAUSE12 uh", "this is read as the class '1' and the word ' uh'"),
        ],
    )
    def test_lines_that_are_not_as_they_should_be_are_told(self, line: str, said: str) -> None:
        found = run(DOG, DOG, prm=f"{PARAMETERS}\n# a comment\n{line}\n")
        assert found.exit_status == 0
        number = PARAMETERS.count("\n") + 3
        assert found.ours == [
            f"treelens sparseval: prm:{number}: " + found.ours[0].split(": ", 2)[2]
        ]
        assert said in found.ours[0]

    def test_they_are_shown_in_reverse(self) -> None:
        out = run(DOG, DOG, "-z", prm="DELETE_LABEL A\nDELETE_LABEL B\nEQ_WORDS a b\n").out
        assert out.splitlines()[1:3] == ["  DELETE_LABEL B", "  DELETE_LABEL A"]
        assert "EQ_WORDS" not in out


class TestOptions:
    def test_they_may_be_joined_and_stand_anywhere(self) -> None:
        files = {"g": DOG, "p": PARAMETERS, "h": HEADS}
        one = run_files(["g", "-vbp", "p", "g", "-hh"], files)
        assert one.out == run_files(["-v", "-b", "-p", "p", "-h", "h", "g", "g"], files).out

    def test_help_says_what_there_is(self) -> None:
        found = run_files(["--help"], {})
        assert found.exit_status == 0
        assert "charniak, collins" in found.out
        assert "--align own" in found.out

    @pytest.mark.parametrize("arguments", [[], ["g"], ["g", "g", "g"], ["-x", "g", "g"], ["-?"]])
    def test_anything_else_is_told_the_usage(self, arguments: list[str]) -> None:
        found = run_files(arguments, {"g": DOG})
        assert (found.exit_status, found.out) == (1, "")
        assert "usage: treelens sparseval" in found.err

    def test_verbose_says_what_was_asked_for(self) -> None:
        lines = run(DOG, DOG, "-bu").err.splitlines()
        assert lines == [
            "  command: treelens sparseval",
            "  arg1: gold",
            "  arg2: test",
            "  params file:prm",
            "  switches: -u -b",
            "  head percolation: heads",
            "  alignment: ",
        ]

    def test_without_sentences_everything_is_nothing_of_nothing(self) -> None:
        out = run_files(["g", "g"], {"g": "\n"}).out
        assert out.startswith("Total:     0 ")
        assert out.count("    -nan\n") == 12
