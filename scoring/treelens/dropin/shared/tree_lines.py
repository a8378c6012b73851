"""The trees of many ordinary lines at once, by passes over whole blocks of text.

An ordinary line is balanced, has ``(TAG word)`` for its words, and holds no NUL. Every other line
is left to a drop-in's model. It gains its speed from bytes being classified, brackets matched and
labels compared by numpy, for thousands of lines in one call.

It does not read through ``formats.brackets``: a sentence is a line here, and labels are bytes
of any encoding, told apart before anything is decoded.

A block is read as a sequence of *events*: opening and closing brackets, the starts of tokens
and the ends of lines. Which role an event has shows in its neighbours, and a window of four
kinds of event fits in one byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.dropin.shared.labels import FIRST_BYTES, Keys, LabelTable, eight_bytes
from treelens.dropin.shared.lines import Lines, piece_starts

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

BLOCK_LINES = 1 << 13

_OPEN, _CLOSE, _TOKEN, _NEWLINE, _BLANK = range(5)
_KINDS = bytearray([_TOKEN]) * 256
_KINDS[ord("(")], _KINDS[ord(")")], _KINDS[ord("\n")] = _OPEN, _CLOSE, _NEWLINE
for _blank in b" \t\v\f\r":
    _KINDS[_blank] = _BLANK

_LEAF, _NODE, _BARE_NODE, _NODE_END, _BAD = 1, 2, 4, 8, 128
_PADDING = bytes(8)
_DEEP_BYTES = 1 << 16
"""A line that has no more is nested in less than 32,768 levels."""


def _role(before: int, kind: int, after: int, second: int) -> int:
    """An event's role among its neighbours in an ordinary line. ``_BAD`` needs to be found at
    one event only of each mistake: what follows from it is never used."""
    if kind == _OPEN and (after, second) == (_TOKEN, _TOKEN):
        return _LEAF
    if kind == _OPEN and (after, second) == (_TOKEN, _OPEN):
        return _NODE
    if kind == _OPEN:
        return _BARE_NODE if after == _OPEN else _BAD
    if kind == _TOKEN:
        stray = before in (_CLOSE, _NEWLINE) or (before == _TOKEN and after != _CLOSE)
        return _BAD if stray else 0
    if kind == _CLOSE:
        return {_TOKEN: 0, _CLOSE: _NODE_END}.get(before, _BAD)
    return 0


_ROLES = bytes(_role(code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6) for code in range(256))


class _Tokens(NamedTuple):
    """The tokens of a block, in text order; shape (tokens,) each."""

    start: Ints
    end: Ints
    is_label: Flags
    """Whether an opening bracket stands directly before it; otherwise it is a word."""
    words: Ints
    """(w,) which tokens are words."""


class _Events(NamedTuple):
    """The events of a block (n lines, c constituents) that reading has to look at."""

    newlines: Ints
    """(n+1,) which events are ends of lines; the first is the newline before the block."""
    brackets: Ints
    """(2c,) which events are brackets of constituents, no words' brackets."""
    roles: Bytes
    """(2c,) their roles."""
    bounds: Ints
    """(n+1,) the first bracket of each line, as an index of ``brackets``."""
    depth: npt.NDArray[np.int32]
    """(2c,) how many brackets are open after each."""


class Side(NamedTuple):
    """The trees of one side's block. Words and nodes are in text order."""

    text: bytes
    first_word: Ints  # (n+1,)
    tag: Ints  # (w,) label ids
    word_start: Ints  # (w,) offsets in the text
    word_end: Ints  # (w,)
    sentence: Ints  # (c,)
    label: Ints  # (c,) label ids
    first: Ints  # (c,) the node's first word
    last: Ints  # (c,) and the one behind its last

    def word(self, index: int) -> bytes:
        return self.text[self.word_start[index] : self.word_end[index]]


