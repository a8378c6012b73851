"""Work on stretches of files, shared out between processes that are forked.

Such a process begins with all that there is. Each makes all items for itself, and does the work
on the next one that nobody else does; what it found it sends to the first, in parts of bytes,
and ends.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

from treelens.cli import memory
from treelens.cli.processes import all_processors, can_fork

Item = TypeVar("Item")
Parts = Sequence[bytes]
Numbers = tuple[int, ...]

_FEWEST = 2
"""Items for a process; for less it is not worth starting one."""
_MOST = 4
"""Processes."""
_AHEAD = 2
"""Items for each other process that may be in work while the first one goes on."""
_PIPE_BYTES = 1 << 20
"""What waits in a pipe, where that can be said, before the process that fills it has to wait."""
_TICKETS = 1000
_TICKET_BYTES = 4
"""So many tickets are added at once, which a pipe has room for."""
_LENGTH_BYTES = 8


def share_out(
    work: Callable[[Item], Parts],
    items: Callable[[], Iterable[Item]],
    count: int,
    most: int | None = None,
) -> Iterator[tuple[Item, Parts]]:
    """Each item and its result, in their order; the other processes are a little ahead.

    ``items`` is called once in every process, and makes the same ones, about ``count``. most:
    processes, if it is not to be as many as there are processors for.
    """
    memory.keep()
    processes = min(most or min(_processors(), _MOST), count // _FEWEST)
    if processes < 2:
        yield from ((item, work(item)) for item in items())
        return
    tickets = _Tickets()

    def serve(results: BinaryIO) -> None:
        tickets.only_wait()
        mine = tickets.wait()
        for number, item in enumerate(items()):
            if number == mine:
                _send(number, work(item), results)
                mine = tickets.wait()

    children = [_start(serve) for _ in range(1, processes)]
    others = _Others([child.results for child in children])
    try:
        for item, number, done in _begun(work, items(), tickets, _AHEAD * len(children)):
            found = others.result(number) if done is None else done
            # Whatever has happened to a process, its work can still be done here.
            yield item, work(item) if found is None else found
    finally:
        tickets.close()
        for child in children:
            _end(child)


@contextlib.contextmanager
def beside(work: Callable[[], Parts]) -> Iterator[Callable[[], Parts | None] | None]:
    """Some work in another process, if there is a processor for it: what waits for the result,
    which is None if it does not come."""
    if _processors() < 2:
        yield None
        return
    child = _start(lambda results: _send(0, work(), results))

    def result() -> Parts | None:
        message = _received(child.results)
        return message[1] if message else None

    try:
        yield result
    finally:
        _end(child)


def map_numbers(
    work: Callable[[Item], Numbers | None], items: Sequence[Item]
) -> list[Numbers | None]:
    """Each item's result, whole numbers or None, in their order."""

    def written(item: Item) -> Parts:
        numbers = work(item)
        return [] if numbers is None else [b" ".join(b"%d" % number for number in numbers)]

    found = share_out(written, items.__iter__, len(items))
    return [tuple(map(int, parts[0].split())) if parts else None for _, parts in found]


def _begun(
    work: Callable[[Item], Parts], items: Iterable[Item], tickets: _Tickets, ahead: int
) -> Iterator[tuple[Item, int, Parts | None]]:
    """Each item, its number, and its result if the work was done here. What others have taken is
    left to them as long as there is something to do, and no more waits for them than ``ahead``."""
    waiting: deque[tuple[Item, int, Parts | None]] = deque()
    mine = tickets.take()
    for number, item in enumerate(items):
        done = None
        if number == mine:
            done = work(item)
            mine = tickets.take()
        waiting.append((item, number, done))
        while waiting and (waiting[0][-1] is not None or len(waiting) > ahead):
            yield waiting.popleft()
    yield from waiting


class _Tickets:
    """The numbers of items; who takes one out of the pipe is the only one that has it."""

    def __init__(self) -> None:
        self._source, self._target = os.pipe()
        os.set_blocking(self._source, False)
        self._added = 0

    def take(self) -> int:
        """The next one; there are always more."""
        while True:
            try:
                return _ticket(os.read(self._source, _TICKET_BYTES))
            except BlockingIOError:
                some = range(self._added, self._added + _TICKETS)
                os.write(self._target, b"".join(n.to_bytes(_TICKET_BYTES, "little") for n in some))
                self._added = some.stop

    def wait(self) -> int:
        """The same in a process that adds none; -1 when there is nobody left who would."""
        while True:
            select.select([self._source], [], [])
            with contextlib.suppress(BlockingIOError):  # (Another one was quicker.)
                return _ticket(os.read(self._source, _TICKET_BYTES))

    def only_wait(self) -> None:
        os.close(self._target)

    def close(self) -> None:
        os.close(self._source)
        os.close(self._target)


def _ticket(found: bytes) -> int:
    return int.from_bytes(found, "little") if found else -1


class _Others:
    """What comes from other processes."""

    def __init__(self, open_pipes: list[BinaryIO]) -> None:
        self._open = list(open_pipes)
        self._arrived: dict[int, Parts] = {}

    def result(self, number: int) -> Parts | None:
        """An item's; None if it will not come, as all of them have ended."""
        while number not in self._arrived and self._open:
            for pipe in select.select(self._open, [], [])[0]:
                message = _received(pipe)
                if message is None:
                    self._open.remove(pipe)
                else:
                    self._arrived[message[0]] = message[1]
        return self._arrived.pop(number, None)


class _Child(NamedTuple):
    process: int
    results: BinaryIO


def _processors() -> int:
    return all_processors() if can_fork() else 1


def _start(serve: Callable[[BinaryIO], object]) -> _Child:
    source, target = os.pipe()
    process = os.fork()
    if process:
        os.close(target)
        return _Child(process, open(source, "rb", buffering=0))
    try:
        os.close(source)
        _widen(target)
        with open(target, "wb") as results:
            serve(results)
    finally:
        os._exit(0)  # nothing that the parent has in hand is finished twice


def _end(child: _Child) -> None:
    child.results.close()
    os.kill(child.process, signal.SIGKILL)  # it may have been left at its work
    os.waitpid(child.process, 0)


def _widen(pipe: int) -> None:
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _send(number: int, parts: Parts, results: BinaryIO) -> None:
    """The parts behind a line that says whose they are and how long each is, and all that behind
    its own length."""
    head = b" ".join(b"%d" % each for each in (number, *map(len, parts))) + b"\n"
    length = len(head) + sum(map(len, parts))
    results.write(length.to_bytes(_LENGTH_BYTES, "little") + head)
    results.writelines(parts)
    results.flush()


def _received(results: BinaryIO) -> tuple[int, Parts] | None:
    """What was sent; None if it did not come, or not all of it."""
    length = _exactly(_LENGTH_BYTES, results)
    content = length and _exactly(int.from_bytes(length, "little"), results)
    if not content:
        return None
    at = content.index(b"\n") + 1
    number, *lengths = map(int, content[:at].split())
    ends = itertools.accumulate(lengths, initial=at)
    return number, [content[first:end] for first, end in itertools.pairwise(ends)]


def _exactly(length: int, results: BinaryIO) -> bytes | None:
    parts = []
    while length > 0:
        part = results.read(length)
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
