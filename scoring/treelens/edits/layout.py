"""Trees of brackets laid out anew: one line a tree, or indented as the Penn Treebank has it.

Only blanks between brackets, labels and words change, so that every layout reads as the same
tree. A gap that holds anything else (a comment line) stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from treelens.edits.text import Edit, Edits, ordered
from treelens.session.document import Document
from treelens.trees.tree import Node, Tree

Style = Literal["line", "indented"]

WIDTH = 80
"""A constituent that ends before this column stays on one line; in characters."""
STEP = 2
"""Columns between a bracket and what is in it, on lines of its own."""


def style_of(document: Document, sentences: range) -> Style:
    """The habit of some sentences: indented as soon as one is spread over lines."""
    for sentence in sentences:
        forest, row, _ = document.piece(sentence)
        start, end = forest.tree[row].tolist()
        if b"\n" in forest.source[start:end] or b"\r" in forest.source[start:end]:
            return "indented"
    return "line"


def laid_out(document: Document, sentence: int, style: Style, newline: bytes = b"\n") -> Edits:
    """The edits that lay one sentence out; none where its text has problems."""
    if document.problems(sentence, sentence + 1):
        return ()
    tree = document.tree(sentence)
    text = document.text(tree.start, tree.end)
    edits = []
    for start, end, blanks in _gaps(tree, style, newline):
        here = text[start - tree.start : end - tree.start]
        if here != blanks and not here.strip():
            edits.append(Edit(start, end, blanks))
    return ordered(edits)


def _gaps(tree: Tree, style: Style, newline: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Every stretch between two tokens, and the blanks that belong there."""
    nodes = tree.nodes
    lengths = _lengths(tree)
    column = [0] * len(nodes)
    for index, node in enumerate(nodes):  # a parent stands before its children
        if node.word is not None:
            if node.start < node.word_start:
                yield node.start + 1, node.label_start, b""
                yield node.label_end, node.word_start, b" " if node.label else b""
                yield node.word_end, node.end - 1, b""
            continue
        broken = style == "indented" and column[index] + lengths[index] > WIDTH
        at, end = column[index] + 1 + len(node.label) + 1, node.label_end
        yield node.start + 1, node.label_start, b""
        for place, child in enumerate(node.children):
            if broken and place:  # the first one stays beside the label
                at = column[index] + STEP
                yield end, nodes[child].start, newline + b" " * at
            else:
                yield end, nodes[child].start, b" "
            column[child] = at
            at, end = at + lengths[child] + 1, nodes[child].end
        yield end, node.end - 1, b""


def _lengths(tree: Tree) -> list[int]:
    """How many characters each node takes on one line."""
    lengths = [0] * len(tree.nodes)
    for index in range(len(lengths) - 1, -1, -1):
        node = tree.nodes[index]
        if node.word is None:
            inner = sum(lengths[child] + 1 for child in node.children)
            lengths[index] = 2 + len(node.label) + inner
        else:
            lengths[index] = _leaf_length(node)
    return lengths


def _leaf_length(node: Node) -> int:
    bare = node.start == node.word_start
    return len(node.word or "") + (0 if bare else 3 + len(node.label))
