"""Edits that the client is asked for in turn: of each file one at a time.

An edit has the numbers of lines, or places, of the text as it is known. Were two under way and the
first one refused, the second would be made in another text than it was counted in, and take away
what somebody has written. Nor can one be recalled that the client does not answer: it may be made
at any time, and until it is known whether it was, no other is asked for. Knows nothing of what
edits are.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

_LOG = logging.getLogger("treelens")

PATIENCE = 10.0
"""Seconds that others wait for an edit that the client does not answer; then they are refused."""

_LAG = 1.0
"""Seconds in which a client that has made an edit says what the text is now. (Of one that changed
nothing it says nothing.)"""


@dataclass(eq=False, slots=True)
class UnderWay:
    """An edit that the client has been asked for."""

    is_heard: Callable[[], bool]
    """Whether the text that is known is another one than it was counted in."""
    unanswered: Callable[[], object] = lambda: None
    """Called if others have waited for it in vain: nobody knows whether it will be made."""
    is_late: bool = False
    """Whether they have."""
    made: bool | None = None
    """What the client has answered; None while it has not."""
    until: float = field(default_factory=lambda: time.monotonic() + PATIENCE)

    def answered(self, *, made: bool) -> None:
        self.made, self.until = made, time.monotonic() + _LAG

    def is_over(self) -> bool:
        """Once the client has answered: whether what it answers is in the text that is known."""
        return not self.made or self.is_heard() or time.monotonic() >= self.until


class _Waiting(NamedTuple):
    begin: Callable[[], UnderWay | None]
    refused: Callable[[], object]


class Turns:
    """What is under way, and what waits for it, by files' names."""

    def __init__(self, wake: Callable[[], object]) -> None:
        """``wake`` has :meth:`go_on` called, when something has been waited for long enough."""
        self._wake = wake
        self._under_way: dict[str, UnderWay] = {}
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def ask(
        self, name: str, begin: Callable[[], UnderWay | None], refused: Callable[[], object]
    ) -> None:
        """Begin an edit of a file, at once or when it is its turn; ``refused`` where one before is
        not answered.

        ``begin`` makes it of the text as it is by then, and asks for it; it gives None if there is
        nothing to ask.
        """
        self._waiting.setdefault(name, deque()).append(_Waiting(begin, refused))
        self._go_on(name)

    def go_on(self) -> None:
        """Begin those whose turn it is; after every turn of the loop's work."""
        for name in [*self._under_way]:
            try:
                self._go_on(name)
            except Exception:
                _LOG.exception("an edit of %s that had waited failed", name)

    def _go_on(self, name: str) -> None:
        while True:
            # (What is begun may ask for another one, which may be done by the time it has begun.)
            waiting = self._waiting.setdefault(name, deque())
            before = self._under_way.get(name)
            if before is not None:
                if before.made is None:
                    self._await_answer(before, waiting)
                    return
                if not before.is_over():
                    self._look_at(before.until)
                    return
                del self._under_way[name]
            if not waiting:
                del self._waiting[name]
                return
            begun = waiting.popleft().begin()
            if begun is not None:
                self._under_way[name] = begun

    def _await_answer(self, before: UnderWay, waiting: deque[_Waiting]) -> None:
        if not waiting:  # It may take its time.
            return
        if not before.is_late:
            if time.monotonic() < before.until:
                self._look_at(before.until)
                return
            before.is_late = True
            before.unanswered()
        while waiting:
            waiting.popleft().refused()

    def _look_at(self, moment: float) -> None:
        """Go on then, whatever the client says or does not say."""
        loop = asyncio.get_running_loop()
        when = loop.time() + max(moment - time.monotonic(), 0.0)
        if self._timer is not None:
            if self._timer.when() <= when:
                return
            self._timer.cancel()
        self._timer = loop.call_at(when, self._look)

    def _look(self) -> None:
        self._timer = None
        self._wake()
