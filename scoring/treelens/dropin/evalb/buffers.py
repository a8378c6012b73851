"""Lines as the reference programs read them: into one buffer, each over the last one.

``fgets`` cuts long lines into pieces. More surprising: a scan for the end of a label or a
word stops at blanks and brackets only, *not* at the end of the line. A line that ends in
``(VP`` and blanks, or contains a NUL byte, or was cut inside a word, is read on in what
earlier, longer lines left behind it in the buffer, and after that in the copy of the gold
line that lies next in memory. ``Leftovers`` answers what lies there, and does no work
before it is asked. Memory that was never written is taken to be zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import sub

from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.shared.lines import Lines
from treelens.dropin.shared.strings import c_string

_SOME = 64
"""Lines that are left alone together, where all of them are hidden."""

GOLD = 0
TEST = 1


@dataclass(slots=True)
class Buffer:
    """An array of ``size`` bytes that strings are written into, always from its start.

    Only what can still be seen is kept: a string hides all that came before it up to its
    own length, so ``visible`` grows shorter from its first string to its last.
    """

    size: int
    visible: list[bytes] = field(default_factory=list)

    def write(self, string: bytes) -> None:
        """Write the string and a NUL after it."""
        content = string + b"\0"
        while self.visible and len(self.visible[-1]) <= len(content):
            self.visible.pop()
        self.visible.append(content)

    def beyond(self, position: int) -> Iterator[bytes]:
        """What the array holds from ``position`` on, piece by piece."""
        for content in reversed(self.visible):
            if len(content) > position:
                yield content[position:]
                position = len(content)
        if position < self.size:
            yield bytes(self.size - position)


class Leftovers:
    """What the reference finds in memory when it looks past the sentence it is reading."""

    def __init__(self, dialect: Dialect) -> None:
        self._sides = (Lines(b"", [0]), Lines(b"", [0]))
        self._pairs = 0
        self._gap = bytes(dialect.gap)
        self._steps = 0  # lines that went through the buffer: gold 1, test 1, gold 2, …
        self._line_buffer = Buffer(dialect.buffer)
        self._gold_copy = Buffer(dialect.buffer)
        self.below_stack: dict[int, int] = {}
        """The stack of open brackets, below its bottom: one closing bracket too many reads
        there, the next opening bracket writes there, and nothing ever clears it. (In the
        programs some unused bytes, hence zeros, come before it.)"""
        self.text_ends: tuple[dict[int, int], dict[int, int]] = ({}, {})
        """Where each numbered bracket of gold and test ended, last time it was closed. An
        unclosed bracket shows, in a trace, text up to there."""

    def turn_to(self, gold: Lines, test: Lines, pairs: int) -> None:
        """Other lines are read from here on; all ``pairs`` of those before have been."""
        if self._steps % 2:
            self._catch_up(self._steps + 1)
        for step in _not_hidden(*self._sides, self._steps // 2, self._pairs):
            self._pass(step)
        self._sides, self._pairs, self._steps = (gold, test), pairs, 0

    def after_line(self, index: int, side: int) -> Iterator[bytes]:
        """The memory behind a line while it is read, piece by piece."""
        self._catch_up(2 * index + side + 1)
        length = self._sides[side].starts[index + 1] - self._sides[side].starts[index]
        yield from self._line_buffer.beyond(length + 1)
        yield self._gap
        yield from self._gold_copy.beyond(0)

    def text(self, index: int, side: int, start: int, length: int) -> bytes:
        """The part of a line that a trace shows, after both lines have been read."""
        self._catch_up(2 * index + 2)
        buffer = self._gold_copy if side == GOLD else self._line_buffer
        memory = b"".join(buffer.beyond(0))
        shown = c_string(memory, start)
        return shown[:length] if length >= 0 else shown

    def _catch_up(self, steps: int) -> None:
        for step in range(self._steps, steps):
            self._pass(step)
        self._steps = max(self._steps, steps)

    def _pass(self, step: int) -> None:
        index, side = divmod(step, 2)
        if side == TEST:
            # The copy is made between the two reads, and as a string: up to a NUL.
            self._gold_copy.write(c_string(self._sides[GOLD].line(index)))
        self._line_buffer.write(self._sides[side].line(index))


def _not_hidden(gold: Lines, test: Lines, first: int, last: int) -> Iterable[int]:
    """The steps of the pairs from ``first`` to ``last`` that show when all are done, and few
    others: a line hides what is no longer than itself."""
    if b"\0" in gold.text:  # of such a line less is copied than was read
        return range(2 * first, 2 * last)
    steps: set[int] = set()
    for side, lines in enumerate((gold, test)):
        longest = 0
        starts = [*lines.starts[first : last + 1]]
        lengths = [*map(sub, starts[1:], starts)]
        for start in range(last - first, 0, -_SOME):
            some = range(max(start - _SOME, 0), start)
            if max(lengths[some.start : some.stop]) <= longest:
                continue
            for index in reversed(some):
                if lengths[index] > longest:
                    longest = lengths[index]
                    steps.update((2 * (first + index) + side, 2 * (first + index) + 1))
    return sorted(steps)
