"""The nodes that TedEval compares, as columns, and how many of them two trees can keep.

Trees of constituents and of dependencies become function trees as in
:mod:`treelens.tedeval.convert`, whole files at a time.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import Numbers, pack, partners
from treelens.metrics import by_group
from treelens.rules import distances
from treelens.rules.parameters import PRESETS, label_table
from treelens.trees.forest import Ints, Symbols, each_once, running

Flags = npt.NDArray[np.bool_]


class Nodes(NamedTuple):
    """Labelled spans; ``(n,)`` each. Of two over the same words the upper one comes first."""

    group: Ints
    first: Ints
    """First word and one past the last, as rows of the side's words (or, :func:`over` some of
    them, as their places among those)."""
    last: Ints
    label: Ints


# --- which nodes there are -----------------------------------------------------------------


def constituents(side: ComparedSide) -> Nodes:
    """Those below the roots that hold an overt word; labels are bare categories, by number."""
    found = _brackets(side)
    roots = side.forest.first_node[:-1][np.diff(side.forest.first_node) > 0]
    inner = np.ones(len(found.group), np.bool_)
    inner[roots] = False
    bare = label_table(side.forest.symbols, PRESETS["none"]).bare
    return _overt_nodes(found._replace(label=bare.take(found.label)), side, inner)


def functions(side: ComparedSide) -> Nodes:
    """A node for each dash function of each constituent and word; labels are label ids."""
    brackets = _brackets(side)
    words = np.arange(len(side.forest.tag), dtype=np.int32)
    tags = Nodes(side.words.group, words, words + 1, side.forest.tag)
    both = _overt_nodes(Nodes._make(map(np.concatenate, zip(brackets, tags, strict=True))), side)
    distinct, inverse = np.unique(both.label, return_inverse=True)
    names = [_function_ids(side.forest.symbols, label) for label in distinct.tolist()]
    counts = np.array([len(ids) for ids in names], np.int32)
    flat = np.array([label for ids in names for label in ids], np.int32)
    of_each = counts[inverse]
    row = np.repeat(np.arange(len(both.label)), of_each)
    nth = np.arange(len(row)) - np.repeat(running(of_each)[:-1], of_each)
    return Nodes(
        both.group[row], both.first[row], both.last[row], flat[running(counts)[inverse[row]] + nth]
    )


# (What is remembered for symbols would keep them, and all their words, for as long.)
@functools.lru_cache(maxsize=1 << 13)
def _functions(label: str) -> list[str]:
    from treelens.tedeval.convert import functions  # which other scores do without, as the next

    return functions(label)


def _function_ids(symbols: Symbols, label: int) -> tuple[int, ...]:
    return tuple(map(symbols.label_id, _functions(symbols.label(label))))


def relations(side: ComparedSide, head_label: int) -> Nodes:
    """A node for each word, and a head daughter for each with dependents; labels are label ids.

    Words' own nodes come first, whatever is above what (see :func:`in_pre_order`).
    """
    forest = side.forest
    assert forest.dependencies is not None
    from treelens.tedeval.spans import forest_spans

    spans = forest_spans(forest.dependencies.head, forest.first_leaf)
    base = np.repeat(forest.first_leaf[:-1], np.diff(forest.first_leaf))
    words = np.arange(len(base), dtype=np.int32)
    heads = np.flatnonzero(spans.last - spans.first > 1)
    return Nodes(
        np.concatenate([side.words.group, side.words.group[heads]]),
        np.concatenate([base + spans.first, words[heads]]),
        np.concatenate([base + spans.last, words[heads] + 1]),
        np.concatenate([forest.dependencies.relation, np.full(len(heads), head_label, np.int32)]),
    )


def in_pre_order(nodes: Nodes) -> Nodes:
    """The same with each node before those below it."""
    order = np.lexsort((-nodes.last, nodes.first))
    return Nodes._make(column[order] for column in nodes)


def as_sets(nodes: Nodes) -> Nodes:
    """One node for each label over the same words, in no certain order."""
    _, rows = np.unique(pack(nodes.first, nodes.last, nodes.label), return_index=True)
    return Nodes._make(column[rows] for column in nodes)


def _brackets(side: ComparedSide) -> Nodes:
    forest = side.forest
    counts = np.diff(forest.first_node)
    sentence = np.repeat(np.arange(len(counts)), counts)
    base = forest.first_leaf[sentence]
    return Nodes(
        side.sentence_group[sentence], base + forest.first, base + forest.last, forest.label
    )


def _overt_nodes(nodes: Nodes, side: ComparedSide, wanted: Flags | None = None) -> Nodes:
    """The (wanted) nodes that do not hold traces only."""
    before = running(overt(side))
    holds = before.take(nodes.last) > before.take(nodes.first)
    rows = np.flatnonzero(holds if wanted is None else holds & wanted)
    return Nodes._make(column[rows] for column in nodes)


def overt(side: ComparedSide) -> Flags:
    """The words that are no traces."""
    trace = label_table(side.forest.symbols, PRESETS["none"]).trace
    if not trace.any():
        return np.ones(len(side.forest.tag), np.bool_)
    return ~trace.take(side.forest.tag)


# --- which of them are kept ----------------------------------------------------------------


def kept_words(comparison: Comparison, *, tagged: bool) -> tuple[Flags, Flags]:
    """Gold's and system's words that are the same (with the same tag); traces are no words.

    Tags are compared as they are written, like the labels of all nodes here: that parameters hold
    some equal is for brackets, and to know it of tags only would be half of it.
    """
    words = comparison.gold.words
    golds = words.same & overt(comparison.gold)
    rows = np.flatnonzero(golds)
    rows = rows[overt(comparison.system).take(words.partner[rows])]
    if tagged:
        tags = label_table(comparison.gold.forest.symbols, PRESETS["none"]).whole_tag
        gold, system = comparison.gold.forest.tag, comparison.system.forest.tag
        same = tags.take(gold[rows]) == tags.take(system.take(words.partner[rows]))
        rows = rows[same]
    kept = np.zeros(len(golds), np.bool_), np.zeros(len(comparison.system.words.group), np.bool_)
    kept[0][rows] = True
    kept[1][words.partner[rows]] = True
    return kept


def over(nodes: Nodes, kept: Flags) -> Nodes:
    """The nodes over some of the kept words, from the first of those to the last."""
    if kept.all():
        return nodes
    before = running(kept)
    found = nodes._replace(first=before.take(nodes.first), last=before.take(nodes.last))
    rows = np.flatnonzero(found.first < found.last)
    return Nodes._make(column[rows] for column in found)


def keys(golds: Nodes, systems: Nodes, *, labelled: bool) -> tuple[Numbers, Numbers]:
    """Numbers of nodes over kept words, equal for equal spans of both sides (with equal labels)."""
    both = Nodes._make(map(np.concatenate, zip(golds, systems, strict=True)))
    # (A kept word is in one group only.)
    key = pack(both.first, both.last)
    spans = key[: len(golds.group)], key[len(golds.group) :]
    return with_labels(golds, systems, spans) if labelled else spans


def with_labels(
    golds: Nodes, systems: Nodes, spans: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    """The same of nodes whose spans have numbers."""
    key = pack(np.concatenate(spans), np.concatenate([golds.label, systems.label]))
    return key[: len(golds.group)], key[len(golds.group) :]


def kept_nodes(comparison: Comparison, golds: Nodes, systems: Nodes, *, labelled: bool) -> Numbers:
    """Nodes (with their labels, chains in order) that both trees of each group can keep."""
    spans = keys(golds, systems, labelled=False)
    partner = partners(*(with_labels(golds, systems, spans) if labelled else spans)).gold
    matched = partner >= 0
    kept = by_group(golds.group[matched], comparison)
    if labelled:
        kept = kept - _out_of_order(comparison, golds, systems, spans, partner)
    return kept


def _out_of_order(
    comparison: Comparison,
    golds: Nodes,
    systems: Nodes,
    spans: tuple[Numbers, Numbers],
    partner: Ints,
) -> Numbers:
    """By how much, in each group, labels in common exceed those in common *in order*.

    Only chains whose matched labels change places can: few, and looked at singly.
    """
    excess = np.zeros(comparison.groups, np.int64)
    matched = np.flatnonzero(partner >= 0)
    matched = matched[np.argsort(spans[0][matched], kind="stable")]
    span, place = spans[0][matched], partner[matched]
    changes = (span[1:] == span[:-1]) & (place[1:] < place[:-1])
    stretches = each_once(span[1:][changes])
    if not len(stretches):
        return excess
    low, high = (np.searchsorted(span, stretches, side=side) for side in ("left", "right"))
    rows = [_at(each, stretches) for each in spans]
    for common, gold, system in zip((high - low).tolist(), *rows, strict=True):
        chains = golds.label[gold].tolist(), systems.label[system].tolist()
        excess[golds.group[gold[0]]] += common - int(distances.LCSseq.similarity(*chains))
    return excess


def _at(spans: Numbers, stretches: Numbers) -> list[Numbers]:
    """The rows with each of some spans, in order."""
    order = np.argsort(spans, kind="stable")
    ordered = spans[order]
    low = np.searchsorted(ordered, stretches, side="left")
    high = np.searchsorted(ordered, stretches, side="right")
    return [order[a:b] for a, b in zip(low.tolist(), high.tolist(), strict=True)]
