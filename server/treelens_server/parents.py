"""When the client is gone the server goes too: watching its process, and a limit to what is
finished once nobody will hear it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

_LOOK_EVERY = 2.0
"""Seconds between two looks at the client's process."""

_LAST_WORK = 20.0
"""Seconds that one message may still take when its sender has hung up."""


def watch(process: int, gone: Callable[[], None]) -> None:
    """Call ``gone``, on a thread, as soon as there is no such process; once."""
    if not 0 < process < 1 << 31:  # none that there could have been
        return

    def look() -> None:
        while is_running(process):
            time.sleep(_LOOK_EVERY)
        gone()

    threading.Thread(target=look, daemon=True).start()


def outlive(handled: Callable[[], int]) -> None:
    """End the process if the loop does not: if it stays with one message, or with a client that
    reads no answers. ``handled`` counts messages that are done with."""

    def wait() -> None:
        before = -1
        while (now := handled()) != before:
            before = now
            time.sleep(_LAST_WORK)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def is_running(process: int) -> bool:
    if sys.platform == "win32":
        return _is_running_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        pass
    return not _is_zombie(process)


def _is_zombie(process: int) -> bool:
    """Whether a process has ended and is still there, as where nobody asks how it ended: in a
    container whose first process does not. (Told on Linux; its name may have parentheses.)"""
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        state, threads = fields[0], int(fields[17])
    except (OSError, IndexError, ValueError):
        return False
    # (So is one whose first thread has ended, while others run.)
    return state == b"Z" and threads <= 1


def _is_running_on_windows(process: int) -> bool:
    # There, os.kill ends a process whatever the signal.
    import ctypes

    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    synchronize, timed_out, invalid = 0x00100000, 0x102, 87
    handle = kernel.OpenProcess(synchronize, False, process)
    if not handle:
        return bool(kernel.GetLastError() != invalid)
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)
