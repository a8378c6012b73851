"""The programs themselves: ``main`` is evalb or evalb_spmrl, by its dialect."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.dropin.evalb import trace
from treelens.dropin.evalb.arguments import Request, read_arguments
from treelens.dropin.evalb.batch import Batch
from treelens.dropin.evalb.batches import batches, split
from treelens.dropin.evalb.buffers import GOLD, TEST, Leftovers, Lines
from treelens.dropin.evalb.comparison import compare, tell
from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.sentences import read_sentence
from treelens.dropin.shared import rows
from treelens.dropin.shared.rows import OK
from treelens.dropin.shared.world import Stop, World


def main(arguments: Sequence[bytes], dialect: Dialect, world: World) -> int:
    """Run one of the programs; return its exit status."""
    try:
        request = read_arguments(arguments, dialect, world)
        gold = _open(request.gold, b"gold", world)
        test = _open(request.test, b"test", world)
        gold_lines, test_lines = split([gold, test], dialect.buffer)
        _score(request, gold_lines, test_lines, dialect, world)
    except Stop as stop:
        return stop.status
    return 0


def _open(name: bytes | None, side: bytes, world: World) -> bytes:
    text = world.read(name) if name is not None else None
    if text is None:
        shown = b"(null)" if name is None else name
        world.complain(b"Can't open %s file (%s)\n" % (side, shown))
        raise Stop(1)
    return text


def _score(request: Request, gold: Lines, test: Lines, dialect: Dialect, world: World) -> None:
    run = Run(dialect, request.settings, world, Leftovers(dialect, gold, test))
    world.print(rows.HEADER)
    if not _score_pairs(gold, test, run):
        _check_line_counts(gold, test, run)
    _print_summary(request, run)


def _score_pairs(gold: Lines, test: Lines, run: Run) -> bool:
    """Score the pairs in order; whether -K ended it, in which case what follows is ignored."""
    count = min(gold.count, test.count)
    limit = count + 1 if run.settings.sentences == -1 else max(run.settings.sentences, 1)
    for batch in batches(gold, test, min(count, limit), run):
        _print_batch(batch, gold, test, run)
    return limit <= count


def _print_batch(batch: Batch, gold: Lines, test: Lines, run: Run) -> None:
    """Print the rows that are ready, and what is to be said of odd pairs in between."""
    run.totals.add_totals(batch.totals)
    run.within_cutoff.add_totals(batch.within_cutoff)
    done = batch.first
    for index in batch.odd:
        run.world.print(b"".join(batch.rows[done - batch.first : index - batch.first]))
        if batch.first_compared is not None and batch.first_compared < index:
            run.cut_delete_labels()
        run.line, run.status = index + 1, OK
        if index in batch.faults:
            tell(*batch.faults[index], run)
        else:
            _score_pair(gold.line(index), test.line(index), run)
        done = index + 1
    run.world.print(b"".join(batch.rows[done - batch.first :]))
    if batch.first_compared is not None:
        run.cut_delete_labels()


def _score_pair(gold_line: bytes, test_line: bytes, run: Run) -> None:
    index = run.line - 1
    gold = read_sentence(gold_line, index, GOLD, run)
    test = read_sentence(test_line, index, TEST, run)
    compare(gold, test, run)
    if run.settings.debug >= 1:
        trace.show_tables(gold, test, run)


def _check_line_counts(gold: Lines, test: Lines, run: Run) -> None:
    run.line = min(gold.count, test.count) + 1
    run.status = OK
    if gold.count > test.count:
        # The gold line was read, and may have errors of its own, before test was found to end.
        read_sentence(gold.line(test.count), test.count, GOLD, run)
        run.error(b"Number of lines unmatch (too many lines in gold file)\n")
    elif test.count > gold.count:
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
