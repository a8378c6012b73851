"""CoNLL-UL: lattices whose arcs stand below their tokens."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from treelens.formats.lattice import read_conllul, read_segments
from treelens.formats.table import CONLLUL, named
from treelens.trees.forest import Forest, Problem, Symbols, decode, encode

LATTICE = """\
# sent_id = 1
0-2\tbtim\t_
0\t1\tb\tb\tADP\tADP\t_\t_\t_
1\t2\ttim\ttim\tNOUN\tNOUN\t_\t_\t_
0\t2\tbtim\tbtim\tPROPN\tPROPN\t_\t_\t_
2-3\tba\t_
2\t3\tba\tba\tVERB\tVERB\t_\t_\t_

0-1\tken\t_
0\t1\tken\tken\tINTJ\tINTJ\t_\t_\t_
"""


def read(text: str) -> tuple[Forest, list[Problem]]:
    return read_conllul(encode(text), Symbols())


def test_arcs_are_anchored_in_their_tokens() -> None:
    forest, problems = read(LATTICE)
    assert problems == []
    assert [forest.words(k) for k in range(len(forest))] == [["b", "tim", "btim", "ba"], ["ken"]]
    assert forest.anchors is not None
    assert forest.anchors.token.tolist() == [1, 1, 1, 2, 1]
    surfaces = [decode(forest.symbols.token(key)) for key in forest.anchors.surface.tolist()]
    assert surfaces == ["btim", "btim", "btim", "ba", "ken"]
    assert [forest.symbols.label(tag) for tag in forest.tag.tolist()][:3] == [
        "ADP",
        "NOUN",
        "PROPN",
    ]
    assert named("a.conllul") is CONLLUL


def test_an_arc_has_the_columns_that_a_table_has_too() -> None:
    text = "0-1\tab\t_\n0\t1\ta\tl\tN\tP\tA=b\tx\ty\n0 1  c _ N _ _ _ _\n"
    forest, _ = read(text)
    fields = forest.fields
    assert fields is not None
    written = [
        [text[start : behind - 1].rstrip() for start, behind in itertools.pairwise(bounds)]
        for bounds in fields.bounds.tolist()
    ]
    assert written == [
        ["1", "a", "l", "N", "P", "A=b", "x\ty", "", "", ""],
        ["1", "c", "_", "N", "_", "_", "_ _", "", "", ""],
    ]
    keys = [forest.symbols.tokens(column) for column in (fields.lemma, fields.feats)]
    assert keys == [[b"l", b"_"], [b"A=b", b"_"]]
    assert [forest.symbols.label(xpos) for xpos in fields.xpos.tolist()] == ["P", ""]


def test_a_sentence_starts_at_its_first_token_s_line() -> None:
    forest, _ = read(LATTICE)
    assert [LATTICE[slice(*tree)].split("\t")[0] for tree in forest.tree.tolist()] == [
        "0-2",
        "0-1",
    ]


def test_segments_have_no_columns() -> None:
    forest, _ = read_segments(b"\tB:H\n", Symbols())
    assert forest.words(0) == ["B", "H"]
    assert forest.fields is None


def test_what_is_wrong_is_said_where_it_is() -> None:
    text = (
        "0\t1\ta\t_\tX\tX\t_\t_\t_\n0-1\tab\t_\n1\t1\ta\t_\tX\tX\t_\t_\t_\n"
        "0\t2\tb\t_\tX\tX\t_\t_\t_\n0 1 c _ X X _ _ _\n0\t1\tc\n2-2\n"
    )
    _, problems = read(text)
    lines = text.splitlines()
    starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))]
    assert [(starts.index(one.start), one.code) for one in problems] == [
        (0, "arc"),
        (2, "arc"),
        (3, "outside"),
        (4, "spaces"),
        (4, "dead-end"),
        (5, "arc"),
        (6, "token"),
        (6, "token"),
    ]
    assert problems[0].message.startswith("an arc stands below its token’s line")


def test_one_path_is_a_mapping() -> None:
    path = "\n".join(line for line in LATTICE.splitlines() if "PROPN" not in line)
    forest, problems = read_segments(encode(path), Symbols())
    assert problems == []
    assert forest.words(0) == ["b", "tim", "ba"]
    _, problems = read_segments(encode(LATTICE), Symbols())
    assert {problem.code for problem in problems} == {"gap"}


@given(st.text(alphabet="012-\t \n#_ab", max_size=80))
def test_any_text_is_read(text: str) -> None:
    forest, problems = read(text)
    assert all(0 <= one.start <= one.end <= len(encode(text)) for one in problems)
    if len(forest):
        assert forest.piece[0, 0] == 0
        assert forest.piece[-1, 1] == len(encode(text))
        assert (forest.piece[1:, 0] == forest.piece[:-1, 1]).all()
