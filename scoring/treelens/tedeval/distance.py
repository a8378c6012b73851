"""The least number of edits between trees whose words are in correspondence, in closed form.

When words cannot be edited, a node can only be mapped to one over the same words. So the
distance is a sum over spans, each an edit distance of two chains of labels, and no search over
trees is needed: with additions and deletions only, it is all nodes minus twice the longest
common subsequences; with relabelling, the sum of the chains' Levenshtein distances. Both are
equal to Zhang & Shasha's distance when words are protected. When words can be deleted and added
again, smaller distances exist for some trees; that is another metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from treelens.rules import distances
from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.trees import Chain, Chains

ChainDistance = Callable[[Chain, Chain], int]


class FreeLabels(NamedTuple):
    """Which labels may replace each other at no cost, besides equal ones, and ``*`` any.

    pairs: in either direction, and no further: (a, b), (b, c) do not let a replace c.
    """

    pairs: Collection[tuple[str, str]] = ()

    def replaces(self, one: str, other: str) -> bool:
        return (
            one == other
            or WILDCARD in (one, other)
            or (one, other) in self.pairs
            or (other, one) in self.pairs
        )


def distance(
    one: Chains, other: Chains, chain_distance: ChainDistance, native: Chains | None = None
) -> int:
    """The edits that make one tree the other; symmetric if the chains' distance is.

    native: what of the edits is excused, see :func:`with_excuse`; ``other`` is generalised then.
    """
    spans = one.keys() | other.keys()
    if native:
        return sum(
            with_excuse(chain_distance, one[span], other.get(span, ()), native.get(span, ()))
            if span in one
            else len(other[span])
            for span in spans
        )
    return sum(chain_distance(one.get(span, ()), other.get(span, ())) for span in spans)


def additions_and_deletions(one: Chain, other: Chain) -> int:
    """Nodes to delete and to add, each at cost 1."""
    if one == other:
        return 0
    return len(one) + len(other) - 2 * int(distances.LCSseq.similarity(one, other))


def with_relabelling(free: FreeLabels) -> ChainDistance:
    """Nodes to delete, to add and to relabel, each at cost 1 where it is not free."""

    def edits(one: Chain, other: Chain) -> int:
        if one == other:
            return 0
        one, other = _without_equal_ends(one, other, free)
        if not one or not other:
            return len(one) + len(other)
        if len(one) == len(other) == 1:
            return 1
        if not free.pairs and WILDCARD not in (*one, *other):
            return int(distances.Levenshtein.distance(one, other))
        return _levenshtein(one, other, free)

    return edits


def _without_equal_ends(one: Chain, other: Chain, free: FreeLabels) -> tuple[Chain, Chain]:
    """What is left of two chains without ends that replace each other: no other choice is better.

    In a dependency tree ``*`` is at most the last of a chain, and is taken off here.
    """
    shorter = min(len(one), len(other))
    end = 0
    while end < shorter and free.replaces(one[-1 - end], other[-1 - end]):
        end += 1
    start = 0
    while start < shorter - end and free.replaces(one[start], other[start]):
        start += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def _levenshtein(one: Chain, other: Chain, free: FreeLabels) -> int:
    """Levenshtein's distance where some labels replace each other for nothing, a row at a time."""
    steps = np.arange(len(other) + 1)
    row = steps.copy()
    wrong = {
        label: np.array([not free.replaces(label, there) for there in other], np.int64)
        for label in set(one)
    }
    for label in one:
        best = row + 1
        np.minimum(best[1:], row[:-1] + wrong[label], out=best[1:])
        # What comes from the left costs one more for each step that it comes.
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def with_excuse(chain_distance: ChainDistance, chain: Chain, general: Chain, native: Chain) -> int:
    """The edits from a parse's chain to the generalised gold's that are not its own gold's too.

    What the generalised gold leaves out of the parse's own gold has to be deleted from both; so
    that is no error of the parse. (A ``*`` of the gold that got another gold's label is not left
    out.) Where the parse is nearer to the general chain with it than without, it stays.
    """
    edits = chain_distance(chain, general)
    left_out = Counter(native) - Counter(general)
    left_out -= Counter({WILDCARD: (Counter(general) - Counter(native)).total()})
    excused = left_out & (Counter(chain) - Counter(general))
    if not edits or not excused:
        return edits
    left = []
    for label in chain:
        if excused[label]:
            excused[label] -= 1
        else:
            left.append(label)
    return min(edits, chain_distance(tuple(left), general))
