"""Lines and characters of the protocol, bytes of the documents: the one place that converts.

A line ends at ``\\n``, ``\\r\\n`` or ``\\r`` and nowhere else; whatever else Unicode calls a line
separator stands inside of one. A character is whatever was agreed on with the client: a byte
of UTF-8, a unit of UTF-16 or a code point. A position that does not exist means the nearest
one before it. Edits in units of UTF-16 may part the two halves of a character, or bring together
two that were alone: the text is then what such a client has.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from lsprotocol import types
from treelens.edits.text import Edit
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import decode, encode, running
from treelens.trees.other_lines import line_breaks

from treelens_server.meant import within

Encoding = Literal["utf-8", "utf-16", "utf-32"]

Position = tuple[int, int]
"""A line and a character on it."""

_LINE = re.compile(rb"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z|(?<![^\r\n])\Z")
"""A line with its end; the last one, which has none, is there even if it is empty."""

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def said(value: Any, _: object = None) -> types.Position:
    """A position of a message, as a client means it (:func:`treelens_server.meant.within`): what
    was changed there is not lost."""
    return types.Position(within(value["line"]), within(value["character"]))


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


def edit_of(
    document: Document, change: types.TextDocumentContentChangePartial, encoding: Encoding
) -> Edit:
    """A client's change in bytes."""
    ends = [change.range.start, change.range.end]
    (start, parts_first), (end, parts_last) = sorted(_cut(document, one, encoding) for one in ends)
    before, after = document.text(max(start - 3, 0), start), document.text(end, end + 4)
    if not (parts_first or parts_last or _HALF.search(before) or _HALF.match(after)):
        return Edit(start, end, encode(change.text))
    left, right = before, after
    if parts_first:
        left += _halves(document.text(start, start + 4))[0]
    if parts_last:
        right = _halves(after)[1]
    return Edit(start - len(before), end + len(after), _joined(left, change.text, right))


def _cut(document: Document, position: types.Position, encoding: Encoding) -> tuple[int, bool]:
    """A position's byte, and whether it is between the halves of the character there."""
    at = offset_at(document, position, encoding)
    if encoding != "utf-16" or document.text(at, at + 1) < b"\xf0":
        return at, False
    behind = types.Position(position.line, position.character + 1)
    return at, offset_at(document, behind, encoding) > at


def edited(
    text: bytes, changes: Iterable[types.TextDocumentContentChangePartial], encoding: Encoding
) -> bytes:
    """A text after many changes, each of which speaks of what those before it have left.

    For a replacement in the whole file: a document would read each changed sentence anew.
    """
    lines: list[bytes] = _LINE.findall(text)
    for change in changes:
        (first, _, left, _), (last, _, _, right) = sorted(
            _in_lines(lines, place, encoding) for place in (change.range.start, change.range.end)
        )
        new = _joined(left, change.text, right)
        if first > 0 and lines[first - 1].endswith(b"\r"):
            first -= 1  # with a \n that now follows it, this is another line's end
            new = lines[first] + new
        lines[first : last + 1] = _LINE.findall(new)[: None if last + 1 == len(lines) else -1]
    return b"".join(lines)


def line_range(text: bytes, first: int, end: int, encoding: Encoding) -> tuple[types.Range, bool]:
    """Lines ``[first, end)`` of a text with their ends; and whether what is inserted there starts
    a line: it does not behind a last line without an end."""
    start, stop = (_line_start(text, line, encoding) for line in (first, end))
    return types.Range(start, stop), first <= line_breaks(text)


def up_to(place: types.Range, line: int) -> types.Range:
    """A range that ends where a line starts; of a text that has no such line, at its end."""
    return types.Range(place.start, types.Position(line, 0))


def end_of(text: bytes, encoding: Encoding) -> types.Position:
    """The end of a text."""
    return _line_start(text, line_breaks(text) + 1, encoding)


def whole_line(number: int, line: str, encoding: Encoding) -> types.Range:
    """All of a line; without its end."""
    end = types.Position(number, int(_layout(encode(line), encoding).widths[-1]))
    return types.Range(types.Position(number, 0), end)


def _line_start(text: bytes, line: int, encoding: Encoding) -> types.Position:
    """Where a line starts; of one behind the last, where that ends."""
    last = line_breaks(text)
    if line <= last:
        return types.Position(line, 0)
    start = max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    return types.Position(last, int(_layout(text[start:], encoding).widths[-1]))


def _in_lines(
    lines: Sequence[bytes], position: types.Position, encoding: Encoding
) -> tuple[int, int, bytes, bytes]:
    """A position as a line that exists and a character of it, and what is before and behind."""
    if position.line >= len(lines):
        return len(lines) - 1, sys.maxsize, lines[-1], b""
    number, character = max(position.line, 0), max(position.character, 0)
    line = lines[number]
    prefix, ended = _PREFIXES[encoding], line.rstrip(b"\r\n")
    at = prefix(ended, character)
    if encoding == "utf-16" and line[at : at + 1] >= b"\xf0" and prefix(ended, character + 1) > at:
        high, low = _halves(line[at : at + 4])
        return number, character, line[:at] + high, low + line[at + 4 :]
    return number, character, line[:at], line[at:]


def places(document: Document, offsets: Sequence[int], encoding: Encoding) -> list[Position]:
    """Line and character of many offsets, in their order; each sentence is looked into once."""
    if len(offsets) and (piece := _piece_of_all(document, min(offsets), max(offsets))):
        within = np.asarray(offsets, np.int64) - piece.start
        return list(map(tuple, _in_piece(document, piece, within, encoding).tolist()))
    wanted, back = np.unique(
        np.clip(np.asarray(offsets, np.int64), 0, document.length), return_inverse=True
    )
    found = np.zeros((len(wanted), 2), np.int64)
    sentences = np.searchsorted(document.start, wanted, side="right") - 1
    sentences = np.clip(sentences, 0, max(len(document) - 1, 0))
    cuts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
    for low, high in itertools.pairwise([*cuts, len(wanted)]):
        piece = _piece(document, int(sentences[low]))
        found[low:high] = _in_piece(document, piece, wanted[low:high] - piece.start, encoding)
    return list(map(tuple, found[back].tolist()))


