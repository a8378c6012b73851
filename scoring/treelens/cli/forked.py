"""Work on stretches of files, shared out between processes that are forked.

Such a process begins with all that there is, and does the work on the next item that nobody else
does; what it found it sends to the first, in parts of bytes, and ends. Each makes all items for
itself, or is told the next one by the first, where an item is but a few numbers.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
import struct
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
    processes = _worth_starting(count, most)
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

    def begun(ahead: int) -> Iterator[tuple[Item, int, Parts | None]]:
        return _begun(work, items(), tickets.take, ahead)

    yield from _collected(work, serve, begun, tickets, processes)


def share_out_told(
    work: Callable[[Numbers], Parts],
    items: Iterable[Numbers],
    numbers: int,
    count: int,
    most: int | None = None,
) -> Iterator[tuple[Numbers, Parts]]:
    """The same of items that are so many whole numbers from 0 on, which only this process makes:
    it is ahead by some, which it tells the others."""
    memory.keep()
    processes = _worth_starting(count, most)
    if processes < 2:
        yield from ((item, work(item)) for item in items)
        return
    told = _Told(numbers)

    def serve(results: BinaryIO) -> None:
        told.only_wait()
        while (found := told.wait()) is not None:
            number, *item = found
            _send(number, work(tuple(item)), results)

    def begun(ahead: int) -> Iterator[tuple[Numbers, int, Parts | None]]:
        return _begun(work, told.announced(items, ahead), told.take, ahead)

    yield from _collected(work, serve, begun, told, processes)


def _worth_starting(count: int, most: int | None) -> int:
    """How many processes are to work on so many items."""
    return min(most or min(_processors(), _MOST), count // _FEWEST)


def _collected(
    work: Callable[[Item], Parts],
    serve: Callable[[BinaryIO], None],
    begun: Callable[[int], Iterator[tuple[Item, int, Parts | None]]],
    tickets: _Pipe,
    processes: int,
) -> Iterator[tuple[Item, Parts]]:
    """Each item and its result, of this process or of one of the others, which are started."""
    children = [_start(serve) for _ in range(1, processes)]
    others = _Others([child.results for child in children], tickets.one_has_ended)
    try:
        for item, number, done in begun(_AHEAD * len(children)):
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
    work: Callable[[Item], Parts],
    items: Iterable[Item],
    take: Callable[[], int | None],
    ahead: int,
) -> Iterator[tuple[Item, int, Parts | None]]:
    """Each item, its number, and its result if the work was done here. What others have taken is
    left to them as long as there is something to do, and no more waits for them than ``ahead``.
    take: gives the number of the next item to be done here; None if others have taken all that
    are known."""
    waiting: deque[tuple[Item, int, Parts | None]] = deque()
    mine: int | None = None
    for number, item in enumerate(items):
        done = None
        if mine is None:
            mine = take()
        if number == mine:
            done = work(item)
            mine = take()
        waiting.append((item, number, done))
        while waiting and (waiting[0][-1] is not None or len(waiting) > ahead):
            yield waiting.popleft()
    yield from waiting


class _Pipe:
    """Tickets of so many bytes; who takes one out of the pipe is the only one that has it."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._source, self._target = os.pipe()
        os.set_blocking(self._source, False)

    def add(self, tickets: bytes) -> None:
        os.write(self._target, tickets)

    def taken(self) -> bytes | None:
        """One, if there is any."""
        try:
            return os.read(self._source, self._length)
        except BlockingIOError:
            return None

    def waited_for(self) -> bytes:
        """One, in a process that adds none; empty when there is nobody left who would."""
        while True:
            select.select([self._source], [], [])
            if (found := self.taken()) is not None:  # (Or another one was quicker.)
                return found

    def only_wait(self) -> None:
        os.close(self._target)

    def one_has_ended(self) -> None:
        """One of the processes that wait has: nobody knows what it had taken."""

    def close(self) -> None:
        os.close(self._source)
        os.close(self._target)


class _Tickets(_Pipe):
    """The numbers of items."""

    def __init__(self) -> None:
        super().__init__(_TICKET_BYTES)
        self._added = 0

    def take(self) -> int:
        """The next one; there are always more."""
        while (found := self.taken()) is None:
            some = range(self._added, self._added + _TICKETS)
            self.add(b"".join(n.to_bytes(_TICKET_BYTES, "little") for n in some))
            self._added = some.stop
        return int.from_bytes(found, "little")

    def wait(self) -> int:
        """The same in a process that adds none; -1 when there is nobody left who would."""
        found = self.waited_for()
        return int.from_bytes(found, "little") if found else -1


class _Told(_Pipe):
    """Items that are so many numbers, each behind its own number."""

    def __init__(self, numbers: int) -> None:
        self._ticket = struct.Struct(f"<{1 + numbers}Q")
        super().__init__(self._ticket.size)
        self._tells = True

    def add(self, tickets: bytes) -> None:
        if self._tells:
            super().add(tickets)

    def one_has_ended(self) -> None:
        """It has died, as all wait for more: no more is told, so that the others end with what
        there is, and what none of them has sent is known to be lost."""
        if self._tells:
            self._tells = False
            os.close(self._target)

    def close(self) -> None:
        self.one_has_ended()
        os.close(self._source)

    def announced(self, items: Iterable[Numbers], ahead: int) -> Iterator[Numbers]:
        """The items, each when it and so many behind it may be taken."""
        coming: deque[Numbers] = deque()
        for number, item in enumerate(items):
            self.add(self._ticket.pack(number, *item))
            coming.append(item)
            if len(coming) > ahead:
                yield coming.popleft()
        yield from coming

    def take(self) -> int | None:
        """The number of one that nobody else has; None if there is none now."""
        found = self.taken()
        return self._ticket.unpack(found)[0] if found else None

    def wait(self) -> Numbers | None:
        """One, in a process that makes none; None when there is nobody left who would."""
        found = self.waited_for()
        return self._ticket.unpack(found) if found else None


class _Others:
    """What comes from other processes."""

    def __init__(self, open_pipes: list[BinaryIO], one_has_ended: Callable[[], object]) -> None:
        self._open = list(open_pipes)
        self._one_has_ended = one_has_ended
        self._arrived: dict[int, Parts] = {}

    def result(self, number: int) -> Parts | None:
        """An item's; None if it will not come, as all of them have ended."""
        while number not in self._arrived and self._open:
            for pipe in select.select(self._open, [], [])[0]:
                message = _received(pipe)
                if message is None:
                    self._open.remove(pipe)
                    self._one_has_ended()
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
