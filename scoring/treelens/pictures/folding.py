"""What is folded in a picture: a constituent with all in it, or a word with all that hangs on it,
as one text that still has every word."""

from __future__ import annotations

import math
from collections.abc import Sequence

_NARROWEST = 15


def wrapped(words: Sequence[str]) -> tuple[str, ...]:
    """Words in lines of about the same length, more of them the longer the text is."""
    length = sum(map(len, words)) + len(words) - 1
    room = max(_NARROWEST, min(-(-length // 3), round(3 * math.sqrt(length))))
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)
