"""Work of the drop-ins, shared out between processes that are forked.

Such a process has all the data already. It sends back what it found, in parts of bytes, and ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

from treelens.cli.processes import all_processors, can_fork

Item = TypeVar("Item")
Parts = Sequence[bytes]
Numbers = tuple[int, ...]

_FEWEST = 2
"""Items for a process; for less it is not worth starting one."""
_MOST = 4
"""Processes."""
_PIPE_BYTES = 1 << 20
"""What waits in a pipe, where that can be said, before the process that fills it has to wait."""


def share_out(work: Callable[[Item], Parts], items: Sequence[Item]) -> Iterator[Parts]:
    """Each item's result in their order; the work of every other process is a little ahead."""
    count = min(_processors(), _MOST, len(items) // _FEWEST)
    if count < 2:
        yield from map(work, items)
        return
    children = [_start(work, items[k::count]) for k in range(1, count)]
    try:
        for number, item in enumerate(items):
            child = children[number % count - 1] if number % count else None
            found = _received(child.results) if child else None
            # Whatever has happened to a process, its work can still be done here.
            yield work(item) if found is None else found
    finally:
        for child in children:
            child.results.close()
            os.kill(child.process, signal.SIGKILL)  # it may have been left at its work
            os.waitpid(child.process, 0)


def map_numbers(
    work: Callable[[Item], Numbers | None], items: Sequence[Item]
) -> list[Numbers | None]:
    """Each item's result, whole numbers or None, in their order."""

    def written(item: Item) -> Parts:
        numbers = work(item)
        return [] if numbers is None else [b" ".join(b"%d" % number for number in numbers)]

    found = share_out(written, items)
    return [tuple(map(int, parts[0].split())) if parts else None for parts in found]


class _Child(NamedTuple):
    process: int
    results: BinaryIO


def _processors() -> int:
    return all_processors() if can_fork() else 1


def _start(work: Callable[[Item], Parts], items: Iterable[Item]) -> _Child:
    source, target = os.pipe()
    process = os.fork()
    if process:
        os.close(target)
        return _Child(process, open(source, "rb"))
    try:
        os.close(source)
        _widen(target)
        with open(target, "wb") as results:
            for item in items:
                _send(work(item), results)
    finally:
        os._exit(0)  # nothing that the parent has in hand is finished twice


def _widen(pipe: int) -> None:
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _send(parts: Parts, results: BinaryIO) -> None:
    """The parts behind a line that says how long each is."""
    results.write(b" ".join(b"%d" % len(part) for part in parts) + b"\n")
    results.writelines(parts)
    results.flush()


def _received(results: BinaryIO) -> Parts | None:
    """What was sent; None if it did not come, or not all of it."""
    head = results.readline()
    if not head.endswith(b"\n"):
        return None
    lengths = list(map(int, head.split()))
    parts = [results.read(length) for length in lengths]
    return parts if lengths == list(map(len, parts)) else None
