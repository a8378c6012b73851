"""Progress of long work, on standard error: only for people, and only when there is a wait."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType, TracebackType

_PATIENCE = 0.5
_PERIOD = 0.1
_WIDTH = 24


class Progress:
    """A line that says how far the work is, how fast and how long still; gone when it is done.

    Nothing is shown where standard error is no terminal, nor in the first half second. size: how
    many bytes the work is, where it is reading.
    """

    def __init__(self, title: str, size: int | None = None) -> None:
        self._title = title
        self._size = size
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self._start = time.monotonic()
        self._next = self._start + _PATIENCE
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __call__(self, share: float) -> None:
        if self._is_due():
            full = round(_WIDTH * share)
            bar = "█" * full + "░" * (_WIDTH - full)
            self._draw(f"{bar} {share:4.0%}{self._pace(share, time.monotonic())}")

    def lines(self, count: int) -> None:
        """The same of so many lines, of nobody knows how many."""
        if self._is_due():
            self._draw(f"{count:,} lines")

    def _is_due(self) -> bool:
        return self._watched and time.monotonic() >= self._next

    def _draw(self, text: str) -> None:
        self._next = time.monotonic() + _PERIOD
        self._drawn = True
        put_off()
        self._write(f"\r{self._title}  {text}\x1b[K")

    def _pace(self, share: float, now: float) -> str:
        """How fast it goes, and how long it still will at that rate."""
        spent = now - self._start
        if not 0 < share < 1 or spent <= 0:
            return ""
        rate = f"  {share * self._size / spent / 1e6:.1f} MB/s" if self._size else ""
        left = round(spent * (1 - share) / share)
        return f"{rate}  {left // 60}:{left % 60:02} left"

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


# --- work of which nobody knows how far it is -----------------------------------------------


def put_off() -> None:
    """Something else has been shown: the time spent is not, for a while."""
    if _ticks():
        signal.setitimer(signal.ITIMER_REAL, 2 * _PATIENCE, _PATIENCE)


def hush() -> None:
    """A report begins, on the same terminal perhaps: nothing may be drawn from now on."""
    if _ticks():
        signal.setitimer(signal.ITIMER_REAL, 0)
        _to_terminal(b"\r\x1b[K")


@contextlib.contextmanager
def time_spent() -> Iterator[None]:
    """Shows how long the work has taken whenever nothing else has been shown for a while: where
    there are such signals, and for the thread that gets them."""
    start = time.monotonic()

    def show(number: int, frame: FrameType | None) -> None:
        seconds = round(time.monotonic() - start)
        # What comes next is written over it: a bar, a report or a complaint.
        _to_terminal(b"\r%d:%02d\x1b[K\r" % divmod(seconds, 60))

    try:
        before = signal.signal(signal.SIGALRM, show)
    except (AttributeError, ValueError):
        yield
        return
    # Libraries that wait for something need not know of it.
    signal.siginterrupt(signal.SIGALRM, False)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _PATIENCE)
    try:
        yield
    finally:
        hush()
        signal.signal(signal.SIGALRM, before)


def _ticks() -> bool:
    return hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_REAL)[1] > 0


def _to_terminal(text: bytes) -> None:
    """Past Python's stream, which may be in the midst of writing something else."""
    with contextlib.suppress(OSError):
        os.write(2, text)
