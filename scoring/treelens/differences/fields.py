"""What tables and lattices say of words and no score counts: of tables fields that one side does
not write at all, and MISC; of lattices lemma, second tag and features."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import differing
from treelens.compare.comparison import Comparison
from treelens.differences.difference import (
    FIELDS,
    Difference,
    Noun,
    Numbers,
    Phrases,
    Rows,
    Sign,
    none_found,
)
from treelens.differences.marks import Mark, RowSides, field, morphology_of
from treelens.trees.forest import MISC, Fields, Forest, Keys

_LAS, _ANY = "LAS", "any score"


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


def _without_heads(comparison: Comparison) -> Rows:
    """Words of lattices whose partner has another lemma, second tag or features."""
    gold, system = comparison.gold.forest, comparison.system.forest
    if (
        gold.fields is None
        or system.fields is None
        or not gold.annotation == system.annotation == "constituents"
    ):
        return none_found()
    words = comparison.gold.words
    rows = np.flatnonzero(words.partner >= 0)
    others = words.partner[rows]
    differ = differing(_at(gold.fields, rows), _at(system.fields, others), gold.symbols).any(axis=1)
    rows, others = rows[differ], others[differ]
    return Rows(words.group[rows], rows, others)


def differing_at(here: Forest, row: int, there: Forest, other: int) -> npt.NDArray[np.bool_]:
    """Which of lemma, second tag and features of two words are not the same; ``(3,)``."""
    assert here.fields is not None
    assert there.fields is not None
    ours, theirs = _at(here.fields, np.array([row])), _at(there.fields, np.array([other]))
    flags: npt.NDArray[np.bool_] = differing(ours, theirs, here.symbols)[0]
    return flags


def _at(fields: Fields, rows: Numbers) -> Fields:
    return Fields._make(column[rows] for column in fields)


def _at_differing(at: RowSides) -> Mark | None:
    """The first of lemma, second tag and features that differs."""
    chosen = differing_at(at.here.forest, at.own, at.there.forest, at.other)
    return morphology_of(at, chosen)


def _misc(comparison: Comparison) -> Rows:
    """Words of tables whose partner has something else in MISC."""
    ours, theirs = comparison.gold.forest.fields, comparison.system.forest.fields
    if comparison.gold.arcs is None or ours is None or theirs is None:
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
        listed=True,
        uncounted_by=_LAS,
    ),
    Difference(
        code="uncounted-morphology",
        rows=_without_heads,
        marks=(_at_differing, _at_differing),
        family="uncounted morphology",
        noun=Noun("morphology", "morphology"),
        tally=Noun("morphology", "morphology"),
        heading="Morphology of Lattices",
        phrases=_PHRASES,
        sign=Sign("^", "dim"),
        modifier="wrong",
        tokens=FIELDS,
        severity="hint",
        kind="morphology",
        replaceable=True,
        everywhere=False,
        listed=True,
        uncounted_by=_ANY,
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
        blank={"": "no MISC"},
        kind="MISC",
        replaceable=True,
        everywhere=False,
        listed=True,
        uncounted_by=_LAS,
    ),
)
