"""TedEval against an edit distance that searches all mappings, and on cases by hand."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.compare.comparison import Comparison
from treelens.metrics import tedeval
from treelens.rules.parameters import bare
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols, encode
from treelens.trees.tree import Tree
from trees import sentences


def compared(gold: str, system: str) -> tuple[Comparison, Tree, Tree]:
    symbols = Symbols()
    documents = [document(encode(text), symbols) for text in (gold, system)]
    found = pair(documents[0], documents[1])
    assert len(found) == 1
    return found.comparison(0), documents[0].tree(0), documents[1].tree(0)


class Node(NamedTuple):
    """A tree for the search; ``fixed`` nodes may be neither added nor deleted."""

    label: object
    fixed: bool
    children: tuple[Node, ...]


def searchable(tree: Tree, kept: dict[int, int], side: str, labelled: bool) -> Node:
    """A tree whose kept lexemes bear their partner's number, and whose root is fixed."""

    def build(index: int) -> Node:
        node = tree.nodes[index]
        if node.word is not None:
            known = node.row in kept
            return Node(("w", kept[node.row]) if known else (side, index), known, ())
        children = tuple(map(build, node.children))
        if index == 0:
            return Node("root", True, children)
        supported = any(row in kept for row in range(node.first, node.last))
        label = (bare(node.label) if labelled else "x") if supported else (side, index)
        return Node(label, False, children)

    return build(0)


@functools.cache
def distance(one: tuple[Node, ...], other: tuple[Node, ...]) -> float:
    """The edit distance of two forests: every node added, deleted or mapped to an equal one."""
    if not one and not other:
        return 0
    best = float("inf")
    if one:
        cost = float("inf") if one[-1].fixed else 1
        best = min(best, cost + distance((*one[:-1], *one[-1].children), other))
    if other:
        cost = float("inf") if other[-1].fixed else 1
        best = min(best, cost + distance(one, (*other[:-1], *other[-1].children)))
    if one and other and one[-1].label == other[-1].label:
        below = distance(one[-1].children, other[-1].children)
        best = min(best, below + distance(one[:-1], other[:-1]))
    return best


words = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5)


@given(st.data(), words, st.booleans())
def test_the_sum_over_spans_is_the_least_number_of_edits(
    data: st.DataObject, gold_words: list[str], labelled: bool
) -> None:
    system_words = data.draw(st.sampled_from([gold_words, gold_words[:-1] or gold_words]))
    texts = [data.draw(sentences(side, traces=False)) for side in (gold_words, system_words)]
    comparison, gold, system = compared(*texts)
    partner = comparison.gold.words.partner
    same = comparison.gold.words.same & (comparison.gold.words.tagged | (not labelled))
    kept = {row: row for row in np.flatnonzero(same).tolist()}
    kept_there = {int(partner[row]): row for row in kept}
    trees = searchable(gold, kept, "g", labelled), searchable(system, kept_there, "s", labelled)
    edits = tedeval.tally(comparison)[0, 0 if labelled else 1]
    assert edits == distance((trees[0],), (trees[1],))
    distance.cache_clear()


@given(st.data(), words)
def test_nodes_are_counted_without_the_roots(data: st.DataObject, sentence: list[str]) -> None:
    texts = [data.draw(sentences(sentence, traces=False)) for _ in range(2)]
    comparison, gold, system = compared(*texts)
    assert tedeval.tally(comparison)[0, 2] == len(gold.nodes) + len(system.nodes) - 2


@pytest.mark.parametrize(
    ("gold", "system", "labelled", "unlabelled", "nodes"),
    [
        ("(T (S (N a) (V b)))", "(T (S (N a) (V b)))", 0, 0, 6),
        # A wrong label: one deleted, one added.
        ("(T (S (N a) (V b)))", "(T (X (N a) (V b)))", 2, 0, 6),
        # A wrong tag costs its lexeme twice.
        ("(T (S (N a) (V b)))", "(T (S (N a) (X b)))", 2, 0, 6),
        # The same labels in another order.
        ("(T (A (B (N a))))", "(T (B (A (N a))))", 2, 0, 6),
        # Other segments: the lexemes are lost on both sides, and with them what holds no other.
        ("(T (S (P b) (N shadow)))", "(T (S (N bshadow)))", 5, 5, 5),
        ("(T (S (P b) (N shadow) (A x)))", "(T (S (N bshadow) (A x)))", 3, 3, 7),
    ],
)
def test_by_hand(gold: str, system: str, labelled: int, unlabelled: int, nodes: int) -> None:
    comparison, _, _ = compared(gold, system)
    found = tedeval.tally(comparison)[0].tolist()
    assert found == [labelled, unlabelled, nodes]
