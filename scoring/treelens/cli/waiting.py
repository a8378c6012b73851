"""What waits on disk until it is asked for again: bytes, and things as bytes."""

from __future__ import annotations

import io
import os
from array import array
from collections.abc import Callable, Iterable
from typing import BinaryIO, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Item = TypeVar("Item")

_HELD = 1024
"""Things that are held before they are written down together."""
_IN_MEMORY = 1 << 18
"""Bytes that no file is made for."""


class WaitingBytes:
    """Bytes in a temporary file, which is made when they are many and gone with this object. To be
    used by one thread at a time."""

    def __init__(self) -> None:
        self._file: BinaryIO = io.BytesIO()

    def add(self, pieces: Iterable[bytes]) -> range:
        """Where they are."""
        start = self._file.seek(0, os.SEEK_END)
        self._file.writelines(pieces)
        end = self._file.tell()
        if end > _IN_MEMORY:
            self._write()
        return range(start, end)

    def _write(self) -> None:
        """Put down what was held till now."""
        if isinstance(self._file, io.BytesIO):
            import tempfile  # which small files do without

            held = self._file
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 — closed when it is let go of
            self._file.write(held.getbuffer())

    def read(self, place: range) -> bytes:
        self._file.seek(place.start)
        return self._file.read(len(place))

    def mapped(self, place: range) -> npt.NDArray[np.uint8]:
        """The same without a copy; what is mapped is given back as a whole, which what is allocated
        may not be."""
        self._write()
        self._file.flush()
        data = np.memmap(self._file, np.uint8, "r", place.start, (len(place),))
        return data.view(np.ndarray)


class WaitingList(Generic[Item]):
    """Things by number, in the order in which they were added; only the last ones are held.
    written: as bytes, of which ``read`` makes it again."""

    def __init__(self, written: Callable[[Item], bytes], read: Callable[[bytes], Item]) -> None:
        self._written, self._read = written, read
        self._bytes = WaitingBytes()
        self._bounds = array("q", [0])
        self._held: list[Item] = []

    def append(self, item: Item) -> None:
        if len(self._held) == _HELD:
            for one in self._held:
                self._bounds.append(self._bytes.add([self._written(one)]).stop)
            self._held.clear()
        self._held.append(item)

    def __getitem__(self, number: int) -> Item:
        written = len(self._bounds) - 1
        if number >= written:
            return self._held[number - written]
        return self._read(self._bytes.read(range(*self._bounds[number : number + 2])))


def waiting_texts() -> WaitingList[str]:
    """What is told, to be read in another order."""
    return WaitingList[str](
        lambda text: text.encode("utf-8", "surrogatepass"),
        lambda data: data.decode("utf-8", "surrogatepass"),
    )
