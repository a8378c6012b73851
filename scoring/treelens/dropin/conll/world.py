"""The outside world as the CoNLL scorers see it. Nothing else in this package touches it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, NamedTuple, Protocol

from treelens.dropin.shared.world import Parts

Arrived = Callable[[], Parts | None]
"""Waits for what comes of some work, and has it: None if nothing does."""


class Beside(Protocol):
    """Begins some work in another process, which ends with the context at the latest; None if
    there is no other process."""

    def __call__(self, work: Callable[[], Parts]) -> AbstractContextManager[Arrived | None]: ...


def _nowhere(work: Callable[[], Parts]) -> AbstractContextManager[Arrived | None]:
    return nullcontext()


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
    size: Callable[[bytes], int] = lambda name: 0
    """How many bytes a file has that may be opened once more; zero of one that may not."""
    beside: Beside = _nowhere
