"""Blocks of pairs, scored by ``columns`` and shared out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from treelens.dropin.evalb import columns
from treelens.dropin.evalb.batch import Batch, Score
from treelens.dropin.evalb.labels import label_table
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.row_columns import RowPrinter, totals
from treelens.dropin.shared.rows import percent, row
from treelens.dropin.shared.tree_lines import blocks


def in_blocks(run: Run, representative: Mapping[bytes, bytes]) -> Score:
    """``representative``: see :func:`batches.equivalence`."""
    table, printer = label_table(run, representative), RowPrinter(row, percent)

    def score(stretch: Stretch, count: int) -> Iterator[Batch]:
        def work(block: tuple[int, int]) -> list[bytes]:
            tallies = columns.tallies(stretch.gold, stretch.test, *block, table, run)
            rows = printer.rows(stretch.first + block[0] + 1, tallies.numbers)
            return _batch(block[0], tallies, run.settings.cutoff, rows).to_bytes()

        shared = run.world.share_out(work, blocks(stretch.gold, stretch.test, count))
        return map(Batch.from_bytes, shared)

    return score


def _batch(first: int, tallies: columns.Tallies, cutoff: int, rows: bytes) -> Batch:
    ordinary = tallies.ordinary
    odd: list[int] = (np.flatnonzero(~ordinary) + first).tolist()
    compared = np.flatnonzero(tallies.compared & ordinary)
    return Batch(
        first=first,
        odd=odd,
        faults={
            first + k: (fault, int(tallies.numbers[0, k])) for k, fault in tallies.faults.items()
        },
        rows=rows,
        totals=totals(tallies.numbers[:, ordinary]),
        within_cutoff=totals(tallies.numbers[:, ordinary & (tallies.numbers[0] <= cutoff)]),
        first_compared=first + int(compared[0]) if len(compared) else None,
    )
