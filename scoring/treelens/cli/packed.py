"""What a drop-in reads: a file's bytes as they are, unpacked where they are packed."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from treelens.cli import CannotContinue

if TYPE_CHECKING:
    from treelens.corpus.sources import Source

_MAGIC = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")
_LONGEST = max(map(len, _MAGIC))


def read(name: bytes | str) -> bytes:
    """All of a file. Raises OSError as ``open`` does, and CannotContinue where packed bytes are
    damaged."""
    with opened(name) as file:
        return file.read()


def opened(name: bytes | str) -> io.BufferedReader:
    """A file as a stream. Raises OSError as ``open`` does; reading raises CannotContinue."""
    file = open_file(name)
    if not file.peek(_LONGEST).startswith(_MAGIC):
        return file
    from treelens.corpus.sources import (
        Source,
    )  # with all that unpacks, which plain files do without

    return stream(chunks(Source(os.fsdecode(name), lambda: file)))


def open_file(name: bytes | str) -> io.BufferedReader:
    """A file, pipe or terminal as a stream. Raises OSError as ``open`` does, and where it is a
    device, which need not have an end."""
    file = open(name, "rb")  # noqa: SIM115 - it stays open
    if is_device(file):
        file.close()
        raise OSError(errno.EINVAL, "a device, not a file")
    return file


def is_device(file: BinaryIO) -> bool:
    """Whether a stream is neither a file, a pipe, a terminal, nor the one that is empty."""
    found = os.fstat(file.fileno())
    if not (stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)) or file.isatty():
        return False
    return not (os.path.exists(os.devnull) and found.st_rdev == os.stat(os.devnull).st_rdev)


def chunks(source: Source) -> Iterator[bytes]:
    """A file's bytes, unpacked. Raises CannotContinue."""
    from treelens.corpus.sources import SourceError, unpacked
    from treelens.render.width import clean

    try:
        yield from unpacked(source)
    except SourceError as problem:
        raise CannotContinue(clean(str(problem))) from None


def stream(parts: Iterator[bytes]) -> io.BufferedReader:
    """Parts of a file, none of them empty, as a stream."""
    return io.BufferedReader(_Unpacked(parts))


class _Unpacked(io.RawIOBase):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._ahead = chunks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._ahead or next(self._chunks, b"")
        count = min(len(buffer), len(chunk))
        buffer[:count], self._ahead = chunk[:count], chunk[count:]
        return count
