"""What tables say of words and no attachment score counts: fields that one side does not write at
all, and MISC."""

from __future__ import annotations

import numpy as np

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
from treelens.differences.marks import Mark, RowSides, field, morphology_of
from treelens.trees.forest import MISC, Keys

_LAS = "LAS"


def _unwritten(comparison: Comparison) -> Rows:
    words, arcs = comparison.gold.words, comparison.gold.arcs
    if arcs is None:
        return none_found()
    rows = np.flatnonzero((words.partner >= 0) & (arcs.differs & ~arcs.unlike).any(axis=1))
    return Rows(words.group[rows], rows, words.partner[rows])


def at_unwritten(at: RowSides) -> Mark | None:
    """The first of lemma, second tag and features that only one side writes."""
    arcs = at.here.side.arcs
    assert arcs is not None
    return morphology_of(at, arcs.differs[at.own] & ~arcs.unlike[at.own])


def _misc(comparison: Comparison) -> Rows:
    """Words whose partner has something else in MISC."""
    ours, theirs = comparison.gold.forest.fields, comparison.system.forest.fields
    if ours is None or theirs is None:
        return none_found()
    words = comparison.gold.words
    rows = np.flatnonzero(words.partner >= 0)
    others = words.partner[rows]
    differ = _written(ours.misc)[rows] != _written(theirs.misc)[others]
    rows, others = rows[differ], others[differ]
    return Rows(words.group[rows], rows, others)


def _written(keys: Keys) -> Keys:
    """With a field that the line does not have as one that says nothing."""
    return np.where(keys == 0, np.uint64(ord("_")), keys)


_PHRASES = Phrases(*["{they} has {there} for {words}, not {here}"] * 2)

DIFFERENCES = (
    Difference(
        code="unwritten-morphology",
        rows=_unwritten,
        marks=(at_unwritten, at_unwritten),
        family="unwritten morphology",
        noun=Noun("fields", "fields"),
        tally=Noun("unwritten field", "unwritten fields"),
        heading="Lemmas, Tags and Features that One File Does Not Write",
        phrases=_PHRASES,
        sign=Sign("^", "dim"),
        modifier="wrong",
        tokens=FIELDS,
        severity="hint",
        kind="unwritten field",
        replaceable=True,
        everywhere=False,
        uncounted_by=_LAS,
    ),
    Difference(
        code="wrong-misc",
        rows=_misc,
        marks=(field(MISC), field(MISC)),
        family="misc",
        noun=Noun("MISC", "MISC"),
        tally=Noun("MISC", "MISC"),
        heading="MISC",
        phrases=_PHRASES,
        sign=Sign("^", "dim"),
        modifier=None,
        severity="hint",
        blank={"": "nothing in MISC"},
        kind="MISC",
        replaceable=True,
        everywhere=False,
        uncounted_by=_LAS,
    ),
)
