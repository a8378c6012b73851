"""The three papers: what is a node, what several golds have in common, what an edit costs.

All by Tsarfaty, Nivre & Andersson. Sizes leave out words and the root; each score is one minus
edits over the nodes of the parse and of (generalised) gold; 0/0 is 1. Costs are 1.

* **2011** (EMNLP, "Evaluating Dependency Parsing"): nodes are added, deleted and relabelled. The
  head daughter ``*`` is any label. Users may name further labels that replace each other freely.
* **2012a** (EACL, "Cross-Framework Evaluation"): multi-function trees, of which each span has a
  *set* of labels; added and deleted only. The head daughter ``hd`` is a label like any other.
* **2012b** (ACL, "Joint Evaluation of Morphological Segmentation and Syntactic Parsing"): every
  word (a segment with its tag) is a node too; added and deleted only. Segments are aligned
  inside their token; a node can only be kept if a kept segment is below it.

The original program (tedeval.jar) could not be had. What the papers leave open, and where they
contradict each other, is in docs/tedeval.md with what is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treelens.tedeval.algebra import (
    WILDCARD,
    generalise_by_subsumption,
    generalise_multi_function,
)
from treelens.tedeval.distance import (
    ChainDistance,
    FreeLabels,
    additions_and_deletions,
    with_relabelling,
)
from treelens.tedeval.trees import Chains


@dataclass(frozen=True, slots=True)
class Version:
    """One of the papers.

    head_label: of the head daughter that a word with dependents gets.
    sets: whether the labels over a span are a set (their order and number mean nothing).
    lexemes: whether words are nodes.
    generalise: what several golds have in common; None where the paper knows one gold only.
    costs: what an edit is, for the signature.
    """

    name: str
    head_label: str
    sets: bool
    lexemes: bool
    generalise: Callable[[Sequence[Chains]], Chains] | None
    chain_distance: Callable[[FreeLabels], ChainDistance]
    costs: str


VERSIONS = {
    version.name: version
    for version in (
        Version(
            "2011",
            head_label=WILDCARD,
            sets=False,
            lexemes=False,
            generalise=generalise_by_subsumption,
            chain_distance=with_relabelling,
            costs="add1+delete1+relabel1",
        ),
        Version(
            "2012a",
            head_label="hd",
            sets=True,
            lexemes=False,
            generalise=generalise_multi_function,
            chain_distance=lambda _: additions_and_deletions,
            costs="add1+delete1",
        ),
        Version(
            "2012b",
            head_label="hd",
            sets=False,
            lexemes=True,
            generalise=None,
            chain_distance=lambda _: additions_and_deletions,
            costs="add1+delete1",
        ),
    )
}
