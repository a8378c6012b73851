"""Edits of a text as values: stretches of bytes and what takes their place.

Knows no trees. The edits of one action are in text order, do not overlap and speak of the same
text, the one before all of them, as the language server protocol has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.session.document import Document

_TOKENS = re.compile(rb"[()\t|]|\r\n|[\r\n]|[ \v\f]+|[^()\t|\r\n \v\f]+")
_COMPARED = 1 << 24
"""Pairs of tokens that are compared at most; past that the whole stretch is replaced."""


class Edit(NamedTuple):
    """``[start, end)`` of a text becomes ``replacement``; offsets are bytes."""

    start: int
    end: int
    replacement: bytes


Edits = tuple[Edit, ...]


def ordered(edits: Iterable[Edit]) -> Edits:
    """In text order, those that touch joined into one; what is inserted goes before what is
    replaced behind it, and several insertions at one place stay in the order given.

    Raises ``ValueError`` where two overlap.
    """
    joined: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        if joined and edit.start < joined[-1].end:
            raise ValueError(f"{edit} overlaps {joined[-1]}")
        if joined and edit.start == joined[-1].end:
            before = joined.pop()
            edit = Edit(before.start, edit.end, before.replacement + edit.replacement)
        joined.append(edit)
    return tuple(edit for edit in joined if edit.start < edit.end or edit.replacement)


def shifted(edits: Iterable[Edit], by: int) -> Edits:
    return tuple(Edit(start + by, end + by, text) for start, end, text in edits)


def applied(text: bytes, edits: Edits) -> bytes:
    """The text with the edits made."""
    parts, at = [], 0
    for start, end, replacement in edits:
        parts += [text[at:start], replacement]
        at = end
    return b"".join([*parts, text[at:]])


def inverse(text: bytes, edits: Edits) -> Edits:
    """The edits that make the edited text this one again."""
    found, grown = [], 0
    for start, end, replacement in edits:
        at = start + grown
        found.append(Edit(at, at + len(replacement), text[start:end]))
        grown += len(replacement) - (end - start)
    return tuple(found)


def coarser(document: Document, edits: Edits, most: int) -> Edits:
    """At most so many edits that do the same: neighbours, with the text between them, are one."""
    if len(edits) <= most:
        return edits
    size = -(-len(edits) // most)
    found = []
    for first in range(0, len(edits), size):
        some = edits[first : first + size]
        start, end = some[0].start, some[-1].end
        inside = applied(document.text(start, end), shifted(some, -start))
        found.append(Edit(start, end, inside))
    return tuple(found)


def edited(document: Document, edits: Edits) -> Document:
    """The document with the edits made, from the last one up."""
    for edit in reversed(edits):
        document, _ = document.edit(*edit)
    return document


def difference(old: bytes, new: bytes, base: int = 0) -> Edits:
    """Few small edits that make one text another, whole tokens each; ``base`` is where the old
    text starts."""
    ours, theirs = _TOKENS.findall(old), _TOKENS.findall(new)
    offsets = [base]
    for token in ours:
        offsets.append(offsets[-1] + len(token))
    return ordered(
        Edit(offsets[a], offsets[b], b"".join(theirs[c:d]))
        for a, b, c, d in differing(ours, theirs)
    )


def differing(old: Sequence[object], new: Sequence[object]) -> list[tuple[int, int, int, int]]:
    """Which stretches ``[a, b)`` of one sequence are ``[c, d)`` of another; as few as can be."""
    head, most = 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b, c, d = head, len(old) - tail, head, len(new) - tail
    if a == b or c == d or (b - a) * (d - c) > _COMPARED:
        return [(a, b, c, d)] if a < b or c < d else []
    from rapidfuzz.distance import Indel  # which what is only looked at does without

    numbers: dict[object, int] = {}
    ours, theirs = (
        [numbers.setdefault(token, len(numbers)) for token in tokens]
        for tokens in (old[a:b], new[c:d])
    )
    return [
        (a + one.src_start, a + one.src_end, c + one.dest_start, c + one.dest_end)
        for one in Indel.opcodes(ours, theirs)
        if one.tag != "equal"
    ]
