"""Lines and characters of the protocol, bytes of the documents: the one place that converts.

A line ends at ``\\n``, ``\\r\\n`` or ``\\r`` and nowhere else; whatever else Unicode calls a line
separator stands inside of one. A character is whatever was agreed on with the client: a byte
of UTF-8, a unit of UTF-16 or a code point. A position that does not exist means the nearest
one before it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from lsprotocol import types
from treelens.forest import decode, encode
from treelens.session.document import LINE_BREAK, Document

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def offset_at(document: Document, position: types.Position, encoding: Encoding) -> int:
    """The byte a position stands before."""
    if position.line < 0:
        return 0
    if position.line >= document.line_count:
        return document.length
    start, end = document.line_bounds(position.line)
    return start + _PREFIXES[encoding](document.text(start, end), max(position.character, 0))


def span_of(document: Document, range_: types.Range, encoding: Encoding) -> tuple[int, int]:
    """The bytes of a range; one whose ends are the wrong way round is turned."""
    ends = [offset_at(document, end, encoding) for end in (range_.start, range_.end)]
    return min(ends), max(ends)


def positions(
    document: Document, offsets: Sequence[int], encoding: Encoding
) -> list[types.Position]:
    """The positions of many offsets, in their order; what stands between them is read once."""
    wanted = sorted({min(max(offset, 0), document.length) for offset in offsets})
    found = dict(zip(wanted, _walk(document, wanted, _WIDTHS[encoding]), strict=True))
    return [found[min(max(offset, 0), document.length)] for offset in offsets]


def ranges(
    document: Document, spans: Iterable[tuple[int, int]], encoding: Encoding
) -> list[types.Range]:
    """The ranges of many spans, in their order."""
    ends = [offset for span in spans for offset in span]
    found = iter(positions(document, ends, encoding))
    return [types.Range(start, end) for start, end in zip(found, found, strict=True)]


def _walk(
    document: Document, offsets: Sequence[int], width: Callable[[bytes], int]
) -> Iterator[types.Position]:
    """Positions of ascending offsets: from one to the next on a line only the new part counts."""
    sentence, base, text, first_line = -1, 0, b"", 0
    breaks: list[int] = []
    line, at, character = -1, 0, 0
    for offset in offsets:
        here = document.sentence_at(offset) or 0
        if here != sentence:
            sentence = here
            base, text, first_line = _piece(document, sentence)
            breaks = [base + match.end() for match in LINE_BREAK.finditer(text)]
        passed = bisect.bisect_right(breaks, offset)
        if first_line + passed != line:
            line, character = first_line + passed, 0
            at = breaks[passed - 1] if passed else _line_start(document, base, line)
        between = text[at - base : offset - base] if at >= base else document.text(at, offset)
        character += width(between)
        at = offset
        yield types.Position(line, character)


def _piece(document: Document, sentence: int) -> tuple[int, bytes, int]:
    """Where a sentence's text starts, the text, and the line it starts on."""
    if not len(document):
        return 0, document.treeless, 0
    start, end = document.start[sentence : sentence + 2].tolist()
    return start, document.text(start, end), int(document.line[sentence])


def _line_start(document: Document, base: int, line: int) -> int:
    """Where the line starts on which a piece starts: mostly there, unless trees share lines."""
    if base == 0 or document.text(base - 1, base) in (b"\n", b"\r"):
        return base
    return document.line_bounds(line)[0]


# --- characters ----------------------------------------------------------------------------


def _utf16_width(text: bytes) -> int:
    if text.isascii():
        return len(text)
    decoded = decode(text)
    return len(decoded) + len(_ASTRAL.findall(decoded))


def _utf32_width(text: bytes) -> int:
    return len(text) if text.isascii() else len(decode(text))


def _utf8_prefix(line: bytes, character: int) -> int:
    """Bytes of a line before a character; from inside a character back to its start."""
    end = min(character, len(line))
    while 0 < end < len(line) and line[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _utf16_prefix(line: bytes, character: int) -> int:
    if line.isascii():
        return min(character, len(line))
    decoded = decode(line)
    index = character
    for number, match in enumerate(_ASTRAL.finditer(decoded)):
        before = match.start() + number  # units before this character
        if character <= before:
            break
        index = match.start() if character == before + 1 else character - number - 1
    return len(encode(decoded[:index]))


def _utf32_prefix(line: bytes, character: int) -> int:
    if line.isascii():
        return min(character, len(line))
    return len(encode(decode(line)[:character]))


_WIDTHS: dict[Encoding, Callable[[bytes], int]] = {
    "utf-8": len,
    "utf-16": _utf16_width,
    "utf-32": _utf32_width,
}
_PREFIXES: dict[Encoding, Callable[[bytes, int], int]] = {
    "utf-8": _utf8_prefix,
    "utf-16": _utf16_prefix,
    "utf-32": _utf32_prefix,
}
