"""One parse against its gold, or against what several golds have in common: edits and nodes.

The words need not be the same: both trees are then laid on the axis of the words that they
share, and a node without any of those is an edit. A score is made of sums of these whole
numbers, once, at the end.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from treelens.tedeval.distance import ChainDistance, FreeLabels, distance
from treelens.tedeval.segments import Pairs, by_text, by_token, compared, form, places
from treelens.tedeval.trees import (
    Chains,
    FunctionNode,
    FunctionTree,
    Span,
    chains,
    multi_function,
    size,
)
from treelens.tedeval.versions import Version


@dataclass(frozen=True, slots=True)
class TedEvalOptions:
    """What the numbers depend on besides the trees.

    labelled: False: labels and tags are free, words are not.
    free_pairs: labels that replace each other at no cost (2011 only).
    """

    version: Version
    labelled: bool = True
    free_pairs: frozenset[tuple[str, str]] = frozenset()


class WordAnchors(NamedTuple):
    """How the words of a parse and of gold are known to be the same, where it is not by text.

    parse, gold: the token of each word; or, where they ``are_states``, the states of one lattice
    between the words, one more than there are words. Then equal spans are those between the same
    states.
    """

    parse: Sequence[int]
    gold: Sequence[int]
    are_states: bool = False


class Errors(NamedTuple):
    """Edits and nodes of one sentence; of its words alone where words are nodes."""

    edits: int
    nodes: int
    segment_edits: int = 0
    segment_nodes: int = 0

    @property
    def score(self) -> float:
        return score(self.edits, self.nodes)

    @property
    def segment_score(self) -> float:
        return score(self.segment_edits, self.segment_nodes)


def score(edits: int, nodes: int) -> float:
    """One minus edits over nodes, 0 to 1; 0/0, nothing to get wrong, is 1."""
    return 1 - edits / nodes if nodes else 1.0


def corpus(errors: Iterable[Errors]) -> Errors:
    """The sums, whose score is the corpus's ("global", the papers' default)."""
    total = [0] * len(Errors._fields)
    for one in errors:
        total = [*map(add, total, one)]
    return Errors(*total)


def mean(scores: Iterable[float]) -> float:
    """The arithmetic mean of sentence scores; of none, 1."""
    counted = itertools.count()
    total = sum(one for one, _ in zip(scores, counted, strict=False))
    return total / count if (count := next(counted)) else 1.0


def evaluate(
    parse: FunctionTree,
    golds: Sequence[FunctionTree],
    options: TedEvalOptions,
    native: FunctionTree | None = None,
    anchors: WordAnchors | None = None,
) -> Errors:
    """A parse against its golds; of several, against their generalisation.

    native: the one of the golds in whose scheme the parse is; what the generalisation leaves
    out of it is then no error of the parse (EACL 2012).
    anchors: instead of the text; with one gold only.
    """
    if len(golds) > 1:
        gold, native_chains = generalised(golds, options, native)
    else:
        gold, native_chains = _gathered(golds[0], options), {}
    hypothesis = _gathered(parse, options)
    if anchors and anchors.are_states:
        kept = _same_arcs(parse, golds[0], anchors, options)
        axes = anchors.parse, anchors.gold
    else:
        pairs = _pairs(parse, golds[0], options, anchors)
        kept = len(pairs)
        axes = _axes(pairs, len(parse.words), len(golds[0].words))
    sizes = size(hypothesis) + size(gold)
    here, there, excused = (
        _laid(found, axis, options)
        for found, axis in zip((hypothesis, gold, native_chains), (*axes, axes[1]), strict=True)
    )
    lost = sizes - size(here) - size(there)
    edits = lost + distance(here, there, _chain_distance(options), excused)
    if not options.version.lexemes:
        return Errors(edits, sizes)
    words = len(parse.words) + len(golds[0].words)
    wrong = words - 2 * kept
    return Errors(edits + wrong, sizes + words, wrong, words)


def generalised(
    golds: Sequence[FunctionTree], options: TedEvalOptions, native: FunctionTree | None = None
) -> tuple[Chains, Chains]:
    """What several golds have in common, and what is in the native one, over the first's words.

    Where the golds' words differ, only nodes over words that all have are compared.
    """
    generalise = options.version.generalise
    if generalise is None:
        raise ValueError(f"version {options.version.name} has one gold")
    found = [_over_first(gold, golds[0], options) for gold in golds]
    native_chains = _over_first(native, golds[0], options) if native else {}
    return generalise(found), native_chains


def _over_first(gold: FunctionTree, first: FunctionTree, options: TedEvalOptions) -> Chains:
    """A tree's chains over the words of another; nodes that end within a word are not there."""
    found = _gathered(gold, options)
    if gold.words == first.words:
        return found
    pairs = by_text(gold.words, first.words)
    starts = dict(pairs)
    ends = {here + 1: there + 1 for here, there in pairs}
    return {
        (starts[span[0]], ends[span[1]]): chain
        for span, chain in found.items()
        if span[0] in starts and span[1] in ends
    }


