"""What the options and parameter files say."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from treelens.dropin.evalb.buffers import Buffer
from treelens.dropin.shared.lines import Lines, piece_starts
from treelens.dropin.shared.strings import c_integer, c_string

PARAMETER_BUFFER = 500

T = TypeVar("T")

Pair = tuple[bytes, bytes]


class Entries(tuple[T, ...]):
    """What the lines of a kind say, in their order; quick to ask, however many there are."""

    @functools.cached_property
    def times(self) -> Counter[T]:
        """How often each was given."""
        return Counter(self)

    def __contains__(self, entry: object) -> bool:
        return entry in self.times


_NO_LABELS: Entries[bytes] = Entries()
_NO_PAIRS: Entries[Pair] = Entries()


class Settings(NamedTuple):
    """The state of the options; directives given twice add up or overwrite."""

    debug: int = 0
    max_error: int = 10
    cutoff: int = 40
    labeled: int = 1
    delete_labels: Entries[bytes] = _NO_LABELS
    delete_for_length: Entries[bytes] = _NO_LABELS
    quote_labels: Entries[bytes] = _NO_LABELS
    equal_labels: Entries[Pair] = _NO_PAIRS
    equal_words: Entries[Pair] = _NO_PAIRS
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
    buffer, written = Buffer(PARAMETER_BUFFER), 0
    # (Lists while it is read: a tuple that grows by one a line takes ever longer.)
    lists = {name: list(getattr(settings, name)) for name in (*_LABELS.values(), *_PAIRS.values())}
    numbers: dict[str, int] = {}
    for index in range(lines.count):
        usual = _USUAL.fullmatch(lines.line(index))
        if usual:
            lists[_LABELS[usual[1]]].append(usual[2])
            continue
        line = _without_trailing_blanks(lines.line(index))
        if line.startswith(b"#") or len(c_string(line)) < 3:
            continue
        memory = c_string(line)
        if _end_of_blanks(memory) == len(memory):
            for before in range(written, index + 1):
                buffer.write(_without_trailing_blanks(lines.line(before)))
            written = index + 1
            memory = b"".join(buffer.beyond(0)).rstrip(b"\0") + b"\0" + _NEVER_WRITTEN
        value = c_string(memory, _end_of_blanks(memory))
        if not value:
            complain(b"Empty value in parameter file (%d)\n" % (index + 1))
        _take(c_string(memory), value, lists, numbers, complain)
    tuples = {name: Entries(values) for name, values in lists.items()}
    # The names come from the tables below, which mypy cannot follow into _replace().
    return settings._replace(**tuples, **numbers)  # type: ignore[arg-type]


def _end_of_blanks(memory: bytes) -> int:
    """Where the blanks behind a key end."""
    found = _KEY_AND_BLANKS.match(memory)
    assert found is not None  # every part of the pattern may be empty
    return found.end()


def _without_trailing_blanks(line: bytes) -> bytes:
    """Blanks at the end of the C string become NULs; the first byte always stays."""
    string = c_string(line)
    kept = string[:1] + _TRAILING_BLANKS.sub(b"", string[1:])
    return kept.ljust(len(string), b"\0") + line[len(string) :]


def _take(
    line: bytes,
    value: bytes,
    lists: dict[str, list[Any]],
    numbers: dict[str, int],
    complain: Callable[[bytes], object],
) -> None:
    """Take a directive's value."""
    key = _KEY.match(line)
    name = key.group() if key else b""
    if name in _NUMBERS:
        numbers[_NUMBERS[name]] = c_integer(value)
    elif name in _LABELS:
        lists[_LABELS[name]].append(value)
    elif name in _PAIRS:
        values = value.split()
        if len(values) == 2:
            lists[_PAIRS[name]].append((values[0], values[1]))
        else:
            complain(b"%s requires two values\n" % name)
    else:
        complain(b"Unknown keyword (%s) in parameter file\n" % line)


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
_USUAL = re.compile(rb"(%s)[ \t]+([^\s\0]+)[ \t]*\n?" % b"|".join(_LABELS))
"""A line on which there is nothing to wonder about, as all are in a long file."""
_PAIRS = {b"EQ_LABEL": "equal_labels", b"EQ_WORD": "equal_words"}
