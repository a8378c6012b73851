"""Named texts: opened by whoever knows how, unpacked, and read as a stream of UTF-8."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, BinaryIO, NamedTuple, cast

CHUNK_BYTES = 1 << 18
"""What is read of a stream at a time."""

Watch = Callable[[int], None]
"""Told of each read how many bytes it was, as they are stored; what it raises ends the work."""

PACKED = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
"""Endings of files that are packed, and by what."""

_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_LONGEST_MAGIC = max(map(len, _MAGIC))

_PIECE = 1 << 10
"""Bytes that are unpacked at a time: of zstd they may come to thirty thousand times as many."""

LONGEST_LINE = 1 << 28
"""Bytes without a line break after which a text is none: nobody has such a tree, and what does not
end may go on so."""

_OF_UNPACKERS = {"LZMAError", "ZstdError"}
"""What those of unpackers' errors are called that are of no general kind; what defines them is
loaded only where something is packed so."""

_MARKS = (
    # The first of these that fits is right: UTF-32's mark starts with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)


class SourceError(Exception):
    """A source that cannot be read on: the message says which, and why."""


class Source(NamedTuple):
    """A file of a corpus.

    name: its path in the corpus, with ``/`` between its parts. open: a new stream of its bytes
    from the start, as they are stored, for a ``with`` statement. size: how many these are, where
    that is known.
    """

    name: str
    open: Callable[[], AbstractContextManager[BinaryIO]]
    size: int | None = None


def of_text(name: str, text: bytes) -> Source:
    """A source that is in memory already."""
    return Source(name, lambda: io.BytesIO(text), len(text))


def unwatched(count: int) -> None:
    """The watch of work that nobody waits for."""


def chunks(source: Source, watch: Watch = unwatched) -> Iterator[bytes]:
    """A source's text in UTF-8, without a byte order mark; what is no text is left as it is.

    Unpacked by what the bytes are, not by what the name says. Raises :class:`SourceError`, also
    where packed bytes are damaged; what comes before the damage has been given by then.
    """
    with _told(source), _opened(source) as stream:
        yield from _in_lines(source, _utf8(_unpacked(_Stream(stream, watch))))


def unpacked(source: Source) -> Iterator[bytes]:
    """A source's bytes, in whatever encoding. Raises as :func:`chunks`."""
    with _told(source), _opened(source) as stream:
        packed = _unpacked(_Stream(stream, unwatched))
        yield from _in_lines(source, iter(lambda: packed.read(CHUNK_BYTES), b""))


def _in_lines(source: Source, parts: Iterator[bytes]) -> Iterator[bytes]:
    """The same, as far as there are line breaks."""
    line = 0
    for part in parts:
        yield part
        end = max(part.rfind(b"\n"), part.rfind(b"\r"))
        line = line + len(part) if end < 0 else len(part) - end - 1
        if line > LONGEST_LINE:
            size = f"{LONGEST_LINE >> 20:,} MB"
            raise SourceError(f"{source.name} is no text: a line of it is longer than {size}")


@contextlib.contextmanager
def _told(source: Source) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise SourceError(f"{source.name} cannot be read: {reason}") from problem
    except (ValueError, RuntimeError) as problem:  # what unpackers say of damage
        raise SourceError(f"{source.name} cannot be unpacked: {problem}") from problem
    except Exception as problem:
        if type(problem).__name__ not in _OF_UNPACKERS:
            raise
        raise SourceError(f"{source.name} cannot be unpacked: {problem}") from problem


def _opened(source: Source) -> AbstractContextManager[BinaryIO]:
    try:
        return source.open()
    except ValueError as problem:  # a name that holds a NUL
        raise SourceError(f"{source.name} cannot be read: {problem}") from problem


def whole(source: Source, watch: Watch = unwatched) -> bytes:
    """All of a source's text."""
    return b"".join(chunks(source, watch))


def is_plain(start: bytes) -> bool:
    """Whether a text that starts so is stored as it is read, but for a mark of UTF-8."""
    return not start.startswith(tuple(_MAGIC)) and encoding_of(start)[0] == "utf-8"


def encoding_of(start: bytes) -> tuple[str, int]:
    """What a text that starts so is written in, and the length of the mark that says it.

    UTF-16 without one is known by every second byte being 0 where the first characters are ASCII,
    as those of treebanks are; no text in UTF-8 begins so.
    """
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding, len(mark)
    first, second = start[0:4:2], start[1:4:2]
    if second == b"\0\0" and 0 not in first:
        return "utf-16-le", 0
    if first == b"\0\0" and 0 not in second:
        return "utf-16-be", 0
    return "utf-8", 0


