"""The two programs that are copied, as one record of their differences."""

from __future__ import annotations

from typing import NamedTuple


class Dialect(NamedTuple):
    """What one of the programs does differently from the other.

    ``buffer`` is the size of its line buffer: ``fgets`` gives pieces of one byte less.
    ``gap`` is the number of bytes between the line buffer and the copy of the gold line
    that follows it in memory (see ``buffers``).
    """

    buffer: int
    gap: int
    usage: bytes
    spmrl_options: bool
    """Knows -K, -L, -l, -V and -X, and echoes the value of -c on standard error."""
    deletes_words: bool
    """DELETE_LABEL takes terminals out of the sentence. SPMRL keeps them all, so that a
    mistagged punctuation mark cannot change the number of words."""
    label_ends: bytes
    """A label counts up to the first of these bytes; SPMRL's morphological features follow
    a ``#``."""
    cuts_while_comparing: bool
    """Every comparison of labels shortens both of them in place: tags too, and the
    DELETE_LABEL entries themselves."""
    counts_length_mismatch: bool
    """A pair with unequal numbers of words is counted before it is found to be an error:
    its row has status 0, and it enters the totals as a perfect sentence without brackets.
    With at most one gold word it is then even scored and counted a second time."""
    shows_rest_of_line: bool
    """A left-over debugging line comes before "More than two elements in a bracket"."""
    status_file: bool
    """The full summary is accompanied by a small file ``status``."""


# One literal a line, because the blanks at the ends are part of what is printed.
EVALB_USAGE = (
    b" evalb [-dDh][-c n][-e n][-p param_file] gold-file test-file  \n"
    b"                                                         \n"
    b"    Evaluate bracketing in test-file against gold-file.  \n"
    b"    Return recall, precision, F-Measure, tag accuracy.              \n"
    b"                                                         \n"
    b"  <option>                                               \n"
    b"    -d             debug mode                            \n"
    b"    -D             debug mode plus bracketing info       \n"
    b"    -c n           cut-off length forstatistics (def.=40)\n"
    b"    -e n           number of error to kill (default=10)  \n"
    b"    -p param_file  parameter file                        \n"
)

SPMRL_USAGE = EVALB_USAGE + (
    b"    -K n\t\t   Evaluate up to  n sentences                         \n"
    b"    -X\t\t\t   Count skipped sentences brackets as not parsed  \n"
    b"    -L\t\t\t   Compact view (for use in batch mode, all sentences  \n"
)

HELP_LINE = b"    -h    help                                           \n"

EVALB = Dialect(
    buffer=5000,
    gap=8,
    usage=EVALB_USAGE + HELP_LINE,
    spmrl_options=False,
    deletes_words=True,
    label_ends=b"-=",
    cuts_while_comparing=False,
    counts_length_mismatch=False,
    shows_rest_of_line=False,
    status_file=False,
)

EVALB_SPMRL = Dialect(
    buffer=50000,
    gap=0,
    usage=SPMRL_USAGE + HELP_LINE,
    spmrl_options=True,
    deletes_words=False,
    label_ends=b"-=#",
    cuts_while_comparing=True,
    counts_length_mismatch=True,
    shows_rest_of_line=True,
    status_file=True,
)
