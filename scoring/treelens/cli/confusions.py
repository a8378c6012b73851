"""Confusion tables of any number of categories in bounded memory: what is written may be another
thing in each sentence."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from treelens.dropin.shared.spilled import Counters, Spilled
from treelens.statistics.kappa import Cell, Kappa

if TYPE_CHECKING:
    import tempfile

_MOST = 1 << 15
"""Keys that are held, of all tables."""


class WaitingTables:
    """Makes tables that wait on disk where they have many cells together."""

    def __init__(self) -> None:
        self._counters = Counters(self._folder, _MOST)

    def table(self) -> WaitingTable:
        return WaitingTable(self._counters)

    def _folder(self) -> str:
        return self._temporary.name

    @functools.cached_property
    def _temporary(self) -> tempfile.TemporaryDirectory[str]:
        """Gone with this object."""
        import tempfile  # which few categories do without

        return tempfile.TemporaryDirectory(prefix="treelens-")


class WaitingTable:
    """A :class:`~treelens.statistics.kappa.Table` of categories that are written."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._differ: Spilled = counters.new()
        # How often either gives a category, whose counts are multiplied.
        self._margins: Spilled = counters.new(lambda key: key[1:])
        self._items = self._agreed = 0

    def add(self, cells: Iterable[Cell], times: int = 1) -> None:
        for first, second, count in cells:
            count *= times
            self._items += count
            self._margins.update({b"1%b" % first: count})
            self._margins.update({b"2%b" % second: count})
            if first == second:
                self._agreed += count
            else:
                self._differ.update({b"%d %b%b" % (len(first), first, second): count})
        self._counters.bound()

    def __bool__(self) -> bool:
        return self._items > 0

    @property
    def kappa(self) -> Kappa:
        products = sum(
            count * counts[b"2%b" % key[1:]]
            for counts in self._margins.batches()
            for key, count in counts.items()
            if key.startswith(b"1")
        )
        return Kappa(self._items, self._agreed, products)

    def disagreements(self) -> Iterator[Cell]:
        for counts in self._differ.batches():
            for key, count in counts.items():
                size, _, both = key.partition(b" ")
                yield both[: int(size)], both[int(size) :], count
