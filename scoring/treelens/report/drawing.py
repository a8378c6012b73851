"""Spans drawn under the words of a sentence, as a compiler draws under a line of code.

Knows words and columns of a terminal only; what is drawn, and why, is for the caller to say.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.render.width import clean, in_order, shortened, width
from treelens.report.paint import Paint


class Underline(NamedTuple):
    """A line under words ``[first, last)``, made of a sign, with a label beside it."""

    first: int
    last: int
    sign: str
    label: str
    style: str
    detail: str = ""
    """What the label says besides, where there is room."""


class _Row(NamedTuple):
    """A line of the text: which words are on it, and each one's column and end."""

    words: range
    columns: tuple[tuple[int, int], ...]


def draw(
    words: Sequence[str], underlines: Sequence[Underline], columns: int, margin: str, paint: Paint
) -> Iterator[str]:
    """The words, wrapped to some columns, with the underlines below; ``margin`` stands before."""
    shown = [clean(word) or "\ufffd" for word in words]
    indent = width(margin)
    rows = list(_rows(shown, columns - indent))
    for row, touching in zip(rows, _touching(rows, underlines), strict=True):
        yield margin + in_order([shown[at] for at in row.words])
        for underline in touching:
            yield from _under(underline, row, columns - indent, " " * indent, paint)


def _rows(words: Sequence[str], columns: int) -> Iterator[_Row]:
    start, places, column = 0, list[tuple[int, int]](), 0
    for at, word in enumerate(words):
        size = max(width(word), 1)
        if places and column + size > columns:
            yield _Row(range(start, at), tuple(places))
            start, places, column = at, [], 0
        places.append((column, column + size))
        column += size + 1
    yield _Row(range(start, len(words)), tuple(places))


def _touching(rows: Sequence[_Row], underlines: Sequence[Underline]) -> list[list[Underline]]:
    """The underlines that have a part below each line of the text."""
    touching: list[list[Underline]] = [[] for _ in rows]
    starts, stops = [row.words.start for row in rows], [row.words.stop for row in rows]
    for underline in underlines:
        for at in range(bisect_right(stops, underline.first), bisect_left(starts, underline.last)):
            touching[at].append(underline)
    return touching


def _under(
    underline: Underline, row: _Row, columns: int, margin: str, paint: Paint
) -> Iterator[str]:
    """The part of an underline below one line of text, labelled where it ends."""
    first = max(underline.first, row.words.start) - row.words.start
    last = min(underline.last, row.words.stop) - row.words.start
    start, end = row.columns[first][0], row.columns[last - 1][1]
    line = paint(underline.style, underline.sign * (end - start))
    if underline.last > row.words.stop:
        yield f"{margin}{' ' * start}{line}"
        return
    label = shortened(clean(underline.label), columns)
    if end + 1 + width(label + clean(underline.detail)) <= columns:
        label += clean(underline.detail)
    size = width(label)
    label = paint(underline.style, label)
    if end + 1 + size <= columns:
        yield f"{margin}{' ' * start}{line} {label}"
    elif size + 1 <= start:
        yield f"{margin}{' ' * (start - size - 1)}{label} {line}"
    else:
        yield f"{margin}{' ' * start}{line}"
        yield f"{margin}{' ' * max(min(start, columns - size), 0)}{label}"
