"""TedEval over aligned words: how many edits make one tree the other.

Dependencies are :mod:`treelens.metrics.tedeval_dependencies` (Tsarfaty, Nivre & Andersson 2011,
EMNLP). What follows is of constituents.

Source: Tsarfaty, Nivre & Andersson 2012 (ACL), joint evaluation of segmentation and trees. A
node is a constituent below the root, or a lexeme: a word with its tag. The score is one minus
the edits (additions and deletions of nodes, unit cost) over the nodes of both trees; lexemes of
both trees that are the same are kept. A percentage, 0 to 100; the corpus's is that of the sums
("global").

No search is needed: with the kept lexemes fixed, two constituents can correspond only if they
dominate the same ones, so the distance is the sum, over such stretches, of the nodes that are
not in the longest common subsequence of the two chains of labels. A constituent that dominates
no kept lexeme has no counterpart; under that rule the distance is exact (a free search finds
smaller ones for some trees, by mapping constituents that share no word).

Divergences: the original program could not be had; where the paper leaves it open, lexemes are
aligned as in :mod:`treelens.align`, at the leftmost place on ties. Labels are compared without
function tags and features, tags without features; none are held equal, whatever the parameters
hold equal for brackets. There is no limit on length (the original: 70 words).
Traces are no words, and a constituent of nothing but traces is no node. Unlabelled, tags and
labels may differ; words may not.

``treelens tedeval`` has the other versions of the family and their options; for files with the
same sentences it gives these numbers with ``--version 2012b`` for constituents, and with
``--version 2011`` for dependencies. Constituents against dependencies have a score there only.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.metrics import (
    CONSTITUENTS,
    DEPENDENCIES,
    Metric,
    Ratio,
    Tallies,
    by_group,
)
from treelens.metrics.tedeval_nodes import (
    Nodes,
    constituents,
    kept_nodes,
    kept_words,
    over,
    overt,
)


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold, comparison.system
    dependencies = [side.forest.dependencies is not None for side in (gold, system)]
    if all(dependencies):
        from treelens.metrics import tedeval_dependencies  # which brackets do without

        return tedeval_dependencies.tally(comparison)
    if any(dependencies):
        # Constituents against dependencies: nothing is counted, so that there is no score.
        return np.zeros((comparison.groups, 3), np.int64)
    return joint_tally(comparison, constituents(gold), constituents(system))


def joint_tally(comparison: Comparison, golds: Nodes, systems: Nodes) -> Tallies:
    """Edits, edits unlabelled and nodes, where words are nodes; ``(groups, 3)``."""
    nodes = by_group(golds.group, comparison) + by_group(systems.group, comparison)
    for side in (comparison.gold, comparison.system):
        nodes = nodes + by_group(side.words.group[overt(side)], comparison)
    columns = []
    for labelled in (True, False):
        kept = kept_words(comparison, tagged=labelled)
        sides = over(golds, kept[0]), over(systems, kept[1])
        words = by_group(comparison.gold.words.group[kept[0]], comparison)
        columns.append(nodes - 2 * (words + kept_nodes(comparison, *sides, labelled=labelled)))
    return np.stack([*columns, nodes], axis=1).astype(np.int64)


def ratios(
    name: str, title: str, *, headline: str = "", unlabelled: str = "nodes"
) -> tuple[Ratio, Ratio]:
    """The score, and the unlabelled one, whose nodes may be counted under a name of their own."""
    return (
        Ratio(name, title, {"nodes": 1, "edits": -1}, {"nodes": 1}, headline=headline),
        Ratio(
            f"{name}-unlabelled",
            f"{title} unlabelled",
            {unlabelled: 1, "edits_unlabelled": -1},
            {unlabelled: 1},
        ),
    )


METRIC = Metric(
    name="tedeval",
    title="TedEval",
    source="Tsarfaty, Nivre & Andersson 2012 (ACL); 2011 (EMNLP) for dependencies",
    counts=("edits", "edits_unlabelled", "nodes"),
    ratios=ratios("tedeval", "TedEval", headline="TedEval"),
    tally=tally,
    takes=CONSTITUENTS | DEPENDENCIES,
)
