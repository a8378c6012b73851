"""Lines as C reads them: ``fgets`` cuts those that are too long for its buffer into pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


def piece_starts(text: bytes, size: int) -> list[int]:
    """Where each ``fgets`` into a buffer of ``size`` bytes starts to read, and the end."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split(b"\n"))]
    starts[-1] = len(text)  # the last line ends without a newline, or is none at all
    if len(starts) > 1 and starts[-2] == len(text):
        starts.pop()
    if any(end - start >= size for start, end in pairwise(starts)):
        return _starts_of_cut_lines(text, size)
    return starts


def _starts_of_cut_lines(text: bytes, size: int) -> list[int]:
    starts = [0]
    position = 0
    while position < len(text):
        newline = text.find(b"\n", position, position + size - 1)
        position = newline + 1 if newline >= 0 else min(position + size - 1, len(text))
        starts.append(position)
    return starts


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file, and where they start; the last entry is the end of the last one."""

    text: bytes
    starts: Sequence[int]

    def line(self, index: int) -> bytes:
        return self.text[self.starts[index] : self.starts[index + 1]]

    @property
    def count(self) -> int:
        return len(self.starts) - 1
