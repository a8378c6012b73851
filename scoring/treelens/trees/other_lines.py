"""Lines that are no words': comments, and in tables multiword tokens and empty nodes.

No score looks at them, so no columns hold them: they are found in a forest's text when somebody
asks. A line is known by where it starts in the forest's source.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from treelens.trees.forest import DEPS, ID, Forest, Ints

OtherLineKind = Literal["comment", "token", "empty"]


def at_line_start(mark: bytes) -> bytes:
    """In a pattern: one byte, or one of a set, where a line starts, whichever breaks a text has
    (``^`` knows one of them); at the start of the text, a byte order mark is none of a line. (The
    byte comes first: where there is none is passed over many times as fast as with the line's.)"""
    return rb"%b(?:(?<![^\r\n]%b)|(?<=\A\xef\xbb\xbf%b))" % (mark, mark, mark)


_LINE = re.compile(rb"#[^\r\n]*|[^#\s][^\r\n]*")
_ID = re.compile(rb"(\d{1,9})([-.])(\d{1,9})\Z")
_MARK, _CLOSED = rb"[#%;]", rb"[^\s()]*\)[ \t)]*(?:[\r\n(]|\Z)"
CLOSED_WORD = re.compile(_MARK + _CLOSED)
"""What is no comment among brackets, though it stands at a line's start: a word whose brackets
close behind it (``%))``), with nothing else on the line but the next bracket."""
COMMENT = re.compile(rb"%b(?!%b)[^\r\n]*" % (at_line_start(_MARK), _CLOSED))
"""A comment among brackets."""
_MARKED = re.compile(rb"[#%;]+\s*(?:([^=:]*)=|([^=:]*:))?(.*)", re.DOTALL)
_BOTH_BREAKS = 2
"""Bytes between two lines that follow each other, at most."""

_HOUSEKEEPING = re.compile(
    rb"[#%;]+\s*(?:(?:sent_id|text(?:_\w+)?|newdoc|newpar|translit|generator|udpipe_model\w*"
    rb"|treelens_\w+|global\.columns)\b|(?i:id\s*[:=]|id\s+\S+\s*\Z|sent(?:ence)?\s+\d+\s*\Z)|\Z)"
)
"""Comments that say which text this is, who read it and who has looked at it, and nothing of its
structure: these are no annotation. (``%% Sent 1`` is above trees of the TIGER treebank.)"""


def line_breaks(text: bytes) -> int:
    """How many lines end in a text."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


class OtherLine(NamedTuple):
    """A line that is no word's; offsets of the forest's source, line break left out."""

    kind: OtherLineKind
    sentence: int
    start: int
    end: int
    first: int
    """Row of a token's first word; of an empty node, that of the word behind it, which may be
    one past the sentence's last; of a comment, the sentence's first."""
    last: int
    """One past the last of a token's words; else the same."""
    key: bytes
    """What a comment is about: what stands before ``=`` (among brackets up to ``:``, too), or all
    of it."""
    value: tuple[bytes, ...]
    """What the line says, but for what words are called: a comment's other part; fields from FORM
    on, of an empty node without DEPS."""


_memory = threading.local()
_REMEMBERED = 2
"""Forests whose lines each thread remembers: those of both sides of what it compares."""


def other_lines(forest: Forest) -> tuple[OtherLine, ...]:
    """The lines of a forest that are annotation and no words, in text order."""
    known: list[tuple[Forest, tuple[OtherLine, ...]]] = getattr(_memory, "known", [])
    found = next((lines for one, lines in known if one is forest), None)
    if found is None:
        found = tuple(_read(forest))
        _memory.known = [*known, (forest, found)][-_REMEMBERED:]
    return found


def forget() -> None:
    """Let go of what this thread remembers."""
    _memory.known = []


def _read(forest: Forest) -> Iterator[OtherLine]:
    if forest.layout == "brackets":
        yield from _among_brackets(forest)
    if forest.annotation != "dependencies":
        return
    first_leaf = forest.first_leaf.tolist()
    for sentence, start, end, row in zip(*(c.tolist() for c in _gaps(forest)), strict=True):
        words = range(first_leaf[sentence], first_leaf[sentence + 1])
        for found in _LINE.finditer(forest.source, start, end):
            line = _comment(found[0]) if found[0][:1] == b"#" else _row(found[0], words, row)
            if line is not None:
                kind, low, high, key, value = line
                place = found.start(), found.end()
                low, high = (words.start, words.start) if kind == "comment" else (low, high)
                yield OtherLine(kind, sentence, *place, low, high, key, value)


def _among_brackets(forest: Forest) -> Iterator[OtherLine]:
    source, first_leaf = forest.source, forest.first_leaf.tolist()
    if len(forest) and not _may_be_there(source[forest.piece.min() : forest.piece.max()]):
        return
    for sentence, (start, end) in enumerate(forest.piece.tolist()):
        text, row = source[start:end], first_leaf[sentence]
        for low, high in tree_comments(text):
            found = _MARKED.match(text, low, high)
            assert found is not None
            key, said = found[1] or found[2] or b"", found[3]
            if found[1] is None and found[2] is None:
                key, said = said, b""
            place = start + low, start + high
            yield OtherLine("comment", sentence, *place, row, row, key.strip(), (said.strip(),))


def tree_comments(text: bytes) -> list[tuple[int, int]]:
    """Of a tree's text and what stands around it, where comments are that are annotation."""
    if not _may_be_there(text):
        return []
    return [found.span() for found in COMMENT.finditer(text) if is_annotation(found[0])]


def _may_be_there(text: bytes) -> bool:
    """Whether comments among brackets may be in a text; most have none."""
    return b"#" in text or b";" in text or b"%" in text  # (any() takes ten times as long)


def _gaps(forest: Forest) -> tuple[Ints, Ints, Ints, Ints]:
    """Stretches between words' lines that have room for others: the sentence, start and end, and
    the row of the word behind; ``(g,)`` each."""
    some = np.flatnonzero(np.diff(forest.first_leaf) > 0)
    first, last = forest.first_leaf[some], forest.first_leaf[some + 1]
    before = np.append(0, forest.leaf_close)[:-1]
    before[first] = forest.tree[some, 0]
    of = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
    inner = np.flatnonzero(forest.leaf_open - before > _BOTH_BREAKS)
    tails = np.flatnonzero(forest.tree[some, 1] - forest.leaf_close[last - 1] > _BOTH_BREAKS)
    columns = (
        (of[inner], some[tails]),
        (before[inner], forest.leaf_close[last[tails] - 1]),
        (forest.leaf_open[inner], forest.tree[some[tails], 1]),
        (inner, last[tails]),
    )
    found = [np.concatenate(both).astype(np.int32) for both in columns]
    order = np.argsort(found[1], kind="stable")
    return found[0][order], found[1][order], found[2][order], found[3][order]


def is_annotation(comment: bytes) -> bool:
    """Whether a comment says something of a sentence's structure or meaning."""
    return not _HOUSEKEEPING.match(comment)


_Said = tuple[OtherLineKind, int, int, bytes, tuple[bytes, ...]]


def _comment(line: bytes) -> _Said | None:
    if not is_annotation(line):
        return None
    key, _, value = line[1:].partition(b"=")
    return "comment", 0, 0, key.strip(), (value.strip(),)


def _row(line: bytes, words: range, row: int) -> _Said | None:
    """A line with a range or a decimal for its ID; None of any other, which is broken."""
    fields = line.rstrip(b" ").split(b"\t")
    found = _ID.match(fields[ID])
    if found is None:
        return None
    # (A line may be an ID as yet.)
    said = tuple(field.strip(b" ") for field in fields[1:]) or (b"",)
    if found[2] == b".":
        return "empty", row, row, b"", said[: DEPS - 1] + said[DEPS:]
    low, high = words.start + int(found[1]) - 1, words.start + int(found[3])
    return ("token", low, high, b"", said) if low < high <= words.stop else None
