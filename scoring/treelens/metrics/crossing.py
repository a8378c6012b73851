"""Crossing brackets: system brackets that cross at least one of gold.

Source: Black et al. 1991; counted as evalb does, once for each system bracket. The average is
by sentence (0 upwards, less is better), the shares are percentages of sentences that have a
parse on both sides.
"""

from __future__ import annotations

import numpy as np

from treelens.compare.comparison import Comparison, presence
from treelens.metrics import CONSTITUENTS, Metric, Ratio, Tallies, by_group


def tally(comparison: Comparison) -> Tallies:
    system = comparison.system.brackets
    crossing = by_group(system.group[system.crosses()], comparison)
    parsed = np.logical_and(*presence(comparison))
    columns = (crossing, parsed & (crossing == 0), parsed & (crossing <= 2), parsed)
    return np.stack(columns, axis=1).astype(np.int64)


METRIC = Metric(
    name="crossing",
    title="Crossing brackets",
    source="Black et al. 1991; evalb",
    counts=("crossing", "none", "up_to_two", "parsed"),
    ratios=(
        Ratio(
            "crossing",
            "Average crossing",
            {"crossing": 1},
            {"parsed": 1},
            scale=1,
            higher_is_better=False,
        ),
        Ratio("no-crossing", "No crossing", {"none": 1}, {"parsed": 1}),
        Ratio("2-or-less-crossing", "2 or less crossing", {"up_to_two": 1}, {"parsed": 1}),
    ),
    tally=tally,
    takes=CONSTITUENTS,
    options=("--parameters",),
)
