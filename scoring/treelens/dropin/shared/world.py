"""The outside world as the drop-ins see it: files to read, two streams, one file to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class World(NamedTuple):
    """``read`` gives a file's bytes, or None when it cannot be opened; ``print`` writes to
    standard output, ``complain`` to standard error; ``write_status`` replaces the file
    ``status`` in the working directory."""

    read: Callable[[bytes], bytes | None]
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    write_status: Callable[[bytes], object]


class Stop(Exception):  # noqa: N818 — an ending, not an error
    """The program ends here, with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
