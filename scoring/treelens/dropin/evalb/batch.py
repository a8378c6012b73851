"""What has come of the pairs of a stretch that were scored together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from treelens.dropin.evalb.faults import Fault
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.rows import Totals
from treelens.dropin.shared.world import Parts


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

    def to_parts(self) -> list[bytes]:
        """As another process sends it."""
        compared = -1 if self.first_compared is None else self.first_compared
        numbers = [self.totals, self.within_cutoff, [compared], self.odd]
        parts = [self.rows, *map(_written, numbers)]
        for index, (fault, length) in self.faults.items():
            parts += [_written([index, length, fault.counted_first]), fault.message]
        return parts

    @classmethod
    def from_parts(cls, parts: Parts) -> Batch:
        totals, within_cutoff, (compared,), odd = map(_read, parts[1:5])
        faults = {}
        for numbers, message in zip(parts[5::2], parts[6::2], strict=True):
            index, length, counted_first = _read(numbers)
            faults[index] = Fault(message, bool(counted_first)), length
        sums = Totals(*totals), Totals(*within_cutoff)
        return cls(odd, faults, parts[0], *sums, compared if compared >= 0 else None)


def _written(numbers: Iterable[int]) -> bytes:
    return b" ".join(b"%d" % number for number in numbers)


def _read(numbers: bytes) -> list[int]:
    return [*map(int, numbers.split())]


Score = Callable[[Stretch, int], Batch]
"""Scores the first so many pairs of a stretch."""
