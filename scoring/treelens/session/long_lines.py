"""Where lines end in a long text, and how many characters stand before a byte of a long line.

Thousands of places are asked for in one sentence, or on one line: to look through all that is
before each of them would take the square of that.
"""

from __future__ import annotations

import bisect
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import decode

LONG = 1 << 12
"""Bytes of a text that are looked through for each place in it."""

_LONGEST_CHARACTER = 4


def line_ends(text: bytes) -> npt.NDArray[np.int64]:
    """Behind which bytes a line ends; between ``\\r`` and ``\\n`` it has not ended yet."""
    data = np.frombuffer(text, np.uint8)
    ends = data == ord("\n")
    if b"\r" in text:
        lone = data == ord("\r")
        lone[:-1] &= data[1:] != ord("\n")
        ends |= lone
    return np.flatnonzero(ends) + 1


class Columns(NamedTuple):
    """Some bytes of a long line, none of them inside a character, and how many characters stand
    before each."""

    bytes: list[int]
    characters: list[int]

    def before(self, offset: int) -> tuple[int, int]:
        """The last of them up to an offset."""
        at = bisect.bisect_right(self.bytes, offset) - 1
        return self.bytes[at], self.characters[at]


def columns(line: bytes) -> Columns:
    found = Columns([0], [0])
    while (start := found.bytes[-1]) + LONG < len(line):
        end = _begun(line, start + LONG)
        found.characters.append(found.characters[-1] + len(decode(line[start:end])))
        found.bytes.append(end)
    return found


def _begun(line: bytes, offset: int) -> int:
    """Where the character that an offset is in begins; itself where there is none."""
    for start in range(offset, offset - _LONGEST_CHARACTER, -1):
        if line[start] & 0xC0 != 0x80:
            return start
    return offset
