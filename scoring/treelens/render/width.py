"""How many columns of a terminal a text takes, and text that is safe to show in one.

Columns are what the ``wcwidth`` package counts; what terminals do with the direction of text, and
what must not reach one, is ours.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

_LEFT_TO_RIGHT_MARK = "\u200e"
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
_CONTROL_PICTURES = 0x2400
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f")
_STEERING = "\u202a-\u202e\u2066-\u2069"
"""Embeddings, overrides and isolates: one that is left open steers all that comes behind it."""
_CONTROLS = f"\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029{_STEERING}"


_is_plain = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff–—‘’“”…←-↓ακ]*").fullmatch
"""Whether a text is of Latin letters, signs and what our own messages have besides, each of one
column: what most texts are."""


def width(text: str) -> int:
    """Columns that a text takes."""
    if text.isascii() or _is_plain(text):
        return len(text)
    from wcwidth import wcswidth, wcwidth  # its tables take longer to load than most commands run

    # (A text with a control character has no width of its own.)
    columns = wcswidth(text)
    return columns if columns >= 0 else sum(max(wcwidth(one), 0) for one in text)


def clean(text: str) -> str:
    """Text that does nothing to a terminal: what would is shown as a picture of itself.

    A treebank may hold anything, escape sequences and overrides of direction included; a
    lone half of a surrogate pair cannot be written at all. Isolates that are closed, such as
    those of a message of ours, are left out.
    """
    if _is_plain(text):
        return text
    return "".join(map(_clean_character, _isolates.sub(r"\1", text)))


def clean_words(words: Sequence[str]) -> list[str]:
    """The same of each word; most sentences need one look."""
    return [*words] if _is_plain(" ".join(words)) else [*map(clean, words)]


def without_controls(text: str) -> str:
    """Text whose lines are meant, and its isolates that are closed, as ours around words that run
    from right to left: other controls are shown."""
    if _is_plain(text):
        return text
    return _controls.sub(lambda found: found[1] or _clean_character(found[0]), text)


_isolates = re.compile(f"\u2068([^{_CONTROLS}]*)\u2069")
_controls = re.compile(f"({_isolates.pattern})|[{_CONTROLS}]")


@functools.lru_cache(maxsize=4096)
def _clean_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == 0x7F:
        return "\u2421"
    if _is_steering(character) or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return "" if character in _DIRECTION_MARKS else character


_is_steering = re.compile(f"[{_STEERING}]").match


def in_order(words: list[str]) -> str:
    """Words with a blank between them, each standing to the right of the one before.

    Some terminals show right-to-left text as it is read, others letter by letter as it is
    stored. With a mark after each word they agree on where the words stand, so that what is
    drawn under a word stands under it; letters within a word are for the terminal to order.
    """
    text = " ".join(words)
    if not _is_plain(text) and any(map(_is_right_to_left, words)):
        mark = _LEFT_TO_RIGHT_MARK
        return mark + " ".join(word + mark for word in words)
    return text


def _is_right_to_left(word: str) -> bool:
    return not _is_plain(word) and any(
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
