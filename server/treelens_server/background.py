"""Work that takes too long for the loop: one thing after the other on a thread, with progress.

Whatever is asked for has a :class:`Task`: what the user sees of it, and whether it is still
wanted. The thread only ever computes; what comes of it is taken in on the loop.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lsprotocol import types

from treelens_server.client import Client

_LOG = logging.getLogger("treelens")
_Result = TypeVar("_Result")

Progress = Callable[[float], None]
"""Called with the share that is done; what it raises ends work that is not wanted any more."""

_REST = 0.1
"""Seconds that work rests at most, each time that it says how far it is, for what has arrived."""

_PATIENCE = 0.2
"""Seconds that an answer may take before there is a bar."""


class CancelledWorkError(Exception):
    """Raised inside of work that was cancelled."""


class ModifiedError(Exception):
    """Raised instead of an answer about documents that are not what they were."""


@dataclass(frozen=True, slots=True)
class Later:
    """An answer that takes a while: what a feature or a command gives back instead of one.

    ``work`` runs on the thread, on snapshots that the feature took before; ``then`` on the loop,
    with what work gave, and gives the answer, or another of these, which is what is left to do of
    the same. In between the user types on: if one of the documents in ``names`` is another one by
    then, or ``then`` raises :exc:`ModifiedError`, there is no answer (``ContentModified``).
    """

    title: str
    names: Set[str]
    work: Callable[[Progress], Any]
    then: Callable[[Any], Any] = lambda found: found


@dataclass(eq=False, slots=True)
class Task:
    """Something that is being done, or waits for its turn."""

    title: str
    names: Set[str] = frozenset()
    """Documents about which there is nothing to say before this is done."""
    documents: Mapping[str, object] = field(default_factory=dict)
    """What some names stood for when this was asked for; useless once that has changed."""
    token: types.ProgressToken | None = None
    """Of the bar, if there is one."""
    meanwhile: Callable[[], bool] | None = None
    """See :meth:`Background.start`."""
    cancelled: bool = False
    _percent: int = -1
    _awaited: set[asyncio.Future[Any]] = field(default_factory=set)

    def cancel(self) -> None:
        """Not wanted any more; what is being computed ends when it next reports."""
        self.cancelled = True
        for future in self._awaited:
            future.cancel()


class Background:
    """What is being done, what is waiting to be, and for which documents."""

    def __init__(
        self, client: Client, after: Callable[[], None], document: Callable[[str], object]
    ) -> None:
        """``after`` is called whenever something is done, or has come to nothing.

        ``document`` gives what a name stands for now: the same object until it changes.
        """
        self._client = client
        self._after = after
        self._document = document
        self._tasks: list[Task] = []
        self._going: set[asyncio.Future[Any]] = set()
        self._stopped = False
        self._pool = ThreadPoolExecutor(1, "background")
        self._calm = threading.Event()
        self._calm.set()

    @property
    def busy(self) -> str | None:
        """What is going on, for people."""
        return ", ".join(task.title for task in self._tasks) or None

    def concerns(self, names: Set[str]) -> bool:
        """Whether something is going on without which there is nothing to say about a document."""
        return any(not names.isdisjoint(task.names) for task in self._tasks)

    def cancel(self, token: types.ProgressToken) -> None:
        """The user is tired of waiting."""
        for task in self._tasks:
            if task.token == token:
                task.cancel()

    def rest(self) -> None:
        """From any thread: something has arrived that is to be answered first."""
        self._calm.clear()

    def go_on(self) -> None:
        """There is nothing else to do."""
        self._calm.set()

    def stop(self) -> None:
        self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    # --- ways to have something done --------------------------------------------------------

    def start(
        self,
        title: str,
        names: Set[str],
        work: Callable[[Progress], _Result],
        then: Callable[[_Result | None], None],
        meanwhile: Callable[[], bool] | None = None,
    ) -> None:
        """Do ``work`` on the thread, then ``then`` on the loop: with None if it came to nothing.

        ``meanwhile`` is called on the loop when the work says how far it is; it tells whether
        there is something new.
        """
        task = Task(title, names, token=self._client.begin_progress(title), meanwhile=meanwhile)
        self._tasks.append(task)
        self._keep(asyncio.ensure_future(self._started(task, work, then)))

    def begin(self, steps: Coroutine[Any, Any, Any]) -> asyncio.Future[Any]:
        """Begin with something of several steps, which has tasks of its own.

        The future's result is its result as JSON.
        """

        async def written() -> str:
            try:
                answer = await steps
            finally:
                self._after()  # what was done of it behind its last task
            return await self.run(Task(""), lambda _: self._client.written(answer))

        return self._keep(asyncio.ensure_future(written()))

    def answer(self, later: Later, token: types.ProgressToken | None = None) -> asyncio.Future[Any]:
        """Begin with an answer; ``token`` is the client's for the progress, if it gave one.

        The future's result is the answer's JSON. It raises :exc:`ModifiedError`, and whatever
        the work raises; to cancel it, or the bar, ends the work.
        """
        task = Task(later.title, documents=self._as_they_are(later.names))
        return self._keep(asyncio.ensure_future(self._answered(task, later, token)))

    @contextmanager
    def shown(self, task: Task, token: types.ProgressToken | None = None) -> Iterator[None]:
        """While a task's steps are done, each of which is :meth:`run`: a bar, if it takes long."""
        self._tasks.append(task)
        if token is not None:
            task.token = self._client.begin_progress(task.title, token)
        bar = asyncio.get_running_loop().call_later(_PATIENCE, self._show, task)
        try:
            yield
        finally:
            bar.cancel()
            self._end(task)
            self._after()

    async def run(self, task: Task, work: Callable[[Progress], _Result]) -> _Result:
        """One step of a task, on the thread. To cancel who awaits this cancels the task."""
        if self._stopped:  # (The thread takes nothing more.)
            raise asyncio.CancelledError
        loop = asyncio.get_running_loop()

        def progress(share: float) -> None:
            if self._stopped or task.cancelled:
                raise CancelledWorkError
            self._check(task)
            self._calm.wait(_REST)
            if round(100 * share) != task._percent:
                task._percent = round(100 * share)
                loop.call_soon_threadsafe(self._moved, task, share)

        future = loop.run_in_executor(self._pool, work, progress)
        task._awaited.add(future)
        try:
            return await future
        except asyncio.CancelledError:
            task.cancelled = True
            raise
        finally:
            task._awaited.discard(future)

    def report(self, task: Task, share: float, message: str | None = None) -> None:
        """Move the bar, if there is one."""
        self._client.report_progress(task.token, share, message)

    # ----------------------------------------------------------------------------------------

    def _moved(self, task: Task, share: float) -> None:
        self.report(task, share)
        if task.meanwhile and task in self._tasks and task.meanwhile():
            self._after()

    async def _started(
        self,
        task: Task,
        work: Callable[[Progress], _Result],
        then: Callable[[_Result | None], None],
    ) -> None:
        result = None
        try:
            result = await self.run(task, work)
        except (CancelledWorkError, asyncio.CancelledError):
            _LOG.warning("cancelled: %s", task.title)
        except Exception:
            _LOG.exception("%s failed", task.title)
        self._end(task)
        if self._stopped:
            return
        try:
            then(result)
        except Exception:
            _LOG.exception("%s failed", task.title)
        self._after()

    async def _answered(self, task: Task, later: Later, token: types.ProgressToken | None) -> str:
        with self.shown(task, token):
            try:
                answer: Any = later
                while isinstance(answer, Later):
                    found = await self.run(task, answer.work)
                    self._check(task)
                    answer = answer.then(found)
                    if isinstance(answer, Later):
                        task.documents = self._as_they_are(answer.names)
                written = await self.run(task, lambda _: self._client.written(answer))
                self._check(task)
            except ModifiedError:
                message = f"{later.title}: the text has changed meanwhile; ask again"
                self._client.tell(message, types.MessageType.Warning)
                raise
            return written

    def _as_they_are(self, names: Set[str]) -> dict[str, object]:
        return {name: self._document(name) for name in names}

    def _check(self, task: Task) -> None:
        for name, document in task.documents.items():
            if self._document(name) is not document:
                raise ModifiedError(task.title)

    def _keep(self, future: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """The loop itself holds on to no future."""
        self._going.add(future)
        future.add_done_callback(self._going.discard)
        return future

    def _show(self, task: Task) -> None:
        if task.token is None:
            task.token = self._client.begin_progress(task.title)
        self._after()

    def _end(self, task: Task) -> None:
        self._tasks.remove(task)
        self._client.end_progress(task.token)
