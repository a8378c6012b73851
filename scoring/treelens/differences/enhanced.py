"""Enhanced dependencies that are not the same, edge by edge, and sentences in which only one side
writes any."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from itertools import zip_longest

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.compare.enhanced import EnhancedComparison, compared
from treelens.compare.sides import Side
from treelens.differences.difference import (
    Difference,
    Noun,
    Phrases,
    Rows,
    Sign,
    once,
    rows_from,
    two_by_two,
)
from treelens.differences.marks import Mark, RowSides, at_sentence
from treelens.trees.enhanced import Deps, Edge

_LAS = "LAS"


@once
def compared_edges(comparison: Comparison) -> EnhancedComparison:
    """What is compared for all of these kinds, and for the picture."""
    return compared(comparison)


_Pair = tuple[Edge | None, Edge | None]


def _pairs(ours: tuple[Edge, ...], theirs: tuple[Edge, ...]) -> Iterator[_Pair]:
    """Edges of a node that only one side has, two by two, by the same relation where there are
    such; the rest of the longer list alone."""
    both, left, others = two_by_two(ours, theirs, lambda edge: edge.relation)
    yield from both
    yield from zip_longest(left, others)


def _edges(comparison: Comparison, owner: Side | None) -> Rows:
    """Edges by where they start in their sources; for the side that lacks one, its field."""
    found = []
    for node in compared_edges(comparison).nodes:
        for one, other in _pairs(node.lone_gold, node.lone_system):
            has = Side.GOLD if other is None else Side.SYSTEM if one is None else None
            if has is owner:
                starts = (one or node.gold).start, (other or node.system).start
                found.append((node.group, *starts))
    return rows_from(found)


def _wrong(comparison: Comparison) -> Rows:
    return _edges(comparison, None)


def _missing(comparison: Comparison) -> Rows:
    return _edges(comparison, Side.GOLD)


def _extra(comparison: Comparison) -> Rows:
    return _edges(comparison, Side.SYSTEM)


def _unwritten(comparison: Comparison) -> Rows:
    groups = compared_edges(comparison).unwritten
    sides = comparison.gold, comparison.system
    return Rows(groups, *(np.searchsorted(side.sentence_group, groups) for side in sides))


def at_edge(at: RowSides) -> Mark:
    """A dependency in its field, as it is written there."""
    deps = at.here.deps_at(at.own)
    edge = deps.edges[bisect.bisect_left(deps.edges, at.own, key=lambda one: one.start)]
    return at.here.at_deps(deps, edge.start, edge.end)


def at_whole_field(at: RowSides) -> Mark:
    """The field in which the other side has something more."""
    deps: Deps = at.here.deps_at(at.own)
    return at.here.at_deps(deps, deps.start, deps.end)._replace(written="")


_NOUN = Noun("enhanced dependency", "enhanced dependencies")
_TALLY = Noun("DEPS", "DEPS")

DIFFERENCES = (
    Difference(
        code="wrong-enhanced",
        rows=_wrong,
        marks=(at_edge, at_edge),
        family="enhanced",
        noun=_NOUN,
        tally=_TALLY,
        heading="Enhanced Dependencies",
        phrases=Phrases(*["{they} has {there} for {words}, not {here}"] * 2),
        sign=Sign("<", "dim"),
        modifier=None,
        severity="hint",
        kind="DEPS",
        everywhere=False,
        uncounted_by=_LAS,
    ),
    Difference(
        code="missing-enhanced",
        rows=_missing,
        marks=(at_edge, at_whole_field),
        family="enhanced",
        noun=_NOUN,
        tally=_TALLY,
        heading="Missing Enhanced Dependencies",
        phrases=Phrases("{system} has no {here} for {words}", "{gold} has {there} for {words} too"),
        sign=Sign("-", "dim", "{gold_has} missing"),
        modifier=None,
        owner=Side.GOLD,
        severity="hint",
        kind="DEPS missing",
        everywhere=False,
        uncounted_by=_LAS,
    ),
    Difference(
        code="extra-enhanced",
        rows=_extra,
        marks=(at_whole_field, at_edge),
        family="enhanced",
        noun=_NOUN,
        tally=_TALLY,
        heading="Extra Enhanced Dependencies",
        phrases=Phrases("{system} has {there} for {words} too", "{gold} has no {here} for {words}"),
        sign=Sign("+", "dim", "{system_has} extra"),
        modifier=None,
        owner=Side.SYSTEM,
        severity="hint",
        kind="DEPS extra",
        everywhere=False,
        uncounted_by=_LAS,
    ),
    Difference(
        code="unwritten-enhanced",
        rows=_unwritten,
        marks=(at_sentence, at_sentence),
        family="unwritten enhanced",
        noun=Noun("enhanced dependencies", "enhanced dependencies"),
        tally=Noun("unwritten DEPS", "unwritten DEPS"),
        heading="Enhanced Dependencies that One File Does Not Write",
        phrases=Phrases(*["only one of {gold} and {system} has enhanced dependencies here"] * 2),
        sign=Sign("<", "dim", "DEPS on one side only"),
        modifier=None,
        severity="hint",
        kind="unwritten DEPS",
        everywhere=False,
        uncounted_by=_LAS,
    ),
)
