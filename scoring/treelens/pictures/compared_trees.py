"""The trees of a compared group of sentences as a picture.

What both sides have alike from a bracket down to its words is drawn as one triangle, as
linguists do with what is not at issue, so that a sentence of sixty words is still readable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.compare import Comparison, Side
from treelens.forest import Ints, running
from treelens.pictures.canvas import Kind, Picture, Word
from treelens.pictures.trees import Half, Node, tree_picture
from treelens.pictures.words import shown
from treelens.width import shortened

_FOLDED_FROM = 12
"""Columns from which on what is alike is folded; a shorter sentence is drawn whole."""
_TITLE = 80
"""Characters of a label in its tooltip."""
_FOLD_WIDTH = 15
"""Characters of a line under a triangle, where three lines suffice."""


class _Tree(NamedTuple):
    """One side: its nodes and words, and the rows of the nodes that count by bracket."""

    nodes: list[Node]
    rows: list[int]
    ends: list[int]
    """For each node the first one that is not in it."""
    words: list[Word]


class _Fold(NamedTuple):
    """Nodes of gold and of system over the same columns, alike in everything below them."""

    gold: int
    system: int
    first: int
    last: int


def compared_trees(
    comparison: Comparison,
    words: tuple[Sequence[Word], Sequence[Word]],
    title: str,
    right_to_left: bool,
) -> Picture | None:
    """Gold's trees above the words, system's below; None where they are too large."""
    trees = (
        _tree(comparison.gold, words[0], "missing"),
        _tree(comparison.system, words[1], "extra"),
    )
    total = max(word.last for tree in trees for word in tree.words)
    folds = _folds(comparison, *trees) if total >= _FOLDED_FROM else []
    halves = [
        _folded(tree, [(fold[side], fold.first, fold.last) for fold in folds], total)
        for side, tree in enumerate(trees)
    ]
    return tree_picture(title, *halves, right_to_left=right_to_left)


# --- one side --------------------------------------------------------------------------------


def _tree(side: Side, words: Sequence[Word], alone: Kind) -> _Tree:
    """A side's trees, next to each other, but for constituents without words or label."""
    forest = side.forest
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    firsts = (forest.first_leaf[sentence] + forest.first).tolist()
    lasts = (forest.first_leaf[sentence] + forest.last).tolist()
    labels = [forest.symbols.label(label) for label in forest.label.tolist()]
    rows = [row for row, label in enumerate(labels) if label and firsts[row] < lasts[row]]
    spans = [(firsts[row], lasts[row]) for row in rows]
    parents, ends = _nested(spans)
    bracket = {row: at for at, row in enumerate(side.brackets.row.tolist())}
    nodes = []
    over = [-1] * len(words)
    for index, (row, (first, last)) in enumerate(zip(rows, spans, strict=True)):
        kind = _kind(side, bracket[row], alone) if row in bracket else "uncounted"
        columns = words[first].first, words[last - 1].last
        title = _title(labels[row], kind)
        nodes.append(Node(shown(labels[row]), *columns, parents[index], kind, title))
        over[first:last] = [index] * (last - first)
    hung = [word._replace(parent=index) for word, index in zip(words, over, strict=True)]
    return _Tree(nodes, [bracket.get(row, -1) for row in rows], ends, hung)


def _nested(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Each span's parent (-1: none), and the first span behind it that is not inside it."""
    parents, ends = [-1] * len(spans), [len(spans)] * len(spans)
    opened: list[int] = []
    for index, (first, _) in enumerate(spans):
        while opened and spans[opened[-1]][1] <= first:
            ends[opened.pop()] = index
        if opened:
            parents[index] = opened[-1]
        opened.append(index)
    return parents, ends


def _kind(side: Side, bracket: int, alone: Kind) -> Kind:
    brackets = side.brackets
    if brackets.partner[bracket] >= 0:
        return "same"
    if brackets.relabelled[bracket] >= 0:
        return "renamed"
    return "crossing" if brackets.crosses[bracket] else alone


def _title(label: str, kind: Kind) -> str:
    said = {
        "missing": "not in system",
        "extra": "not in gold",
        "crossing": "crosses a bracket of the other side",
        "renamed": "has another label on the other side",
    }.get(kind)
    return f"{shortened(label, _TITLE)}: {said}" if said else ""


# --- what is alike ---------------------------------------------------------------------------


def _folds(comparison: Comparison, gold: _Tree, system: _Tree) -> list[_Fold]:
    """The largest brackets of two words or more that are alike in everything below them."""
    index = {row: at for at, row in enumerate(system.rows) if row >= 0}
    partner = comparison.gold.brackets.partner
    clean = [_clean_columns(tree) for tree in (gold, system)]
    found: list[_Fold] = []
    at = 0
    while at < len(gold.nodes):
        node, row = gold.nodes[at], gold.rows[at]
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


def _clean_columns(tree: _Tree) -> list[bool]:
    """Which columns hold one word, that is as on the other side."""
    clean = [False] * max(word.last for word in tree.words)
    for word in tree.words:
        if word.last - word.first == 1 and word.tag_kind == "same":
            clean[word.first] = word.kind in ("same", "uncounted")
    return clean


def _same_inside(gold: _Tree, at: int, system: _Tree, other: int, partner: Ints) -> bool:
    ours = [row for row in gold.rows[at : gold.ends[at]] if row >= 0]
    theirs = {row for row in system.rows[other : system.ends[other]] if row >= 0}
    return len(ours) == len(theirs) and all(int(partner[row]) in theirs for row in ours)


def _folded(tree: _Tree, folds: Sequence[tuple[int, int, int]], total: int) -> Half:
    """A side with each fold drawn as one column under its node."""
    kept = np.ones(total, np.bool_)
    for _, first, last in folds:
        kept[first + 1 : last] = False
    column: list[int] = running(kept).tolist()
    hidden = {index for top, _, _ in folds for index in range(top + 1, tree.ends[top])}
    place: dict[int, int] = {-1: -1}
    nodes: list[Node] = []
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
            Word(_wrapped(texts), "", column[first], column[last], place[top], folded=True)
        )
    return Half(nodes, sorted(words, key=lambda word: word.first))


def _moved(word: Word, column: list[int], place: dict[int, int]) -> Word:
    return word._replace(
        first=column[word.first], last=column[word.last], parent=place[word.parent]
    )


def _wrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Words in lines of about the same length, more of them the longer the text is."""
    room = max(_FOLD_WIDTH, -(-sum(map(len, words)) // 3))
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
