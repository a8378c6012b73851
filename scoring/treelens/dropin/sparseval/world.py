"""The outside world as SParseval sees it. Nothing else in this package touches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Places = list[tuple[int, int]]
"""For each word the stretch ``[start, end)`` of an axis that both sides share."""


class World(NamedTuple):
    read: Callable[[bytes], bytes | str]
    """The bytes of a file, or why there are none."""
    write: Callable[[bytes, bytes], str]
    """Replace a file by these bytes; why that failed, or nothing."""
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    align: Callable[[list[bytes], list[bytes]], tuple[Places, Places]]
    """Lay the words of gold and test on one axis (for ``--align own``)."""