def line_starts(text: bytes, size: int) -> Sequence[int]:
    """The same as ``lines.piece_starts``, without a number in Python for each."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n")) + 1
    last = [] if text.endswith(b"\n") or not text else [len(text)]
    starts = np.concatenate([np.zeros(1, np.int64), ends, np.array(last, np.int64)])
    if np.diff(starts).max(initial=0) >= size:
        return piece_starts(text, size)
    return starts.data


def block_end(gold: Lines, test: Lines, first: int, count: int, size: int) -> int:
    """Where a run of pairs ends that starts at ``first``, of about ``size`` bytes, which is the
    right size to be read at once."""
    last, step = first, BLOCK_LINES
    while step:
        if last + step <= min(count, first + BLOCK_LINES) and all(
            lines.starts[last + step] - lines.starts[first] <= size for lines in (gold, test)
        ):
            last += step
        step //= 2
    return max(last, first + 1)


def read_side(
    lines: Lines,
    first: int,
    last: int,
    table: LabelTable,
    odd: Flags,
    left_out: Flags | None = None,
) -> Side:
    """Read a block; lines that are not ordinary are marked in ``odd`` and read as empty, as are
    those that are left out, which are marked nowhere."""
    own = _unreadable(lines, first, last)
    while True:
        empty = own if left_out is None else own | left_out
        found = _read(_block_text(lines, first, last, empty), table)
        if isinstance(found, Side):
            odd |= own
            return found
        own |= found


def _unreadable(lines: Lines, first: int, last: int) -> Flags:
    """Pieces of overlong lines, lines with a NUL, and those that may be nested too deeply.
    (A file's last line needs no newline.)"""
    starts = np.array(lines.starts[first : last + 1])
    cut = np.frombuffer(lines.text, np.uint8)[starts[1:] - 1] != ord("\n")
    cut[-1] &= starts[-1] < len(lines.text)
    unreadable = cut | (np.diff(starts) > _DEEP_BYTES)
    if lines.text.find(b"\0", starts[0], starts[-1]) >= 0:
        unreadable |= [b"\0" in lines.line(index) for index in range(first, last)]
    return unreadable


def _block_text(lines: Lines, first: int, last: int, empty: Flags) -> bytes:
    """The lines between newlines, with room behind them to read eight bytes at once."""
    text, starts = memoryview(lines.text), lines.starts
    parts: list[bytes | memoryview] = [b"\n"]
    cuts = (np.flatnonzero(empty[1:] != empty[:-1]) + 1 + first).tolist()
    out = bool(empty[0])
    for start, end in pairwise([first, *cuts, last]):
        parts.append(b"\n" * (end - start) if out else text[starts[start] : starts[end]])
        out = not out
    # (A file's last line may come without a newline.)
    parts.append(_PADDING if bytes(parts[-1][-1:]) == b"\n" else b"\n" + _PADDING)
    return b"".join(parts)


def _read(text: bytes, table: LabelTable) -> Side | Flags:
    """Read a block of lines; or tell which of them are not ordinary."""
    kinds = np.frombuffer(text.translate(_KINDS), np.uint8)[: -len(_PADDING)]
    tokens = _find_tokens(kinds)
    events = _find_events(kinds, tokens)
    return _build(text, tokens, events, table) if isinstance(events, _Events) else events


def _find_tokens(kinds: Bytes) -> _Tokens:
    is_token = kinds == _TOKEN
    # The block starts and ends with a newline, so every token has both its edges.
    edges = np.flatnonzero(is_token[1:] != is_token[:-1])
    start, end = edges[0::2] + 1, edges[1::2] + 1
    is_label = kinds[start - 1] == _OPEN
    return _Tokens(start, end, is_label, np.flatnonzero(~is_label))


def _find_events(kinds: Bytes, tokens: _Tokens) -> _Events | Flags:
    is_token = kinds == _TOKEN
    is_event = kinds < _BLANK
    is_event[1:] &= ~(is_token[1:] & is_token[:-1])
    # Here and elsewhere: numpy takes rows by number several times faster than by flags.
    sequence = kinds[np.flatnonzero(is_event)]
    roles = _find_roles(sequence)
    newlines = np.flatnonzero(sequence == _NEWLINE)
    labels = np.count_nonzero(roles & (_LEAF | _NODE))
    misread = labels != len(tokens.start) - len(tokens.words)
    unclosed = (kinds[tokens.end[tokens.words]] != _CLOSE).any()
    if misread or unclosed or roles.max(initial=0) >= _BAD:
        return _misplaced(kinds, tokens, sequence, roles, newlines)
    brackets = np.flatnonzero(roles > _LEAF)
    bracket_roles = roles[brackets]
    bounds = np.searchsorted(brackets, newlines)
    steps = 1 - 2 * (bracket_roles == _NODE_END).view(np.int8)
    depth = np.cumsum(steps, dtype=np.int32)
    events = _Events(newlines, brackets, bracket_roles, bounds, depth)
    unbalanced = _unbalanced(events)
    return events if unbalanced is None else unbalanced


def _find_roles(sequence: Bytes) -> Bytes:
    """Look up the window of each event: the one before it, itself and the two after it."""
    padded = np.full(len(sequence) + 3, _NEWLINE, np.uint8)
    padded[1:-2] = sequence
    # (numpy multiplies many bytes at once, but shifts them one by one.)
    pairs = padded[:-1] | padded[1:] * np.uint8(4)
    windows = pairs[:-2] | pairs[2:] * np.uint8(16)
    return np.frombuffer(windows.tobytes().translate(_ROLES), np.uint8)


def _misplaced(
    kinds: Bytes, tokens: _Tokens, sequence: Bytes, roles: Bytes, newlines: Ints
) -> Flags:
    """The lines with something out of place: a bad event, a label that does not stand directly
    behind its bracket, a word that does not stand directly before one."""
    bad = np.zeros(len(newlines) - 1, np.bool_)
    bad[np.searchsorted(newlines, np.flatnonzero(roles & _BAD)) - 1] = True
    after_bracket = sequence[np.flatnonzero(sequence == _TOKEN) - 1] == _OPEN
    wrong = (after_bracket != tokens.is_label) | (~after_bracket & (kinds[tokens.end] != _CLOSE))
    line_ends = np.flatnonzero(kinds == _NEWLINE)
    bad[np.searchsorted(line_ends, tokens.start[wrong]) - 1] = True
    return bad


def _unbalanced(events: _Events) -> Flags | None:
    """The lines whose brackets do not balance; None when all do."""
    height = np.append(0, events.depth)[events.bounds]
    if not height.any() and events.depth.min(initial=0) >= 0:
        return None
    counts = np.diff(events.bounds)
    below = events.depth < np.repeat(height[:-1], counts)
    bad: Flags = np.diff(height) != 0
    bad[np.repeat(np.arange(len(counts)), counts)[below]] = True
    return bad


def _build(text: bytes, tokens: _Tokens, events: _Events, table: LabelTable) -> Side:
    """The columns of a block in which every line is ordinary."""
    counts = np.diff(events.bounds)
    sentence = np.repeat(np.arange(len(counts)), counts)
    # A word makes four events; so from the number of an event and of the other events before
    # it follows how many words came before, without counting them.
    other = np.zeros(len(events.roles) + 1, np.int64)
    np.cumsum(1 + (events.roles == _NODE).view(np.int8), out=other[1:])
    words_before = (events.brackets - other[:-1] - sentence - 1) >> 2
    first_word = (events.newlines - other[events.bounds] - np.arange(len(counts) + 1)) >> 2

    opening = np.flatnonzero(events.roles != _NODE_END)
    next_is_label = np.append(tokens.is_label[1:], False)
    word = tokens.words
    labelled = np.flatnonzero(tokens.is_label & next_is_label)
    named = np.concatenate([word - 1, labelled])
    ids = table.ids(text, tokens.start[named], tokens.end[named])
    label = np.zeros(len(opening), np.int64)
    label[events.roles[opening] == _NODE] = ids[len(word) :]
    return Side(
        text=text,
        first_word=first_word,
        tag=ids[: len(word)],
        word_start=tokens.start[word],
        word_end=tokens.end[word],
        sentence=sentence[opening],
        label=label,
        first=words_before[opening],
        last=words_before[_partners(events)[opening]],
    )


def _partners(events: _Events) -> Ints:
    """Of each opening bracket, as an index of ``events.brackets``, the one that closes it."""
    # The same depth at both ends of a constituent: among brackets of one depth, each opening
    # one is followed by its own closing one. The sort must be stable, and on two bytes it is
    # a radix sort; no line that is read has room for more than 32,767 balanced levels.
    depth = events.depth - (events.roles != _NODE_END)
    order = np.argsort(depth.astype(np.int16), kind="stable")
    partner = np.empty(len(order), np.int64)
    partner[order[0::2]] = order[1::2]
    return partner


def different_words(gold: Side, test: Side, left: Ints, right: Ints) -> Ints:
    """Which of the words ``left`` are not the words ``right``, eight bytes at a time."""
    left_start, right_start = gold.word_start[left], test.word_start[right]
    length = gold.word_end[left] - left_start
    different = length != test.word_end[right] - right_start
    left_eight, right_eight = eight_bytes(gold.text), eight_bytes(test.text)
    different |= _xor(left_eight, right_eight, left_start, right_start, length) != 0
    offset = 8
    rest = np.flatnonzero((length > offset) & ~different)
    while len(rest):
        starts = left_start[rest] + offset, right_start[rest] + offset
        different[rest] = _xor(left_eight, right_eight, *starts, length[rest] - offset) != 0
        offset += 8
        rest = rest[(length[rest] > offset) & ~different[rest]]
    return np.flatnonzero(different)


def _xor(left: Keys, right: Keys, left_start: Ints, right_start: Ints, length: Ints) -> Keys:
    difference: Keys = left[left_start] ^ right[right_start]
    return difference & FIRST_BYTES[np.minimum(length, 8)]
