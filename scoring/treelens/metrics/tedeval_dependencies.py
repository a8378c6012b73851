"""TedEval's counts for dependencies: function trees (EMNLP 2011) over aligned words.

A node is a word with all that hangs below it, under its relation; and the head daughter of a
word with dependents, under ``*``, which is any label. Nodes are added, deleted and relabelled
at cost 1; unlabelled, relabelling is free. Words are no nodes; tags do not matter. Two nodes
can only be the same if they hold the same words that both sides have, so that the distance is a
sum over stretches of those words (:mod:`treelens.tedeval.distance`). Trees that are not
projective are made so as in :mod:`treelens.tedeval.spans`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare import Comparison, Side
from treelens.forest import Ints, running
from treelens.match import Numbers, pack, partners
from treelens.metrics import Tallies, by_group
from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.distance import Free, with_relabelling
from treelens.tedeval.spans import forest_spans

Flags = npt.NDArray[np.bool_]


class _Nodes(NamedTuple):
    """Nodes as columns; ``(n,)`` each."""

    group: Ints
    first: Ints
    """First kept word and one past the last, counted over the whole side."""
    last: Ints
    label: Ints
    width: Ints
    """How many words it holds, kept or not: of two over the same kept words the upper has more."""


def tally(comparison: Comparison) -> Tallies:
    """Edits, edits unlabelled, and nodes, of each group; ``(groups, 3)``."""
    gold, system = comparison.gold, comparison.system
    kept = gold.words.same, np.zeros(len(system.words.group), np.bool_)
    kept[1][gold.words.partner[gold.words.same]] = True
    wildcard = gold.forest.symbols.label_id(WILDCARD)
    sides = _nodes(gold, kept[0], wildcard), _nodes(system, kept[1], wildcard)
    nodes = by_group(sides[0].group, comparison) + by_group(sides[1].group, comparison)
    golds, systems = (_supported(side) for side in sides)
    span = pack(*(np.concatenate(pair) for pair in zip(golds[:3], systems[:3], strict=True)))
    cut = len(golds.group)
    # Of n nodes and m over the same words, as many as the fewer are matched.
    found = partners(span[:cut], span[cut:])
    matched = np.flatnonzero(found.gold >= 0)
    unlabelled = nodes - 2 * by_group(golds.group[matched], comparison)
    labels = golds.label[matched], systems.label[found.gold[matched]]
    wrong = (labels[0] != labels[1]) & (labels[0] != wildcard) & (labels[1] != wildcard)
    several = _in_chains(span, cut)
    wrong &= ~several[matched]
    relabelled = by_group(golds.group[matched[wrong]], comparison)
    relabelled += _relabelled_in_chains(comparison, golds, systems, span, several)
    return np.stack([unlabelled + relabelled, unlabelled, nodes], axis=1).astype(np.int64)


def _in_chains(span: Numbers, cut: int) -> Flags:
    """Which nodes are over the same kept words as another node of their side; ``(n,)``.

    Or are over those of one on the other side. Only where words differ are there any: in
    a dependency tree no two nodes hold the same words.
    """
    several = np.zeros(len(span), np.bool_)
    chained = []
    for side in (span[:cut], span[cut:]):
        ordered = np.sort(side)
        chained.append(ordered[1:][ordered[1:] == ordered[:-1]])
    stretches = np.concatenate(chained)
    if len(stretches):
        several = np.isin(span, stretches)
    return several


def _relabelled_in_chains(
    comparison: Comparison, golds: _Nodes, systems: _Nodes, span: Numbers, several: Flags
) -> Numbers:
    """Edits, in each group, of chains of nodes, less the nodes that one chain has more."""
    excess = np.zeros(comparison.groups, np.int64)
    if not several.any():
        return excess
    both = _Nodes(*(np.concatenate(pair) for pair in zip(golds, systems, strict=True)))
    cut = len(golds.group)
    names = comparison.gold.forest.symbols.labels
    chains: dict[int, tuple[list[str], list[str]]] = {}
    groups: dict[int, int] = {}
    rows = np.flatnonzero(several)
    for row in rows[np.argsort(-both.width[rows], kind="stable")].tolist():
        key = int(span[row])
        groups[key] = int(both.group[row])
        chains.setdefault(key, ([], []))[row >= cut].append(names[both.label[row]])
    distance = with_relabelling(Free())
    for key, (one, other) in chains.items():
        more = abs(len(one) - len(other))
        excess[groups[key]] += distance(tuple(one), tuple(other)) - more
    return excess


def _nodes(side: Side, kept: Flags, wildcard: int) -> _Nodes:
    """All nodes of a side, each word's own before its head daughter."""
    forest = side.forest
    assert forest.rows is not None
    spans = forest_spans(forest.rows.head, forest.first_leaf)
    base = np.repeat(forest.first_leaf[:-1], np.diff(forest.first_leaf))
    words = np.arange(len(base), dtype=np.int32)
    heads = np.flatnonzero(spans.last - spans.first > 1)
    before = running(kept)
    return _Nodes(
        np.concatenate([side.words.group, side.words.group[heads]]),
        before[np.concatenate([base + spans.first, words[heads]])],
        before[np.concatenate([base + spans.last, words[heads] + 1])],
        np.concatenate([forest.rows.relation, np.full(len(heads), wildcard, np.int32)]),
        np.concatenate([spans.last - spans.first, np.ones(len(heads), np.int32)]),
    )


def _supported(nodes: _Nodes) -> _Nodes:
    """The nodes that hold a kept word."""
    rows = np.flatnonzero(nodes.first < nodes.last)
    return _Nodes._make(column[rows] for column in nodes)
