"""``treelens tedeval``: the original's options, files and scenarios; what is said of bad input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from treelens.cli import main

GOLD = """\
1	the	_	D	D	_	2	det	_	_
2	dog	_	N	N	_	3	nsubj	_	_
3	barks	_	V	V	_	0	root	_	_

1	cats	_	N	N	_	2	nsubj	_	_
2	sleep	_	V	V	_	0	root	_	_
"""
PARSE = GOLD.replace("2	nsubj	_	_\n2	sleep", "2	obj	_	_\n2	sleep")
OTHER = GOLD.replace("2	det", "3	det")

HEBREW = """\
(TOP (PP (IN B) (NP (NP (H H) (NP (NN CL) (PP (POSS FL) (PRN HM)))) (ADJP (H H) (JJ NEIM)))))
"""
HEBREW_PARSE = "(TOP (PP (IN B) (NP (NP (NN CL) (PP (POSS FL) (PRN HM))) (JJ HNEIM))))\n"
MAP = """\
0	1	B	_	IN	IN	_	1
1	2	H	_	H	H	_	1
2	3	CL	_	NN	NN	_	1
3	4	FL	_	POSS	POSS	_	1
4	5	HM	_	PRN	PRN	_	1
5	6	H	_	H	H	_	2
6	7	NEIM	_	JJ	JJ	_	2
"""
SEGMENTS = "\tB:CL:FL:HM\n\tHNEIM\n"
LATTICE = (
    MAP
    + """\
