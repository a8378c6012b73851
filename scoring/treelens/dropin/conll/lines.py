"""Two files side by side, block by block: their lines, the sentences that blank lines make of them,
and where they stop being parallel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, compress
from typing import BinaryIO, NamedTuple

from treelens.dropin.conll.dialects import Dialect


class Span(NamedTuple):
    """The lines of a sentence: of both files, first and past-the-last, counted from 0."""

    start: int
    end: int


class Fault(NamedTuple):
    """The files are not parallel at this line (counted from 0)."""

    line: int
    gold: bytes | None
    system: bytes | None

    @property
    def both(self) -> bool:
        """Neither file has ended: one has a word here and the other a blank line."""
        return self.gold is not None and self.system is not None


class Ending(NamedTuple):
    """How it ends: with a fault, or with both files read."""

    fault: Fault | None = None
    missing_blanks: int = 0
    """Blank lines at the end of gold that system does not have."""
    extra_blanks: int = 0
    """Blank lines at the end of system that gold does not have."""


class Block(NamedTuple):
    """Whole sentences that both files have, with the blank lines behind them.

    line: how many lines stand before it. gold, system: as many lines each, with their ends.
    sentences: places in these. ending: only of the last block. That has the last sentence, what
    follows the last blank line, which is mostly empty; with a fault only those that ended before.
    """

    line: int
    gold: list[bytes]
    system: list[bytes]
    sentences: list[Span]
    ending: Ending | None = None


_BYTES = 1 << 18
"""Of a file that are read at once: it is as quick as more, and less than what Python takes."""


def read_blocks(
    gold: BinaryIO, system: BinaryIO, dialect: Dialect, size: int = _BYTES
) -> Iterator[Block]:
    """Cut both files into sentences, as far as their blank lines agree."""
    files = gold, system
    lines: tuple[list[bytes], list[bytes]] = [], []
    line = checked = 0
    while True:
        shorter = int(len(lines[1]) < len(lines[0]))
        more = files[shorter].readlines(size)
        if not more:
            break
        lines[shorter].extend(more)
        common = min(map(len, lines))
        blanks, its_blanks = (_blanks(side, checked, common) for side in lines)
        if blanks != its_blanks:
            # The first that only one of them has.
            at = min(set(blanks) ^ set(its_blanks))
            ended = [blank for blank in blanks if blank < at]
            fault = Fault(line + at, lines[0][at], lines[1][at])
            yield Block(line, *lines, _sentences(ended), Ending(fault))
            return
        checked = common
        if blanks:
            end = blanks[-1] + 1
            yield Block(line, lines[0][:end], lines[1][:end], _sentences(blanks))
            del lines[0][:end], lines[1][:end]
            line, checked = line + end, checked - end
    ending = _ending(files, lines, line, checked, dialect)
    rest = [Span(0, checked)] if ending.fault is None else []
    yield Block(line, lines[0][:checked], lines[1][:checked], rest, ending)


def _ending(
    files: tuple[BinaryIO, BinaryIO],
    lines: tuple[list[bytes], list[bytes]],
    line: int,
    common: int,
    dialect: Dialect,
) -> Ending:
    """What comes after the end of the file that has ended; ``line``: lines before these."""
    longer = 0 if len(lines[0]) > common else 1
    surplus = 0
    for one in chain(lines[longer][common:], files[longer]):
        if not (dialect.lenient_end and one.isspace()):
            place = line + common + surplus
            fault = Fault(place, None, one) if longer else Fault(place, one, None)
            break
        surplus += 1
    else:
        fault = None
    return Ending(fault, *((0, surplus) if longer else (surplus, 0)))


def _blanks(lines: list[bytes], start: int, end: int) -> list[int]:
    return list(compress(range(start, end), map(bytes.isspace, lines[start:end])))


def _sentences(blanks: list[int]) -> list[Span]:
    starts = [0, *(blank + 1 for blank in blanks)]
    return [Span(start, end) for start, end in zip(starts, blanks, strict=False)]
