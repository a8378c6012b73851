"""Stretches of the axis on which the words differ, each as a whole."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import Comparison, wrong_words
from treelens.compare.sides import Side
from treelens.differences.difference import (
    WORDS,
    Difference,
    Noun,
    Numbers,
    Phrases,
    Rows,
    Sign,
    once,
)
from treelens.differences.marks import Mark, RowSides, at_word_of, at_words

_NOUN = Noun("words", "words")
_TALLY = Noun("word", "words")


class Stretches(NamedTuple):
    """Words of both sides on overlapping cells; ``(n,)`` each, -1 where a side has none."""

    group: Numbers
    gold: Numbers
    gold_end: Numbers
    system: Numbers
    system_end: Numbers


@once
def stretches(comparison: Comparison) -> Stretches:
    """Where words differ, in the order of the axis; ends are one behind the last row."""
    sides = comparison.gold.words, comparison.system.words
    wrong = [np.flatnonzero(wrong_words(words)) for words in sides]
    row = np.concatenate(wrong)
    side = np.repeat([0, 1], [len(rows) for rows in wrong])
    start, end, group = (
        np.concatenate([column[rows] for column, rows in zip(columns, wrong, strict=True)])
        for columns in zip(*((words.start, words.end, words.group) for words in sides), strict=True)
    )
    order = np.lexsort((side, row, end, start))
    row, side, start, end, group = (column[order] for column in (row, side, start, end, group))
    reach = np.maximum.accumulate(end)
    first = np.ones(len(row), np.bool_)
    first[1:] = start[1:] >= reach[:-1]
    number = np.cumsum(first) - 1
    count = int(first.sum())
    bounds = []
    for which in (0, 1):
        here = side == which
        low, high = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
        # (Rows ascend along the axis: the first and the last of a stretch bound it.)
        low[number[here][::-1]] = row[here][::-1]
        high[number[here]] = row[here] + 1
        bounds += [low, high]
    return Stretches(group[first], *bounds)


def _where(comparison: Comparison, *, gold: bool, system: bool) -> Rows:
    found = stretches(comparison)
    chosen = ((found.gold >= 0) == gold) & ((found.system >= 0) == system)
    group, golds, gold_end, systems, system_end = (column[chosen] for column in found)
    return Rows(group, golds, systems, gold_end=gold_end, system_end=system_end)


def _different(comparison: Comparison) -> Rows:
    return _where(comparison, gold=True, system=True)


def _missing(comparison: Comparison) -> Rows:
    return _where(comparison, gold=True, system=False)


def _extra(comparison: Comparison) -> Rows:
    return _where(comparison, gold=False, system=True)


def _at_gap(at: RowSides) -> Mark | None:
    """Where words are there."""
    return at_word_of(at, range(at.other, at.other_end))


DIFFERENCES = (
    Difference(
        code="different-words",
        rows=_different,
        marks=(at_words, at_words),
        family="words",
        noun=_NOUN,
        tally=_TALLY,
        heading="Different Words",
        phrases=Phrases(*["{they} has {their_words} here{counts}"] * 2),
        sign=Sign("=", "words", "{system}: {system_words}", twin="{gold}: {gold_words}"),
        modifier="wrong",
        tokens=WORDS,
        kind="word",
        everywhere=False,
    ),
    Difference(
        code="missing-words",
        rows=_missing,
        marks=(at_words, _at_gap),
        family="words",
        noun=_NOUN,
        tally=_TALLY,
        heading="Missing Words",
        phrases=Phrases("{system} has no {words}", "{gold} has {their_words}, missing here"),
        sign=Sign("-", "missing", "not in {system}"),
        modifier="missing",
        tokens=WORDS,
        owner=Side.GOLD,
        kind="word",
        everywhere=False,
    ),
    Difference(
        code="extra-words",
        rows=_extra,
        marks=(_at_gap, at_words),
        family="words",
        noun=_NOUN,
        tally=_TALLY,
        heading="Extra Words",
        phrases=Phrases("{system} has {their_words}, not in {gold}", "{gold} has no {words}"),
        sign=Sign("+", "extra", "not in {gold}"),
        modifier="extra",
        tokens=WORDS,
        owner=Side.SYSTEM,
        kind="word",
        everywhere=False,
    ),
)
