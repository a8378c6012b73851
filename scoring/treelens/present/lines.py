"""A table's lines as they are written, also those that are no words: for colours and hovers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from treelens.session.document import Document
from treelens.session.sentence_ids import sent_id

if TYPE_CHECKING:
    from treelens.trees.dependency_tree import DependencyTree

LineKind = Literal["comment", "word", "token", "empty node", "other"]

_LINE = re.compile(rb"[^\r\n]+")
_CELL = re.compile(rb"[^ \t]+")
_IDS: tuple[tuple[LineKind, re.Pattern[bytes]], ...] = (
    ("word", re.compile(rb"\d+")),
    ("token", re.compile(rb"\d{1,9}-\d{1,9}")),
    ("empty node", re.compile(rb"\d+\.\d+")),
)


class Line(NamedTuple):
    """A line and its text; ``fields`` are between its tabs, or its blanks if it has none."""

    kind: LineKind
    start: int
    end: int
    text: bytes
    fields: tuple[tuple[int, int], ...]

    def field(self, number: int) -> bytes:
        start, end = self.fields[number]
        return self.text[start - self.start : end - self.start]


def lines(document: Document, start: int, end: int) -> Iterator[Line]:
    """The lines of a stretch that starts and ends with whole ones."""
    text = document.text(start, end)
    for match in _LINE.finditer(text):
        yield _line(match[0], start + match.start())


def line_at(document: Document, offset: int) -> Line:
    """The line that an offset is on; one that is empty is of the kind "other"."""
    start, end = document.line_bounds(document.line_at(offset))
    return _line(document.text(start, end), start)


def numbered(line: Line, tree: DependencyTree) -> list[int]:
    """The words of a multiword token, given its line; none for other lines."""
    if line.kind != "token":
        return []
    first, last = map(int, line.field(0).split(b"-"))
    return [
        place
        for place, word in enumerate(tree.words)
        if (number := word.counted) is not None and first <= number <= last
    ]


def sentence_id(document: Document, sentence: int) -> str:
    """What the comments above a sentence call it, in a line; empty if they do not."""
    return sent_id(document, sentence)[:80]


def _line(text: bytes, start: int) -> Line:
    end = start + len(text)
    if text.startswith(b"#"):
        return Line("comment", start, end, text, ())
    spans = _between_tabs(text, start) if b"\t" in text else _between_blanks(text, start)
    first = text[: spans[0][1] - start].strip() if spans else b""
    kind = next((kind for kind, pattern in _IDS if pattern.fullmatch(first)), None)
    return Line(kind or "other", start, end, text, tuple(spans))


def _between_blanks(text: bytes, start: int) -> list[tuple[int, int]]:
    return [(start + cell.start(), start + cell.end()) for cell in _CELL.finditer(text)]


def _between_tabs(text: bytes, start: int) -> list[tuple[int, int]]:
    spans = []
    for cell in text.split(b"\t"):
        spans.append((start, start + len(cell)))
        start += len(cell) + 1
    return spans
