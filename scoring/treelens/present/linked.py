"""What is typed in several places at once: a trace's index and its antecedent's, a word's ID and
what names it.

Only from an ID: a head is changed by itself, a word's number together with all that means it.
"""

from __future__ import annotations

import re

from treelens.edits.rename import index_spans
from treelens.present.lines import line_at, lines
from treelens.session.session import Snapshot
from treelens.trees.forest import DEPS, HEAD, ID

Span = tuple[int, int]

_NUMBERS = {
    ID: re.compile(rb"\A\d+|(?<=-)\d+\Z"),
    HEAD: re.compile(rb"\A\d+\Z"),
    DEPS: re.compile(rb"(?:\A|(?<=\|))\d+(?=[:.])"),
}
"""Words' numbers in ``3``, ``3-4`` and ``3.1``; ``3``; ``3:nsubj|5.1:obj``."""
MOST = 500
"""Places at most; more would be no help."""


def linked(snapshot: Snapshot, offset: int) -> list[Span]:
    """The places that say the same as the one at an offset, that one among them, in text order;
    none where nothing else does."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return []
    if snapshot.document.format.layout == "rows":
        found = _of_id(snapshot, sentence, offset)
    else:
        found = _of_index(snapshot, sentence, offset)
    return found if 1 < len(found) <= MOST else []


def _of_index(snapshot: Snapshot, sentence: int, offset: int) -> list[Span]:
    spans = index_spans(snapshot.document, sentence)
    here = next((span for span in spans if span[0] <= offset <= span[1]), None)
    if here is None:
        return []
    number = snapshot.document.text(*here)
    return [span for span in spans if snapshot.document.text(*span) == number]


def _of_id(snapshot: Snapshot, sentence: int, offset: int) -> list[Span]:
    """A word's ID with the ranges, empty nodes, heads and dependencies that name its word; none
    if another word has the same."""
    here = line_at(snapshot.document, offset)
    if here.kind != "word" or not here.fields[ID][0] <= offset <= here.fields[ID][1]:
        return []
    number = here.field(ID)
    start, end = (int(snapshot.document.start[k]) for k in (sentence, sentence + 1))
    rows = [line for line in lines(snapshot.document, start, end) if line.fields]
    if sum(line.kind == "word" and line.field(ID) == number for line in rows) != 1:
        return []
    return [
        (line.fields[column][0] + match.start(), line.fields[column][0] + match.end())
        for line in rows
        for column, pattern in _NUMBERS.items()
        if column < len(line.fields)
        for match in pattern.finditer(line.field(column))
        if match[0] == number
    ]
