"""Brackets that only one side has, that cross, or that are labelled otherwise."""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.compare.sides import Side
from treelens.differences.difference import (
    LABELS,
    Difference,
    Noun,
    Numbers,
    Phrases,
    Rows,
    Sign,
    alone,
)
from treelens.differences.marks import at_bracket, at_crossed, at_first_word

_BLANK = {"": "unlabelled bracket"}
_BRACKET = Noun("bracket", "brackets")


def _relabelled(comparison: Comparison) -> Rows:
    brackets = comparison.gold.brackets
    rows = np.flatnonzero((brackets.partner < 0) & (brackets.relabelled >= 0))
    others = brackets.relabelled[rows]
    names = _labels(comparison, Side.GOLD, rows), _labels(comparison, Side.SYSTEM, others)
    return Rows(brackets.group[rows], rows, others, *names)


def _missing(comparison: Comparison) -> Rows:
    brackets = comparison.gold.brackets
    rows = np.flatnonzero((brackets.partner < 0) & (brackets.relabelled < 0))
    name = _labels(comparison, Side.GOLD, rows)
    return alone(Side.GOLD, brackets.group[rows], rows, name)


def _extra(comparison: Comparison) -> Rows:
    return _systems_own(comparison, crosses=False)


def _crossing(comparison: Comparison) -> Rows:
    return _systems_own(comparison, crosses=True)


def _systems_own(comparison: Comparison, *, crosses: bool) -> Rows:
    brackets = comparison.system.brackets
    free = (brackets.partner < 0) & (brackets.relabelled < 0)
    rows = np.flatnonzero(free & (brackets.crosses() == crosses))
    name = _labels(comparison, Side.SYSTEM, rows)
    return alone(Side.SYSTEM, brackets.group[rows], rows, name)


def _labels(comparison: Comparison, side: Side, brackets: Numbers) -> Numbers:
    one = comparison.gold if side is Side.GOLD else comparison.system
    return one.forest.label[one.brackets.row[brackets]]


DIFFERENCES = (
    Difference(
        code="wrong-label",
        rows=_relabelled,
        marks=(at_bracket, at_bracket),
        family="brackets",
        noun=Noun("label", "labels"),
        tally=Noun("label", "labels"),
        heading="Labels",
        phrases=Phrases(
            at_gold="{they} has {there} here, not {here}",
            at_system="{they} has {there} here, not {here}, over {words}",
        ),
        sign=Sign("~", "label"),
        modifier="wrong",
        tokens=LABELS,
        blank=_BLANK,
        replaceable=True,
    ),
    Difference(
        code="missing-bracket",
        rows=_missing,
        marks=(at_bracket, at_first_word),
        family="brackets",
        noun=_BRACKET,
        tally=Noun("missing", "missing"),
        heading="Missing Brackets",
        phrases=Phrases(
            at_gold="{system} has no {here} over {words}",
            at_system="{gold} has {there} over {their_words}, missing here",
        ),
        sign=Sign("-", "missing", "{gold_has} missing"),
        modifier="missing",
        tokens=LABELS,
        owner=Side.GOLD,
        blank=_BLANK,
        kind="{gold_has} missing",
    ),
    Difference(
        code="extra-bracket",
        rows=_extra,
        marks=(at_first_word, at_bracket),
        family="brackets",
        noun=_BRACKET,
        tally=Noun("extra", "extra"),
        heading="Extra Brackets",
        phrases=Phrases(
            at_gold="{system} has {there} over {their_words}, not in {gold}",
            at_system="{gold} has no {here} over {words}",
        ),
        sign=Sign("+", "extra", "{system_has} extra"),
        modifier="extra",
        tokens=LABELS,
        owner=Side.SYSTEM,
        blank=_BLANK,
        kind="{system_has} extra",
    ),
    Difference(
        code="crossing-bracket",
        rows=_crossing,
        marks=(at_crossed, at_bracket),
        family="brackets",
        noun=_BRACKET,
        tally=Noun("crossing", "crossing"),
        heading="Crossing Brackets",
        phrases=Phrases(
            at_gold="{system} has {there} over {their_words}, which crosses this",
            at_system="{here} over {words} crosses {gold}’s {there} over {their_words}",
        ),
        sign=Sign("x", "crossing", "{system_has} crosses {gold_has}", " over {gold_words}"),
        modifier="crossing",
        tokens=LABELS,
        owner=Side.SYSTEM,
        blank=_BLANK,
        kind="{system_has} crossing",
    ),
)
