"""Bytes that wait on disk until they are asked for again."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import BinaryIO

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
