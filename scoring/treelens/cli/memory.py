"""How this process deals with memory: the C library's ways are made for other programs."""

from __future__ import annotations

import sys

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -2, -3, -8
"""``mallopt``'s numbers for what is set, in glibc."""
_KEPT_BYTES = 64 << 20
_AT_ONCE_BYTES = 4 << 20
_OWN_BYTES = 32 << 20
"""Arrays from this size on are given back to the system at once, as large ones always are."""


def keep() -> None:
    """Keep what numpy gives back, which it wants again a moment later: to get each page anew
    from the system takes a sixth of evalb's time, and a thirtieth of ``score``'s."""
    _set((_TRIM_THRESHOLD, _KEPT_BYTES), (_TOP_PAD, _AT_ONCE_BYTES), (_MMAP_THRESHOLD, _OWN_BYTES))


def share() -> None:
    """Have all threads take what any of them gave back: else each keeps its own, and which of
    them have had the largest pieces of work by then is chance."""
    _set((_ARENA_MAX, 1))


def _set(*options: tuple[int, int]) -> None:
    if sys.platform != "linux" or "numpy" not in sys.modules:
        return
    import ctypes  # which numpy has loaded

    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option:  # (Not every C library has it.)
        for option, value in options:
            set_option(option, value)
