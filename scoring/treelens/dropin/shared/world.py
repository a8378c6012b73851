"""The outside world as the drop-ins see it: files to read, two streams, one file to write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, Protocol, TypeVar

Item = TypeVar("Item")
Parts = Sequence[bytes]
"""What comes of some work, as another process sends it."""


class ShareOut(Protocol):
    """Does some work on each of about ``count`` items, in their order, in processes or not; each
    process calls ``items`` once, which makes the same ones each time."""

    def __call__(
        self, work: Callable[[Item], Parts], items: Callable[[], Iterable[Item]], count: int
    ) -> Iterator[tuple[Item, Parts]]: ...


def in_turn(
    work: Callable[[Item], Parts], items: Callable[[], Iterable[Item]], count: int
) -> Iterator[tuple[Item, Parts]]:
    """Shares nothing out."""
    return ((item, work(item)) for item in items())


class World(NamedTuple):
    """``open`` gives a file's bytes as a stream, or None when it cannot be opened; ``print``
    writes to standard output, ``complain`` to standard error; ``write_status`` replaces the file
    ``status`` in the working directory; ``size`` is how many bytes a file has that may be opened
    once more, zero of one that may not."""

    open: Callable[[bytes], BinaryIO | None]
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    write_status: Callable[[bytes], object]
    share_out: ShareOut = in_turn
    size: Callable[[bytes], int] = lambda name: 0


class Stop(Exception):  # noqa: N818 — an ending, not an error
    """The program ends here, with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
