"""Further members of the TedEval family, counted when they are asked for.

All are of Tsarfaty, Nivre & Andersson 2012, over our alignment, with additions and deletions only;
percentages, 0 to 100, of sums ("global"). :mod:`treelens.metrics.tedeval` is the one that is
counted by default, and ``treelens tedeval`` has more options for single files.

* **tedeval-2012a** (EACL, cross-framework): the functions of constituents and words (``NP-SBJ``),
  or the relations of dependencies, with head daughters ``hd``; over the same words a set of
  labels, of which the order means nothing. Constituents and dependencies can be compared with
  each other. Unlabelled, each set counts once.
* **tedeval-2012b** (ACL, joint): for dependencies, words with their tags are nodes besides. For
  constituents it is the default TedEval.
* **segeval** (ACL): words with their tags (unlabelled: words) alone, twice those in common over
  those of both sides.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import Numbers, partners
from treelens.metrics import CONSTITUENTS, DEPENDENCIES, Metric, Ratio, Tallies, by_group
from treelens.metrics.tedeval import joint_tally, ratios
from treelens.metrics.tedeval_nodes import (
    Nodes,
    as_sets,
    constituents,
    functions,
    in_pre_order,
    kept_words,
    keys,
    over,
    overt,
    relations,
)

_HEAD = "hd"


def cross_framework_tally(comparison: Comparison) -> Tallies:
    """Edits and nodes, and the same unlabelled; ``(groups, 4)``."""
    sides = as_sets(_functions(comparison.gold)), as_sets(_functions(comparison.system))
    columns: list[Numbers] = []
    for golds, systems in (sides, (_as_one_label(sides[0]), _as_one_label(sides[1]))):
        nodes = by_group(golds.group, comparison) + by_group(systems.group, comparison)
        kept = kept_words(comparison, tagged=False)
        there = over(golds, kept[0]), over(systems, kept[1])
        matched = partners(*keys(*there, labelled=True)).gold >= 0
        columns += [nodes - 2 * by_group(there[0].group[matched], comparison), nodes]
    return np.stack(columns, axis=1).astype(np.int64)


def _functions(side: ComparedSide) -> Nodes:
    if side.forest.dependencies is None:
        return functions(side)
    return relations(side, side.forest.symbols.label_id(_HEAD))


def _as_one_label(nodes: Nodes) -> Nodes:
    return as_sets(nodes._replace(label=np.zeros_like(nodes.label)))


def joint(comparison: Comparison) -> Tallies:
    """Edits, edits unlabelled and nodes; ``(groups, 3)``."""
    sides = comparison.gold, comparison.system
    if (sides[0].forest.dependencies is None) != (sides[1].forest.dependencies is None):
        # Categories against relations: nothing is counted, so that there is no score.
        return np.zeros((comparison.groups, 3), np.int64)
    golds, systems = (
        constituents(side) if side.forest.dependencies is None else in_pre_order(_functions(side))
        for side in sides
    )
    return joint_tally(comparison, golds, systems)


def segment_tally(comparison: Comparison) -> Tallies:
    """Words in common with their tags, words in common, words of both; ``(groups, 3)``."""
    words = sum(
        by_group(side.words.group[overt(side)], comparison)
        for side in (comparison.gold, comparison.system)
    )
    of_gold = comparison.gold.words.group
    kept = [
        by_group(of_gold[kept_words(comparison, tagged=tagged)[0]], comparison)
        for tagged in (True, False)
    ]
    return np.stack([*kept, words], axis=1).astype(np.int64)


TEDEVAL_2012A = Metric(
    name="tedeval-2012a",
    title="TedEval 2012a",
    source="Tsarfaty, Nivre & Andersson 2012 (EACL)",
    counts=("edits", "nodes", "edits_unlabelled", "nodes_unlabelled"),
    ratios=ratios("tedeval-2012a", "TedEval 2012a", unlabelled="nodes_unlabelled"),
    tally=cross_framework_tally,
    takes=CONSTITUENTS | DEPENDENCIES,
    standard=False,
)

TEDEVAL_2012B = Metric(
    name="tedeval-2012b",
    title="TedEval 2012b",
    source="Tsarfaty, Nivre & Andersson 2012 (ACL)",
    counts=("edits", "edits_unlabelled", "nodes"),
    ratios=ratios("tedeval-2012b", "TedEval 2012b"),
    tally=joint,
    takes=CONSTITUENTS | DEPENDENCIES,
    standard=False,
)

SEGEVAL = Metric(
    name="segeval",
    title="SegEval",
    source="Tsarfaty, Nivre & Andersson 2012 (ACL)",
    counts=("tagged", "same", "words"),
    ratios=(
        Ratio("segeval", "SegEval", {"tagged": 2}, {"words": 1}),
        Ratio("segeval-unlabelled", "SegEval unlabelled", {"same": 2}, {"words": 1}),
    ),
    tally=segment_tally,
    takes=CONSTITUENTS | DEPENDENCIES,
    standard=False,
)

METRICS = (TEDEVAL_2012A, TEDEVAL_2012B, SEGEVAL)
