"""Messages in a stream of bytes: ``Content-Length: N``, an empty line, N bytes of JSON.

Whatever arrives, reading goes on at the next header that makes sense, and memory is taken only
for bytes that are there. What goes out goes out whole.
"""

from __future__ import annotations

import logging
import os
import re
import select
import socket
from typing import Any, BinaryIO

from treelens_server.limits import LARGEST

_LOG = logging.getLogger("treelens")

_LONGEST_BODY = 2 * LARGEST
"""Bytes of a message; the largest text of which every second character is escaped."""

_LONGEST_LINE = 1 << 16
_LONGEST_HEADER = 64
_PART = 1 << 20

# At the end of a line, wherever it begins: after a body that nothing announced, or that is
# shorter than was announced, the next header has no line of its own.
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,40})[ \t]*\r?\n\Z", re.IGNORECASE)


def read_message(reader: BinaryIO) -> bytes | None:
    """The body of the next message; None at the end of the stream."""
    length, before = None, b""
    while line := reader.readline(_LONGEST_LINE):
        header = _LENGTH.search(before + line)
        # (A line that is read in parts may break inside of a header.)
        before = b"" if line.endswith(b"\n") else (before + line)[-_LONGEST_HEADER:]
        if header is not None:
            length = _accepted(int(header[1]))
        elif not line.strip() and length is not None:
            try:
                return _body(reader, length)
            except MemoryError:
                _LOG.error("no memory for a message of %d bytes: passed over", length)
                length = None
    return None


def _accepted(length: int) -> int | None:
    if length <= _LONGEST_BODY:
        return length
    most = _LONGEST_BODY >> 20
    _LOG.error("a message of %d bytes; %d MB is the most that is read: passed over", length, most)
    return None


def _body(reader: BinaryIO, length: int) -> bytes | None:
    """None if the stream ends before."""
    parts, wanting = [], length
    while wanting:
        part = reader.read(min(wanting, _PART))
        if not part:
            return None
        parts.append(part)
        wanting -= len(part)
    return b"".join(parts)


class Output:
    """A file descriptor that is written to until all is written.

    Python's own standard output is not enough: with ``PYTHONUNBUFFERED`` a write that the
    system cuts short (a pipe is full and the process is stopped and continued) loses the rest.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.broken = False
        """Whether nobody reads what is written any more."""

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._written(rest) :]
        except OSError:
            self.broken = True
            raise

    def close(self) -> None:
        """Nothing is held back; the descriptor is its owner's."""

    def _written(self, data: memoryview) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:  # somebody else made the stream one that does not wait
            select.select([], [self._descriptor], [])
            return 0


class Connection(Output):
    """The same of a socket."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection.fileno())
        self._connection = connection

    def _written(self, data: memoryview) -> int:
        return self._connection.send(data)


def value_at(message: Any, path: str) -> Any:
    """What a message, or a part of one, has at ``params.textDocument.uri``, say; None where there
    is nothing, or it is made otherwise."""
    value = message
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value
