"""What is printed of the tallies: a row for each pair, the total row and the summary."""

from __future__ import annotations

import math
from collections.abc import Iterator
from operator import add
from typing import NamedTuple

OK = 0
ERROR = 1
SKIPPED = 2
UNPARSED = 3  # evalb_spmrl -X: an empty parse that counts

HEADER = (
    b"  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    b" ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n"
    b"============================================================================\n"
)
_RULE = b"=" * 76 + b"\n"


class Tally(NamedTuple):
    """One pair's integers, from which everything that is printed of it follows."""

    length: int
    """Gold terminals that count for the length, which the cutoff is compared with."""
    status: int
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0


def percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole > 0 else 0.0


def row(line: int, tally: Tally) -> bytes:
    """The pair's row. Its own percentages are printed even when it is an error."""
    length, status, matched, gold, test, crossing, words, tags = tally
    return b"%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n" % (
        line,
        length,
        status,
        100.0 * matched / gold if gold else 0.0,
        100.0 * matched / test if test else 0.0,
        matched,
        gold,
        test,
        crossing,
        words,
        tags,
        100.0 * tags / words if words else 0.0,
    )


class Totals(NamedTuple):
    """Column sums over the pairs, and counts of pairs of each kind."""

    sentences: int = 0
    errors: int = 0
    skipped: int = 0
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0
    complete: int = 0
    without_crossing: int = 0
    two_or_less_crossing: int = 0

    @staticmethod
    def of(tally: Tally) -> Totals:
        """One pair's. An error or a skipped pair is counted, but none of its brackets and words."""
        _, status, matched, gold, test, crossing, words, tags = tally
        if status in (ERROR, SKIPPED):
            return Totals(1, errors=int(status == ERROR), skipped=int(status == SKIPPED))
        return Totals(
            1,
            0,
            0,
            matched,
            gold,
            test,
            crossing,
            words,
            tags,
            complete=int(gold == test == matched),
            without_crossing=int(crossing == 0),
            two_or_less_crossing=int(crossing <= 2),
        )

    def plus(self, other: Totals) -> Totals:
        return Totals(*map(add, self, other))

    @property
    def valid(self) -> int:
        return self.sentences - self.errors - self.skipped

    @property
    def recall(self) -> float:
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        return percent(self.matched, self.test)

    @property
    def f_measure(self) -> float:
        """Of the percentages, in the reference's order of operations; not a number for 0/0."""
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if precision + recall else math.nan

    @property
    def tagging(self) -> float:
        return percent(self.tags, self.words)


def fixed(number: float, width: int = 6) -> bytes:
    """``%6.2f`` as it comes out where 0/0 has its sign bit set (x86-64): ``-nan``."""
    return b"-nan".rjust(width) if math.isnan(number) else b"%*.2f" % (width, number)


def total_row(totals: Totals) -> bytes:
    brackets = b""
    if totals.gold > 0 and totals.test > 0:
        brackets = b"                %6.2f %6.2f %6d %5d %5d  %5d" % (
            totals.recall,
            totals.precision,
            totals.matched,
            totals.gold,
            totals.test,
            totals.crossing,
        )
    return _RULE + brackets + b"  %5d %5d   %6.2f\n" % (totals.words, totals.tags, totals.tagging)


def summary_block(title: bytes, totals: Totals) -> bytes:
    return b"\n-- %s --\n" % title + b"".join(_summary_lines(totals))


def _summary_lines(totals: Totals) -> Iterator[bytes]:
    valid = totals.valid
    yield b"Number of sentence        = %6d\n" % totals.sentences
    yield b"Number of Error sentence  = %6d\n" % totals.errors
    yield b"Number of Skip  sentence  = %6d\n" % totals.skipped
    yield b"Number of Valid sentence  = %6d\n" % valid
    for name, number in (
        (b"Bracketing Recall", totals.recall),
        (b"Bracketing Precision", totals.precision),
        (b"Bracketing FMeasure", totals.f_measure),
        (b"Complete match", percent(totals.complete, valid)),
        (b"Average crossing", totals.crossing / valid if valid > 0 else 0.0),
        (b"No crossing", percent(totals.without_crossing, valid)),
        (b"2 or less crossing", percent(totals.two_or_less_crossing, valid)),
        (b"Tagging accuracy", totals.tagging),
    ):
        yield b"%-25s = %s\n" % (name, fixed(number))


def compact_line(totals: Totals, test_name: bytes) -> bytes:
    """evalb_spmrl's ``-L`` and ``-l``. Precision and recall stand in each other's place."""
    return b"F1: %s %%\tPrec: %s %%\tRec: %s %%\tPOS: %s %%\tEX: %s %%\t" % (
        fixed(totals.f_measure),
        fixed(totals.recall),
        fixed(totals.precision),
        fixed(totals.tagging),
        fixed(percent(totals.complete, totals.valid)),
    ) + b"Unparsed: %6d\tSent: %6d\tfile: %s\n" % (
        totals.skipped + totals.errors,
        totals.sentences,
        test_name,
    )


def status_file(totals: Totals) -> bytes:
    """evalb_spmrl's file for scripts."""
    numbers = (
        (b"F1", totals.f_measure),
        (b"LP", totals.precision),
        (b"LR", totals.recall),
        (b"POS", totals.tagging),
        (b"errorRate", 100 - totals.f_measure),
    )
    lines = (b"%s: %s\n" % (name, fixed(number, 0)) for name, number in numbers)
    return b"---\n" + b"".join(lines)
