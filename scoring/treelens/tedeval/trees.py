"""Function trees as values: labelled spans over words, and the chains of labels over each span.

Knows neither formats nor metrics. The technical root above everything is never a node here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

Span = tuple[int, int]
"""First word and one past the last, from 0."""

Chain = tuple[str, ...]
"""The labels of the nodes over one span, from the top."""

Chains = Mapping[Span, Chain]
"""A tree as the chain over each span; a span without a node is not there. (One with a node that
has no label has an empty chain, where that matters.)"""


UNLABELLED = "\n"
"""In the place of a label, of a node that has none; no format's label can be that. (A relation
may be empty, and its node counts.)"""


class FunctionNode(NamedTuple):
    """A labelled node over the words ``first`` up to ``last`` (exclusive)."""

    label: str
    first: int
    last: int


class FunctionTree(NamedTuple):
    """A sentence. Nodes are in pre-order, without the root; ``tags`` are empty where unknown.

    Two nodes over the same words are one above the other, in the order in which they stand.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    nodes: tuple[FunctionNode, ...]


def tree(words: Iterable[str], tags: Iterable[str], nodes: Iterable[FunctionNode]) -> FunctionTree:
    """A tree from its nodes, parents before children where their spans are the same."""
    ordered = sorted(nodes, key=lambda node: (node.first, -node.last))
    return FunctionTree(tuple(words), tuple(tags), tuple(ordered))


def chains(nodes: Iterable[FunctionNode]) -> Chains:
    """The chain over each span, in the order in which the nodes come."""
    found: dict[Span, list[str]] = {}
    for label, first, last in nodes:
        found.setdefault((first, last), []).append(label)
    return {span: tuple(labels) for span, labels in found.items()}


def multi_function(found: Chains) -> Chains:
    """The multi-function tree: of each chain the set of its labels, in canonical order."""
    return {span: tuple(sorted(set(chain))) for span, chain in found.items()}


def size(found: Chains) -> int:
    """How many nodes there are, root and words apart."""
    return sum(map(len, found.values()))


def expanded(words: Iterable[str], tags: Iterable[str], found: Chains) -> FunctionTree:
    """A tree in which each span has its chain of labels; spans must not cross.

    An empty chain over several words is a node that is :data:`UNLABELLED`.
    """
    nodes = (
        FunctionNode(label, *span)
        for span, chain in found.items()
        for label in chain or (UNLABELLED,) * (span[1] - span[0] > 1)
    )
    return tree(words, tags, nodes)


def bracketed(value: FunctionTree, root: str = "ROOT") -> str:
    """A tree as one line of brackets under a root: what ``.ftrees`` files hold.

    Brackets, blanks and empty labels cannot be written there: ``-LRB-``, ``-RRB-``, ``_``. A node
    without a label, ``( (hd a) (obj b))``, is none when it is read: it says no function.
    """
    pieces = [f"({root}"]
    closing: dict[int, int] = {}
    at = 0
    for node in (*value.nodes, None):
        until = len(value.words) if node is None else node.first
        while at < until:
            pieces.append(f" {_written(value.words[at])}{')' * closing.pop(at + 1, 0)}")
            at += 1
        if node is not None:
            pieces.append(" (" if node.label == UNLABELLED else f" ({_written(node.label)}")
            closing[node.last] = closing.get(node.last, 0) + 1
    return "".join(pieces) + ")"


_BLANKS = re.compile(r"\s+")


def _written(text: str) -> str:
    return _BLANKS.sub("_", text.replace("(", "-LRB-").replace(")", "-RRB-")) or "_"
