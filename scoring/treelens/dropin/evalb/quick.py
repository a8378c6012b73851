"""What comes of the pairs of a stretch that ``columns`` scores, as a batch."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from treelens.dropin.evalb import columns
from treelens.dropin.evalb.batch import Batch, Score
from treelens.dropin.evalb.labels import label_table
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.row_columns import RowPrinter, totals
from treelens.dropin.shared.rows import percent, row


def in_columns(run: Run, representative: Mapping[bytes, bytes]) -> Score:
    """``representative``: see :func:`batches.equivalence`."""
    table, printer = label_table(run, representative), RowPrinter(row, percent)

    def score(stretch: Stretch, count: int) -> Batch:
        tallies = columns.tallies(stretch.gold, stretch.test, 0, count, table, run)
        rows = printer.rows(stretch.first + 1, tallies.numbers)
        return _batch(tallies, run.settings.cutoff, rows)

    return score


def _batch(tallies: columns.Tallies, cutoff: int, rows: bytes) -> Batch:
    ordinary = tallies.ordinary
    odd: list[int] = np.flatnonzero(~ordinary).tolist()
    compared = np.flatnonzero(tallies.compared & ordinary)
    return Batch(
        odd=odd,
        faults={k: (fault, int(tallies.numbers[0, k])) for k, fault in tallies.faults.items()},
        rows=rows,
        totals=totals(tallies.numbers[:, ordinary]),
        within_cutoff=totals(tallies.numbers[:, ordinary & (tallies.numbers[0] <= cutoff)]),
        first_compared=int(compared[0]) if len(compared) else None,
    )
