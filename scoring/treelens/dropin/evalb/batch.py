"""What has come of some pairs that were scored together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from treelens.dropin.evalb.comparison import Fault
from treelens.dropin.shared.rows import Totals


class Batch(NamedTuple):
    """Pairs from ``first`` on: rows and totals of the ordinary ones among them."""

    first: int
    odd: Sequence[int]
    """The pairs that have no row here."""
    faults: Mapping[int, tuple[Fault, int]]
    """Of these, the ones with an error that is known, and the length of their gold line. All
    others are left to the model."""
    rows: Sequence[bytes]
    """A row for each pair (those of odd pairs mean nothing); all in one if none is odd."""
    totals: Totals
    within_cutoff: Totals
    first_compared: int | None
    """The first ordinary pair in which a label was compared with the DELETE_LABEL entries."""
