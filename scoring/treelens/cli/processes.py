"""Work on many pieces, shared out between processes.

Python's own pools take longer to load than what is to be shared out here. A process that is
forked has all the data already; it sends back what it found and ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Numbers = tuple[int, ...]

_FEWEST = 4
"""Pieces for a process; for less it is not worth starting one."""
_MOST = 4
"""Processes."""


def map_in_processes(
    work: Callable[[Item], Numbers | None], items: Sequence[Item]
) -> list[Numbers | None]:
    """Each item's result, whole numbers or None, in their order."""
    count = min(_processors(), _MOST, len(items) // _FEWEST)
    if count < 2:
        return [work(item) for item in items]
    cuts = [len(items) * number // count for number in range(count + 1)]
    pipes = [_start(work, items[cuts[k] : cuts[k + 1]]) for k in range(1, count)]
    found = [work(item) for item in items[: cuts[1]]]
    for k, (child, pipe) in enumerate(pipes, start=1):
        with open(pipe, encoding="ascii") as file:
            answer = file.read()
        if os.waitpid(child, 0)[1] == 0:
            found += map(_numbers, answer.splitlines())
        else:  # whatever has happened to it, the work can still be done here
            found += [work(item) for item in items[cuts[k] : cuts[k + 1]]]
    return found


_NOTHING = "none"


def _line(numbers: Numbers | None) -> str:
    return _NOTHING if numbers is None else " ".join(map(str, numbers))


def _numbers(line: str) -> Numbers | None:
    return None if line == _NOTHING else tuple(map(int, line.split(" ")))


def _processors() -> int:
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _start(work: Callable[[Item], Numbers | None], items: Sequence[Item]) -> tuple[int, int]:
    """A process that does some of the work, and the pipe that its results come from."""
    source, target = os.pipe()
    child = os.fork()
    if child:
        os.close(target)
        return child, source
    status = 1
    try:
        lines = [f"{_line(work(item))}\n" for item in items]
        with open(target, "w", encoding="ascii") as file:
            file.writelines(lines)
        status = 0
    finally:
        os._exit(status)  # nothing that the parent has in hand is finished twice
