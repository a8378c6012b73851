"""Two files side by side: their lines, the sentences that blank lines make of them, and where
they stop being parallel."""

from __future__ import annotations

from typing import NamedTuple

from treelens.dropin.conll.dialects import Dialect


class Lines(NamedTuple):
    """The lines of a file, without their ends; ``terminated`` when the last has one too."""

    lines: list[bytes]
    terminated: bool

    def whole(self, index: int) -> bytes | None:
        """A line with its end, None past the end of the file."""
        if index >= len(self.lines):
            return None
        last = index == len(self.lines) - 1
        return self.lines[index] + (b"" if last and not self.terminated else b"\n")


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


class Pairing(NamedTuple):
    """The sentences that both files have. What follows the last blank line is always one, and
    mostly empty. With a fault there are only those that ended before it."""

    sentences: list[Span]
    fault: Fault | None = None
    missing_blanks: int = 0
    """Blank lines at the end of gold that system does not have."""
    extra_blanks: int = 0
    """Blank lines at the end of system that gold does not have."""


def split_lines(text: bytes) -> Lines:
    lines = text.split(b"\n")
    terminated = not lines[-1]
    if terminated:
        lines.pop()
    return Lines(lines, terminated)


def pair_lines(gold: Lines, system: Lines, dialect: Dialect) -> Pairing:
    """Cut both files into sentences, as far as their blank lines agree."""
    common = min(len(gold.lines), len(system.lines))
    blanks = _blanks(gold, common)
    system_blanks = _blanks(system, common)
    if blanks != system_blanks:
        # The first that only one of them has.
        index = min(set(blanks) ^ set(system_blanks))
        ended = [blank for blank in blanks if blank < index]
        return Pairing(_sentences(ended), _fault(gold, system, index))
    sentences = _sentences(blanks)
    longer = gold if len(gold.lines) > common else system
    past = common
    if dialect.lenient_end:
        while past < len(longer.lines) and is_blank(longer.lines[past]):
            past += 1
    surplus = past - common
    counts = (surplus, 0) if longer is gold else (0, surplus)
    if past < len(longer.lines):
        return Pairing(sentences, _fault(gold, system, past), *counts)
    return Pairing([*sentences, Span(_after(blanks), common)], None, *counts)


def is_blank(line: bytes) -> bool:
    return not line or line.isspace()


def _blanks(text: Lines, common: int) -> list[int]:
    return [index for index, line in enumerate(text.lines[:common]) if not line or line.isspace()]


def _sentences(blanks: list[int]) -> list[Span]:
    starts = [0, *(blank + 1 for blank in blanks)]
    return [Span(start, end) for start, end in zip(starts, blanks, strict=False)]


def _after(blanks: list[int]) -> int:
    return blanks[-1] + 1 if blanks else 0


def _fault(gold: Lines, system: Lines, index: int) -> Fault:
    return Fault(index, gold.whole(index), system.whole(index))
