"""The programs themselves: ``main`` is one of the three scorers, by its dialect."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from treelens.dropin.conll.arguments import NO_FILE, Request, read_arguments
from treelens.dropin.conll.attachment import (
    ROWS_HEADER,
    Attachments,
    block_attachments,
    sentence_row,
    summary,
    together,
)
from treelens.dropin.conll.dialects import Dialect
from treelens.dropin.conll.lines import Block, Ending, Fault, read_blocks
from treelens.dropin.conll.tally import Tally, add_block
from treelens.dropin.conll.tokens import NoSuchPlace
from treelens.dropin.conll.world import Arrived, World
from treelens.dropin.shared.spilled import Counters
from treelens.dropin.shared.world import Stop

if TYPE_CHECKING:  # loading what -q does not need would be a tenth of its time
    from treelens.dropin.conll.report import Apart

_DEATH = 255
"""Perl's exit status for a program that dies of its own doing."""
_ENOUGH_BYTES = 1 << 20
"""Of each file. Below that, the report is made before another process has begun."""
_DEATH_WHILE_READING = 25
"""The same, with files still open: the error number that Perl's asking whether a file is a
terminal has left behind."""


class _Run(NamedTuple):
    dialect: Dialect
    world: World
    blocks: Iterator[Block]
    """Of both files."""
    report: Callable[[bytes], object]
    """Prints, also when the scoring ends early."""
    stack: ExitStack
    """What ends with the run."""

    def folder(self) -> str:
        """A new temporary one, which goes with the run."""
        return self.stack.enter_context(self.world.folder())


class _Ended(Exception):  # noqa: N818 — an ending of the originals
    """The scoring ends early: what is said of it, and the exit status."""

    def __init__(self, message: bytes, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def main(arguments: Sequence[bytes], dialect: Dialect, world: World) -> int:
    """Run one of the programs; return its exit status."""
    with ExitStack() as stack:
        try:
            request = read_arguments(arguments, dialect, world)
            gold = stack.enter_context(_open(request.gold, b"gold standard", world))
            system = stack.enter_context(_open(request.system, b"system output", world))
            report = _output(request, stack, world)
        except Stop as stop:
            return stop.status
        try:
            blocks = read_blocks(gold, system, dialect)
            _score(request, _Run(dialect, world, blocks, report, stack))
        except _Ended as ended:
            # What was found until here is printed all the same.
            world.complain(ended.message)
            return ended.status
        except Stop as stop:  # (A file that is to be opened once more is gone.)
            return stop.status
    return 0


def _open(name: bytes, side: bytes, world: World) -> BinaryIO:
    file = world.open(name)
    if isinstance(file, int):
        world.complain(b"Could not open %s file %s\n" % (side, name))
        raise Stop(file or NO_FILE)
    return file


def _output(request: Request, stack: ExitStack, world: World) -> Callable[[bytes], object]:
    """An output that cannot be written is found before anything is computed."""
    if request.output == b"-":
        return world.print
    file = world.create(request.output)
    if isinstance(file, int):
        world.complain(b"Could not open output file %s\n" % request.output)
        raise Stop(file)
    return stack.enter_context(file).write


def _tell_blanks(ending: Ending, request: Request, world: World) -> None:
    for count, what in ((ending.missing_blanks, b"missing"), (ending.extra_blanks, b"extra")):
        message = b"Warning: ignoring %s blank line at the end of %s.\n" % (what, request.system)
        world.complain(message * count)


def _score(request: Request, run: _Run) -> None:
    if request.rows:
        run.report(ROWS_HEADER)
    beside = None if request.short else _begun_beside(request, run)
    tally = None if request.short else Tally(Counters(run.folder), apart=beside is None)
    total, ending = _score_blocks(request, tally, run)
    if request.rows:
        run.report(b"\n\n")
    if not total.tokens:
        message = b"treelens: '%s' has no token to score: there is nothing to divide by\n"
        raise _Ended(message % request.gold, _DEATH)
    run.report(summary(total, request))
    if tally is not None:
        from treelens.dropin.conll.report import Apart, long_report, made_apart

        # The originals read the files once more for their last tables, and tell it once more.
        _tell_blanks(ending, request, run.world)
        # (Whatever has happened to the other process, its work can still be done here.)
        apart = (beside() or _apart(request, run, run.folder)) if beside else made_apart(tally)
        run.report(long_report(tally, total, request, Apart(*apart)))


def _begun_beside(request: Request, run: _Run) -> Arrived | None:
    """What makes a part of the long report, already at work, if there is something that can."""
    if min(map(run.world.size, (request.gold, request.system))) < _ENOUGH_BYTES:
        return None
    from treelens.dropin.conll import report  # noqa: F401 - for both processes

    folder = run.folder()  # (Who makes it takes it away, even if the other one is killed.)
    return run.stack.enter_context(run.world.beside(lambda: _apart(request, run, lambda: folder)))


def _apart(request: Request, run: _Run, folder: Callable[[], str]) -> Apart:
    from treelens.dropin.conll.report import made_apart

    tally = Tally(Counters(folder), here=False)
    gold, system = (
        run.stack.enter_context(_open(name, b"", run.world))
        for name in (request.gold, request.system)
    )
    for block in read_blocks(gold, system, run.dialect):
        deque(add_block(tally, block, request), maxlen=0)
    return made_apart(tally)


def _score_blocks(request: Request, tally: Tally | None, run: _Run) -> tuple[Attachments, Ending]:
    total, number, ending = Attachments(), 0, Ending()
    status = _DEATH_WHILE_READING
    for block in run.blocks:
        ending = block.ending or ending
        if block.ending and not ending.fault:
            _tell_blanks(ending, request, run.world)
            status = _DEATH
        found, ended = _score_block(block, request, tally, status)
        for at, (span, one) in enumerate(zip(block.sentences, found, strict=False), number + 1):
            if request.rows and span.end > span.start:
                run.report(sentence_row(at, span.end - span.start, one))
        number += len(found)
        total = total.plus(together(found))
        if ended:
            raise ended
    if ending.fault:
        _tell_blanks(ending, request, run.world)
        raise _not_parallel(number + 1, ending.fault, request, run.dialect)
    return total, ending


def _score_block(
    block: Block, request: Request, tally: Tally | None, status: int
) -> tuple[list[Attachments], _Ended | None]:
    """Its sentences, up to one that ends the scoring."""
    found: list[Attachments] = []
    try:
        for one in (
            block_attachments(block, request) if tally is None else add_block(tally, block, request)
        ):
            found.append(one)  # noqa: PERF402 - what was found before it ends stays
    except NoSuchPlace as nowhere:
        line = block.line + block.sentences[len(found)].start + 1
        message = (
            b"treelens: the sentence at line %d has a head at place %d, before its first word\n"
        )
        return found, _Ended(message % (line, nowhere.place), status)
    return found, None


def _not_parallel(number: int, fault: Fault, request: Request, dialect: Dialect) -> _Ended:
    """Where the files part, in which sentence of them, and what that means."""
    file = b", file %s" % request.system if dialect.lenient_end and fault.both else b""
    sides = [
        b" %s: %s" % (name, b"past end of file\n" if line is None else line)
        for name, line in ((b"gold", fault.gold), (b"sys ", fault.system))
    ]
    message = b"%s, line %d%s:\n%s" % (dialect.mismatch, fault.line + 1, file, b"".join(sides))
    if not message.endswith(b"\n"):
        message += b"\n"
    hint = b"treelens: both files must have the same lines; until here, in sentence %d, they do\n"
    status = dialect.surplus_status if fault.gold is None else 1
    return _Ended(message + hint % number, status)
