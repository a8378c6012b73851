"""Values as Perl sees them: numbers in strings, lists from strings, characters in bytes."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_NUMBER = re.compile(rb"\s*([+-]?)(?:([0-9]+)(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?")


@cache
def number(text: bytes) -> int | float:
    """The number that a string begins with, 0 for none. (Infinities are not known here.)"""
    found = _NUMBER.match(text)
    if found is None:
        return 0
    sign, whole, fraction, bare, exponent = found.groups()
    if fraction is None and bare is None and exponent is None:
        return -int(whole) if sign == b"-" else int(whole)
    return float(found[0])


def shown(value: int | float) -> bytes:
    """A number as Perl puts it into a string."""
    return b"%.15g" % value if isinstance(value, float) else b"%d" % value


def split(text: bytes, separator: bytes) -> list[bytes]:
    """``split`` of Perl: empty pieces at the end are dropped."""
    pieces = text.split(separator)
    while pieces and not pieces[-1]:
        pieces.pop()
    return pieces


def piece(pieces: list[bytes], index: int) -> bytes:
    """An element of a list; past its end there is nothing, which is an empty string."""
    return pieces[index] if index < len(pieces) else b""


@cache
def is_punctuation(word: bytes) -> bool:
    """Whether every character has one of Unicode's P categories; an empty word has none."""
    text = word.decode("utf-8", "replace")
    return bool(text) and all(unicodedata.category(letter)[0] == "P" for letter in text)


@cache
def width(text: bytes) -> int:
    """The characters of a string without its nonspacing marks (vowel points, say)."""
    if text.isascii():
        return len(text)
    letters = text.decode("utf-8", "replace")
    return sum(unicodedata.category(letter) != "Mn" for letter in letters)


def padded(text: bytes, columns: int) -> bytes:
    """Filled with blanks to so many characters as a reader sees them."""
    return text + b" " * (columns - width(text))
