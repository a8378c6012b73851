"""Enhanced dependencies of both sides, edge by edge.

An edge is the same if its word's partner has one by the same relation to the head's partner, or
both to the root. Empty nodes are each other's partners where they stand behind the same word, in
their order there. Knows no metric and nothing of what is shown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.trees.enhanced import Deps, Edge, Node, enhanced
from treelens.trees.forest import DEPS, NOWHERE, ROOT

_UNDERSCORE = ord("_")
_NOTHING: tuple[list[bytes], ...] = ([], [b""], [b"_"])


class UnequalNode(NamedTuple):
    """A node that both sides have, and whose edges are not all the same."""

    group: int
    gold: Deps
    system: Deps
    lone_gold: tuple[Edge, ...]
    """Gold's edges that system does not have."""
    lone_system: tuple[Edge, ...]


class EnhancedComparison(NamedTuple):
    """nodes: those of groups in which both sides write DEPS. unwritten: groups in which one side
    writes some, and the other none."""

    nodes: tuple[UnequalNode, ...]
    unwritten: npt.NDArray[np.int64]


def compared(comparison: Comparison) -> EnhancedComparison:
    """What of both sides' enhanced dependencies is not the same."""
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return EnhancedComparison((), np.zeros(0, np.int64))
    written = [_written(side, comparison.groups) for side in (gold, system)]
    there = [_there(side, comparison.groups) for side in (gold, system)]
    unwritten = np.flatnonzero((written[0] != written[1]) & there[0] & there[1])
    suspect = written[0] & written[1] & _suspect(comparison)
    if not suspect.any():
        return EnhancedComparison((), unwritten)
    ours, theirs = by_node(comparison, suspect)
    nodes = []
    for key, (group, deps, edges) in ours.items():
        if key in theirs:
            _, other, other_edges = theirs[key]
            lone, their_lone = _lone(edges, other_edges), _lone(other_edges, edges)
            if lone or their_lone:
                nodes.append(UnequalNode(group, deps, other, lone, their_lone))
    return EnhancedComparison(
        tuple(sorted(nodes, key=lambda one: (one.group, one.gold.start))), unwritten
    )


def _written(side: ComparedSide, groups: int) -> npt.NDArray[np.bool_]:
    """In which groups a side writes DEPS; ``(groups,)``."""
    assert side.forest.fields is not None
    deps = side.forest.fields.deps
    rows = (deps != 0) & (deps != _UNDERSCORE)
    found = np.bincount(side.words.group[rows], minlength=groups) > 0
    found[_with_empty_nodes(side, written=True)] = True
    return found


def _there(side: ComparedSide, groups: int) -> npt.NDArray[np.bool_]:
    return np.bincount(side.words.group, minlength=groups) > 0


def _suspect(comparison: Comparison) -> npt.NDArray[np.bool_]:
    """Groups whose edges are not the same at first sight: other fields, words that only one side
    has, other sentences, or empty nodes; ``(groups,)``."""
    found = np.zeros(comparison.groups, np.bool_)
    gold, system = comparison.gold, comparison.system
    assert gold.forest.fields is not None
    assert system.forest.fields is not None
    paired = np.flatnonzero(gold.words.partner >= 0)
    differ = (
        gold.forest.fields.deps[paired] != system.forest.fields.deps[gold.words.partner[paired]]
    )
    found[gold.words.group[paired[differ]]] = True
    for side in (gold, system):
        found[side.words.group[side.words.partner < 0]] = True
        found |= np.bincount(side.sentence_group, minlength=comparison.groups) > 1
        found[_with_empty_nodes(side)] = True
    return found


def _with_empty_nodes(side: ComparedSide, *, written: bool = False) -> npt.NDArray[np.integer[Any]]:
    """The groups that have any; ``written``: with DEPS of their own."""
    from treelens.trees.other_lines import other_lines  # which most texts do without

    source = side.forest.source
    empty = {
        line.sentence
        for line in other_lines(side.forest)
        if line.kind == "empty"
        and not (written and source[line.start : line.end].split(b"\t")[DEPS:][:1] in _NOTHING)
    }
    return side.sentence_group[sorted(empty)]


_Edges = list[tuple[tuple[Hashable, bytes], Edge]]
"""Edges with what tells them again on the other side: the head, and the relation."""

ByNode = dict[Hashable, tuple[int, Deps, _Edges]]
"""Each node's group, its DEPS and its edges."""


def by_node(comparison: Comparison, groups: npt.NDArray[np.bool_]) -> tuple[ByNode, ByNode]:
    """DEPS of some groups, gold's and system's, by nodes that are called the same on both."""
    gold, system = comparison.gold, comparison.system
    partner = system.words.partner.tolist()
    return _by_node(gold, groups, None), _by_node(system, groups, partner)


def written_by_both(comparison: Comparison) -> npt.NDArray[np.bool_]:
    """In which groups both sides write DEPS; ``(groups,)``."""
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return np.zeros(comparison.groups, np.bool_)
    return _written(gold, comparison.groups) & _written(system, comparison.groups)


def _by_node(
    side: ComparedSide, suspect: npt.NDArray[np.bool_], partner: list[int] | None
) -> ByNode:
    """DEPS of the suspect groups by node, in terms of gold's words; ``partner``: of each word
    gold's."""
    nodes = [*enhanced(side.forest, suspect[side.sentence_group])]
    names: dict[Node, Hashable] = {ROOT: "root", NOWHERE: "nothing"}
    seen: Counter[Hashable] = Counter()
    for one in nodes:
        word = one.word if partner is None else partner[one.word]
        about: Hashable = word if word >= 0 else (one.word,)
        if one.node != one.word:
            # (Before the first word and behind it the word is the same one.)
            at_start = one.start < side.forest.leaf_open[one.word]
            group = int(side.sentence_group[one.sentence])
            about = ("start", group) if at_start else ("behind", about)
            seen[about] += 1
            about = about, seen[about]
        names[one.node] = about
    found = {}
    for one in nodes:
        edges = [((names[edge.head], edge.relation), edge) for edge in one.edges]
        found[names[one.node]] = int(side.sentence_group[one.sentence]), one, edges
    return found


def _lone(ours: _Edges, theirs: _Edges) -> tuple[Edge, ...]:
    """The edges of a node that the other side does not have, each as often as it is not there."""
    there = Counter(key for key, _ in theirs)
    left = defaultdict(list)
    for key, edge in ours:
        left[key].append(edge)
    return tuple(sorted(edge for key, edges in left.items() for edge in edges[there[key] :]))
