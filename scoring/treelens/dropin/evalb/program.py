"""The programs themselves: ``main`` is evalb or evalb_spmrl, by its dialect."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import BinaryIO

from treelens.dropin.evalb.arguments import Request, read_arguments
from treelens.dropin.evalb.batch import Batch
from treelens.dropin.evalb.batches import Scorer, split
from treelens.dropin.evalb.buffers import GOLD, Leftovers
from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.evalb.faults import tell
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.stretches import STRETCH_BYTES, Stretch, stretches
from treelens.dropin.shared import rows
from treelens.dropin.shared.rows import OK
from treelens.dropin.shared.world import Parts, Stop, World

_AT_ONCE = 8
"""Stretches of streams that are shared out together."""


def main(arguments: Sequence[bytes], dialect: Dialect, world: World) -> int:
    """Run one of the programs; return its exit status."""
    try:
        request = read_arguments(arguments, dialect, world)
        gold = _open(request.gold, b"gold", world)
        test = _open(request.test, b"test", world)
        _score(request, gold, test, dialect, world)
    except Stop as stop:
        return stop.status
    return 0


def _open(name: bytes | None, side: bytes, world: World) -> BinaryIO:
    file = world.open(name) if name is not None else None
    if file is None:
        shown = b"(null)" if name is None else name
        world.complain(b"Can't open %s file (%s)\n" % (side, shown))
        raise Stop(1)
    return file


def _score(
    request: Request, gold: BinaryIO, test: BinaryIO, dialect: Dialect, world: World
) -> None:
    run = Run(dialect, request.settings, world, Leftovers(dialect))
    world.print(rows.HEADER)
    limit = run.settings.sentences
    limit = sys.maxsize if limit == -1 else max(limit, 1)
    for stretch, parts in _scored(request, (gold, test), run, Scorer(run, limit)):
        run.leftovers.turn_to(stretch.gold, stretch.test, stretch.pairs)
        _print_batch(Batch.from_parts(parts), stretch, run)
        if limit <= stretch.first + stretch.pairs:  # what follows is ignored
            break
    else:
        _check_line_counts(stretch, run)
    _print_summary(request, run)


def _scored(
    request: Request, files: tuple[BinaryIO, BinaryIO], run: Run, score: Scorer
) -> Iterator[tuple[Stretch, Parts]]:
    """All stretches, each with the parts of its batch. Files that may be opened once more are read
    by each process that shares in the work; of others it gets some stretches at a time."""
    world, names = run.world, (request.gold or b"", request.test or b"")

    def work(stretch: Stretch) -> Parts:
        return score(stretch).to_parts()

    def read(files: Sequence[BinaryIO | None]) -> Iterator[Stretch]:
        gold, test = (file or BytesIO() for file in files)
        return stretches(gold, test, split, run.dialect.buffer)

    size = min(map(world.size, names))
    if size >= STRETCH_BYTES and score.prepare(2 * size):
        count = size // STRETCH_BYTES
        yield from world.share_out(work, lambda: read([*map(world.open, names)]), count)
        return
    here = read(files)
    while some := [*itertools.islice(here, _AT_ONCE)]:
        ready = score.prepare(sum(len(each.gold.text) + len(each.test.text) for each in some))
        yield from world.share_out(work, some.__iter__, len(some) if ready else 0)


def _print_batch(batch: Batch, stretch: Stretch, run: Run) -> None:
    """Print the rows that are ready, and what is to be said of odd pairs in between."""
    run.totals = run.totals.plus(batch.totals)
    run.within_cutoff = run.within_cutoff.plus(batch.within_cutoff)
    done = 0
    ready = batch.rows.splitlines(keepends=True) if batch.odd else [batch.rows]
    for index in batch.odd:
        run.world.print(b"".join(ready[done:index]))
        if batch.first_compared is not None and batch.first_compared < index:
            run.cut_delete_labels()
        run.line, run.status = stretch.first + index + 1, OK
        if index in batch.faults:
            tell(*batch.faults[index], run)
        else:
            # (With all of the model, which ordinary pairs do without.)
            from treelens.dropin.evalb.comparison import score_pair

            score_pair(index, stretch, run)
        done = index + 1
    run.world.print(b"".join(ready[done:]))
    if batch.first_compared is not None:
        run.cut_delete_labels()


def _check_line_counts(last: Stretch, run: Run) -> None:
    run.line = last.first + 1
    run.status = OK
    if last.gold.count:
        from treelens.dropin.evalb.sentences import read_sentence

        # The gold line was read, and may have errors of its own, before test was found to end.
        read_sentence(last.gold.line(0), 0, GOLD, run)
        run.error(b"Number of lines unmatch (too many lines in gold file)\n")
    elif last.test.count:
        run.error(b"Number of lines unmatch (too many lines in test file)\n")


def _print_summary(request: Request, run: Run) -> None:
    settings, world = run.settings, run.world
    if settings.compact:
        chosen = run.within_cutoff if settings.compact_cutoff else run.totals
        world.print(rows.compact_line(chosen, request.test or b""))
        return
    world.print(rows.total_row(run.totals))
    names = (request.gold or b"", request.test or b"")
    title = b": %s\tvs\t%s" % names if settings.shows_names else b""
    world.print(b"=== Summary%s ===\n" % title)
    world.print(rows.summary_block(b"All", run.totals))
    if run.dialect.status_file:
        world.write_status(rows.status_file(run.totals))
    world.print(rows.summary_block(b"len<=%d" % settings.cutoff, run.within_cutoff))
