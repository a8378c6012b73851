"""Enhanced dependencies as arcs below the words: those that the basic tree does not have, and those
that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.differences.enhanced import compared_edges
from treelens.pictures.arcs import DrawnArc
from treelens.pictures.canvas import DrawnWord, Outcome
from treelens.pictures.drawing import DrawnPart, RowPlace, letter
from treelens.trees.enhanced import Deps, Edge, Node, enhanced
from treelens.trees.forest import NOWHERE, ROOT, decode


class EnhancedArcs(NamedTuple):
    """A side's arcs, between its words and, behind these, its empty nodes by their places; and
    their parts."""

    arcs: list[DrawnArc]
    parts: list[DrawnPart]


def below(
    comparison: Comparison,
    words: tuple[Sequence[DrawnWord], Sequence[DrawnWord]],
    numbers: tuple[int, int],
    names: tuple[str, str],
    *,
    strict: bool,
) -> tuple[EnhancedArcs, EnhancedArcs]:
    """Gold's and system's. words: with the empty nodes behind them; names: what the sides are
    called; strict: with what differs told apart."""
    nodes = compared_edges(comparison).nodes if strict else ()
    lone = (
        {edge.start for node in nodes for edge in node.lone_gold},
        {edge.start for node in nodes for edge in node.lone_system},
    )
    found = [
        _drawn(side, words[at], lone[at], numbers[at], names[1 - at])
        for at, side in enumerate(comparison[:2])
    ]
    return found[0], found[1]


def _drawn(
    side: ComparedSide, words: Sequence[DrawnWord], lone: set[int], number: int, there: str
) -> EnhancedArcs:
    nodes = [*enhanced(side.forest)]
    count = len(side.forest.word)
    empty = [one.node for one in nodes if one.node < NOWHERE]
    if count + len(empty) != len(words):  # (Broken text: not all of them can be found.)
        return EnhancedArcs([], [])
    place: dict[Node, int] = {row: row for row in range(count)}
    place |= {node: count + at for at, node in enumerate(empty)}
    drawn = EnhancedArcs([], [])
    for deps, edge, k, number_of_all in _shown(side, nodes, lone):
        differs = edge.start in lone
        kind: Outcome = "otherwise" if differs else "uncounted"
        id = f"{letter(number)}:e{place[deps.node]}.{k}"
        head = None if edge.head == ROOT else place[edge.head]
        relation = decode(edge.relation)
        of = "the root" if head is None else f"“{words[head].lines[0]}”"
        title = f"“{words[place[deps.node]].lines[0]}” is {relation} of {of}, enhanced"
        title += f": not in {there}; not counted by LAS" if differs else ""
        drawn.arcs.append(DrawnArc(head, place[deps.node], relation, kind, title, id))
        where = (RowPlace(number, number_of_all),)
        drawn.parts.append(DrawnPart(id, "enhanced", relation, kind, title, where))
    return drawn


def _shown(
    side: ComparedSide, nodes: list[Deps], lone: set[int]
) -> Iterator[tuple[Deps, Edge, int, int]]:
    """The dependencies that are drawn, with the how-manieth of its node each is, and of all."""
    arcs, heads, labels = side.arcs, side.forest.dependencies, side.forest.symbols
    assert arcs is not None
    assert heads is not None
    before = 0
    for deps in nodes:
        basic = None
        if deps.node == deps.word:
            relation = labels.label(int(heads.relation[deps.word]))
            basic = int(arcs.head[deps.word]), relation
        for k, edge in enumerate(deps.edges):
            is_basic = (edge.head, decode(edge.relation)) == basic
            if edge.head not in (NOWHERE, deps.node) and (edge.start in lone or not is_basic):
                yield deps, edge, k, before + k
        before += len(deps.edges)
