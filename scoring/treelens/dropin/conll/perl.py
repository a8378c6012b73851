"""Values as Perl sees them: numbers in strings, lists from strings, characters in bytes."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache, lru_cache

_NUMBER = re.compile(rb"\s*([+-]?)(?:([0-9]+)(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?")

_LEAST, _MOST, _DIGITS = -(1 << 63), (1 << 64) - 1, 20


@cache
def number(text: bytes) -> int | float:
    """The number that a string begins with, 0 for none: whole where it has 64 bits at most.
    (Infinities are not known here.)"""
    found = _NUMBER.match(text)
    if found is None:
        return 0
    sign, whole, fraction, bare, exponent = found.groups()
    if fraction is None and bare is None and exponent is None and len(whole) <= _DIGITS:
        value = -int(whole) if sign == b"-" else int(whole)
        if _LEAST <= value <= _MOST:
            return value
    return min(max(float(found[0]), -sys.float_info.max), sys.float_info.max)


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


@lru_cache(1 << 14)
def is_punctuation(word: bytes) -> bool:
    """Whether every character has one of Unicode's P categories; an empty word has none."""
    text = word.decode("utf-8", "replace")
    return bool(text) and all(unicodedata.category(letter)[0] == "P" for letter in text)


@cache
def width(text: bytes) -> int:
    """The characters of a string without its nonspacing marks (vowel points, say)."""
    if text.isascii():
        return len(text)
    return sum(not _is_mark(letter) for letter in _CHARACTER.findall(text))


def _is_mark(letter: bytes) -> bool:
    try:
        return unicodedata.category(letter.decode()) == "Mn"
    except UnicodeDecodeError:
        return False


_MORE, _NEVER = rb"[\x80-\xbf]", rb"\xc0\xc1\xed\xf5-\xff"
_CHARACTER = re.compile(
    rb"[\x80-\xbf%b](?:[%b]%b|[\xc2-\xdf\xe1-\xec\xee]%b{2}|[\xe0\xef\xf0-\xf4]%b{3})"
    % (_NEVER, _NEVER, *(_MORE,) * 3)
    + rb"|[\xc0-\xdf]%b?|[\xe0-\xef]%b{0,2}|[\xf0-\xf7]%b{0,3}|[\xf8-\xfb]%b{0,4}" % ((_MORE,) * 4)
    + rb"|[\xfc\xfd]%b{0,5}|\xfe%b{0,6}|\xff%b{0,12}|." % ((_MORE,) * 3),
    re.DOTALL,
)
"""One character as Perl's decoder steps through bytes: what a first byte promises, as far as it
follows, is one, whether Unicode has it or not; and so is, as measured (Perl 5.36), a byte that
begins nothing together with what follows it, which is then read as what has a byte more. (Of a few
broken bytes in a row that decoder still makes one more or fewer.)"""


def padded(text: bytes, columns: int) -> bytes:
    """Filled with blanks to so many characters as a reader sees them."""
    return text + b" " * (columns - width(text))
