"""Work shared out by Dask: between processes that it starts here, or those of a scheduler.

Dask gives each piece of work to one worker and, when that is lost, to another; what it gives up
is done here. Workers open the files themselves, so all of them have to see these: on a disk that
they share, or at an address.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import logging
import operator
import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Executor
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, NamedTuple

from treelens.cli import ENDING, CannotContinue
from treelens.render.width import clean

if TYPE_CHECKING:
    from treelens.cli.stretches import Portion, Shuffle
    from treelens.consistency.hints import Hints
from treelens.consistency.sieve import Varied

_PATIENCE = 15
"""Seconds in which a scheduler must answer."""


class Pool(NamedTuple):
    """Workers; how many; and what a lost one looks like in a result."""

    executor: Executor
    workers: int
    lost: tuple[type[BaseException], ...]


@contextlib.contextmanager
def pool(scheduler: str | None, jobs: int) -> Iterator[Pool]:
    """The workers of the scheduler at an address (``tcp://…``), or so many new processes here."""
    distributed = _distributed()
    with contextlib.ExitStack() as stack:
        try:
            if scheduler is None:
                scheduler = stack.enter_context(_started(distributed, jobs))
            client = stack.enter_context(distributed.Client(scheduler, timeout=_PATIENCE))
        except (OSError, ValueError, TimeoutError) as problem:
            raise CannotContinue(
                f"no Dask scheduler answers at {clean(str(scheduler))}: {clean(str(problem))}"
            ) from None
        workers = sum(client.nthreads().values())
        if not workers:
            raise CannotContinue(f"the Dask scheduler at {clean(str(scheduler))} has no workers")
        # Equal pieces are two pieces: nothing is looked up by what it holds.
        executor = client.get_executor(pure=False)
        try:
            yield Pool(executor, workers, _lost(distributed))
        finally:
            executor.shutdown(wait=False)


@contextlib.contextmanager
def _started(distributed: Any, jobs: int) -> Iterator[Any]:
    """Processes here; what they have on disk goes with them."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="treelens-"))
        stack.enter_context(importlib.import_module("dask").config.set(temporary_directory=folder))
        with _endings_put_off(), _interrupts_put_off():
            try:
                made = distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            except RuntimeError as problem:  # one is lost before it works, as for want of memory
                raise CannotContinue(
                    f"Dask's processes could not be started: {clean(str(problem))}"
                ) from None
            stack.enter_context(made)
        yield made


@contextlib.contextmanager
def _endings_put_off() -> Iterator[None]:
    """To be told to end waits as Ctrl-C does: what is started by half cannot be taken down. (No
    handler of ours is left in a process that is started meanwhile, as a mask would be.)"""
    told: list[int] = []
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        # (Ctrl-C, too: another thread may take it, whatever this one puts off.)
        for each in (signal.SIGINT, *ENDING):
            if signal.getsignal(each) not in (signal.SIG_IGN, None):
                before[each] = signal.signal(each, lambda number, _: told.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if told:
            signal.raise_signal(told[0])


@contextlib.contextmanager
def _interrupts_put_off() -> Iterator[None]:
    """Ctrl-C waits until this is done; threads that are started here, and their processes, leave
    it to the one that shares out."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # (Begun by a thread that has them put off, Python's own helper would let them in again.)
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def shuffled(portions: Sequence[Portion], hints: Hints, *, otherwise: Shuffle) -> Iterator[Varied]:
    """The facts of portions, put apart by key among the workers of :func:`pool`, who write to disk
    what is more than their memory. What a lost one had is made anew; ``otherwise``: who does all
    of it, where Dask gives it up."""
    from treelens.cli.stretches import sift_together, write_down

    distributed = _distributed()
    client = distributed.default_client()
    send = functools.partial(client.submit, pure=False)
    try:
        there = client.scatter(hints, broadcast=True, hash=False)
        made = [send(write_down, portion, there) for portion in portions]
        parts = range(portions[0].search.parts)
        facts = ([send(operator.getitem, one, part) for one in made] for part in parts)
        varied = [send(sift_together, part) for part in facts]
        del made  # (or the workers would keep all of it to the end)
        found = client.gather(varied)
    except _lost(distributed):
        found = otherwise(portions, hints)
    yield from found


def _lost(distributed: Any) -> tuple[type[BaseException], ...]:
    """What a lost worker looks like; one that does not see a file answers with an OSError."""
    return distributed.KilledWorker, CancelledError, OSError


def _distributed() -> Any:
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        config = importlib.import_module("dask").config
        config.set({"logging.distributed": "critical"})
        return importlib.import_module("distributed")
    except ImportError:
        raise CannotContinue(
            "--engine dask needs the package 'distributed' (pip install 'treelens[cluster]')"
        ) from None
