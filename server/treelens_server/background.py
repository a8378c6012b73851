"""Work that takes too long for the loop: one thing after the other on a thread, with progress."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Set
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from treelens_server.client import Client

_LOG = logging.getLogger("treelens")
_Result = TypeVar("_Result")

Progress = Callable[[float], None]
"""Called with the share that is done; what it raises ends work that is not wanted any more."""


class CancelledWorkError(Exception):
    """Raised inside of work that was cancelled."""


class _Task(NamedTuple):
    title: str
    names: Set[str]


class Background:
    """What is being done, what is waiting to be, and for which documents.

    Only :meth:`start`'s ``work`` runs on the thread; everything else is the loop's.
    """

    def __init__(self, client: Client, after: Callable[[], None]) -> None:
        """``after`` is called whenever something is done, or has come to nothing."""
        self._client = client
        self._after = after
        self._tasks: dict[object, _Task] = {}
        self._cancelled: set[str] = set()
        self._stopped = False
        self._pool = ThreadPoolExecutor(1, "background")

    @property
    def busy(self) -> str | None:
        """What is going on, for people."""
        return ", ".join(task.title for task in self._tasks.values()) or None

    def concerns(self, names: Set[str]) -> bool:
        """Whether something is going on about one of some documents."""
        return any(not names.isdisjoint(task.names) for task in self._tasks.values())

    def cancel(self, token: str) -> None:
        """The user is tired of waiting."""
        self._cancelled.add(token)

    def stop(self) -> None:
        self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def start(
        self,
        title: str,
        names: Set[str],
        work: Callable[[Progress], _Result],
        then: Callable[[_Result | None], None],
    ) -> None:
        """Do ``work`` on the thread, then ``then`` on the loop: with None if it came to nothing."""
        loop = asyncio.get_running_loop()
        token = self._client.begin_progress(title)
        key = object()
        self._tasks[key] = _Task(title, names)

        def progress(share: float) -> None:
            if self._stopped or token in self._cancelled:
                raise CancelledWorkError
            loop.call_soon_threadsafe(self._client.report_progress, token, share)

        def done(result: _Result | None, error: Exception | None) -> None:
            del self._tasks[key]
            self._client.end_progress(token)
            if isinstance(error, CancelledWorkError):
                _LOG.warning("cancelled: %s", title)
            elif error is not None:
                _LOG.error("%s failed", title, exc_info=error)
            try:
                then(result)
            except Exception:
                _LOG.exception("%s failed", title)
            self._after()

        def run() -> None:
            result, error = None, None
            try:
                progress(0)
                result = work(progress)
            except Exception as caught:
                error = caught
            if not self._stopped:
                loop.call_soon_threadsafe(done, result, error)

        self._pool.submit(run)