def positions(
    document: Document, offsets: Sequence[int], encoding: Encoding
) -> list[types.Position]:
    """The positions of many offsets, in their order."""
    return [types.Position(*place) for place in places(document, offsets, encoding)]


def ranges(
    document: Document, spans: Iterable[tuple[int, int]], encoding: Encoding
) -> list[types.Range]:
    """The ranges of many spans, in their order."""
    ends = [offset for span in spans for offset in span]
    found = iter(positions(document, ends, encoding))
    return [types.Range(start, end) for start, end in zip(found, found, strict=True)]


class _Piece(NamedTuple):
    """A sentence's text with what stands around it, and where it starts."""

    start: int
    line: int
    text: bytes


def _piece(document: Document, sentence: int) -> _Piece:
    if not len(document):
        return _Piece(0, 0, document.treeless)
    text = document.piece_text(sentence)
    return _Piece(int(document.start[sentence]), int(document.line[sentence]), text)


def _piece_of_all(document: Document, first: int, last: int) -> _Piece | None:
    """The sentence that both of two offsets are inside of, as mostly all are that are asked for."""
    sentence = int(document.start.searchsorted(first, side="right")) - 1
    if 0 <= sentence < len(document) and last < document.start[sentence + 1]:
        return _piece(document, sentence)
    return None


def _in_piece(
    document: Document, piece: _Piece, offsets: npt.NDArray[np.int64], encoding: Encoding
) -> npt.NDArray[np.int64]:
    """Line and character of offsets within a piece; ``(offsets, 2)``."""
    # Mostly seen before: by another feature, or before the last edit of another sentence.
    remembered = _remembered if len(piece.text) <= _REMEMBERED_BYTES else _layout
    lines, widths = remembered(piece.text, encoding)
    line = lines.searchsorted(offsets, side="right") - 1
    found = np.empty((len(offsets), 2), np.int64)
    found[:, 0] = line
    found[:, 0] += piece.line
    found[:, 1] = widths[offsets] - widths[lines[line]]
    # (Mostly nothing of another sentence stands on its first line.)
    if piece.start and document.text(piece.start - 1, piece.start) not in (b"\n", b"\r"):
        found[line == 0, 1] += _on_line(document, piece.line, encoding)[piece.start]
    return found


_Before = dict[int, int]
"""By where on a line a sentence's text starts, how many characters stand before it there."""

_shared_lines: WeakKeyDictionary[Document, dict[tuple[int, Encoding], _Before]] = (
    WeakKeyDictionary()
)
"""Of the lines on which several sentences are that were asked for: to look through what stands
before each of them would take the square of their number."""


def _on_line(document: Document, line: int, encoding: Encoding) -> _Before:
    known = _shared_lines.setdefault(document, {})
    if (line, encoding) not in known:
        first, end = (int(document.line.searchsorted(line, side)) for side in ("left", "right"))
        starts = document.start[first:end]
        base = document.line_bounds(line)[0]
        widths = _layout(document.text(base, int(starts[-1])), encoding).widths
        characters = widths[np.maximum(starts - base, 0)]
        known[line, encoding] = dict(zip(starts.tolist(), characters.tolist(), strict=True))
    return known[line, encoding]


# --- characters ----------------------------------------------------------------------------

_HALF = re.compile(rb"\xed[\xa0-\xbf].", re.DOTALL)
"""Half of a surrogate pair that is alone, as :func:`~treelens.trees.forest.encode` has it."""

_PAIR = re.compile(rb"\xed[\xa0-\xaf].\xed[\xb0-\xbf].", re.DOTALL)


def _joined(before: bytes, new: str, after: bytes) -> bytes:
    """A text put between two others; halves that come to stand beside each other are one."""
    return _PAIR.sub(lambda found: _whole(found[0]), before + encode(new) + after)


def _whole(pair: bytes) -> bytes:
    units = decode(pair).encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le").encode()


def _halves(character: bytes) -> tuple[bytes, bytes]:
    """The two units of a character outside of the first plane, each by itself."""
    units = decode(character).encode("utf-16-le")
    high, low = (encode(units[at : at + 2].decode("utf-16-le", "surrogatepass")) for at in (0, 2))
    return high, low


class _Layout(NamedTuple):
    """Where the lines of a text start, and how many characters stand before each byte of it."""

    lines: npt.NDArray[np.int64]
    widths: npt.NDArray[np.int32]


def _layout(text: bytes, encoding: Encoding) -> _Layout:
    lines = np.array([0, *(match.end() for match in LINE_BREAK.finditer(text))], np.int64)
    if encoding == "utf-8" or text.isascii():
        return _Layout(lines, np.arange(len(text) + 1, dtype=np.int32))
    data = np.frombuffer(text, np.uint8)
    # What is no continuation starts a character; outside of the first plane it is two units.
    units = (data & 0xC0 != 0x80).astype(np.int32)
    if encoding == "utf-16":
        units += data >= 0xF0
    return _Layout(lines, running(units))


_REMEMBERED_BYTES = 1 << 14
_remembered = functools.lru_cache(maxsize=256)(_layout)


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


_PREFIXES: dict[Encoding, Callable[[bytes, int], int]] = {
    "utf-8": _utf8_prefix,
    "utf-16": _utf16_prefix,
    "utf-32": _utf32_prefix,
}
