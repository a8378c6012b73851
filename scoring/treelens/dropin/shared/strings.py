"""Bytes as C reads them: strings that end at a NUL, and numbers that always parse."""

from __future__ import annotations

import re

_NUMBER = re.compile(rb"\s*([+-]?)0*([0-9]*)")
_LARGEST_LONG = 2**63 - 1


def c_string(memory: bytes, start: int = 0) -> bytes:
    """The string at ``start``: up to the first NUL, or to the end of what is known."""
    end = memory.find(b"\0", start)
    return memory[start:] if end < 0 else memory[start:end]


def c_integer(text: bytes) -> int:
    """What ``atoi`` makes of it: 0 for no number, the low 32 bits of a long for a large one."""
    found = _NUMBER.match(text)
    assert found is not None  # every part of the pattern may be empty
    sign, digits = found.groups()
    magnitude = _LARGEST_LONG + 1 if len(digits) > 19 else int(digits or b"0")
    number = max(-magnitude, -_LARGEST_LONG - 1) if sign == b"-" else min(magnitude, _LARGEST_LONG)
    return (number + 2**31) % 2**32 - 2**31