1	3	CL	_	NN	NN	_	1
5	7	HNEIM	_	JJ	JJ	_	2
"""
)

DEPENDENCY = "(- (root (sbj John) (hd loves) (obj Mary)))\n"
CONSTITUENCY = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "gold.conll": GOLD,
        "parse.conll": PARSE,
        "other.conll": OTHER,
        "gold.ptb": HEBREW,
        "parse.ptb": HEBREW_PARSE,
        "gold.map": MAP,
        "parse.seg": SEGMENTS,
        "text.lattice": LATTICE,
        "d.ftrees": DEPENDENCY,
        "c.ptb": CONSTITUENCY,
        "free.txt": "# relations\nobj nsubj\nlonely\n",
        "cycle.conll": "1\ta\t_\tX\tX\t_\t2\tx\t_\t_\n2\tb\t_\tX\tX\t_\t1\ty\t_\t_\n",
        "crossing.ftrees": "(ROOT (a w1 w2) w3)\n",
        "crossed.ftrees": "(ROOT w1 (b w2 w3))\n",
        "empty": "",
        "prose": "No trees here.\n",
    }
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")


def run(arguments: str) -> int:
    return main(["tedeval", *arguments.split()])


def scores(capsys: pytest.CaptureFixture[str], arguments: str) -> list[str]:
    """The lines with scores, without what is the same in all of them."""
    assert run(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    return [line.split(maxsplit=1)[1] for line in lines if line.startswith(("TedEval", "SegEval"))]


# --- simple --------------------------------------------------------------------------------


def test_simple_scenario_and_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-g gold.conll -p parse.conll -o out") == 0
    assert capsys.readouterr().out == (
        "gold       gold.conll\n"
        "parse      parse.conll\n"
        "sentences  2\n"
        "TedEval    0.9375  (1 edit, 16 nodes)\n"
        "           0.9167  (mean of the sentences' scores)\n"
        "\n"
        "treelens|v:0.1.0|metric:tedeval|version:2011|costs:add1+delete1+relabel1|free:none"
        "|labels:relations|head:*|golds:1|average:global|alignment:words|scenario:simple\n"
    )
    assert Path("out.ted").read_text(encoding="utf-8") == (
        "1\t1.000000\t0\t10\n2\t0.833333\t1\t6\nAVG:\t0.937500\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no paths there")
def test_what_a_pipe_has_is_there_once(capsys: pytest.CaptureFixture[str]) -> None:
    there, put = os.pipe()
    os.write(put, GOLD.encode())
    os.close(put)
    try:
        lines = scores(capsys, f"-g /dev/fd/{there} -p parse.conll")
    finally:
        os.close(there)
    assert lines == scores(capsys, "-g gold.conll -p parse.conll") != []


@pytest.mark.parametrize("option", ["-micro", "--mean"])
def test_the_mean_of_sentences_is_asked_for(option: str) -> None:
    assert run(f"-g gold.conll -p parse.conll -o out {option}") == 0
    assert Path("out.ted").read_text(encoding="utf-8").splitlines()[-1] == "AVG:\t0.916667"


def test_unlabelled_and_other_versions(capsys: pytest.CaptureFixture[str]) -> None:
    pair = "-g gold.conll -p parse.conll -format conll"
    assert scores(capsys, f"{pair} -unlabeled") == ["1.0000  (0 edits, 16 nodes)"]
    # A wrong relation is a node to delete and one to add.
    assert scores(capsys, f"{pair} --version 2012a") == ["0.8750  (2 edits, 16 nodes)"]
    assert scores(capsys, f"{pair} --version 2012b") == [
        "0.9231  (2 edits, 26 nodes)",
        "1.0000  (0 edits, 10 segments)",
    ]


def test_labels_that_replace_each_other_freely(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-g gold.conll -p parse.conll --free free.txt") == 0
    printed = capsys.readouterr()
    assert "TedEval    1.0000  (0 edits, 16 nodes)" in printed.out
    assert "|free:1#" in printed.out
    assert printed.err == "free.txt:3: two labels are expected, found 1; left out\n"


def test_several_golds_and_several_parses(capsys: pytest.CaptureFixture[str]) -> None:
    # In what both golds have in common, nothing is over "the dog", which the parse has.
    found = scores(
        capsys,
        "-g gold.conll -g other.conll -p parse.conll -p other.conll -o a -o b",
    )
    assert found == ["0.8667  (2 edits, 15 nodes)", "1.0000  (0 edits, 14 nodes)"]
    assert Path("a.ted").exists()
    assert Path("b.ted").read_text(encoding="utf-8").endswith("AVG:\t1.000000\n")


# --- joint ---------------------------------------------------------------------------------


def test_joint_scenario_with_mapping_files(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "-g gold.ptb -sg gold.map -p parse.ptb -sp parse.seg -format ptb"
    assert scores(capsys, arguments) == [
        "0.7273  (6 edits, 22 nodes)",
        "0.6667  (4 edits, 12 segments)",
    ]


def test_strict_lattice_states(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "-g gold.ptb -p parse.ptb --lattice text.lattice"
    assert scores(capsys, arguments)[0] == "0.6364  (8 edits, 22 nodes)"


def test_a_lattice_without_the_gold_path(capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.lattice").write_text(LATTICE.replace("NEIM", "OTHER"), encoding="utf-8")
    assert run("-g gold.ptb -p parse.ptb --lattice text.lattice") == 0
    said = capsys.readouterr().err
    assert "parse.ptb:1: sentence 1: the lattice has no path for gold; segments are aligned" in said


def test_a_mapping_that_is_not_the_trees(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-g gold.ptb -sg parse.seg -p parse.ptb -sp parse.seg") == 0
    said = capsys.readouterr().err
    assert "sentence 1: the mapping of gold has not as many segments as its tree" in said


DU = """\
1-2	du	_	_	_	_	_	_	_	_
1	de	_	P	_	_	2	case	_	_
2	le	_	D	_	_	0	root	_	_
3	le	_	D	_	_	2	det	_	_
"""


def test_multiword_tokens_say_which_segments_are_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("gold.conllu").write_text(DU, encoding="utf-8")
    # The same token, cut into one word: by the text alone, its "le" could be the one after it.
    Path("parse.conllu").write_text(
        "1\tdu\t_\tP\t_\t_\t2\tcase\t_\t_\n2\tle\t_\tD\t_\t_\t0\troot\t_\t_\n", encoding="utf-8"
    )
    found = scores(capsys, "-g gold.conllu -p parse.conllu --version 2012b")
    assert found[1] == "0.4000  (3 edits, 5 segments)"


# --- cross-framework -----------------------------------------------------------------------


def test_cross_framework_experiments(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = "-p1 d.ftrees -g1 d.ftrees -o1 one -p2 c.ptb -g2 c.ptb -format2 ptb -o2 two"
    assert scores(capsys, arguments) == [
        "1.0000  (0 edits, 8 nodes)",
        "1.0000  (0 edits, 11 nodes)",
    ]
    # The paper's: b against a and both golds.
    assert scores(capsys, "-p1 c.ptb -g1 d.ftrees -g2 c.ptb") == ["0.7273  (3 edits, 11 nodes)"]
    assert Path("one.ted").exists()
    assert Path("two.ted").exists()


# --- function trees ------------------------------------------------------------------------


def test_dependencies_are_converted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert gold.conll out.ftrees") == 0
    assert Path("out.ftrees").read_text(encoding="utf-8") == (
        "(ROOT (root (nsubj (det the) (* dog)) (* barks)))\n(ROOT (root (nsubj cats) (* sleep)))\n"
    )
    # What was written is what is read.
    assert scores(capsys, "-g out.ftrees -p parse.conll") == ["0.9375  (1 edit, 16 nodes)"]


def test_head_daughters_of_function_trees_fit_the_version(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("convert gold.conll out.ftrees")
    found = scores(capsys, "-g out.ftrees -p gold.conll --version 2012a")
    assert found == ["1.0000  (0 edits, 16 nodes)"]


@pytest.mark.parametrize(
    ("operation", "written"),
    [
        (
            "--tl-unify",
            "(ROOT (root (hd (sbj John)) (hd loves) (hd (obj Mary))))\n",
        ),
        (
            "--unify",
            "(ROOT (root (hd (sbj John)) (prd (hd loves) (hd (obj Mary)))))\n",
        ),
        ("--generalise", "(ROOT (root (sbj John) (hd loves) (obj Mary)))\n"),
    ],
)
def test_treebanks_are_combined(operation: str, written: str) -> None:
    assert run(f"combine {operation} d.ftrees c.ptb -o out.ftrees") == 0
    assert Path("out.ftrees").read_text(encoding="utf-8") == written


def test_a_treebank_is_enriched_as_in_the_papers_fourth_figure() -> None:
    """EACL 2012: the first tree's structure, {root} over all, {sbj} over John, an empty set over
    the verb phrase, {hd} over loves, {obj} over Mary."""
    Path("plain.ptb").write_text("(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))\n")
    rows = (("John", "N", 2, "sbj"), ("loves", "V", 0, "root"), ("Mary", "N", 2, "obj"))
    Path("d.conll").write_text(
        "".join(
            f"{number}\t{form}\t_\t{tag}\t{tag}\t_\t{head}\t{relation}\t_\t_\n"
            for number, (form, tag, head, relation) in enumerate(rows, 1)
        )
    )
    assert run("combine --tl-unify plain.ptb d.conll -o out.ftrees") == 0
    assert Path("out.ftrees").read_text() == "(ROOT (root (sbj John) ( (hd loves) (obj Mary))))\n"
    # It is a treebank again, whose node without a label is kept, and says no function.
    assert run("combine --tl-unify out.ftrees d.conll -o again.ftrees") == 0
    assert Path("again.ftrees").read_text() == Path("out.ftrees").read_text()
    assert run("combine --generalise out.ftrees d.conll -o common.ftrees") == 0
    assert Path("common.ftrees").read_text() == "(ROOT (root (sbj John) (hd loves) (obj Mary)))\n"


def test_what_golds_have_in_common_is_written() -> None:
    assert run("combine --subsume gold.conll other.conll -o out.ftrees") == 0
    assert Path("out.ftrees").read_text(encoding="utf-8") == (
        "(ROOT (root (det the) (nsubj dog) (* barks)))\n(ROOT (root (nsubj cats) (* sleep)))\n"
    )


def test_crossing_nodes_cannot_be_unified(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("combine --unify crossing.ftrees crossed.ftrees") == 1
    printed = capsys.readouterr()
    assert printed.out == "(())\n"
    assert printed.err == (
        "crossing.ftrees:1: sentence 1: no unification, because “w1 w2” and “w2 w3” cross; "
        "written as (())\n"
    )


# --- what is wrong outside -----------------------------------------------------------------


def test_trees_that_are_none_are_mended_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-g cycle.conll -p cycle.conll") == 0
    printed = capsys.readouterr()
    assert "TedEval    1.0000  (0 edits, 6 nodes)" in printed.out
    assert "cycle.conll:1: sentence 1: " in printed.err
    # Of every one that is combined.
    assert run("combine --unify cycle.conll other.conll") == 1
    mended = "cycle.conll:1: sentence 1: 1 cycle"
    assert mended in capsys.readouterr().err
    run("combine --unify other.conll cycle.conll")
    assert mended in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("disc.mrg", "(S (VP 0=I 1=saw))\n", "this is discbracket"),
        ("a.cupt", "# global.columns = ID FORM PARSEME:MWE\n1\ta\t_\tX\n", "this is cupt"),
        (
            "c09.conll",
            "1\tgo\tgo\tgo\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n",
            "this is CoNLL-2009",
        ),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        "-g {0} -p {0}",
        "-g1 {0} -p1 {0}",
        "-g {0} -p {0} -format conll",
        "-g {0} -p {0} -format ptb",
        "convert {0} out",
        "combine --generalise {0} {0} -o out",
    ],
)
def test_what_would_be_taken_for_a_neighbour_is_refused_by_name(
    arguments: str, file: str, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(file).write_text(text, encoding="utf-8")
    assert run(arguments.format(file)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{file} cannot be scored: {message}" in printed.err
    assert not Path("out").exists()


def test_a_shorter_parse_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    Path("short.conll").write_text(GOLD.split("\n\n")[0] + "\n", encoding="utf-8")
    assert run("-g gold.conll -p short.conll") == 0
    printed = capsys.readouterr()
    assert "(3 edits, 13 nodes)" in printed.out
    assert "gold.conll has 2 trees, short.conll 1" in printed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-p parse.conll", "gold (-g FILE) is missing"),
        ("-g gold.conll", "a parse (-p FILE) is missing"),
        ("-g gold.conll -p parse.conll -o a -o b", "there are more -o than -p"),
        ("-g gold.conll -p1 parse.conll", "either -g and -p, or experiments"),
        ("-p1 parse.conll", "gold is missing: -g1 FILE"),
        ("-g1 gold.conll", "a parse is missing: -p1 FILE"),
        ("-g1", "a file is expected behind -g1"),
        ("-g gold.ptb -sg gold.map -p parse.ptb", "mapping files are needed"),
        ("-g gold.ptb -g gold.ptb -p parse.ptb --version 2012b", "compares with one gold"),
        ("-g gold.ptb -p parse.ptb --free free.txt", "--free is for --version 2011"),
        ("-g gold.conll -p parse.conll --lattice text.lattice --version 2011", "--lattice is for"),
        ("-g empty -p parse.conll", "empty is empty"),
        ("-g prose -p parse.conll -format ptb", "prose holds no trees in the format 'ptb'"),
        ("-g missing -p parse.conll", "missing: no such file"),
        ("-g gold.conll -p parse.conll -o no/such/folder", "no/such/folder.ted: "),
        ("-g gold.conll -p parse.conll -format html", "invalid choice"),
        ("-g1 gold.conll -p1 parse.conll -format1 html", "'html' is no format; there are auto"),
        (
            "-g gold.ptb -sg gold.map -p parse.ptb -sp gold.map --version 2011",
            "-sg is for --version 2012b",
        ),
        ("combine --unify d.ftrees -o out.ftrees", "at least two treebanks"),
    ],
)
def test_what_stops_is_one_line(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_files_without_functions_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-g gold.ptb -p parse.ptb --version 2012a") == 0
    assert "has no functions (such as SBJ in NP-SBJ)" in capsys.readouterr().err


def test_gold_and_parse_are_not_both_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ("-g - -p -", "-g1 - -p1 -"):
        assert main(["tedeval", *arguments.split()]) == 2
        assert "only one of the files can be read from standard input" in capsys.readouterr().err
