"""Tagging accuracy: gold's words that have a counterpart with the same part-of-speech tag.

Source: evalb. A percentage of gold's words that count, 0 to 100; a word without counterpart is
wrong. Tags are compared whole but for features after ``##``; evalb's pairs of equal labels
hold for tags too.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison
from treelens.metrics import CONSTITUENTS, DEPENDENCIES, Metric, Ratio, Tallies, by_group


def tally(comparison: Comparison) -> Tallies:
    words = comparison.gold.words
    counted = by_group(words.group[words.counted], comparison)
    tagged = by_group(words.group[words.counted & words.tagged], comparison)
    return np.stack((tagged, counted), axis=1).astype(np.int64)


METRIC = Metric(
    name="tagging",
    title="Tagging",
    source="evalb",
    counts=("tagged", "words"),
    ratios=(Ratio("tagging", "Tagging accuracy", {"tagged": 1}, {"words": 1}),),
    tally=tally,
    takes=CONSTITUENTS | DEPENDENCIES,
    options=("--parameters",),
)
