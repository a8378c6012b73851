"""Where the drop-ins complain: scripts get the programs' own bytes, a terminal harmless text.

Nobody compares bytes on a screen, and what files are called or hold may be anything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

_LINES_AND_COLUMNS = re.compile("([\n\t])")


def in_bytes() -> Callable[[bytes], object]:
    """What writes to standard error."""
    stream = sys.stderr.buffer
    if not sys.stderr.isatty():
        return stream.write
    return lambda text: stream.write(_harmless(text.decode("utf-8", "replace")).encode())


def in_text() -> Callable[[str], object]:
    """The same for programs that write text."""
    write = sys.stderr.write
    return (lambda text: write(_harmless(text))) if sys.stderr.isatty() else write


def _harmless(text: str) -> str:
    # (Only who looks at a terminal waits for it.)
    from treelens.render.width import clean

    parts = _LINES_AND_COLUMNS.split(text)
    return "".join(part if part in ("\n", "\t") else clean(part) for part in parts)
