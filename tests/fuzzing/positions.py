"""Places in a text as clients tell them, in lines and characters of one of three sizes."""

from __future__ import annotations

import re

from lsp_client import Message


def outside(text: str, at: int) -> int:
    """An offset, but no place between ``\\r`` and ``\\n``, of which no client can speak."""
    at = min(at, len(text))
    return at - (text[max(at - 1, 0) : at + 1] == "\r\n")


_BREAK = re.compile("\r\n|\r|\n")


def position(text: str, at: int, encoding: str) -> Message:
    """As clients count lines and characters."""
    ends = [found.end() for found in _BREAK.finditer(text, 0, at)]
    start = ends[-1] if ends else 0
    return {"line": len(ends), "character": _units(text[start:at], encoding)}


def offset(text: str, place: Message, encoding: str) -> int:
    """The place that a client speaks of."""
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    if place["line"] >= len(starts):
        return len(text)
    at, left = starts[place["line"]], place["character"]
    while left > 0 and at < len(text) and text[at] not in "\r\n":
        left -= _units(text[at], encoding)
        at += 1
    return at


def _units(text: str, encoding: str) -> int:
    if encoding == "utf-32":
        return len(text)
    size = 2 if encoding == "utf-16" else 1
    return len(text.encode("utf-16-le" if size == 2 else "utf-8", "surrogatepass")) // size


def joined(text: str) -> str:
    """As editors have it: two halves of a surrogate pair beside each other are a character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
