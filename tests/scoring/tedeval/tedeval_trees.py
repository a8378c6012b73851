"""Function trees written as brackets, random ones, and a search for their distance.

``zss`` is an independent implementation of Zhang & Shasha 1989. Its cost functions see one node
at a time, which is enough to protect words (they may be neither added, nor deleted, nor mapped
to another word) or to leave them free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import zss
from hypothesis import strategies as st
from treelens.corpus import Block, blocks, of_text
from treelens.formats import brackets
from treelens.tedeval.convert import LabelReading, from_brackets
from treelens.tedeval.treebank import Treebank, format_of
from treelens.tedeval.trees import Chains, FunctionNode, FunctionTree, tree
from treelens.trees.forest import Symbols, encode


def written(text: str, labels: LabelReading = LabelReading.AS_WRITTEN) -> FunctionTree:
    """A tree from brackets; the topmost bracket of function trees is the root."""
    forest, problems = brackets.read(encode(text), Symbols())
    assert len(forest) == 1
    assert {problem.code for problem in problems} <= {"untagged"}
    return from_brackets(forest, 0, labels)


def bank(
    source: bytes,
    format_name: str,
    labels: LabelReading = LabelReading.FUNCTIONS,
    head: str = "hd",
    size: int = 1 << 20,
) -> Treebank:
    """A text's trees; size: bytes of a block."""
    format = format_of(format_name, source)

    def read() -> Iterator[Block]:
        return blocks(of_text("x", source), size, format=format)

    return Treebank(read, format_name, labels, head)


def shown(chains: Chains) -> dict[str, list[str]]:
    """Chains as the worked values are written: ``0-2`` for the span of the first two words."""
    return {f"{first}-{last}": list(chain) for (first, last), chain in sorted(chains.items())}


@st.composite
def trees(draw: st.DrawFn, words: int, labels: str = "abc", most: int = 7) -> FunctionTree:
    """A random tree over so many words, unary chains and all."""
    nodes = _nodes(draw, 0, words, draw(st.integers(0, most)), labels)
    return tree([f"w{word}" for word in range(words)], [""] * words, nodes)


def _nodes(draw: st.DrawFn, first: int, last: int, most: int, labels: str) -> list[FunctionNode]:
    """Up to so many nodes within a stretch, one above or beside the other."""
    if not most or first == last:
        return []
    low = draw(st.integers(first, last - 1))
    high = draw(st.integers(low + 1, last))
    node = FunctionNode(draw(st.sampled_from(labels)), low, high)
    inside = draw(st.integers(0, most - 1))
    before = draw(st.integers(0, most - 1 - inside))
    return [
        node,
        *_nodes(draw, low, high, inside, labels),
        *_nodes(draw, first, low, before, labels),
        *_nodes(draw, high, last, most - 1 - inside - before, labels),
    ]


PROTECTED = 1000
"""More than any distance: no mapping with an edit of this cost is the best one."""

Relabelling = Callable[[str, str], int]
"""The cost of changing a node's label to another one."""


def searchable(value: FunctionTree) -> zss.Node:
    """A tree for the search: its root, its nodes and its words (their labels are pairs)."""
    root = zss.Node(("root", ""))
    opened = [(root, len(value.words))]
    nodes = list(value.nodes)
    for at, word in enumerate(value.words):
        while opened[-1][1] <= at:
            opened.pop()
        while nodes and nodes[0].first == at:
            node = nodes.pop(0)
            below = zss.Node(("node", node.label))
            opened[-1][0].addkid(below)
            opened.append((below, node.last))
        opened[-1][0].addkid(zss.Node(("word", word)))
    return root


def searched(
    one: FunctionTree, other: FunctionTree, relabelling: Relabelling, *, protected: bool = True
) -> int:
    """The least cost of any mapping of one tree to the other."""

    def alone(node: zss.Node) -> int:
        return PROTECTED if protected and node.label[0] == "word" else 1

    def changed(a: zss.Node, b: zss.Node) -> int:
        if a.label == b.label:
            return 0
        return (
            relabelling(a.label[1], b.label[1]) if a.label[0] == b.label[0] == "node" else PROTECTED
        )

    trees = searchable(one), searchable(other)
    return int(zss.distance(*trees, zss.Node.get_children, alone, alone, changed))
