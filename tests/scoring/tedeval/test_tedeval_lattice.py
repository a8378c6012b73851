"""Lattices, mapping and segmentation files: read whatever they are, paths found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.cli import main
from treelens.formats.lattice import LatticeArc, read_lattice, read_segments
from treelens.tedeval.segments import states
from treelens.trees.forest import Forest, Symbols, encode

MAP = """\
0	1	B	_	IN	IN	_	1
1	2	CL	_	NN	NN	_	1
2	3	HNEIM	_	JJ	JJ	_	2

0	1	x	_	X	X	_	1
"""


def segments(text: str) -> tuple[Forest, list[tuple[str, str]]]:
    """What is read, and the problems with what they stand at."""
    forest, problems = read_segments(encode(text), Symbols())
    return forest, [(problem.code, forest.text(problem.start, problem.end)) for problem in problems]


def tokens(forest: Forest, sentence: int) -> list[tuple[str, int]]:
    assert forest.anchors is not None
    rows = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    return list(zip(forest.words(sentence), forest.anchors.token[rows].tolist(), strict=True))


def test_a_mapping_file_says_the_token_of_each_segment() -> None:
    forest, problems = segments(MAP)
    assert problems == []
    assert len(forest) == 2
    assert tokens(forest, 0) == [("B", 1), ("CL", 1), ("HNEIM", 2)]
    assert [forest.symbols.label(tag) for tag in forest.tag.tolist()] == ["IN", "NN", "JJ", "X"]
    assert forest.piece.tolist() == [[0, MAP.index("\n\n") + 1], [MAP.index("\n\n") + 1, len(MAP)]]


def test_a_segmentation_file_says_the_same() -> None:
    forest, problems = segments("\tB:CL\n\tHNEIM\n\n\tx\n\t:\n")
    assert problems == []
    assert tokens(forest, 0) == [("B", 1), ("CL", 1), ("HNEIM", 2)]
    assert tokens(forest, 1) == [("x", 1), (":", 2)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("0 1 B _ IN IN _ 1", "spaces"),
        ("0\t1\tB\t_\tIN\tIN\t_", "arc"),
        ("x\t1\tB\t_\tIN\tIN\t_\t1", "arc"),
        ("1\t1\tB\t_\tIN\tIN\t_\t1", "arc"),
        ("5\t6\tB\t_\tIN\tIN\t_\t1", "gap"),
    ],
)
def test_what_is_wrong_with_an_arc_is_told_where_it_is(line: str, code: str) -> None:
    forest, problems = segments(f"0\t1\tA\t_\tX\tX\t_\t1\n{line}\n1\t2\tC\t_\tX\tX\t_\t2\n")
    assert (code, line) in problems
    kept = [("A", 1), ("C", 2)] if code == "arc" else [("A", 1), ("B", 1), ("C", 2)]
    assert tokens(forest, 0) == kept


def test_a_segmentation_without_its_tab() -> None:
    forest, problems = segments("B:CL\n\tx y\n")
    assert problems == [("no-tab", "B:CL"), ("blank", "\tx y")]
    assert tokens(forest, 0) == [("B", 1), ("CL", 1), ("x", 2), ("y", 2)]


def test_a_lattice_has_all_arcs() -> None:
    sentences, problems = read_lattice(encode(f"# {MAP}" + "0\t2\tBCL\t_\tNNP\tNNP\t_\t1\n"))
    assert problems == []
    assert [len(arcs) for arcs in sentences] == [2, 2]
    assert sentences[1] == (LatticeArc(0, 1, "x", "X", 1), LatticeArc(0, 2, "BCL", "NNP", 1))


ARCS = (
    LatticeArc(0, 1, "a", "X", 1),
    LatticeArc(0, 2, "a", "Y", 1),
    LatticeArc(1, 3, "_b_", "Z", 1),
    LatticeArc(2, 3, "b", "Z", 1),
    LatticeArc(0, 3, "ab", "W", 1),
)


@pytest.mark.parametrize(
    ("words", "tags", "path"),
    [
        ("ab", "W", [0, 3]),
        ("a b", "X Z", [0, 1, 3]),
        ("a b", "Y Z", [0, 2, 3]),
        ("a b", "? ?", [0, 1, 3]),  # no tag decides: the lowest states
        ("a", "X", None),  # does not come to the end
        ("a c", "X Z", None),
        ("", "", None),
    ],
)
def test_paths_through_a_lattice(words: str, tags: str, path: list[int] | None) -> None:
    assert states(words.split(), tags.split(), ARCS) == path
    assert states(words.split(), tags.split(), ()) is None


@pytest.mark.parametrize(
    ("form", "word"),
    [("(", "-LRB-"), ("-LRB-", "("), (":-)", ":--RRB-"), ("_(_", "-LRB-"), ("[", "_-LSB-_")],
)
def test_a_form_is_the_word_that_a_tree_can_have_of_it(form: str, word: str) -> None:
    arcs = (LatticeArc(0, 1, form, "P", 1), LatticeArc(0, 1, "x", "P", 1))
    assert states([word], ["P"], arcs) == [0, 1]
    assert states([word + "y"], ["P"], arcs) is None


@pytest.mark.parametrize(
    ("form", "gold", "parse"),
    [("z", "z", "z"), ("(", "-LRB-", "-LRB-"), ("_h_", "_h_", "h"), ("h", "h", "_h_")],
)
def test_words_of_a_lattice_are_the_same_however_they_are_written(
    form: str,
    gold: str,
    parse: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arcs = ((0, 1, form, "P", 1), (1, 3, "xy", "N", 2), (1, 2, "x", "A", 2), (2, 3, "y", "B", 2))
    lines = (f"{a}\t{b}\t{text}\t_\t{tag}\t{tag}\t_\t{token}\n" for a, b, text, tag, token in arcs)
    monkeypatch.chdir(tmp_path)
    Path("text.lattice").write_text("".join(lines), encoding="utf-8")
    Path("gold.ptb").write_text(f"(TOP (P {gold}) (NP (N xy)))\n", encoding="utf-8")
    Path("parse.ptb").write_text(f"(TOP (P {parse}) (NP (A x) (B y)))\n", encoding="utf-8")
    assert main(["tedeval", "-g", "gold.ptb", "-p", "parse.ptb", "--lattice", "text.lattice"]) == 0
    shown = capsys.readouterr()
    # Kept are the first arc, and NP between the same states.
    assert "TedEval    0.5714  (3 edits, 7 nodes)\n" in shown.out
    assert "SegEval    0.4000  (3 edits, 5 segments)\n" in shown.out
    assert "no path" not in shown.err


LINES = (
    "0\t1\ta\t_\tX\tX\t_\t1",
    "\ta:b",
    "\t",
    "",
    "# x",
    "1\t0",
    "\0",
    "𝔸:",
    ":",
    "\ta b",
    "9 9",
)


@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_text_is_read(lines: list[str], end: str) -> None:
    text = end.join(lines)
    forest, problems = read_segments(encode(text), Symbols())
    arcs, more = read_lattice(encode(text))
    assert all(
        0 <= problem.start <= problem.end <= len(encode(text)) for problem in problems + more
    )
    assert all(forest.words(sentence) for sentence in range(len(forest)))
    assert all(arcs)
    if len(forest):
        assert forest.piece[0, 0] == 0
        assert forest.piece[-1, 1] == len(encode(text))
        assert (forest.piece[1:, 0] == forest.piece[:-1, 1]).all()
