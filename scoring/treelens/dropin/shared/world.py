"""The outside world as the drop-ins see it: files to read, two streams, one file to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

Block = tuple[int, int]
Parts = Sequence[bytes]


def in_turn(work: Callable[[Block], Parts], blocks: Iterable[Block]) -> Iterator[Parts]:
    """Shares nothing out."""
    return map(work, blocks)


class World(NamedTuple):
    """``open`` gives a file's bytes as a stream, or None when it cannot be opened; ``print``
    writes to standard output, ``complain`` to standard error; ``write_status`` replaces the file
    ``status`` in the working directory; ``share_out`` does some work on each of many blocks, in
    their order, in processes or not."""

    open: Callable[[bytes], BinaryIO | None]
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    write_status: Callable[[bytes], object]
    share_out: Callable[[Callable[[Block], Parts], Sequence[Block]], Iterator[Parts]] = in_turn


class Stop(Exception):  # noqa: N818 — an ending, not an error
    """The program ends here, with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
