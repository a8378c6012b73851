"""How wide a text is when it is drawn in letters of a common sans-serif.

Measured in three such fonts (Noto Sans, Liberation Sans, DejaVu Sans), the widest but a little of
each letter: what is drawn leaves enough room whichever is there. Not exact for any of them.
"""

from __future__ import annotations

import functools
import unicodedata

from treelens.render.width import width

_ASCII = (
    "gijqmspfhhlqghghmmmmmmmmmmggqqqktnnnpmlpphfmlspq"
    "mqnmlpntnlnhhhqjjlmkmmhmmfflftmmmmikhmlqllkmlmq"
)
"""Of the characters from the blank on, in twentieths of a letter's size: ``a`` is none."""
_BOLD = 1.08


@functools.lru_cache(maxsize=1 << 14)
def letters_width(text: str, size: float, *, bold: bool = False) -> float:
    """Room for a text in letters of a size, in the same units."""
    return sum(map(_letter, text)) * size * (_BOLD if bold else 1.0)


@functools.lru_cache(maxsize=4096)
def _letter(character: str) -> float:
    """Of one character, as a share of the letters' size."""
    code = ord(character) - 0x20
    if 0 <= code < len(_ASCII):
        return (ord(_ASCII[code]) - ord("a")) / 20
    if character in "−+×≠":
        return 0.8
    if character == "\u2009":  # the thin space behind a sign
        return 0.2
    columns = width(character)
    if columns != 1:
        return float(columns and 1)
    if unicodedata.bidirectional(character) in ("R", "AL"):
        return 0.62
    return 0.75 if character.isupper() else 0.66