def _chain_distance(options: TedEvalOptions) -> ChainDistance:
    return options.version.chain_distance(FreeLabels(options.free_pairs))


def _gathered(tree: FunctionTree, options: TedEvalOptions) -> Chains:
    """A tree's chains, as the version has them."""
    nodes = tree.nodes
    if not options.labelled:
        nodes = tuple(FunctionNode("", node.first, node.last) for node in nodes)
    found = chains(nodes)
    return multi_function(found) if options.version.sets else found


def _pairs(
    parse: FunctionTree, gold: FunctionTree, options: TedEvalOptions, anchors: WordAnchors | None
) -> Pairs:
    """The words of both that are kept: equal, with their tags where those are nodes."""
    tagged = options.version.lexemes and options.labelled
    if anchors:
        sides = [
            [
                (compared(word), tag if tagged else "")
                for word, tag in zip(tree.words, tree.tags, strict=True)
            ]
            for tree in (parse, gold)
        ]
        return by_token(sides[0], anchors.parse, sides[1], anchors.gold)
    pairs = by_text(parse.words, gold.words)
    if tagged:
        pairs = [(here, there) for here, there in pairs if parse.tags[here] == gold.tags[there]]
    return pairs


def _axes(pairs: Pairs, parse: int, gold: int) -> tuple[Sequence[int], Sequence[int]]:
    return (
        places([here for here, _ in pairs], parse),
        places([there for _, there in pairs], gold),
    )


def _laid(found: Chains, axis: Sequence[int], options: TedEvalOptions) -> Chains:
    """Chains over the spans of an axis. Spans of one place fall together, the outer ones first."""
    if axis[-1] == len(axis) - 1:
        return found  # every word is on the axis
    laid: dict[Span, list[str]] = {}
    for (first, last), chain in sorted(found.items(), key=_from_outside):
        if axis[first] < axis[last]:
            laid.setdefault((axis[first], axis[last]), []).extend(chain)
    if options.version.sets:
        return {span: tuple(sorted(chain)) for span, chain in laid.items()}
    return {span: tuple(chain) for span, chain in laid.items()}


def _from_outside(item: tuple[Span, object]) -> tuple[int, int]:
    (first, last), _ = item
    return first, -last


def _same_arcs(
    parse: FunctionTree, gold: FunctionTree, anchors: WordAnchors, options: TedEvalOptions
) -> int:
    """How many words are the same arcs of the lattice."""
    arcs = [
        Counter(zip(states, states[1:], map(form, tree.words), _tags(tree, options), strict=False))
        for tree, states in ((parse, anchors.parse), (gold, anchors.gold))
    ]
    return (arcs[0] & arcs[1]).total()


def _tags(tree: FunctionTree, options: TedEvalOptions) -> Sequence[str]:
    return tree.tags if options.labelled else ("",) * len(tree.words)
