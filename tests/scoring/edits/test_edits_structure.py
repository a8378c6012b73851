"""Structure edits: what takes what back, and that words stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.brackets import bracket_text
from treelens.edits.structure import (
    CUTS,
    OPERATIONS,
    join_sentences,
    merge_rows,
    split_row,
    split_sentence,
)
from treelens.edits.text import Edits, applied, edited, inverse
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols, encode
from trees import sentences


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def at(source: Document, mark: str) -> int:
    """The index of the node that starts at a text."""
    offset = source.text().index(encode(mark))
    nodes = source.tree(0).nodes
    return next(index for index, node in enumerate(nodes) if node.start == offset)


def done(source: Document, edits: Edits | None) -> str:
    assert edits is not None
    return applied(source.text(), edits).decode()


TREE = "( (S (NP (D a) (N b))\n  (VP (V c) (PP (P d) (NP (N e))))))\n"


@pytest.mark.parametrize(
    ("operation", "node", "becomes"),
    [
        ("delete", "(VP", "( (S (NP (D a) (N b))\n  (V c) (PP (P d) (NP (N e)))))\n"),
        ("wrap", "(PP", "( (S (NP (D a) (N b))\n  (VP (V c) (XP (PP (P d) (NP (N e)))))))\n"),
        ("raise", "(PP", "( (S (NP (D a) (N b))\n  (VP (V c)) (PP (P d) (NP (N e)))))\n"),
        ("raise", "(D a", "( (S (D a) (NP (N b))\n  (VP (V c) (PP (P d) (NP (N e))))))\n"),
        ("lower-left", "(VP", "( (S (NP (D a) (N b)\n  (VP (V c) (PP (P d) (NP (N e)))))))\n"),
        ("lower-right", "(V c", "( (S (NP (D a) (N b))\n  (VP (PP (V c) (P d) (NP (N e))))))\n"),
        ("merge-word", "(D a", "( (S (NP (D ab))\n  (VP (V c) (PP (P d) (NP (N e))))))\n"),
    ],
)  # fmt: skip
def test_what_becomes_of_a_tree(operation: str, node: str, becomes: str) -> None:
    source = read(TREE)
    edits = OPERATIONS[operation].edits(bracket_text(source, 0), at(source, node))
    assert done(source, edits) == becomes


@given(sentences(), st.data())
def test_words_stay_and_trees_stay_well_formed(text: str, data: st.DataObject) -> None:
    source = read(text)
    tree = bracket_text(source, 0)
    index = data.draw(st.integers(0, len(tree.tree.nodes) - 1))
    for name, operation in OPERATIONS.items():
        edits = operation.edits(tree, index)
        if edits and name != "merge-word":
            after = edited(source, edits)
            assert after.tree(0).words == source.tree(0).words
            assert len(after) == 1
            assert {p.code for p in after.problems()} <= {p.code for p in source.problems()}
            assert applied(after.text(), inverse(source.text(), edits)) == source.text()


@given(sentences(), st.data())
def test_delete_takes_wrap_back(text: str, data: st.DataObject) -> None:
    source = read(text)
    tree = bracket_text(source, 0)
    index = data.draw(st.integers(0, len(tree.tree.nodes) - 1))
    edits = OPERATIONS["wrap"].edits(tree, index)
    assert edits
    after = edited(source, edits)
    wrapped = bracket_text(after, 0)
    start = tree.tree.nodes[index].start
    new = next(i for i, node in enumerate(wrapped.tree.nodes) if node.start == start)
    assert done(after, OPERATIONS["delete"].edits(wrapped, new)) == source.text().decode()


@given(sentences(), st.data())
def test_merge_takes_split_back(text: str, data: st.DataObject) -> None:
    source = read(text)
    tree = bracket_text(source, 0)
    offset = data.draw(st.integers(0, source.length))
    edits = CUTS["split"].edits(tree, offset)
    if edits:
        after = edited(source, edits)
        now = bracket_text(after, 0)
        merged = (
            OPERATIONS["merge"].edits(now, index)
            for index, node in enumerate(now.tree.nodes)
            if node.word is None and node.end == edits[0].start + 1
        )
        assert source.text().decode() in [done(after, one) for one in merged if one]


@given(sentences(), st.data())
def test_join_takes_the_split_of_a_sentence_back(text: str, data: st.DataObject) -> None:
    source = read(text + "\n")
    edits = split_sentence(source, bracket_text(source, 0), data.draw(st.integers(0, len(text))))
    if edits:
        after = edited(source, edits)
        assert len(after) == 2
        joined = edited(after, join_sentences(after, bracket_text(after, 0), 0) or ())
        # What was cut inside of a root of its own, ( (S …)), is then merged.
        while joined.text() != source.text():
            assert len(joined) == 1
            joined = edited(joined, merged_at(joined, edits[0].start))


def merged_at(source: Document, offset: int) -> Edits:
    tree = bracket_text(source, 0)
    around = (k for k, node in enumerate(tree.tree.nodes) if node.start < offset < node.end)
    return next(filter(None, (OPERATIONS["merge"].edits(tree, index) for index in around)))


def test_a_tree_in_a_root_of_its_own_is_cut_with_it() -> None:
    source = read("( (S (N a)\n   (V b)))\n")
    edits = split_sentence(source, bracket_text(source, 0), len("( (S (N a)"))
    assert done(source, edits) == "( (S (N a)))\n( (S\n   (V b)))\n"


def test_a_word_of_a_table_is_split_and_merged_again() -> None:
    rows = ["1\tcannot\tcan\tX\t_\t_\t2\tdep\t_\t_", "2\tgo\tgo\tX\t_\t_\t0\troot\t_\t_"]
    source = read("# id\n" + "\n".join(rows) + "\n\n")
    edits = split_row(source, 0, source.text().index(b"not"))
    assert done(source, edits).splitlines()[1:4] == [
        "1\tcan\tcan\tX\t_\t_\t3\tdep\t_\t_",
        "2\tnot\tnot\tX\t_\t_\t1\tgoeswith\t_\t_",
        "3\tgo\tgo\tX\t_\t_\t0\troot\t_\t_",
    ]
    after = edited(source, edits or ())
    assert done(after, merge_rows(after, 0, 0)) == source.text().decode()
