"""Work on many pieces, shared out between threads or processes.

A long stream of work goes through one of Python's own pools. (These take longer to load than
what the drop-ins have to share out: see ``forked``.)
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from treelens.cli import ENDING

if TYPE_CHECKING:
    import argparse
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 2
"""Pieces that wait for each worker, so that none of them ever does."""
_MOST = 500
"""Processes: hardly any machine has use for more, and so many can be waited for together."""
_THREADS = 2
"""In one process: numpy lets go of the interpreter while it works."""


class Shared(Protocol):
    """Does some work on each of many items, in their order, a little ahead of what is asked for."""

    def __call__(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]: ...


class Workers(NamedTuple):
    """Who does the work: so many processes of our own (threads for one), or Dask's.

    scheduler: the address of Dask's, if it is not to start processes here.
    """

    jobs: int
    dask: bool = False
    scheduler: str | None = None


@contextlib.contextmanager
def shared_out(workers: Workers) -> Iterator[Shared]:
    """Workers for a stream of work. What was not begun is dropped at the end.

    Work and items are sent to new processes as they are under spawn: nothing else may be needed.
    """
    if workers.dask:
        from treelens.cli import cluster

        with cluster.pool(workers.scheduler, workers.jobs) as (executor, count, lost):
            yield _Ordered(executor, _AHEAD * max(count, _THREADS), lost)
        return
    if workers.jobs == 1:
        yield in_threads
        return
    with contextlib.ExitStack() as stack:
        yield Processes(workers.jobs, stack)


def add_jobs(
    parser: argparse.ArgumentParser, one_or_more: Callable[[str], int], *, groups: bool = False
) -> None:
    """``groups``: whether things are put together across all of a corpus, as DuckDB can."""
    parser.add_argument(
        "-j",
        "--jobs",
        type=functools.partial(_jobs, one_or_more),
        metavar="N",
        help="processes that share the work (default: all processors where that pays); the "
        "numbers are the same whatever N",
    )
    parser.add_argument(
        "--engine",
        choices=("own", "dask", "duckdb") if groups else ("own", "dask"),
        default="own",
        help="who shares the work out: Treelens, or Dask (treelens[cluster]), which can use many "
        "machines and begins anew what a lost worker had; the numbers are the same"
        + ("; duckdb (treelens[corpus]): Treelens, and DuckDB finds what varies" if groups else ""),
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a Dask cluster, as tcp://host:8786 (default: new processes on this machine); "
        "its workers open the files themselves",
    )


def _jobs(one_or_more: Callable[[str], int], text: str) -> int:
    return min(one_or_more(text), _MOST)


def on_dask(options: argparse.Namespace) -> bool:
    """Whether the options of :func:`add_jobs` ask for Dask."""
    return options.engine == "dask" or options.scheduler is not None


def all_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(
    work: Callable[[Item], Result], items: Iterable[Item], count: int = _THREADS
) -> Iterator[Result]:
    """Of this process; a lone item is done by whoever asks."""
    more = iter(items)
    first = [*itertools.islice(more, 2)]
    if len(first) < 2:
        yield from map(work, first)
        return
    from concurrent.futures import ThreadPoolExecutor  # which small files do without

    pool = ThreadPoolExecutor(count)
    try:
        yield from _Ordered(pool, _AHEAD * count, ())(work, itertools.chain(first, more))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Processes:
    """So many of our own, which are started when there is something to do for them, and end with
    what is open."""

    def __init__(self, jobs: int, opened: contextlib.ExitStack) -> None:
        self.jobs = jobs
        self._opened = opened
        self._share: Shared | None = None

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        if self._share is None:
            self._share = self._started()
        return self._share(work, items)

    def _started(self) -> Shared:
        import multiprocessing  # which takes long to load, as the next
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

        context = multiprocessing.get_context("fork" if can_fork() else "spawn")
        pool = ProcessPoolExecutor(self.jobs, context, initializer=_leave_interrupts)
        self._opened.callback(pool.shutdown, wait=True, cancel_futures=True)
        return _Ordered(pool, _AHEAD * self.jobs, (BrokenExecutor,))


def can_fork() -> bool:
    """Whether a process may be forked, which has all modules and data at once. It may not where
    another thread could hold a lock, nor on macOS: what numpy calls there does not survive it."""
    return hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that shares out: it lets the others end. These have nothing on
    disk, so whatever else ends them may do so at once."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in ENDING:
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, signal.SIG_DFL)


class _Ordered:
    """``lost``: what a worker that is gone (killed, out of memory) looks like: an item that it had
    is done here, so that each is done once and none is left out."""

    def __init__(self, pool: Executor, ahead: int, lost: tuple[type[BaseException], ...]) -> None:
        self._pool, self._ahead, self._lost = pool, ahead, lost

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        waiting: deque[tuple[Item, Future[Result] | None]] = deque()
        for item in items:
            waiting.append((item, self._begun(work, item)))
            if len(waiting) > self._ahead:
                yield self._result(work, *waiting.popleft())
        while waiting:
            yield self._result(work, *waiting.popleft())

    def _begun(self, work: Callable[[Item], Result], item: Item) -> Future[Result] | None:
        try:
            return self._pool.submit(work, item)
        except self._lost:
            return None

    def _result(
        self, work: Callable[[Item], Result], item: Item, begun: Future[Result] | None
    ) -> Result:
        if begun is not None:
            with contextlib.suppress(*self._lost):
                return begun.result()
        return work(item)
