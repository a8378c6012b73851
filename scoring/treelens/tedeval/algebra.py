"""What several annotations of a sentence have in common, and what they say together.

Of *typed subsumption* (every labelled span of one tree is one of the other): the generalisation
of trees is the most that all of them say, their unification the least that says what each says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from treelens.tedeval.trees import Chain, Chains, Span

WILDCARD = "*"
"""The head daughter of EMNLP 2011: it says that there is a node, and nothing of its label."""


_Shared = Callable[[list[Chain]], Chain]
"""What chains over the same span have in common."""


class Crossing(NamedTuple):
    """Why trees have no unification: a span of one crosses a span of another."""

    first: Span
    second: Span


def generalise_by_subsumption(golds: Sequence[Chains]) -> Chains:
    """EMNLP 2011: the labelled spans that all trees have, ``*`` standing for any label.

    All trees are taken at once and ``*`` is above every label, so the order of the golds does
    not matter. (Equality with ``*``, pair by pair, is not transitive, and gives other trees for
    other orders.) A chain that all trees have stays in its order; what is left of others is
    put in canonical order, of which the paper, whose trees have no chains, says nothing.
    """
    return _over_shared_spans(golds, _shared_under_wildcard)


def generalise_multi_function(golds: Sequence[Chains]) -> Chains:
    """EACL 2012: the intersection of the sets of labels over each span that all trees have."""
    return _over_shared_spans(golds, _intersection)


def unify(trees: Sequence[Chains]) -> Chains | Crossing:
    """EACL 2012: the union of the sets of labels over each span; none where spans cross."""
    crossing = crossed([span for found in trees for span in found])
    if crossing:
        return crossing
    return _with_labels({span for found in trees for span in found}, trees)


def unify_labels(trees: Sequence[Chains]) -> Chains:
    """TL-unification: the first tree's spans, each with the labels that any tree has there."""
    return _with_labels(set(trees[0]), trees)


def crossed(spans: Sequence[Span]) -> Crossing | None:
    """The first two spans, from the left, that cross; None where they are those of a tree."""
    opened: list[Span] = []
    for span in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        while opened and opened[-1][1] <= span[0]:
            opened.pop()
        if opened and opened[-1][1] < span[1]:
            return Crossing(opened[-1], span)
        opened.append(span)
    return None


def _over_shared_spans(golds: Sequence[Chains], shared: _Shared) -> Chains:
    spans = set(golds[0]).intersection(*golds[1:])
    found = {span: shared([gold[span] for gold in golds]) for span in sorted(spans)}
    return {span: chain for span, chain in found.items() if chain}


def _intersection(found: list[Chain]) -> Chain:
    return tuple(sorted(set(found[0]).intersection(*found[1:])))


def _with_labels(spans: set[Span], trees: Sequence[Chains]) -> Chains:
    return {
        span: tuple(sorted({label for found in trees for label in found.get(span, ())}))
        for span in sorted(spans)
    }


def _shared_under_wildcard(found: list[Chain]) -> Chain:
    """Labels that all chains have; then those that the others have a ``*`` for; then the ``*``."""
    if all(chain == found[0] for chain in found):
        return found[0]
    left = [Counter(chain) for chain in found]
    labels = sorted(set().union(*left) - {WILDCARD})
    shared: list[str] = []
    for label in labels:
        common = min(count[label] for count in left)
        shared += [label] * common
        for count in left:
            count[label] -= common
    for label in labels:
        while any(count[label] for count in left) and all(
            count[label] or count[WILDCARD] for count in left
        ):
            shared.append(label)
            for count in left:
                count[label if count[label] else WILDCARD] -= 1
    shared += [WILDCARD] * min(count[WILDCARD] for count in left)
    return tuple(sorted(shared))
