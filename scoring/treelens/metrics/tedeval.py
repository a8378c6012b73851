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

from typing import NamedTuple

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
    nodes = _constituents(gold), _constituents(system)
    norm = sum(
        by_group(found.group, comparison) + by_group(side.words.group[_spoken(side)], comparison)
        for found, side in zip(nodes, (gold, system), strict=True)
    )
    same = gold.words.same & _spoken(gold)
    columns = [
        norm - 2 * _kept(comparison, nodes, same & gold.words.tagged, labelled=True),
        norm - 2 * _kept(comparison, nodes, same, labelled=False),
        norm,
    ]
    return np.stack(columns, axis=1).astype(np.int64)


class _Nodes(NamedTuple):
    """The constituents below the roots that hold a spoken word; ``(c,)`` each."""

    group: Ints
    first: Ints
    """First word and one past the last, as rows of the side's words."""
    last: Ints
    label: Ints
    """The number of the bare label."""


def _constituents(side: Side) -> _Nodes:
    forest = side.forest
    table = label_table(forest.symbols, PRESETS["none"])
    counts = np.diff(forest.first_node)
    sentence = np.repeat(np.arange(len(counts)), counts)
    base = forest.first_leaf[sentence]
    first, last = base + forest.first, base + forest.last
    before = running(_spoken(side))
    inner = before[last] > before[first]
    inner[forest.first_node[:-1][counts > 0]] = False
    rows = np.flatnonzero(inner)
    return _Nodes(
        side.sentence_group[sentence[rows]],
        first[rows],
        last[rows],
        table.bare[forest.label[rows]],
    )


def _spoken(side: Side) -> Flags:
    """The words that are no traces."""
    return ~label_table(side.forest.symbols, PRESETS["none"]).trace[side.forest.tag]


def _kept(
    comparison: Comparison, nodes: tuple[_Nodes, _Nodes], golds: Flags, *, labelled: bool
) -> Numbers:
    """Nodes that both trees of each group keep; ``golds``: which of gold's words are kept."""
    systems = np.zeros(len(comparison.system.words.group), np.bool_)
    systems[comparison.gold.words.partner[golds]] = True
    sides = [_over(found, kept) for found, kept in zip(nodes, (golds, systems), strict=True)]
    both = _Nodes._make(map(np.concatenate, zip(*sides, strict=True)))
    span = pack(both.group, both.first, both.last)
    key = pack(span, both.label) if labelled else span
    cut = len(sides[0].group)
    kept = by_group(comparison.gold.words.group[golds], comparison)
    matched = partners(key[:cut], key[cut:]).gold >= 0
    kept = kept + by_group(sides[0].group[matched], comparison)
    if labelled:
        kept -= _out_of_order(span, both.label, cut, matched, sides[0].group, comparison)
    return kept


def _over(nodes: _Nodes, kept: Flags) -> _Nodes:
    """The nodes over some of the kept words, from the first of those to the last."""
    before = running(kept)
    found = nodes._replace(first=before[nodes.first], last=before[nodes.last])
    rows = np.flatnonzero(found.first < found.last)
    return _Nodes._make(column[rows] for column in found)


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
