"""Forests of texts that wait on disk, a few of which are in memory at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from treelens.cli.waiting import WaitingBytes
from treelens.session.document import ForestStore
from treelens.trees.forest import Forest, gather
from treelens.trees.stored import forest_of, stored

HELD = 2
"""Forests of a text in memory: who goes through it looks at the end of one and the start of the
next."""


class Shelf:
    """Forests by number, in the order in which they were put there, whichever texts they are of;
    those used last are held. No file is made while all are. To be used by any thread."""

    def __init__(self, held: int) -> None:
        self._most = held
        self._held: OrderedDict[int, Forest] = OrderedDict()
        self._written = WaitingBytes()
        self._places: list[range] = []
        self._lock = threading.Lock()

    def put(self, forest: Forest) -> int:
        """A forest's number."""
        with self._lock:
            self._places.append(range(0))
            self._hold(len(self._places) - 1, forest)
            return len(self._places) - 1

    def forest(self, number: int, like: Forest) -> Forest:
        """The forest of a number, with the symbols and the format of another one."""
        with self._lock:
            if number in self._held:
                self._held.move_to_end(number)
            else:
                self._hold(number, forest_of(self._written.mapped(self._places[number]), like))
            return self._held[number]

    def _hold(self, number: int, forest: Forest) -> None:
        self._held[number] = forest
        while len(self._held) > self._most:
            gone, least = self._held.popitem(last=False)
            if not self._places[gone]:
                self._places[gone] = self._written.add(stored(least))


class ShelvedText(ForestStore):
    """The forests of one text on a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._numbers: list[int] = []
        self._like: Forest | None = None

    def add(self, forest: Forest) -> None:
        if self._like is None:
            self._like = gather(forest, np.zeros(0, np.int64))
        self._numbers.append(self._shelf.put(forest))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._numbers)))

    def __getitem__(self, number: int) -> Forest:
        shelved = self._numbers[number]
        assert self._like is not None
        return self._shelf.forest(shelved, self._like)
