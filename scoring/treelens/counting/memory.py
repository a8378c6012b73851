"""Memory that is free, given back to the system before another kind of work begins: what a thread
has freed the C library keeps for that thread, and takes more for the others."""

from __future__ import annotations

import contextlib


def give_back() -> None:
    """Give back what this process has freed; it is gone through once, for some milliseconds."""
    import ctypes  # which numpy has loaded

    # (Only the C library of GNU has it, and there is none to ask on Windows.)
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
