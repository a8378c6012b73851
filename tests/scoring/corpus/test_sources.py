"""Sources: packed, in other encodings, damaged, in pieces of any size."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from typing import BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.corpus import Source, SourceError, chunks, of_text, whole

TEXT = "(S (N Wörter) (V 𝔸𝔹))\n" * 2000
PACKINGS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


class Dribble(io.RawIOBase):
    """A stream that gives a few bytes at a time, as pipes may."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data, self._most = data, most

    def readable(self) -> bool:
        return True

    def read(self, count: int = -1) -> bytes:
        count = self._most if count < 0 else min(count, self._most)
        found, self._data = self._data[:count], self._data[count:]
        return found


def zstd(data: bytes) -> bytes:
    return cast(bytes, pytest.importorskip("zstandard").compress(data))


@pytest.mark.parametrize("packed", [*PACKINGS.values(), zstd, bytes])
def test_what_is_packed_reads_as_what_was_packed(packed) -> None:  # type: ignore[no-untyped-def]
    data = packed(TEXT.encode())
    assert whole(of_text("x.mrg", data)) == TEXT.encode()
    dribbling = Source("x.mrg", lambda: cast(BinaryIO, Dribble(data, 3)))
    assert whole(dribbling) == TEXT.encode()


def test_what_no_file_can_be_called_is_not_said_to_be_damaged() -> None:
    source = Source("\0", lambda: cast(BinaryIO, open("\0", "rb")))  # noqa: SIM115
    with pytest.raises(SourceError, match="cannot be read: embedded null byte"):
        whole(source)


@pytest.mark.parametrize("packed", [*PACKINGS.values(), zstd])
def test_what_was_packed_in_several_parts_is_read_on(packed) -> None:  # type: ignore[no-untyped-def]
    data = packed(TEXT.encode()) + packed(b"") + packed(TEXT.encode() * 50)
    assert whole(of_text("x.mrg", data)) == TEXT.encode() * 51


@pytest.mark.parametrize("packed", [*PACKINGS.values(), zstd])
def test_damage_is_said_and_what_comes_before_it_given(packed) -> None:  # type: ignore[no-untyped-def]
    data = packed(TEXT.encode() * 100)
    found = []
    with pytest.raises(SourceError, match=r"^x\.mrg cannot be (read|unpacked): ."):
        found += chunks(of_text("x.mrg", data[: len(data) // 2]))
    assert (TEXT.encode() * 100).startswith(b"".join(found))


@pytest.mark.parametrize("packed", [*PACKINGS.values(), zstd])
def test_what_follows_that_is_not_packed_so_is_damage(packed) -> None:  # type: ignore[no-untyped-def]
    found = []
    with pytest.raises(SourceError, match=r"^x\.mrg cannot be (read|unpacked): ."):
        found += chunks(of_text("x.mrg", packed(TEXT.encode()) + b"(S (N a))\n"))
    assert TEXT.encode().startswith(b"".join(found))
    filled_up = packed(TEXT.encode()) + bytes(64)
    assert whole(of_text("x.mrg", filled_up + packed(TEXT.encode()))) == TEXT.encode() * 2
    assert whole(of_text("x.mrg", filled_up)) == TEXT.encode()


@pytest.mark.parametrize("packed", [bz2.compress, lzma.compress])
def test_what_little_that_is_packed_comes_to_is_unpacked_in_pieces(packed) -> None:  # type: ignore[no-untyped-def]
    sizes = [len(part) for part in chunks(of_text("x.mrg", packed(bytes(b"\n" * (1 << 25)))))]
    assert sum(sizes) == 1 << 25
    assert max(sizes) <= 1 << 18


@given(
    st.text(max_size=40),
    st.sampled_from(["utf-8-sig", "utf-16", "utf-32", "utf-8"]),
    st.integers(1, 9),
)
def test_encodings_are_told_by_their_mark(text: str, encoding: str, most: int) -> None:
    text = text.lstrip("\ufeff\0")
    data = text.encode(encoding)
    found = whole(Source("x", lambda: cast(BinaryIO, Dribble(data, most))))
    assert found == text.encode() or not text.isprintable()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["(S (N שלום))\n", "1\tмир\n", "# a = b\n"])
def test_utf_16_is_told_without_a_mark(text: str, encoding: str) -> None:
    assert whole(of_text("x", text.encode(encoding))) == text.encode()


@pytest.mark.parametrize("start", [b"", b"(", b"(\0", b"(\0(", b"\0\0\0\0", b"((\0\0", b"(\0\0\0"])
def test_what_has_other_zeros_is_left_as_it_is(start: bytes) -> None:
    assert whole(of_text("x", start)) == start


def test_a_missing_file_is_said() -> None:
    def missing() -> BinaryIO:
        raise FileNotFoundError(2, "No such file or directory")

    with pytest.raises(SourceError, match=r"^a/b cannot be read: No such file or directory$"):
        whole(Source("a/b", missing))


def test_the_watch_is_told_of_every_byte_and_may_end_the_work() -> None:
    data = gzip.compress(TEXT.encode())
    told: list[int] = []
    whole(of_text("x", data), told.append)
    assert sum(told) == len(data)

    def cancel(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        whole(of_text("x", data), cancel)
