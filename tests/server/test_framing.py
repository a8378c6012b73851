"""Bytes in and out: reading goes on whatever arrives, and what is written is written whole."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator

import pytest
from hostile import framed, misframed
from hypothesis import given
from hypothesis import strategies as st
from treelens_server.framing import Output, read_message


def messages(data: bytes) -> Iterator[bytes]:
    reader = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]
    while (body := read_message(reader)) is not None:
        yield body


@given(st.lists(st.binary(max_size=50)))
def test_what_is_framed_is_read(bodies: list[bytes]) -> None:
    assert [*messages(b"".join(map(framed, bodies)))] == bodies


@given(st.integers(0, 10**6))
def test_after_whatever_is_no_message_the_next_one_is_read(seed: int) -> None:
    for nonsense in misframed(seed, 3):
        assert [*messages(nonsense + framed(b'{"next": 1}'))][-1] == b'{"next": 1}', nonsense


@pytest.mark.parametrize("before", [0, 1, 65_500, 65_520, 65_530, 65_536])
def test_a_header_is_found_behind_a_line_of_any_length(before: int) -> None:
    assert [*messages(b"x" * before + framed(b"{}"))] == [b"{}"]


def test_a_message_that_is_longer_than_any_takes_no_memory_and_is_passed_over() -> None:
    data = b"Content-Length: 1000000000000000000\r\n\r\n{}" + framed(b"[1]")
    assert [*messages(data)] == [b"[1]"]


def test_half_a_message_at_the_end_is_none() -> None:
    assert [*messages(b"Content-Length: 400000000\r\n\r\n{")] == []


@pytest.mark.skipif(os.name == "nt", reason="pipes there always wait")
def test_a_stream_that_does_not_wait_gets_all_that_is_written() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    data = bytes(range(256)) * 4000
    read: list[bytes] = []

    def drain() -> None:
        with open(reading, "rb") as file:
            read.append(file.read())

    thread = threading.Thread(target=drain)
    thread.start()
    Output(writing).write(data)
    os.close(writing)
    thread.join()
    assert read == [data]


def test_output_that_nobody_reads_is_broken() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    output = Output(writing)
    with pytest.raises(BrokenPipeError):
        output.write(b"x")
    assert output.broken
    os.close(writing)
