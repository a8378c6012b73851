"""Dependencies without an alignment: a longest common subsequence of both sides' sequences.

The original calls this a bag of dependencies, but their order counts. It fills the table of the
textbook, row by row for gold and column by column for the test, both from their ends. Of all
longest subsequences it takes one by its way of breaking ties, and on that one depends how many
*open-class* dependencies match. It also leaves out cells that seem hopeless:

* in a row, a match that could at best reach what was reached already, even if every row that is
  left had a match;
* columns further than 2,000 from the diagonal, or a little more.

``common`` computes the same from rows of bits (Hyyrö 2004). What it relies on: cells left out are
worth no more than in the full table, so a path through the full table is the original's path if
all its cells are filled. That is so for every cell within the 2,000, but for matches of the first
kind, which can be on the path only after the final length was reached. If a path leaves the
2,000, ``banded.table`` fills the original's cells, and no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.dropin.sparseval.dependencies import Dependency
from treelens.dropin.sparseval.matches import WINDOW, Matches
from treelens.dropin.sparseval.words import Words

_BITS_KEPT = 1 << 29
"""Past so many cells (64 MB) not all rows are kept, but one of some;"""
_STEP = 256
"""of so many. The others are computed again when they are asked for."""


class Common(NamedTuple):
    """The length of the subsequence, and how many pairs in it are open-class on both sides."""

    length: int
    open: int


def common(
    gold: Sequence[Dependency], test: Sequence[Dependency], words: Words, *, labelled: bool
) -> Common:
    """What two sequences have in common, as the original finds it."""
    if gold == test and all(each.word and each.head_word for each in gold):
        return Common(len(gold), sum(each.is_open for each in gold))
    matches = Matches(gold[::-1], test[::-1], words, labelled=labelled)
    found = by_bits(matches)
    if found is None:
        # It loads numpy, which few sides need.
        from treelens.dropin.sparseval.banded import table

        found = Common(*table(matches))
    return found


def by_bits(matches: Matches) -> Common | None:
    """The answer, or None if it is not certain to be the original's."""
    rows = _Rows(matches)
    length = rows.value(matches.rows, matches.columns)
    if not length:
        return Common(0, 0)
    # From the row where the length is first reached, matches that cannot exceed it are left out.
    reached = rows.first_with(length)
    column = rows.place_of(reached, length)
    rows.restrict(reached, length)
    path = rows.path(matches.rows, matches.columns)
    if path is None or (path[0] != (reached, column) and rows.path(reached, column) is None):
        return None
    return Common(length, sum(matches.open(row, column) for row, column in path))


def _in_window(row: int, column: int) -> bool:
    return row - WINDOW <= column < row + WINDOW


class _Rows:
    """The rows of the table as bits: one is set where the value is no greater than before it."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._full = (1 << matches.columns) - 1
        self._reached: int | None = None
        self._length = 0
        self._step = 1 if matches.rows * matches.columns <= _BITS_KEPT else _STEP
        self._kept: list[int] = []
        self._block: list[int] = []
        self._block_start = 0
        self._fill(0)

    def _fill(self, first: int) -> None:
        """Compute all rows from this kept one on, to keep some."""
        row = self._kept[first] if first < len(self._kept) else self._full
        del self._kept[first:]
        self._kept.append(row)
        self._block = []
        for number in range(first * self._step + 1, self._matches.rows + 1):
            row = self._after(row, number)
            if not number % self._step:
                self._kept.append(row)

    def _after(self, row: int, number: int) -> int:
        """The row with this number from the one before it."""
        allowed = self._matches.bits(number)
        if self._reached is not None and number > self._reached:
            # A match counts if it can still lead to more than the length.
            least = self._length - (self._matches.rows - number)
            if least > 0:
                from_column = _place_of(self._full ^ row, least)
                allowed = (allowed >> from_column) << from_column
        hits = row & allowed
        return ((row + hits) | (row ^ hits)) & self._full if hits else row

    def __getitem__(self, number: int) -> int:
        if self._step == 1:
            return self._kept[number]
        if not self._block_start <= number < self._block_start + len(self._block):
            kept = max(number - 1, 0) // self._step
            row, start = self._kept[kept], kept * self._step
            self._block, self._block_start = [row], start
            # The first row of the next block too: a path looks at a row and the one before it.
            for each in range(start + 1, min(start + self._step, self._matches.rows) + 1):
                row = self._after(row, each)
                self._block.append(row)
        return self._block[number - self._block_start]

    def value(self, row: int, column: int) -> int:
        return column - (self[row] & ((1 << column) - 1)).bit_count()

    def first_with(self, length: int) -> int:
        """The first row that reaches a length (the last row does)."""
        equal = self._matches.columns - length
        before = [number for number, row in enumerate(self._kept) if row.bit_count() > equal]
        low = before[-1] * self._step + 1
        high = min(low + self._step - 1, self._matches.rows)
        while low < high:
            middle = (low + high) // 2
            if self[middle].bit_count() <= equal:
                high = middle
            else:
                low = middle + 1
        return low

    def place_of(self, row: int, value: int) -> int:
        """The first column of a row that has the value."""
        return _place_of(self._full ^ self[row], value)

    def restrict(self, reached: int, length: int) -> None:
        """Leave matches that cannot lead to more than the length out of all rows behind one."""
        self._reached, self._length = reached, length
        self._fill(reached // self._step)

    def path(self, row: int, column: int) -> list[tuple[int, int]] | None:
        """The matches on the way back from a cell; None if the way leaves the window.

        Where a cell is worth no less than the ones before it in its row and in its column, it
        comes from the one before it in both, with a match or without; else from its row, unless
        its column is worth more.
        """
        found: list[tuple[int, int]] = []
        here, above = self.value(row, column), self.value(row - 1, column) if row else 0
        while row and column and here:
            if not _in_window(row, column):
                return None
            before = column - 1
            corner = above - 1 + (self[row - 1] >> before & 1)
            left = here - 1 + (self[row] >> before & 1)
            if left >= above and left > corner:
                column, here, above = before, left, corner
                continue
            if above <= corner:
                if here > corner:
                    found.append((row, column))
                column, here = before, corner
            else:
                here = above
            row -= 1
            above = self.value(row - 1, column) if row else 0
        return found


def _place_of(row: int, value: int) -> int:
    """The column of the bit that is the value-th from below; 0 for none."""
    if value <= 0:
        return 0
    above = row.bit_count() - value
    low, high = 0, row.bit_length()
    while low < high:
        middle = (low + high + 1) // 2
        if (row >> (middle - 1)).bit_count() > above:
            low = middle
        else:
            high = middle - 1
    return low
