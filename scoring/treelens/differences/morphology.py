"""Words of dependencies with another lemma, second tag or features, where both sides write any."""

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
from treelens.differences.marks import at_morphology


def _unlike(comparison: Comparison) -> Rows:
    words, arcs = comparison.gold.words, comparison.gold.arcs
    if arcs is None:
        return none_found()
    rows = np.flatnonzero((words.partner >= 0) & arcs.unlike.any(axis=1))
    return Rows(words.group[rows], rows, words.partner[rows])


DIFFERENCES = (
    Difference(
        code="wrong-morphology",
        rows=_unlike,
        marks=(at_morphology, at_morphology),
        family="morphology",
        noun=Noun("morphology", "morphology"),
        tally=Noun("morphology", "morphology"),
        heading="Morphology",
        phrases=Phrases(*["{they} has {there} for {words}, not {here}"] * 2),
        sign=Sign("^", "tag"),
        modifier="wrong",
        tokens=FIELDS,
        severity="information",
        kind="morphology",
        replaceable=True,
        everywhere=False,
        listed=True,
    ),
)
