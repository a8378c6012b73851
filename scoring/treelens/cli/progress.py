"""Progress of long work, on standard error: only for people, and only when there is a wait."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_PATIENCE = 0.5
_PERIOD = 0.1
_WIDTH = 24


class Progress:
    """A line that says how far the work is, gone when the work is done.

    Nothing is shown where standard error is no terminal, nor in the first half second.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __call__(self, share: float) -> None:
        now = time.monotonic()
        if not self._watched or now < self._next:
            return
        self._next = now + _PERIOD
        self._drawn = True
        full = round(_WIDTH * share)
        bar = "█" * full + "░" * (_WIDTH - full)
        self._write(f"\r{self._title}  {bar} {share:4.0%}\x1b[K")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._drawn:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, UnicodeEncodeError):
            # A terminal that went away, or that has no such letters, needs no bar.
            self._watched = self._drawn = False
