"""Words of dependencies that hang on another word, or by another relation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison
from treelens.differences.difference import (
    FIELDS,
    Difference,
    Noun,
    Phrases,
    Rows,
    Sign,
    none_found,
)
from treelens.differences.marks import at_head, field
from treelens.trees.forest import DEPREL


def _heads(comparison: Comparison) -> Rows:
    arcs = comparison.gold.arcs
    return none_found() if arcs is None else _words(comparison, ~arcs.attached)


def _relations(comparison: Comparison) -> Rows:
    arcs = comparison.gold.arcs
    return none_found() if arcs is None else _words(comparison, ~arcs.subtyped)


def _words(comparison: Comparison, wrong: npt.NDArray[np.bool_]) -> Rows:
    """Those with a partner; they are counted by relations."""
    gold, system = comparison.gold, comparison.system
    assert gold.forest.dependencies is not None
    assert system.forest.dependencies is not None
    rows = np.flatnonzero(wrong & (gold.words.partner >= 0))
    others = gold.words.partner[rows]
    names = gold.forest.dependencies.relation[rows]
    theirs = system.forest.dependencies.relation[others]
    return Rows(gold.words.group[rows], rows, others, names, theirs)


_ELSEWHERE = "{they} attaches {words} to {there}, not to {here}"

DIFFERENCES = (
    Difference(
        code="wrong-head",
        rows=_heads,
        marks=(at_head, at_head),
        family="head",
        noun=Noun("head", "heads"),
        tally=Noun("head", "heads"),
        heading="Heads",
        phrases=Phrases(
            at_gold=_ELSEWHERE,
            at_system=_ELSEWHERE,
            lacking="{they} has {there} for {words}, not {here}",
        ),
        sign=Sign("<", "head", "head {gold_has} → {system_has}"),
        modifier="wrong",
        tokens=FIELDS,
        blank={"": "no head", "0": "the root"},
        kind="head of {gold_has}",
        replaceable=True,
        everywhere=False,
    ),
    Difference(
        code="wrong-relation",
        rows=_relations,
        marks=(field(DEPREL), field(DEPREL)),
        family="relation",
        noun=Noun("relation", "relations"),
        tally=Noun("relation", "relations"),
        heading="Relations",
        phrases=Phrases(*["{they} has {there} for {words}, not {here}"] * 2),
        sign=Sign("~", "label"),
        modifier="wrong",
        tokens=FIELDS,
        blank={"": "no relation"},
        replaceable=True,
    ),
)
