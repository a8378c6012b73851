"""One side of a comparison on the columns of a picture: its constituents, or its arcs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import ComparedSide
from treelens.pictures.arcs import DrawnArc
from treelens.pictures.canvas import DrawnWord, Outcome
from treelens.pictures.trees import DrawnNode
from treelens.pictures.words import without_features
from treelens.trees.forest import NOWHERE, ROOT


class Constituents(NamedTuple):
    """One side's trees, next to each other, but for constituents without words or label.

    All lists but the last are of nodes: ``spans`` are rows of words, ``rows`` those of the side's
    forest, ``brackets`` the places among its brackets that count (-1: not one of them), ``ends``
    the first node behind each that is not in it.
    """

    nodes: list[DrawnNode]
    spans: list[tuple[int, int]]
    rows: list[int]
    brackets: list[int]
    ends: list[int]
    words: list[DrawnWord]


def constituents(
    side: ComparedSide, words: Sequence[DrawnWord], alone: Outcome, letter: str = ""
) -> Constituents:
    """A side's constituents; ``alone``: what one is called that the other side has not.

    With a ``letter`` for the side they have ids: their words, and the how-manieth over just those.
    """
    forest = side.forest
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    firsts = (forest.first_leaf[sentence] + forest.first).tolist()
    lasts = (forest.first_leaf[sentence] + forest.last).tolist()
    labels = [forest.symbols.label(label) for label in forest.label.tolist()]
    rows = [row for row, label in enumerate(labels) if label and firsts[row] < lasts[row]]
    spans = [(firsts[row], lasts[row]) for row in rows]
    parents, ends = nested(spans)
    bracket = {row: at for at, row in enumerate(side.brackets.row.tolist())}
    nodes = []
    chain: dict[tuple[int, int], int] = {}
    over = [-1] * len(words)
    for index, (row, (first, last)) in enumerate(zip(rows, spans, strict=True)):
        kind = _kind(side, bracket[row], alone) if row in bracket else "uncounted"
        columns = words[first].first, words[last - 1].last
        depth = chain[first, last] = chain.get((first, last), -1) + 1
        name = f"{letter}:{first}-{last}.{depth}" if letter else ""
        nodes.append(
            DrawnNode(without_features(labels[row]), *columns, parents[index], kind, id=name)
        )
        over[first:last] = [index] * (last - first)
    hung = [word._replace(parent=index) for word, index in zip(words, over, strict=True)]
    return Constituents(nodes, spans, rows, [bracket.get(row, -1) for row in rows], ends, hung)


def nested(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
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


def _kind(side: ComparedSide, bracket: int, alone: Outcome) -> Outcome:
    brackets = side.brackets
    if brackets.partner[bracket] >= 0:
        return "matched"
    if brackets.relabelled[bracket] >= 0:
        return "mislabelled"
    return "crossing" if brackets.crosses()[bracket] else alone


def arcs(side: ComparedSide, alone: Outcome, letter: str = "") -> list[DrawnArc]:
    """A side's arcs; words without a head have none. ``alone``, ``letter``: as of constituents."""
    found, heads = side.arcs, side.forest.dependencies
    assert found is not None
    assert heads is not None
    relations = heads.relation.tolist()
    made = []
    for word, head in enumerate(found.head.tolist()):
        if head == NOWHERE:
            continue
        kind: Outcome = alone
        if found.attached[word]:
            kind = "matched" if found.subtyped[word] else "mislabelled"
        at = None if head in (ROOT, word) else head
        name = f"{letter}:a{word}" if letter else ""
        made.append(DrawnArc(at, word, side.forest.symbols.label(relations[word]), kind, id=name))
    return made
