"""Work shared out by Dask: between processes that it starts here, or those of a scheduler.

Dask gives each piece of work to one worker and, when that is lost, to another; what it gives up
is done here. Workers open the files themselves, so all of them have to see these: on a disk that
they share, or at an address.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from typing import Any, NamedTuple

from treelens.cli import CannotContinue
from treelens.render.width import clean

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
                scheduler = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=jobs,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                    )
                )
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
            # (A worker that does not see a file answers with an OSError: it is seen from here.)
            yield Pool(executor, workers, (distributed.KilledWorker, CancelledError, OSError))
        finally:
            executor.shutdown(wait=False)


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
