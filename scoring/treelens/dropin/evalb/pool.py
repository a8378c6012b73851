"""Batches of pairs, scored by ``columns`` on two threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from treelens.dropin.evalb import columns
from treelens.dropin.evalb.batch import Batch
from treelens.dropin.evalb.buffers import Lines
from treelens.dropin.evalb.labels import LabelTable
from treelens.dropin.evalb.row_columns import RowPrinter, totals
from treelens.dropin.evalb.run import Run

_THREADS = 2


def scored_batches(
    gold: Lines, test: Lines, count: int, run: Run, representative: Mapping[bytes, bytes]
) -> Iterator[Batch]:
    """Score blocks of pairs, one after the other, a little ahead of what is asked for."""
    table = LabelTable(run, representative)
    printer = RowPrinter()
    blocks = columns.blocks(gold, test, count)
    # numpy lets go of the interpreter while it works, so threads do run at the same time.
    pool = ThreadPoolExecutor(_THREADS)
    try:
        waiting = [pool.submit(columns.tallies, gold, test, *each, table) for each in blocks]
        for (first, _), future in zip(blocks, waiting, strict=True):
            yield _batch(first, future.result(), run.settings.cutoff, printer)
    finally:
        # The program may stop at an error, long before the end of the files.
        pool.shutdown(wait=False, cancel_futures=True)


def _batch(first: int, tallies: columns.Tallies, cutoff: int, printer: RowPrinter) -> Batch:
    ordinary = tallies.ordinary
    odd: list[int] = (np.flatnonzero(~ordinary) + first).tolist()
    rows = printer.rows(first + 1, tallies.numbers)
    compared = np.flatnonzero(tallies.compared & ordinary)
    return Batch(
        first=first,
        odd=odd,
        rows=rows.splitlines(keepends=True) if odd else [rows],
        totals=totals(tallies.numbers[:, ordinary]),
        within_cutoff=totals(tallies.numbers[:, ordinary & (tallies.numbers[0] <= cutoff)]),
        faults={
            first + k: (fault, int(tallies.numbers[0, k])) for k, fault in tallies.faults.items()
        },
        first_compared=first + int(compared[0]) if len(compared) else None,
    )
