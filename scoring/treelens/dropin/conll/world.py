"""The outside world as the CoNLL scorers see it. Nothing else in this package touches it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import BinaryIO, NamedTuple


class World(NamedTuple):
    """Files and streams. A file that cannot be opened gives the system's error number, which
    is what Perl's ``die`` ends with."""

    open: Callable[[bytes], BinaryIO | int]
    """A file; standard input when its name is ``-``."""
    create: Callable[[bytes], BinaryIO | int]
    """A file to be written, empty as yet."""
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
    folder: Callable[[], AbstractContextManager[str]]
    """An empty temporary folder."""
