"""What the options and parameter files say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from treelens.dropin.evalb.buffers import Buffer, Lines, piece_starts
from treelens.dropin.shared.strings import c_integer, c_string

PARAMETER_BUFFER = 500

Pair = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Settings:
    """The state of the options; directives given twice add up or overwrite."""

    debug: int = 0
    max_error: int = 10
    cutoff: int = 40
    labeled: int = 1
    delete_labels: tuple[bytes, ...] = ()
    delete_for_length: tuple[bytes, ...] = ()
    quote_labels: tuple[bytes, ...] = ()
    equal_labels: tuple[Pair, ...] = ()
    equal_words: tuple[Pair, ...] = ()
    # evalb_spmrl's own options
    sentences: int = -1
    """-K: stop after this many pairs (but not before the first); -1 for all."""
    compact: bool = False
    """-L: one line instead of the summary."""
    compact_cutoff: bool = False
    """-l: the same, of the sentences within the cutoff."""
    counts_unparsed: bool = False
    """-X: gold brackets of an empty parse count as not found."""
    shows_names: bool = False
    """-V: the names of both files in the summary."""


_NEVER_WRITTEN = b" \x01"
"""What lies there differs from one run to the next, but almost always holds a blank with
bytes behind it that are no number and no label of anything."""
_TRAILING_BLANKS = re.compile(rb"\s+\Z")
_KEY_AND_BLANKS = re.compile(rb"\S*\s*")


def read_parameters(
    text: bytes, settings: Settings, complain: Callable[[bytes], object]
) -> Settings:
    """Apply a parameter file's directives, one line each.

    A key counts only in the first column, and its value is all the rest of the line, blanks
    inside included. The scan for the blanks after a key does not stop at the end of the line:
    a key without a value takes what a longer line before it left in the buffer, or a piece
    of memory that was never written. "Empty value" is therefore hardly ever told.
    """
    lines = Lines(text, piece_starts(text, PARAMETER_BUFFER))
    buffer = Buffer(PARAMETER_BUFFER)
    for index in range(lines.count):
        line = _without_trailing_blanks(lines.line(index))
        buffer.write(line)
        if line.startswith(b"#") or len(c_string(line)) < 3:
            continue
        memory = b"".join(buffer.beyond(0)).rstrip(b"\0") + b"\0" + _NEVER_WRITTEN
        found = _KEY_AND_BLANKS.match(memory)
        assert found is not None  # every part of the pattern may be empty
        value = c_string(memory, found.end())
        if not value:
            complain(b"Empty value in parameter file (%d)\n" % (index + 1))
        settings = _with_directive(settings, c_string(memory), value, complain)
    return settings


def _without_trailing_blanks(line: bytes) -> bytes:
    """Blanks at the end of the C string become NULs; the first byte always stays."""
    string = c_string(line)
    kept = string[:1] + _TRAILING_BLANKS.sub(b"", string[1:])
    return kept.ljust(len(string), b"\0") + line[len(string) :]


def _with_directive(
    settings: Settings, line: bytes, value: bytes, complain: Callable[[bytes], object]
) -> Settings:
    key = _KEY.match(line)
    name = key.group() if key else b""
    if name in _NUMBERS:
        return _with(settings, _NUMBERS[name], c_integer(value))
    if name in _LABELS:
        return _with(settings, _LABELS[name], (*getattr(settings, _LABELS[name]), value))
    if name in _PAIRS:
        values = value.split()
        if len(values) != 2:
            complain(b"%s requires two values\n" % name)
            return settings
        pairs = (*getattr(settings, _PAIRS[name]), (values[0], values[1]))
        return _with(settings, _PAIRS[name], pairs)
    complain(b"Unknown keyword (%s) in parameter file\n" % line)
    return settings


def _with(settings: Settings, name: str, value: object) -> Settings:
    # The names come from the tables below, which mypy cannot follow into replace().
    return replace(settings, **{name: value})  # type: ignore[arg-type]


_KEY = re.compile(rb"\S+")
_NUMBERS = {
    b"DEBUG": "debug",
    b"MAX_ERROR": "max_error",
    b"CUTOFF_LEN": "cutoff",
    b"LABELED": "labeled",
}
_LABELS = {
    b"DELETE_LABEL": "delete_labels",
    b"DELETE_LABEL_FOR_LENGTH": "delete_for_length",
    b"QUOTE_LABEL": "quote_labels",
}
_PAIRS = {b"EQ_LABEL": "equal_labels", b"EQ_WORD": "equal_words"}
