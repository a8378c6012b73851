"""Which places of the other files stand beside those of this one, for scrolling them together.

By groups of sentences, never by lines: one file may have a tree on a line, the other on twenty.
What lies between two stops is for the editor to divide, row by row.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from treelens.session.document import Document
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot

_AROUND = 30
"""Groups before and behind what is asked about, so that a scroll need not ask each time."""
_MOST = 400
"""Groups in one answer; more is in no view."""

_BLANK = re.compile(rb"[ \t\r\n]*")


class Stop(NamedTuple):
    """Two places that stand side by side: offsets."""

    here: int
    there: int


class Abreast(NamedTuple):
    """The stops of one other file, ascending on both sides.

    Where a file has nothing of a sentence, two stops have the same place in it.
    """

    name: str
    stops: tuple[Stop, ...]


def abreast(snapshot: Snapshot, start: int, end: int) -> list[Abreast]:
    """The stops from one offset to another and around them, for each of the other files."""
    first, last = snapshot.document.sentence_at(start), snapshot.document.sentence_at(end)
    if first is None or last is None:
        return []
    return [
        Abreast(other.name, _stops(snapshot.document, other, first, max(first, last)))
        for other in snapshot.counterparts
    ]


def _stops(document: Document, other: Counterpart, first: int, last: int) -> tuple[Stop, ...]:
    groups, count = other.pair.groups, len(other.pair.groups.stood)
    starts = groups.gold_start, groups.system_start
    ours, theirs = starts if other.side is Side.GOLD else reversed(starts)
    low = max(other.pair.group_of(other.side, first) - _AROUND, 0)
    high = min(other.pair.group_of(other.side, last) + 1 + _AROUND, low + _MOST, count)
    found = [
        Stop(_begin(document, int(ours[group])), _begin(other.document, int(theirs[group])))
        for group in range(low, min(high + 1, count))
    ]
    if low == 0:
        found.insert(0, Stop(0, 0))
    if high == count:
        found.append(Stop(document.length, other.document.length))
    return tuple(found)


def _begin(document: Document, sentence: int) -> int:
    """Where a sentence begins, with its comments and without the blank lines above them."""
    if sentence >= len(document):
        return document.length
    forest, row, shift = document.piece(sentence)
    low, high = forest.piece[row].tolist()
    blank = _BLANK.match(forest.source, low, high)
    assert blank is not None, "no blanks are blanks too"
    return blank.end() + shift
