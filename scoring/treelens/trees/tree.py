"""One sentence as objects, for showing and editing it; scoring never comes here.

Offsets are absolute bytes of the document's text, spans are in words of the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treelens.trees.forest import LEAF_COLUMNS, NODE_COLUMNS, Forest


class Node(NamedTuple):
    """A constituent, or a word with its tag (``word`` is then not ``None``).

    ``parent`` and ``children`` are indices into :attr:`Tree.nodes`; the root's parent is -1.
    ``row`` is the constituent's row within its sentence, or the word's number.
    """

    label: str
    word: str | None
    row: int
    parent: int
    children: tuple[int, ...]
    first: int
    last: int
    start: int
    end: int
    label_start: int
    label_end: int
    word_start: int
    word_end: int


class Tree(NamedTuple):
    """A sentence: its nodes in text order, constituents and words together."""

    nodes: tuple[Node, ...]
    start: int
    end: int

    @property
    def words(self) -> list[str]:
        return [node.word for node in self.nodes if node.word is not None]

    def innermost(self, offset: int) -> int | None:
        """The smallest node whose brackets hold the offset, ends included; None outside."""
        found = None
        for index, node in enumerate(self.nodes):
            if node.start <= offset <= node.end and (
                found is None or node.end - node.start <= self._length(found)
            ):
                found = index
        return found

    def path(self, index: int) -> list[int]:
        """From a node up to its root."""
        path = []
        while index >= 0:
            path.append(index)
            index = self.nodes[index].parent
        return path

    def _length(self, index: int) -> int:
        return self.nodes[index].end - self.nodes[index].start


def tree(forest: Forest, sentence: int, shift: int = 0) -> Tree:
    """One sentence of a forest; ``shift`` is added to every offset."""
    nodes = slice(forest.first_node[sentence], forest.first_node[sentence + 1])
    leaves = slice(forest.first_leaf[sentence], forest.first_leaf[sentence + 1])
    labels = forest.symbols.labels
    rows: list[Node] = []
    for row, values in enumerate(_values(forest, NODE_COLUMNS, nodes)):
        label, label_start, label_end, first, last, open_, close = values
        spots = (open_, close, label_start, label_end, label_end, label_end)
        rows.append(Node(labels[label], None, row, -1, (), first, last, *_shifted(spots, shift)))
    for row, values in enumerate(_values(forest, LEAF_COLUMNS[1:], leaves)):
        tag, open_, close, tag_start, tag_end, word_start, word_end = values
        spots = (open_, close, tag_start, tag_end, word_start, word_end)
        word = forest.text(word_start, word_end)
        rows.append(Node(labels[tag], word, row, -1, (), row, row + 1, *_shifted(spots, shift)))
    rows.sort(key=lambda node: (node.start, node.word is not None))
    start, end = forest.tree[sentence].tolist()
    return Tree(_linked(rows), start + shift, end + shift)


def _values(forest: Forest, columns: tuple[str, ...], rows: slice) -> Iterator[tuple[int, ...]]:
    return zip(*(getattr(forest, name)[rows].tolist() for name in columns), strict=True)


def _shifted(
    offsets: tuple[int, int, int, int, int, int], shift: int
) -> tuple[int, int, int, int, int, int]:
    start, end, label_start, label_end, word_start, word_end = offsets
    return (
        start + shift,
        end + shift,
        label_start + shift,
        label_end + shift,
        word_start + shift,
        word_end + shift,
    )


def _linked(nodes: list[Node]) -> tuple[Node, ...]:
    """The same nodes with parents and children, from their nesting."""
    children: list[list[int]] = [[] for _ in nodes]
    parents = [-1] * len(nodes)
    stack: list[int] = []
    for index, node in enumerate(nodes):
        while stack and nodes[stack[-1]].end <= node.start:
            stack.pop()
        if stack:
            parents[index] = stack[-1]
            children[stack[-1]].append(index)
        if node.word is None:
            stack.append(index)
    return tuple(
        node._replace(parent=parents[index], children=tuple(children[index]))
        for index, node in enumerate(nodes)
    )
