"""Both files, a stretch of lines at a time: what is in memory does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from treelens.dropin.shared.lines import Lines

STRETCH_BYTES = 1 << 19
"""What is read of each file before its lines are paired; what is made of it is about what the
inner caches of a processor hold."""


Split = Callable[[bytes, int], Lines]
"""Finds the lines that ``fgets`` reads into a buffer of a size."""


class Stretch(NamedTuple):
    """Lines of both files that begin with the same pair."""

    first: int
    """The number of pairs before it."""
    gold: Lines
    test: Lines
    pairs: int
    """None in the last stretch, which shows which file has lines without a partner."""


def stretches(gold: BinaryIO, test: BinaryIO, split: Split, size: int) -> Iterator[Stretch]:
    """All pairs in order, their lines read into buffers of that size."""
    sides = [_Side(file, split, size) for file in (gold, test)]
    first, pairs = 0, -1
    while pairs:
        left, right = (side.ahead() for side in sides)
        pairs = min(left.count, right.count)
        yield Stretch(first, left, right, pairs)
        first += pairs
        for side, lines in zip(sides, (left, right), strict=True):
            side.rest = side.rest[lines.starts[pairs] :]


class _Side:
    """A file, and what was read of it and has no partner yet."""

    def __init__(self, file: BinaryIO, split: Split, size: int) -> None:
        self._file, self._split, self._size = file, split, size
        self._ended = False
        self.rest = b""

    def ahead(self) -> Lines:
        """The lines that come next: none only at the end of the file."""
        wanted = STRETCH_BYTES
        while True:
            self._read(wanted)
            lines = self._split(self.rest, self._size)
            if self._ended or self._whole(lines):
                return lines
            if lines.count > 1:
                return Lines(lines.text, lines.starts[:-1])
            wanted += STRETCH_BYTES

    def _whole(self, lines: Lines) -> bool:
        """Whether the last line would be the same if the file were read on."""
        longest = lines.starts[-1] - lines.starts[-2] == self._size - 1
        return longest or lines.text.endswith(b"\n")

    def _read(self, wanted: int) -> None:
        while not self._ended and len(self.rest) < wanted:
            more = self._file.read(wanted - len(self.rest))
            self._ended = not more
            self.rest += more
