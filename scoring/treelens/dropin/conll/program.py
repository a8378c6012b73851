"""The programs themselves: ``main`` is one of the three scorers, by its dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.dropin.conll.arguments import NO_FILE, Request, read_arguments
from treelens.dropin.conll.attachment import (
    ROWS_HEADER,
    Attachments,
    attachments,
    scored_tokens,
    sentence_row,
    summary,
)
from treelens.dropin.conll.dialects import Dialect
from treelens.dropin.conll.lines import Fault, Lines, Pairing, Span, pair_lines, split_lines
from treelens.dropin.conll.tally import Tally, add_sentence, new_tally
from treelens.dropin.conll.tokens import NoSuchPlace, columns
from treelens.dropin.conll.world import World
from treelens.dropin.shared.world import Stop

_DEATH = 255
"""Perl's exit status for a program that dies of its own doing."""
_DEATH_WHILE_READING = 25
"""The same, with files still open: the error number that Perl's asking whether a file is a
terminal has left behind."""


class _Files(NamedTuple):
    gold: Lines
    system: Lines
    pairing: Pairing


class _Run(NamedTuple):
    dialect: Dialect
    world: World
    report: list[bytes]
    """What is to be printed, also when the scoring ends early."""


class _Ended(Exception):  # noqa: N818 — an ending of the originals
    """The scoring ends early: what is said of it, and the exit status."""

    def __init__(self, message: bytes, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def main(arguments: Sequence[bytes], dialect: Dialect, world: World) -> int:
    """Run one of the programs; return its exit status."""
    try:
        request = read_arguments(arguments, dialect, world)
        gold = _open(request.gold, b"gold standard", world)
        system = _open(request.system, b"system output", world)
        _check_output(request, world)
    except Stop as stop:
        return stop.status
    files = _Files(gold, system, pair_lines(gold, system, dialect))
    report: list[bytes] = []
    status = 0
    try:
        _score(files, request, _Run(dialect, world, report))
    except _Ended as ended:
        # What was found until here is printed all the same.
        world.complain(ended.message)
        status = ended.status
    _print(b"".join(report), request, world)
    return status


def _open(name: bytes, side: bytes, world: World) -> Lines:
    text = world.read(name)
    if isinstance(text, int):
        world.complain(b"Could not open %s file %s\n" % (side, name))
        raise Stop(text or NO_FILE)
    return split_lines(text)


def _check_output(request: Request, world: World) -> None:
    """An output that cannot be written is found before anything is computed."""
    error = world.write(request.output, b"") if request.output != b"-" else 0
    if error:
        world.complain(b"Could not open output file %s\n" % request.output)
        raise Stop(error)


def _tell_blanks(pairing: Pairing, request: Request, world: World) -> None:
    for count, what in ((pairing.missing_blanks, b"missing"), (pairing.extra_blanks, b"extra")):
        message = b"Warning: ignoring %s blank line at the end of %s.\n" % (what, request.system)
        world.complain(message * count)


def _print(text: bytes, request: Request, world: World) -> None:
    if request.output == b"-":
        world.print(text)
    else:
        world.write(request.output, text)


def _score(files: _Files, request: Request, run: _Run) -> None:
    if request.rows:
        run.report.append(ROWS_HEADER)
    tally = None if request.short else new_tally()
    total = _score_sentences(files, request, tally, run)
    if request.rows:
        run.report.append(b"\n\n")
    if not total.tokens:
        message = b"treelens: '%s' has no token to score: there is nothing to divide by\n"
        raise _Ended(message % request.gold, _DEATH)
    run.report.append(summary(total, request))
    if tally is not None:
        # Loading what -q does not need would be a tenth of its time.
        from treelens.dropin.conll.report import long_report

        # The originals read the files once more for their last tables, and tell it once more.
        _tell_blanks(files.pairing, request, run.world)
        skipped = sum(tally.words) - total.tokens
        run.report.append(long_report(tally, total, skipped, request))


def _score_sentences(
    files: _Files, request: Request, tally: Tally | None, run: _Run
) -> Attachments:
    total = Attachments()
    sentences, fault = files.pairing.sentences, files.pairing.fault
    status = _DEATH_WHILE_READING
    for number, span in enumerate(sentences, start=1):
        if number == len(sentences) and not fault:
            _tell_blanks(files.pairing, request, run.world)
            status = _DEATH
        try:
            found = _score_sentence(files, span, request, tally)
        except NoSuchPlace as nowhere:
            raise _before_first_word(span, nowhere, status) from nowhere
        if request.rows and span.end > span.start:
            run.report.append(sentence_row(number, span.end - span.start, found))
        total = total.plus(found)
    if fault:
        _tell_blanks(files.pairing, request, run.world)
        raise _not_parallel(len(sentences) + 1, fault, request, run.dialect)
    return total


def _score_sentence(
    files: _Files, span: Span, request: Request, tally: Tally | None
) -> Attachments:
    start, end = span
    gold, system = files.gold.lines[start:end], files.system.lines[start:end]
    if tally is None:
        return attachments(gold, system, request)
    words = [columns(line) for line in gold]
    return add_sentence(tally, words, scored_tokens(gold, system, words, request))


def _before_first_word(span: Span, nowhere: NoSuchPlace, status: int) -> _Ended:
    message = b"treelens: the sentence at line %d has a head at place %d, before its first word\n"
    return _Ended(message % (span.start + 1, nowhere.place), status)


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
