"""What has come of the pairs of a stretch that were scored together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from treelens.dropin.evalb.faults import Fault
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.rows import Totals


class Batch(NamedTuple):
    """Rows and totals of the ordinary pairs."""

    odd: Sequence[int]
    """The pairs that have no row here."""
    faults: Mapping[int, tuple[Fault, int]] = {}
    """Of these, the ones with an error that is known, and the length of their gold line. All
    others are left to the model."""
    rows: bytes = b""
    """A row for each pair (those of odd pairs mean nothing); none if all are odd."""
    totals: Totals = Totals()
    within_cutoff: Totals = Totals()
    first_compared: int | None = None
    """The first ordinary pair in which a label was compared with the DELETE_LABEL entries."""


Score = Callable[[Stretch, int], Batch]
"""Scores the first so many pairs of a stretch."""
