"""Random speech: laws of the scores, and the C program's own output where there is one.

``SPARSEVAL=/path/to/sparseval`` names the program; ``TREELENS_EXAMPLES`` how much to try.
"""

from __future__ import annotations

import io
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sparseval_runs import HEADS, PARAMETERS, run, run_files
from treelens.dropin.sparseval.reading import Misbracketing, Node, Reader
from treelens.dropin.sparseval.settings import lines, read_parameters

MANY = settings(
    max_examples=int(os.environ.get("TREELENS_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
PHRASES = st.sampled_from(
    ["S", "NP", "VP", "PP", "ADVP", "PRT", "EDITED", "EDITED", "INTJ", "NP-SBJ", "VP=2", "-X", "NX"]
)
TAGS = st.sampled_from(
    ["DT", "NN", "VBD", "IN", "PRP", "UH", ",", ".", "RB", "-NONE-", "CD", "NN-1"]
)
WORDS = st.sampled_from(
    [
        "the",
        "The",
        "a",
        "uh",
        "um",
        "mhm",
        "mh-m",
        "is",
        "'s",
        "was",
        "dog",
        "do-g",
        "DOG",
        ",",
        ".",
        "1",
        "Q",
        "q",
        "café",
    ]
)
LEAVES = st.builds("({} {})".format, TAGS, WORDS)
TREES = st.recursive(
    LEAVES,
    lambda parts: st.builds(
        lambda label, inside: f"({label} {' '.join(inside)})",
        PHRASES,
        st.lists(parts, min_size=1, max_size=4),
    ),
    max_leaves=12,
)
ROOTS = st.builds(
    lambda root, inside: f"({root} {' '.join(inside)})",
    st.sampled_from(["S1", "TOP", "ROOT", ""]),
    st.lists(TREES, min_size=1, max_size=2),
)
OPTIONS = st.lists(st.sampled_from(["-u", "-b", "-c", "-z"]), unique=True)
ODD = st.text(alphabet="()AB -=\t\r\x00\xff", max_size=25)


def text(trees: list[str]) -> str:
    return "".join(f"{tree}\n" for tree in trees)


@MANY
@given(st.lists(ROOTS, max_size=5), OPTIONS)
def test_a_file_is_equal_to_itself(trees: list[str], options: list[str]) -> None:
    """But for phrases with an edited head, which equals nothing in a bag."""
    found = run(text(trees), text(trees), *options)
    for row in found.rows if trees else ():
        assert row[0] == row[1] == row[2]
        assert row[3] == 0
        assert row[4] <= row[5] == row[6]
        assert row[7] <= row[8] == row[9]


@MANY
@given(st.lists(st.tuples(ROOTS, ROOTS), max_size=4), OPTIONS)
def test_any_two_files_of_as_many_trees(pairs: list[tuple[str, str]], options: list[str]) -> None:
    gold, test = (text([pair[side] for pair in pairs]) for side in (0, 1))
    found = run(gold, test, *options)
    assert found.exit_status in (0, 1)
    # Our own alignment never runs out of words.
    ours = run(gold, test, "--align", "own", *options)
    assert ours.exit_status == 0
    for row in ours.rows if pairs else ():
        assert row[0] <= min(row[1:3])
        assert row[4] <= min(row[5:7])
        assert row[7] <= min(row[4], *row[8:])


@MANY
@given(st.lists(LEAVES, min_size=1, max_size=12), st.data())
def test_alignment_files(leaves: list[str], data: st.DataObject) -> None:
    """Some words dropped, replaced or added by the test, and an alignment that says so."""
    test: list[str] = []
    aligned: list[str] = []
    for leaf in leaves:
        tag, word = leaf[1:-1].split(" ")
        if tag in (",", ".", "-NONE-"):
            continue
        kind = data.draw(st.sampled_from(["same", "same", "other", "gone", "more"]))
        other = data.draw(WORDS) if kind == "other" else word
        if kind == "gone":
            aligned.append(f"{word}\t100")
        else:
            test.append(f"({tag} {other})")
            aligned.append(f"{word}\t{other}\t000")
        if kind == "more":
            test.append(f"(UH {word})")
            aligned.append(f"\t{word}\t010")
    gold_tree = f"(S1 (S (NP {' '.join(leaves)})))\n"
    test_tree = f"(S1 (S (VP {' '.join(test)})))\n" if test else "(S1 (, ,))\n"
    if aligned:
        found = run(gold_tree, test_tree, "-a", "align", align="\n".join(aligned) + "\n")
        assert found.exit_status in (0, 1)


@MANY
@given(ODD | st.lists(st.sampled_from(["(", ")", "(NP ", "(NN a)", " b", "( "])).map("".join))
def test_whatever_the_line_is_it_is_read_or_told(line: str) -> None:
    found = run_files(["-v", "g", "g"], {"g": line.encode("latin-1")})
    assert found.exit_status in (0, 1)
    assert found.exit_status == 0 or found.ours


@MANY
@given(ROOTS, st.booleans())
def test_reading_by_pieces_is_reading_letter_by_letter(line: str, drops: bool) -> None:
    parameters, _ = read_parameters([*lines(io.BytesIO(PARAMETERS.encode()))])
    shapes = []
    for reader in (Reader, _LetterByLetter):
        try:
            tree = reader(parameters, "gU~l", drops_deleted=drops).read(line)
        except Misbracketing as problem:
            shapes.append(str(problem))
            continue
        assert [id(node) for node in tree.nodes] == [id(node) for node in _preorder(tree.root)]
        assert tree.has_edits == any(node.edited for node in tree.nodes)
        shapes.append(_shape(tree.root))
    assert shapes[0] == shapes[1]


class _LetterByLetter(Reader):
    def _read_pieces(self, pieces: list[str], root: Node, nodes: list[Node]) -> bool:
        return False


def _preorder(node: Node) -> list[Node]:
    return [node, *(inside for child in node.children for inside in _preorder(child))]


def _shape(node: Node) -> str:
    inside = "".join(map(_shape, node.children))
    return f"({node.label} {node.word} {node.deleted} {node.edited} {node.is_open} {inside})"


@MANY
@given(st.text(alphabet="\t AB_*(lr)\n", max_size=60), st.sampled_from([PARAMETERS, ""]))
def test_whatever_the_head_table_and_the_parameters_are(table: str, parameters: str) -> None:
    tree = "(S1 (S (NP (NN a)) (VP (VBD b))))\n"
    found = run(tree, tree, heads=f"{HEADS}{table}\n", prm=f"{parameters}EQ_{table}\n")
    assert found.exit_status in (0, 1)


@given(
    st.lists(st.sampled_from([b"(a b)", b"\n", b"\r", b"\0", b"\xff", b"\x0c", b" "])).map(b"".join)
)
def test_lines_one_by_one_are_those_of_the_whole_text(data: bytes) -> None:
    found = data.decode("latin-1").split("\n")
    if not found[-1]:
        del found[-1]
    cut = [line.partition("\0")[0].partition("\xff")[0] for line in found]
    assert [*lines(io.BytesIO(data))] == cut
