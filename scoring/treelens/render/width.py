"""How many columns of a terminal a text takes, and text that is safe to show in one.

From Python's own Unicode tables, as terminals count: wide and full-width characters take two
columns, combining marks and format characters none. Emoji sequences, on which terminals do
not agree, count as their parts.
"""

from __future__ import annotations

import functools
import unicodedata

_LEFT_TO_RIGHT_MARK = "\u200e"
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_SOFT_HYPHEN = "\u00ad"
_CONTROL_PICTURES = 0x2400
_DIRECTION_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def width(text: str) -> int:
    """Columns that a text takes."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


@functools.lru_cache(maxsize=4096)
def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") and character != _SOFT_HYPHEN:
        return 0
    if "\u1160" <= character <= "\u11ff":  # the vowels and finals of a Hangul syllable
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def clean(text: str) -> str:
    """Text that does nothing to a terminal: what would is shown as a picture of itself.

    A treebank may hold anything, escape sequences and overrides of direction included; a
    lone half of a surrogate pair cannot be written at all.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_clean_character, text))


@functools.lru_cache(maxsize=4096)
def _clean_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return "" if character in _DIRECTION_CONTROLS else character


def in_order(words: list[str]) -> str:
    """Words with a blank between them, each standing to the right of the one before.

    Some terminals show right-to-left text as it is read, others letter by letter as it is
    stored. With a mark after each word they agree on where the words stand, so that what is
    drawn under a word stands under it; letters within a word are for the terminal to order.
    """
    if any(map(_is_right_to_left, words)):
        mark = _LEFT_TO_RIGHT_MARK
        return mark + " ".join(word + mark for word in words)
    return " ".join(words)


def _is_right_to_left(word: str) -> bool:
    return not word.isascii() and any(
        unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in word
    )


def shortened(text: str, room: int) -> str:
    """A text of at most ``room`` columns, its middle left out if need be."""
    if width(text) <= room:
        return text
    head = tail = ""
    for step in range(len(text)):
        longer = (head, text[-1 - step // 2] + tail) if step % 2 else (head + text[step // 2], tail)
        if width("".join(longer)) >= room:
            break
        head, tail = longer
    return f"{head}…{tail}"
