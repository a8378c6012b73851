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
function tags and features. There is no limit on length (the original: 70 words).
Traces are no words, and a constituent of nothing but traces is no node. Unlabelled, tags and
labels may differ; words may not.

``treelens tedeval`` has the other versions of the family and their options; for files with the
same sentences it gives these numbers with ``--version 2012b`` for constituents, and with
``--version 2011`` for dependencies. Constituents against dependencies have a score there only.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from treelens.compare import Comparison, Side
from treelens.forest import Ints, running
from treelens.match import Numbers, pack, partners
from treelens.metrics import (
    CONSTITUENTS,
    DEPENDENCIES,
    Metric,
    Ratio,
    Tallies,
    by_group,
    tedeval_dependencies,
)
from treelens.parameters import PRESETS, label_table

Flags = npt.NDArray[np.bool_]


def tally(comparison: Comparison) -> Tallies:
    gold, system = comparison.gold, comparison.system
    if gold.arcs is not None and system.arcs is not None:
        return tedeval_dependencies.tally(comparison)
    if (gold.forest.rows is None) != (system.forest.rows is None):
        # Constituents against dependencies: nothing is counted, so that there is no score.
        return np.zeros((comparison.groups, 3), np.int64)
    norm = _size(gold, comparison) + _size(system, comparison)
    same = gold.words.same & _spoken(gold)
    columns = [
        norm - 2 * _kept(comparison, same & gold.words.tagged, labelled=True),
        norm - 2 * _kept(comparison, same, labelled=False),
        norm,
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def _size(side: Side, comparison: Comparison) -> Numbers:
    """Nodes of each group's trees: constituents but for the roots, and words that are spoken."""
    return by_group(_node_groups(side)[_inner(side)], comparison) + by_group(
        side.words.group[_spoken(side)], comparison
    )


def _spoken(side: Side) -> Flags:
    """The words that are no traces."""
    return ~label_table(side.forest.symbols, PRESETS["none"]).trace[side.forest.tag]


def _inner(side: Side) -> Ints:
    """The constituents below the roots that hold a spoken word."""
    forest = side.forest
    before = running(_spoken(side))
    base = forest.first_leaf[_node_sentences(side)]
    inner = before[base + forest.last] > before[base + forest.first]
    roots = forest.first_node[:-1][np.diff(forest.first_node) > 0]
    inner[roots] = False
    return np.flatnonzero(inner).astype(np.int32)


def _node_sentences(side: Side) -> Numbers:
    return np.repeat(np.arange(len(side.forest)), np.diff(side.forest.first_node))


def _node_groups(side: Side) -> Ints:
    return side.sentence_group[_node_sentences(side)]


def _kept(comparison: Comparison, golds: Flags, *, labelled: bool) -> Numbers:
    """Nodes that both trees of each group keep; ``golds``: which of gold's words are kept."""
    systems = np.zeros(len(comparison.system.words.group), np.bool_)
    systems[comparison.gold.words.partner[golds]] = True
    chains = [
        _chains(side, words, labelled=labelled)
        for side, words in ((comparison.gold, golds), (comparison.system, systems))
    ]
    spans = np.concatenate([pack_columns[:3] for pack_columns in chains], axis=1)
    span = pack(spans[0], spans[1], spans[2])
    label = np.concatenate([columns[3] for columns in chains])
    cut = chains[0].shape[1]
    kept = by_group(comparison.gold.words.group[golds], comparison)
    key = pack(span, label)
    matched = partners(key[:cut], key[cut:]).gold >= 0
    kept = kept + by_group(chains[0][0, matched], comparison)
    if labelled:
        kept -= _out_of_order(span, label, cut, matched, chains[0][0], comparison)
    return kept


def _chains(side: Side, kept: Flags, *, labelled: bool) -> Ints:
    """Group, first and last kept word, and label of each constituent that has one; (4, c)."""
    forest = side.forest
    rows = _inner(side)
    base = forest.first_leaf[_node_sentences(side)[rows]]
    before = running(kept)
    first, last = before[base + forest.first[rows]], before[base + forest.last[rows]]
    table = label_table(forest.symbols, PRESETS["none"])
    label = table.bare[forest.label[rows]] if labelled else np.zeros(len(rows), np.int32)
    columns = np.stack([_node_groups(side)[rows], first, last, label])
    return columns[:, first < last]


def _out_of_order(
    span: Numbers, label: Ints, cut: int, matched: Flags, group: Ints, comparison: Comparison
) -> Numbers:
    """By how much, in each group, labels in common exceed those in common *in order*.

    Only chains with two matched labels or more can differ in order: few, and looked at singly.
    """
    stretches, count = np.unique(span[:cut][matched], return_counts=True)
    several = count > 1
    excess = np.zeros(comparison.groups, np.int64)
    golds, systems = (_at(spans, stretches[several]) for spans in (span[:cut], span[cut:]))
    for common, gold, system in zip(count[several].tolist(), golds, systems, strict=True):
        chains = label[gold].tolist(), label[system + cut].tolist()
        if chains[0] != chains[1]:
            excess[group[gold[0]]] += common - int(LCSseq.similarity(*chains))
    return excess


def _at(spans: Numbers, stretches: Numbers) -> list[Numbers]:
    """The rows with each of some spans, in order."""
    order = np.argsort(spans, kind="stable")
    ordered = spans[order]
    low = np.searchsorted(ordered, stretches, side="left")
    high = np.searchsorted(ordered, stretches, side="right")
    return [order[a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True)]


METRIC = Metric(
    name="tedeval",
    title="TedEval",
    source="Tsarfaty, Nivre & Andersson 2012 (ACL); 2011 (EMNLP) for dependencies",
    counts=("edits", "edits_unlabelled", "nodes"),
    ratios=(
        Ratio("tedeval", "TedEval", {"nodes": 1, "edits": -1}, {"nodes": 1}, headline="TedEval"),
        Ratio(
            "tedeval-unlabelled",
            "TedEval unlabelled",
            {"nodes": 1, "edits_unlabelled": -1},
            {"nodes": 1},
        ),
    ),
    tally=tally,
    takes=CONSTITUENTS | DEPENDENCIES,
)
