"""The trees of a compared group of sentences as a picture.

What both sides have alike from a bracket down to its words is drawn as one triangle, as
linguists do with what is not at issue, so that a sentence of sixty words is still readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.analysis import Constituents, constituents
from treelens.pictures.canvas import Band, DrawnWord, Outcome
from treelens.pictures.folding import wrapped
from treelens.pictures.trees import DrawnNode, DrawnTree, tree_layer
from treelens.pictures.words import SideWords
from treelens.render.width import shortened
from treelens.trees.forest import Ints, running

_FOLDED_FROM = 12
"""Columns from which on what is alike is folded; a shorter sentence is drawn whole."""
_TITLE = 80
"""Characters of a label in its tooltip."""


class _Fold(NamedTuple):
    """Nodes of gold and of system over the same columns, alike in everything below them."""

    gold: int
    system: int
    first: int
    last: int


def compared_trees(
    comparison: Comparison, words: tuple[SideWords, SideWords], names: SideNames = ROLES
) -> Band:
    """Gold's trees above the words, system's below; ``names``: what they are called."""
    trees = (
        _titled(constituents(comparison.gold, words[0].words, "missing"), names.system),
        _titled(constituents(comparison.system, words[1].words, "extra"), names.gold),
    )
    total = max(word.last for tree in trees for word in tree.words)
    folds = _folds(comparison, *trees) if total >= _FOLDED_FROM else []
    gold, system = (
        _folded(tree, [(fold[side], fold.first, fold.last) for fold in folds], total)
        for side, tree in enumerate(trees)
    )
    return Band(tree_layer(gold), tree_layer(system))


def _titled(tree: Constituents, there: str) -> Constituents:
    """With what is read out; ``there``: what the other side is called."""
    nodes = [node._replace(title=_title(node.label, node.kind, there)) for node in tree.nodes]
    return tree._replace(nodes=nodes)


def _title(label: str, kind: Outcome, there: str) -> str:
    said = {
        "missing": f"not in {there}",
        "extra": f"not in {there}",
        "crossing": f"crosses a bracket of {there}",
        "mislabelled": f"has another label in {there}",
    }.get(kind)
    return f"{shortened(label, _TITLE)}: {said}" if said else ""


# --- what is alike ---------------------------------------------------------------------------


def _folds(comparison: Comparison, gold: Constituents, system: Constituents) -> list[_Fold]:
    """The largest brackets of two words or more that are alike in everything below them."""
    index = {row: at for at, row in enumerate(system.brackets) if row >= 0}
    partner = comparison.gold.brackets.partner
    clean = [_clean_columns(tree) for tree in (gold, system)]
    found: list[_Fold] = []
    at = 0
    while at < len(gold.nodes):
        node, row = gold.nodes[at], gold.brackets[at]
        other = index.get(int(partner[row]), -1) if row >= 0 else -1
        if (
            other >= 0
            and node.last - node.first > 1
            and node[1:3] == system.nodes[other][1:3]
            and all(all(columns[node.first : node.last]) for columns in clean)
            and _same_inside(gold, at, system, other, partner)
        ):
            found.append(_Fold(at, other, node.first, node.last))
            at = gold.ends[at]
        else:
            at += 1
    return found


def _clean_columns(tree: Constituents) -> list[bool]:
    """Which columns hold one word, that is as on the other side."""
    clean = [False] * max(word.last for word in tree.words)
    for word in tree.words:
        if word.last - word.first == 1 and word.tag_kind == "matched":
            clean[word.first] = word.kind in ("matched", "uncounted")
    return clean


def _same_inside(
    gold: Constituents, at: int, system: Constituents, other: int, partner: Ints
) -> bool:
    ours = [row for row in gold.brackets[at : gold.ends[at]] if row >= 0]
    theirs = {row for row in system.brackets[other : system.ends[other]] if row >= 0}
    same = len(ours) == len(theirs) and all(int(partner[row]) in theirs for row in ours)
    # (What no score tells apart, a function tag, is no reason to hide it.)
    labels = [node.label for node in gold.nodes[at : gold.ends[at]]]
    return same and labels == [node.label for node in system.nodes[other : system.ends[other]]]


def _folded(tree: Constituents, folds: Sequence[tuple[int, int, int]], total: int) -> DrawnTree:
    """A side with each fold drawn as one column under its node."""
    kept = np.ones(total, np.bool_)
    for _, first, last in folds:
        kept[first + 1 : last] = False
    column: list[int] = running(kept).tolist()
    hidden = {index for top, _, _ in folds for index in range(top + 1, tree.ends[top])}
    place: dict[int, int] = {-1: -1}
    nodes: list[DrawnNode] = []
    for index, node in enumerate(tree.nodes):
        if index not in hidden:
            place[index] = len(nodes)
            nodes.append(
                node._replace(
                    first=column[node.first], last=column[node.last], parent=place[node.parent]
                )
            )
    words = [
        _moved(word, column, place)
        for word in tree.words
        if not any(first <= word.first < last for _, first, last in folds)
    ]
    for top, first, last in folds:
        texts = [word.lines[0] for word in tree.words if first <= word.first < last]
        words.append(
            DrawnWord(wrapped(texts), "", column[first], column[last], place[top], folded=True)
        )
    return DrawnTree(nodes, sorted(words, key=lambda word: word.first))


def _moved(word: DrawnWord, column: list[int], place: dict[int, int]) -> DrawnWord:
    return word._replace(
        first=column[word.first], last=column[word.last], parent=place[word.parent]
    )
