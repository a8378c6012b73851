"""The three programs that are copied, as one record of their differences.

Records are named tuples throughout this package: loading ``dataclasses`` would be a tenth of the
time of a short report.
"""

from __future__ import annotations

from typing import NamedTuple


class Dialect(NamedTuple):
    """What one of the programs does differently from the others."""

    name: bytes
    version: bytes
    """What -v prints, whatever the year."""
    switches: bytes
    """The options without a value that are known."""
    punctuation_by_default: bool
    """-p reverses it: it leaves punctuation out for eval07, and lets it count for CoNLL-X."""
    lenient_end: bool
    """Blank lines that only one file has at its end are told and ignored."""
    mismatch: bytes
    """How the message about files that are not parallel begins."""
    surplus_status: int
    """The exit status when system goes on after the end of gold. SPMRL's copy dies there of
    something that was meant for debugging."""


EVAL_CONLLX = Dialect(
    name=b"eval-conllx",
    version=b"1.9",
    switches=b"qvhpb",
    punctuation_by_default=False,
    lenient_end=False,
    mismatch=b"line mismatch",
    surplus_status=1,
)
"""``eval.pl`` of CoNLL-X (2006). Of its copies in circulation some complain of every word or
part of speech that differs between the files, and some do not; this one is silent."""

EVAL07 = Dialect(
    name=b"eval07",
    version=b"1.4",
    switches=b"qvhpbdL",
    punctuation_by_default=True,
    lenient_end=True,
    mismatch=b"Fatal: line mismatch",
    surplus_status=1,
)
"""``eval07.pl`` of CoNLL 2007, with the one-line output (-L) of the SPMRL shared task."""

EVAL_SPMRL = Dialect(
    name=b"eval-spmrl",
    version=b"1.4",
    switches=b"qvhpbdL",
    punctuation_by_default=True,
    lenient_end=True,
    mismatch=b"Fatal: line mismatch",
    surplus_status=255,
)
"""The SPMRL shared task's ``eval07.pl``."""
