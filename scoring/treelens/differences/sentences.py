"""Sentences that have words on one side only: there is nothing else to say of their groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison, presence
from treelens.compare.sides import Side
from treelens.differences.difference import Difference, Noun, Phrases, Rows, Sign
from treelens.differences.marks import at_sentence


def lone(comparison: Comparison) -> npt.NDArray[np.bool_]:
    """Which groups have words on exactly one side; ``(groups,)``."""
    gold, system = presence(comparison)
    return gold != system


def _missing(comparison: Comparison) -> Rows:
    gold, system = presence(comparison)
    return _sentences(comparison, gold & ~system)


def _extra(comparison: Comparison) -> Rows:
    gold, system = presence(comparison)
    return _sentences(comparison, system & ~gold)


def _sentences(comparison: Comparison, flags: npt.NDArray[np.bool_]) -> Rows:
    """The sentences of some groups, one against one; the last one of the side that has fewer
    stands against all that are left."""
    groups = np.flatnonzero(flags)
    columns = []
    sides = comparison.gold, comparison.system
    bounds = [np.searchsorted(side.sentence_group, [groups, groups + 1]) for side in sides]
    counts = [end - start for start, end in bounds]
    most = np.maximum(*counts)
    group = np.repeat(groups, most)
    nth = np.arange(len(group)) - np.repeat(np.cumsum(most) - most, most)
    for (start, _), count in zip(bounds, counts, strict=True):
        at = np.repeat(start, most) + np.minimum(nth, np.repeat(count - 1, most))
        columns.append(np.where(np.repeat(count, most) > 0, at, -1))
    return Rows(group, *columns)


# (Alone: one that was moved is there, only elsewhere, which takes longer to find out than to mark.)
DIFFERENCES = (
    Difference(
        code="missing-sentence",
        rows=_missing,
        marks=(at_sentence, at_sentence),
        family="sentence",
        noun=Noun("sentence", "sentences"),
        tally=Noun("not in {system}", "not in {system}"),
        heading="Not in {system}",
        phrases=Phrases(
            at_gold="{system} has no parse of this sentence",
            at_system="no parse: {gold} has a sentence here",
            alone="{system} has no such sentence at this place",
        ),
        sign=Sign("-", "missing", "not in {system}"),
        modifier=None,
        owner=Side.GOLD,
        kind="not in {system}",
        everywhere=False,
    ),
    Difference(
        code="extra-sentence",
        rows=_extra,
        marks=(at_sentence, at_sentence),
        family="sentence",
        noun=Noun("sentence", "sentences"),
        tally=Noun("not in {gold}", "not in {gold}"),
        heading="Not in {gold}",
        phrases=Phrases(
            at_gold="an empty tree: {system} has a sentence here",
            at_system="{gold} has an empty tree here",
            alone="{gold} has no such sentence at this place",
        ),
        sign=Sign("+", "extra", "not in {gold}"),
        modifier=None,
        owner=Side.SYSTEM,
        kind="not in {gold}",
        everywhere=False,
    ),
)
