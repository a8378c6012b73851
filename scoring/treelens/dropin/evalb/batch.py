"""What has come of some pairs that were scored together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from treelens.dropin.evalb.faults import Fault
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.rows import Totals


class Batch(NamedTuple):
    """Pairs of a stretch from ``first`` on: rows and totals of the ordinary ones among them."""

    first: int
    odd: Sequence[int]
    """The pairs that have no row here."""
    faults: Mapping[int, tuple[Fault, int]]
    """Of these, the ones with an error that is known, and the length of their gold line. All
    others are left to the model."""
    rows: bytes
    """A row for each pair (those of odd pairs mean nothing); none if all are odd."""
    totals: Totals
    within_cutoff: Totals
    first_compared: int | None
    """The first ordinary pair in which a label was compared with the DELETE_LABEL entries."""

    def to_bytes(self) -> list[bytes]:
        """As another process sends it."""
        compared = -1 if self.first_compared is None else self.first_compared
        faults = [
            _written(index, length, fault.counted_first)
            for index, (fault, length) in self.faults.items()
        ]
        messages = [fault.message for fault, _ in self.faults.values()]
        sums = (_written(*each) for each in (self.totals, self.within_cutoff))
        return [_written(self.first, compared), _written(*self.odd), self.rows, *sums] + [
            part for each in zip(faults, messages, strict=True) for part in each
        ]

    @staticmethod
    def from_bytes(parts: Sequence[bytes]) -> Batch:
        (first, compared), odd = _read(parts[0]), _read(parts[1])
        faults = {}
        for numbers, message in zip(parts[5::2], parts[6::2], strict=True):
            index, length, counted_first = _read(numbers)
            faults[index] = Fault(message, bool(counted_first)), length
        every, short = (Totals(*_read(each)) for each in parts[3:5])
        return Batch(
            first, odd, faults, parts[2], every, short, compared if compared >= 0 else None
        )


Score = Callable[[Stretch, int], Iterator[Batch]]
"""Scores the first so many pairs of a stretch, in order, little ahead of what is asked for."""


def _written(*numbers: int) -> bytes:
    return b" ".join(b"%d" % number for number in numbers)


def _read(numbers: bytes) -> list[int]:
    return list(map(int, numbers.split()))
