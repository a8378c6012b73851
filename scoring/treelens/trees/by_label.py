"""What there is to know of labels, a row a label.

A label gets its row once: a file in which new labels are typed all day asks of each new one only.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Symbols

Column = npt.NDArray[Any]
Asked = ParamSpec("Asked")
Found = TypeVar("Found")

_KEPT = 16
"""Tables of the same symbols: under other parameters there are others."""


def kept(
    make: Callable[Concatenate[Symbols, Asked], Found],
) -> Callable[Concatenate[Symbols, Asked], Found]:
    """What is made of symbols, made once for the same arguments. It is kept with the symbols, and
    gone when these are let go of: words take much room. So it knows them weakly, and is asked by
    those only who have them."""

    def found(symbols: Symbols, /, *asked: Asked.args, **named: Asked.kwargs) -> Found:
        key = make, asked
        known: Found | None = symbols.known.get(key)
        if known is None:
            if len(symbols.known) >= _KEPT:
                symbols.known.clear()
            known = symbols.known.setdefault(key, make(weakref.proxy(symbols), *asked, **named))
        return known

    return found


class ByLabel:
    """Columns that grow as the symbols get labels; any thread may ask."""

    def __init__(
        self, symbols: Symbols, dtypes: Sequence[type], row: Callable[[str], Sequence[int]]
    ) -> None:
        self._symbols = symbols
        self._row = row
        self._lock = threading.Lock()
        self._room: list[Column] = [np.zeros(64, dtype) for dtype in dtypes]
        self._columns: list[Column] = [column[:0] for column in self._room]

    def columns(self) -> list[Column]:
        """``(labels,)`` each, by id: of all labels so far. Those given out before stay."""
        with self._lock:
            first = len(self._columns[0])
            labels = self._symbols.labels[first:]
            if labels:
                self._add(first, np.array([self._row(label) for label in labels]))
            return self._columns

    def _add(self, first: int, rows: Column) -> None:
        end = first + len(rows)
        if end > len(self._room[0]):  # (Twice as much each time: a row is seldom copied.)
            self._room = [np.resize(column, 2 * end) for column in self._room]
        for column, values in zip(self._room, rows.T, strict=True):
            column[first:end] = values
        self._columns = [column[:end] for column in self._room]
