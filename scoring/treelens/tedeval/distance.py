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
from rapidfuzz.distance import LCSseq, Levenshtein

from treelens.tedeval.algebra import WILDCARD
from treelens.tedeval.trees import Chain, Chains

ChainDistance = Callable[[Chain, Chain], int]


class Free(NamedTuple):
    """Which labels may replace each other at no cost, besides equal ones.

    pairs: in either direction, and no further: (a, b), (b, c) do not let a replace c.
    wildcard: whether ``*`` is any label.
    """

    pairs: Collection[tuple[str, str]] = ()
    wildcard: bool = True

    def replaces(self, one: str, other: str) -> bool:
        return (
            one == other
            or (self.wildcard and WILDCARD in (one, other))
            or (one, other) in self.pairs
            or (other, one) in self.pairs
        )


def distance(one: Chains, other: Chains, chain_distance: ChainDistance) -> int:
    """The edits that make one tree the other; symmetric if the chains' distance is."""
    return sum(
        chain_distance(one.get(span, ()), other.get(span, ())) for span in one.keys() | other.keys()
    )


def additions_and_deletions(one: Chain, other: Chain) -> int:
    """Nodes to delete and to add, each at cost 1."""
    if one == other:
        return 0
    return len(one) + len(other) - 2 * int(LCSseq.similarity(one, other))


def with_relabelling(free: Free) -> ChainDistance:
    """Nodes to delete, to add and to relabel, each at cost 1 where it is not free."""

    def edits(one: Chain, other: Chain) -> int:
        if one == other:
            return 0
        if not one or not other:
            return len(one) + len(other)
        if len(one) == len(other) == 1:
            return int(not free.replaces(one[0], other[0]))
        if not free.pairs and not (free.wildcard and WILDCARD in (*one, *other)):
            return int(Levenshtein.distance(one, other))
        return _levenshtein(one, other, free)

    return edits


def _levenshtein(one: Chain, other: Chain, free: Free) -> int:
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


def without(chain: Chain, native: Chain, general: Chain) -> Chain:
    """A parse's chain without those labels of its own gold that the generalised gold lacks.

    Deleting those is what makes the gold general, too; so it is no error of the parse.
    """
    excused = Counter(native) - Counter(general)
    if not excused:
        return chain
    left = []
    for label in chain:
        if excused[label]:
            excused[label] -= 1
        else:
            left.append(label)
    return tuple(left)
