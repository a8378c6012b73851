"""Texts that are not the same and look alike on the screen: which code points tell them apart."""

from __future__ import annotations

import unicodedata
from collections import Counter

_SHOWN = 3
"""Code points that are named."""


def told_apart(text: str, other: str) -> str:
    """Behind a text, which code points only it has, or only one that looks like it; empty where
    they can be told apart by looking: ``" (U+0065 LATIN SMALL LETTER E, U+0301 …)"``."""
    if text == other or _look(text) != _look(other):
        return ""
    ours, theirs = Counter(text), Counter(other)
    own, lacking = _named(ours - theirs), _named(theirs - ours)
    if own or lacking:
        return f" ({own})" if own else f" (without {lacking})"
    return " (with characters in another order)"


def _look(text: str) -> str:
    """What there is to see: composed or not, whatever the blanks, without what takes no room."""
    if text.isascii() and text.isprintable():
        return text  # (As most are.)
    seen = unicodedata.normalize("NFC", text)
    # (Each different character once: a word may have as many as a file.)
    for one in set(seen):
        if (drawn := _drawn(one)) != one:
            seen = seen.replace(one, drawn)
    return seen


def _drawn(character: str) -> str:
    kind = unicodedata.category(character)
    if kind in ("Cf", "Cc") or 0xFE00 <= ord(character) <= 0xFE0F:
        return ""
    return " " if kind == "Zs" else character


def _named(points: Counter[str]) -> str:
    named = [f"U+{ord(one):04X} {unicodedata.name(one, '')}".rstrip() for one in points]
    return ", ".join(named[:_SHOWN] + ["…"] * (len(named) > _SHOWN))
