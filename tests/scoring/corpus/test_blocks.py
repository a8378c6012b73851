"""Blocks of a text: the same sentences, problems and places, whatever their size."""

from __future__ import annotations

from typing import Any

import pytest
from conll_texts import hostile_segments, hostile_tables
from hypothesis import assume, given
from hypothesis import strategies as st
from treelens.corpus import Block, blocks, of_text
from treelens.corpus.sources import is_plain
from treelens.session.document import document
from treelens.trees.forest import LEAF_COLUMNS, NODE_COLUMNS, Symbols, encode
from treelens.trees.tree import tree
from trees import hostile

OFFSETS = ("label_start", "open", "close", "leaf_open", "word_start", "tag_end")


def sentences(block: Block) -> list[Any]:
    """Everything that is known of a block's sentences, with places in the whole text."""
    forest, found = block.forest, []
    for row in range(len(forest)):
        nodes = slice(*forest.first_node[row : row + 2].tolist())
        leaves = slice(*forest.first_leaf[row : row + 2].tolist())
        columns = [
            getattr(forest, name)[rows] + (block.offset if name in OFFSETS else 0)
            for names, rows in ((NODE_COLUMNS, nodes), (LEAF_COLUMNS, leaves))
            for name in names
            if name in OFFSETS or name in ("first", "last")
        ]
        more = [forest.dependencies, forest.fields, forest.anchors]
        found.append(
            (
                (forest.piece[row] + block.offset).tolist(),
                (forest.tree[row] + block.offset).tolist(),
                [column.tolist() for column in columns],
                [forest.symbols.label(label) for label in forest.label[nodes].tolist()],
                [forest.symbols.token(key) for key in forest.word[leaves].tolist()],
                [one is not None for one in more],
                forest.dependencies and forest.dependencies.head[leaves].tolist(),
                forest.anchors and forest.anchors.token[leaves].tolist(),
                block.line_of(row),
                block.sentence + row,
            )
        )
    return found


def problems(block: Block) -> list[Any]:
    return [
        problem._replace(start=problem.start + block.offset, end=problem.end + block.offset)
        for problem in block.problems
    ]


def utf8(text: str) -> bytes:
    """Its bytes, unless another encoding begins so."""
    source = encode(text.lstrip("\ufeff"))
    assume(is_plain(source))
    return source


def check(text: bytes, size: int, name: str = "x") -> None:
    found = [*blocks(of_text(name, text), size)]
    (one,) = blocks(of_text(name, text), len(text) + 1)
    assert [row for block in found for row in sentences(block)] == sentences(one)
    assert [row for block in found for row in problems(block)] == problems(one)
    assert b"".join(block.forest.source[: block.length] for block in found) == text


@given(hostile, st.integers(1, 60))
def test_blocks_of_brackets_are_the_whole(text: str, size: int) -> None:
    check(utf8(text), size)


@given(hostile_tables, st.integers(1, 200))
def test_blocks_of_tables_are_the_whole(text: str, size: int) -> None:
    check(utf8(text), size, "x.conllu")


@pytest.mark.parametrize("ending", ["lattice", "mapping", "segmentation", "conllul"])
@given(text=hostile_segments, size=st.integers(1, 100))
def test_blocks_of_segments_are_the_whole(ending: str, text: str, size: int) -> None:
    check(utf8(text), size, f"x.{ending}")


@given(hostile)
def test_a_whole_text_is_what_a_document_is(text: str) -> None:
    source = utf8(text)
    whole = document(source, Symbols())
    found = [*blocks(of_text("x", source), 8)]
    trees = [
        tree(block.forest, row, block.offset) for block in found for row in range(len(block.forest))
    ]
    assert trees == [whole.tree(sentence) for sentence in range(len(whole))]
    assert [problem for block in found for problem in problems(block)] == whole.problems()


def test_a_block_is_no_larger_than_it_must_be() -> None:
    text = b"(S (NP (DT the) (NN dog)) (VP (VB barks)))\n" * 1000
    found = [*blocks(of_text("x", text), 4000)]
    assert max(block.length for block in found) <= 4000 + 43
    assert [block.sentence for block in found][:2] == [0, len(found[0].forest)]
    assert sum(len(block.forest) for block in found) == 1000


def test_sentences_share_what_they_are_told_to() -> None:
    text = b"(S (X y))\n" * 9
    shared = Symbols()
    assert {id(block.forest.symbols) for block in blocks(of_text("x", text), 20, shared)} == {
        id(shared)
    }
    assert len({id(block.forest.symbols) for block in blocks(of_text("x", text), 20)}) > 1
