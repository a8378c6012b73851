"""TedEval's counts for dependencies: function trees (EMNLP 2011) over aligned words.

A node is a word with all that hangs below it, under its relation; and the head daughter of a
word with dependents, under ``*``, which is any label. Nodes are added, deleted and relabelled
at cost 1; unlabelled, relabelling is free. Words are no nodes; tags do not matter. Two nodes
can only be the same if they hold the same words that both sides have, so that the distance is a
sum over stretches of those words (:mod:`treelens.tedeval.distance`). Trees that are not
projective are made so as in :mod:`treelens.tedeval.spans`.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.compare.match import Numbers, partners
from treelens.metrics import Tallies, by_group
from treelens.metrics.tedeval_nodes import (
    Flags,
    Nodes,
    in_pre_order,
    kept_words,
    keys,
    over,
    relations,
)
from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.distance import FreeLabels, with_relabelling


def tally(comparison: Comparison) -> Tallies:
    """Edits, edits unlabelled, and nodes, of each group; ``(groups, 3)``."""
    wildcard = comparison.gold.forest.symbols.label_id(WILDCARD)
    sides = relations(comparison.gold, wildcard), relations(comparison.system, wildcard)
    nodes = by_group(sides[0].group, comparison) + by_group(sides[1].group, comparison)
    kept = kept_words(comparison, tagged=False)
    golds, systems = over(sides[0], kept[0]), over(sides[1], kept[1])
    spans = keys(golds, systems, labelled=False)
    # Of n nodes and m over the same words, as many as the fewer are matched.
    found = partners(*spans).gold
    matched = np.flatnonzero(found >= 0)
    unlabelled = nodes - 2 * by_group(golds.group[matched], comparison)
    chained = _chained(spans)
    labels = golds.label[matched], systems.label[found[matched]]
    wrong = (labels[0] != labels[1]) & (labels[0] != wildcard) & (labels[1] != wildcard)
    if len(chained):
        wrong &= ~np.isin(spans[0][matched], chained)
    relabelled = by_group(golds.group[matched[wrong]], comparison)
    if len(chained):
        relabelled = relabelled + _relabelled_in_chains(comparison, sides, kept, chained)
    return np.stack([unlabelled + relabelled, unlabelled, nodes], axis=1).astype(np.int64)


def _chained(spans: tuple[Numbers, Numbers]) -> Numbers:
    """The spans that several nodes of a side have.

    There are none but where words differ: no two nodes of a dependency tree hold the same words.
    """
    found = []
    for side in spans:
        ordered = np.sort(side)
        found.append(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.concatenate(found)


def _relabelled_in_chains(
    comparison: Comparison, sides: tuple[Nodes, Nodes], kept: tuple[Flags, Flags], chained: Numbers
) -> Numbers:
    """Edits, in each group, of chains of nodes, less the nodes that one chain has more."""
    golds, systems = (
        over(in_pre_order(nodes), words) for nodes, words in zip(sides, kept, strict=True)
    )
    names = comparison.gold.forest.symbols.labels
    chains: dict[int, tuple[list[str], list[str]]] = {}
    groups: dict[int, int] = {}
    for side, (nodes, spans) in enumerate(
        zip((golds, systems), keys(golds, systems, labelled=False), strict=True)
    ):
        for row in np.flatnonzero(np.isin(spans, chained)).tolist():
            groups[int(spans[row])] = int(nodes.group[row])
            chains.setdefault(int(spans[row]), ([], []))[side].append(names[nodes.label[row]])
    excess = np.zeros(comparison.groups, np.int64)
    distance = with_relabelling(FreeLabels())
    for span, (one, other) in chains.items():
        more = abs(len(one) - len(other))
        excess[groups[span]] += distance(tuple(one), tuple(other)) - more
    return excess