class _Stream(io.RawIOBase):
    """A stream that can be looked at ahead, and that says how much was read."""

    def __init__(self, stream: BinaryIO, watch: Watch) -> None:
        # One read of the file at a time: while many of a pipe's are waited for together, no signal
        # is heard that comes between two of them.
        self._read = getattr(stream, "read1", stream.read)
        self._watch = watch
        self._ahead = b""

    def peek(self, count: int) -> bytes:
        while len(self._ahead) < count:
            more = self._read(count - len(self._ahead))
            if not more:
                break
            self._ahead += more
        return self._ahead[:count]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._ahead[: len(buffer)]
        self._ahead = self._ahead[len(found) :]
        if not found:
            found = self._read(len(buffer)) or b""
        self._watch(len(found))
        buffer[: len(found)] = found
        return len(found)


def _unpacked(stream: _Stream) -> BinaryIO:
    start = stream.peek(_LONGEST_MAGIC)
    packing = next((found for magic, found in _MAGIC.items() if start.startswith(magic)), None)
    buffered = io.BufferedReader(stream, CHUNK_BYTES)
    if packing == "gzip":
        return cast(BinaryIO, importlib.import_module("gzip").GzipFile(fileobj=buffered))
    if packing == "bzip2":
        return _framed(buffered, importlib.import_module("bz2").BZ2Decompressor, CHUNK_BYTES)
    if packing == "xz":
        return _framed(buffered, importlib.import_module("lzma").LZMADecompressor, CHUNK_BYTES)
    if packing == "zstd":
        return _unpacked_zstd(buffered)
    return buffered


def _unpacked_zstd(stream: BinaryIO) -> BinaryIO:
    try:
        return cast(BinaryIO, importlib.import_module("compression.zstd").ZstdFile(stream))
    except ImportError:  # older than Python 3.14
        pass
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        raise ValueError("zstd needs the package 'zstandard' (treelens[corpus])") from None
    return _framed(stream, zstandard.ZstdDecompressor().decompressobj)


def _framed(stream: BinaryIO, begin: Callable[[], Any], *most: int) -> BinaryIO:
    return io.BufferedReader(_Frames(stream, begin, most), CHUNK_BYTES)


class _Frames(io.RawIOBase):
    """What has been packed frame by frame. (The packages' own readers take it for the end where a
    file is cut off, as zstd's does, or where something else follows, as those of bzip2 and xz do.)
    """

    def __init__(self, stream: BinaryIO, begin: Callable[[], Any], most: tuple[int, ...]) -> None:
        """``most``: how much a frame gives at a time, if it can be told that."""
        self._stream, self._begin, self._most = stream, begin, most
        self._frame: Any = None
        self._packed = b""
        self._ahead = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ahead:
            if self._frame is None and not self._begins():
                return 0
            packed = self._packed
            if not packed and getattr(self._frame, "needs_input", True):
                packed = self._stream.read(_PIECE)
                if not packed:
                    raise EOFError(
                        "Compressed file ended before the end-of-stream marker was reached"
                    )
            self._ahead = memoryview(self._frame.decompress(packed, *self._most))
            self._packed = self._frame.unused_data
            self._frame = None if self._frame.eof else self._frame
        size = min(len(buffer), len(self._ahead))
        buffer[:size], self._ahead = self._ahead[:size], self._ahead[size:]
        return size

    def _begins(self) -> bool:
        """Begin the next frame; False where none is left."""
        while packed := self._packed or self._stream.read(_PIECE):
            self._packed = packed.lstrip(b"\0")  # what a file of xz may be filled up with
            if self._packed:
                self._frame = self._begin()
                return True
        return False


def _utf8(stream: BinaryIO) -> Iterator[bytes]:
    text = iter(lambda: stream.read(CHUNK_BYTES), b"")
    head = b""
    for chunk in text:  # (unpackers may give less than they are asked for)
        head += chunk
        if len(head) >= 4:
            break
    encoding, mark = encoding_of(head)
    if encoding == "utf-8":
        yield head[mark:]
        yield from text
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(head[mark:]).encode("utf-8", "surrogatepass")
    for chunk in text:
        yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
    yield decoder.decode(b"", True).encode("utf-8", "surrogatepass")
