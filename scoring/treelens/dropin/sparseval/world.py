"""The outside world as SParseval sees it. Nothing else in this package touches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, NamedTuple

Places = list[tuple[int, int]]
"""For each word the stretch ``[start, end)`` of an axis that both sides share."""


class World(NamedTuple):
    open: Callable[[bytes], BinaryIO | str]
    """A file, or why it cannot be read."""
    write: Callable[[bytes, bytes], str]
    """Replace a file by these bytes; why that failed, or nothing."""
    append: Callable[[bytes, bytes], object]
    """Write these bytes behind what is in a file that could be replaced; a fault is an OSError."""
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    align: Callable[[list[bytes], list[bytes]], tuple[Places, Places]]
    """Lay the words of gold and test on one axis (for ``--align own``)."""
