"""The outside world as the CoNLL scorers see it. Nothing else in this package touches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class World(NamedTuple):
    """Files and streams. A file that cannot be opened gives the system's error number, which
    is what Perl's ``die`` ends with."""

    read: Callable[[bytes], bytes | int]
    """The bytes of a file; of standard input when its name is ``-``."""
    write: Callable[[bytes, bytes], int]
    """Replace a file by these bytes: 0, or the error number."""
    print: Callable[[bytes], object]
    complain: Callable[[bytes], object]
