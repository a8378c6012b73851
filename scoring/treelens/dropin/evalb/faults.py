"""What keeps a pair from being compared."""

from __future__ import annotations

from typing import NamedTuple

from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.rows import Tally


class Fault(NamedTuple):
    """Why a pair cannot be compared, in the program's words."""

    message: bytes
    counted_first: bool
    """The row comes before the error: see ``Dialect.counts_length_mismatch``."""


def length_fault(gold: int, test: int, dialect: Dialect) -> Fault:
    """Of unequal numbers of words."""
    return Fault(b"Length unmatch (%d|%d)\n" % (gold, test), dialect.counts_length_mismatch)


def word_fault(gold: bytes, test: bytes) -> Fault:
    """Of the first words that differ."""
    return Fault(b"Words unmatch (%s|%s)\n" % (gold, test), False)


def tell(fault: Fault, length: int, run: Run) -> None:
    """Report the error and print the row of a pair that was not compared."""
    if fault.counted_first:
        run.result(Tally(length, run.status))
    run.error(fault.message)
    if not fault.counted_first:
        run.result(Tally(length, run.status))
