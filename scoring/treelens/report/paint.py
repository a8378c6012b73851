"""Colour for terminals. Whatever is said in colour is said in signs and words besides."""

from __future__ import annotations

from collections.abc import Callable

Paint = Callable[[str, str], str]
"""``paint(style, text)``: the text in one of the styles below."""

_STYLES = {
    "bold": "1",
    "dim": "2",
    "missing": "31",
    "extra": "32",
    "label": "33",
    "crossing": "35",
    "tag": "36",
    "head": "35",
    "words": "34",
}


def in_color(style: str, text: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if text else text


def plain(style: str, text: str) -> str:
    return text
