"""The table that the original fills to compare two sequences, cell by cell: a model to test by."""

from __future__ import annotations

from treelens.dropin.sparseval.matches import Matches


def table(matches: Matches, window_size: int) -> tuple[int, int]:
    """The value of the last cell, and how many of its matches are open-class."""
    rows, columns = matches.rows, matches.columns
    this, last = [0] * (columns + 1), [0] * (columns + 1)
    this_open, last_open = [0] * (columns + 1), [0] * (columns + 1)
    best, window, first = 0, window_size, 1
    for row in range(1, rows + 1):
        this[first - 1] = this_open[first - 1] = 0
        while first <= columns and first < row - window:
            this[first], this_open[first] = last[first], last_open[first]
            first += 1
        matching = set(matches.of(row))
        left = rows - row
        column = first
        while column <= columns and column < window + row:
            value, opened = this[column - 1], this_open[column - 1]
            if last[column] > value:
                value, opened = last[column], last_open[column]
            hopeless = False
            if last[column - 1] + 1 > value:
                value, opened = last[column - 1], last_open[column - 1]
                if value + 1 + left <= best:
                    hopeless = True
                elif column in matching:
                    value += 1
                    opened += matches.open(row, column)
                    if value > best:
                        best, window = value, abs(row - column) + window_size
            else:
                hopeless = value + 1 + left <= best
            this[column], this_open[column] = value, opened
            if hopeless and column == first:
                first += 1
            column += 1
        for rest in range(column, columns):
            this[rest], this_open[rest] = this[rest - 1], this_open[rest - 1]
        this, last, this_open, last_open = last, this, last_open, this_open
    return (last[columns], last_open[columns])
