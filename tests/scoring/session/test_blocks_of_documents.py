"""A document that was read in blocks, its forests on disk, is that of the text read as one."""

from __future__ import annotations

from conll_texts import hostile_tables
from hypothesis import given
from hypothesis import strategies as st
from same_documents import same
from treelens.cli.shelf import Shelf, ShelvedText
from treelens.corpus import blocks, of_text
from treelens.session.document import document, of_blocks
from treelens.trees.forest import Symbols, encode
from trees import hostile


@given(st.one_of(hostile, hostile_tables), st.integers(1, 200), st.integers(1, 3))
def test_blocks_of_any_size_are_the_text(text: str, size: int, held: int) -> None:
    source = encode(text.lstrip("\ufeff"))
    symbols = Symbols()
    read = of_blocks(blocks(of_text("x", source), size, symbols), ShelvedText(Shelf(held)))
    as_one = document(source, symbols, read.format)
    same(read, as_one)
