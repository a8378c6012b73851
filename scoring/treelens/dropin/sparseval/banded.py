"""The original's table, a row at a time, with the cells that it fills and no others.

What it never fills is 0 here; the original's memory may hold anything there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treelens.dropin.sparseval.matches import WINDOW, Matches

_Counts = NDArray[np.int64]


def table(matches: Matches) -> tuple[int, int]:
    """The value of the last cell, and how many of its matches are open-class."""
    filling = _Filling(matches)
    for row in range(1, matches.rows + 1):
        filling.fill(row)
    return filling.result()


class _Filling:
    """Two rows of the table. Index 0 is the column before the first."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        size = matches.columns + 1
        self._this = np.zeros((2, size), np.int64)
        """Lengths, and open-class matches in them."""
        self._last = np.zeros((2, size), np.int64)
        self._open_columns = np.array([False, *matches.open_columns])
        self._best = 0
        self._window = WINDOW
        self._first = 1
        """Columns before this one are filled no more."""

    def result(self) -> tuple[int, int]:
        length, opened = self._last[:, -1].tolist()
        return length, opened

    def fill(self, row: int) -> None:
        this, size = self._this, self._matches.columns + 1
        this[:, self._first - 1] = 0
        start = max(self._first, min(row - self._window, size))
        this[:, self._first : start] = self._last[:, self._first : start]
        self._first = start
        end = max(min(self._window + row, size), start)
        # The last column keeps what it had two rows ago, if the window does not reach it.
        unreached = this[:, -1].copy()
        self._fill_cells(row, start, end)
        exceeding = np.flatnonzero(this[0, start:end] > self._best)
        if len(exceeding):
            # The first cell with a new greatest length moves the window, in this row already.
            column = start + int(exceeding[0])
            self._best += 1
            self._window = abs(row - column) + WINDOW
            before, end = end, min(self._window + row, size)
            self._fill_cells(row, min(before, end), end)
        if end < size:
            this[:, -1] = unreached
        self._drop_hopeless(row, start, end)
        this[:, end : size - 1] = this[:, end - 1 : end]
        self._this, self._last = self._last, this

    def _fill_cells(self, row: int, start: int, end: int) -> None:
        """Fill the cells of a stretch, the one before it being filled."""
        if start >= end:
            return
        this, last = self._this, self._last
        above, corner = last[0, start:end], last[0, start - 1 : end - 1]
        columns = np.array(self._matches.of(row), np.int64)
        columns = columns[(columns >= start) & (columns < end)]
        left_rows = self._matches.rows - row
        columns = columns[last[0, columns - 1] + 1 + left_rows > self._best]
        reached = np.maximum(above, corner)
        reached[columns - start] = np.maximum(reached[columns - start], last[0, columns - 1] + 1)
        this[0, start:end] = reached
        np.maximum.accumulate(this[0, start - 1 : end], out=this[0, start - 1 : end])
        left = this[0, start - 1 : end - 1]
        from_corner = (corner >= left) & (corner >= above)
        opened = np.where(from_corner, last[1, start - 1 : end - 1], last[1, start:end])
        if self._matches.open_rows[row - 1]:
            matched = columns[from_corner[columns - start]]
            opened[matched - start] += self._open_columns[matched]
        # From the left comes what the nearest cell has that does not come from the left.
        origin = np.arange(start, end)
        origin[~from_corner & (left >= above)] = start - 1
        np.maximum.accumulate(origin, out=origin)
        this[1, start:end] = opened
        this[1, start:end] = this[1, origin]

    def _drop_hopeless(self, row: int, start: int, end: int) -> None:
        """Drop the columns at the window's left end that cannot lead to more than was reached."""
        this, last = self._this, self._last
        left_rows = self._matches.rows - row
        least = self._best - 1 - left_rows
        if least < 0:
            return
        corner = last[0, start - 1 : end - 1]
        from_corner = (corner >= this[0, start - 1 : end - 1]) & (corner >= last[0, start:end])
        value = np.where(from_corner, corner, this[0, start:end])
        hopeful = np.flatnonzero(value > least)
        self._first = start + (int(hopeful[0]) if len(hopeful) else end - start)
