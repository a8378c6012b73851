"""What is known of all sentences while they are counted: written down, and read again in part."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.align.groups import NONE, Groups, joined
from treelens.trees.forest import each_once

Number = TypeVar("Number", bound=np.integer[Any])

_HELD_BYTES = 1 << 20
"""Of rows, before they are written down."""
_WINDOW_BYTES = 1 << 18
"""Of rows that are read at a time."""
_TOGETHER = 1 << 12
"""Groups that are written and read at a time, or a few more."""


class Waiting(Protocol):
    """Bytes that are written down, in any number of pieces, and read when they are asked for."""

    def add(self, pieces: Iterable[bytes]) -> range:
        """Where they are."""

    def read(self, place: range) -> bytes: ...


class Held:
    """The same in memory, for texts that are no longer than one stretch or two."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, pieces: Iterable[bytes]) -> range:
        start = len(self._bytes)
        self._bytes += b"".join(pieces)
        return range(start, len(self._bytes))

    def read(self, place: range) -> bytes:
        return bytes(self._bytes[place.start : place.stop])


class WaitingRows(Generic[Number]):
    """Rows of so many whole numbers of one kind, added in order; ``waiting`` holds nothing else."""

    def __init__(self, waiting: Waiting, columns: int, kind: type[Number]) -> None:
        self._waiting = waiting
        self._kind, self._columns = np.dtype(kind), columns
        self._row = max(columns * self._kind.itemsize, 1)
        self._window = max(_WINDOW_BYTES // self._row, 1)
        self._last = bytearray()
        self._count = self._written = 0
        self._first, self._rows = 0, self._of(b"")

    def add(self, rows: npt.NDArray[Number]) -> None:
        self._last += np.ascontiguousarray(rows, self._kind).tobytes()
        self._count += len(rows)
        if len(self._last) > _HELD_BYTES:
            self._write()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, rows: slice | npt.NDArray[np.integer[Any]]) -> npt.NDArray[Number]:
        if isinstance(rows, slice):
            first, end, _ = rows.indices(self._count)
            return self._between(first, max(first, end))
        found = np.empty((len(rows), self._columns), self._kind)
        windows = rows // self._window
        for window in each_once(windows).tolist():
            here, first = windows == window, window * self._window
            found[here] = self._between(first, min(first + self._window, self._count))[
                rows[here] - first
            ]
        return found

    def _between(self, first: int, end: int) -> npt.NDArray[Number]:
        if first < self._first or end > self._first + len(self._rows):
            self._first = first
            self._rows = self._read(first, min(max(end, first + self._window), self._count))
        return self._rows[first - self._first : end - self._first]

    def _read(self, first: int, end: int) -> npt.NDArray[Number]:
        if not self._written:
            return self._of(bytes(self._last[first * self._row : end * self._row]))
        self._write()
        return self._of(self._waiting.read(range(first * self._row, end * self._row)))

    def _of(self, data: bytes) -> npt.NDArray[Number]:
        return np.frombuffer(data, self._kind).reshape(-1, self._columns)

    def _write(self) -> None:
        if self._last:
            self._written = self._waiting.add([bytes(self._last)]).stop
            self._last = bytearray()


class WaitingTexts:
    """Texts by number, those together that were added together."""

    def __init__(self, waiting: Waiting) -> None:
        self._waiting = waiting
        self._places: list[range] = []

    def add(self, texts: Mapping[int, bytes]) -> None:
        place = range(0)
        if texts:
            sizes = [(number, len(text)) for number, text in texts.items()]
            head = np.array([(len(texts), 0), *sizes], np.int64)
            place = self._waiting.add([head.tobytes(), *texts.values()])
        self._places.append(place)

    def texts(self, at: int) -> dict[int, bytes]:
        """Those that were added as the ``at``-th, from 0."""
        if not self._places[at]:
            return {}
        data = self._waiting.read(self._places[at])
        count = int(np.frombuffer(data, np.int64, 1)[0])
        head = np.frombuffer(data, np.int64, 2 * count + 2).reshape(-1, 2)
        numbers, sizes = head[1:].T
        ends = np.cumsum([head.nbytes, *sizes])
        bounds = itertools.pairwise(ends.tolist())
        texts = (data[first:end] for first, end in bounds)
        return dict(zip(numbers.tolist(), texts, strict=True))


class WaitingGroups:
    """Groups in order, some at a time, as often as they are asked for."""

    def __init__(self, waiting: Waiting, parts: Iterable[Groups]) -> None:
        self._waiting = waiting
        self._places = [
            waiting.add(column.tobytes() for column in some) for some in _together(parts)
        ]

    def __iter__(self) -> Iterator[Groups]:
        return map(_groups, map(self._waiting.read, self._places))


def _together(parts: Iterable[Groups]) -> Iterator[Groups]:
    some: list[Groups] = []
    count = 0
    for part in parts:
        some.append(part)
        count += len(part.stood)
        if count >= _TOGETHER:
            yield joined(some)
            some, count = [], 0
    yield joined(some)


def _groups(data: bytes) -> Groups:
    kinds = [column.dtype for column in NONE]
    ends = np.cumsum([0, *(kind.itemsize for kind in kinds)])
    places = itertools.pairwise((ends * (len(data) // ends[-1])).tolist())
    return Groups._make(
        np.frombuffer(data[first:end], kind)
        for kind, (first, end) in zip(kinds, places, strict=True)
    )
