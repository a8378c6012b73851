"""What is put in while somebody types: a new line's indentation in a tree, a new row in a table."""

from __future__ import annotations

import re

from treelens.edits.layout import STEP
from treelens.edits.rows import NOTHING, new_row, read_table, written
from treelens.edits.text import Edit, Edits, difference
from treelens.formats.brackets_repair import without_comments
from treelens.present.lines import Line, line_at
from treelens.session.document import LINE_BREAK, Document
from treelens.session.session import Snapshot
from treelens.trees.forest import COLUMNS, FEWER_COLUMNS, ID, decode

_MOST = 1 << 20
"""Bytes of a sentence that are looked through at a key."""
_BLANK = re.compile(rb"[ \t]*")
_BLANK_LINE = re.compile(rb"(?:\A|(?<=\n)|(?<=\r)(?!\n))[ \t]*(?:\r\n|\r|\n|\Z)")


def on_type(snapshot: Snapshot, offset: int, typed: str) -> Edits:
    """The edits that follow on a typed line break or closing bracket, which ends at ``offset``."""
    document = snapshot.document
    if document.format.layout == "rows":
        return _row(document, offset) if "\n" in typed else ()
    if typed in ("\n", ")"):
        return _indented(document, offset, typed)
    return ()


# --- trees ---------------------------------------------------------------------------------


def _indented(document: Document, offset: int, typed: str) -> Edits:
    """A new line as deep as the bracket that it is in; a closing bracket that begins a line
    under its opening one."""
    start, end = document.line_bounds(document.line_at(offset))
    blank = _BLANK.match(document.text(start, end))
    assert blank is not None
    inside = start + blank.end()
    if typed == ")" and inside != offset - 1:
        return ()
    sentence = document.sentence_at(max(start - 1, 0))
    first = start if sentence is None else int(document.start[sentence])
    if start - first > _MOST:
        return ()
    opened = _open_brackets(document.text(first, start))
    column = 0
    if opened:
        column = _column(document, first + opened[-1]) + (STEP if typed == "\n" else 0)
    new = b" " * column
    return (Edit(start, inside, new),) if document.text(start, inside) != new else ()


def _open_brackets(text: bytes) -> list[int]:
    """Where brackets are that are not closed, the outermost first."""
    found: list[int] = []
    for match in re.finditer(rb"[()]", without_comments(text, 0, len(text))):
        if match[0] == b"(":
            found.append(match.start())
        elif found:
            found.pop()
    return found


def _column(document: Document, offset: int) -> int:
    """How many characters of its line stand before an offset."""
    _, start = document.line_start(offset)
    return len(decode(document.text(start, offset)))


# --- tables --------------------------------------------------------------------------------


def _row(document: Document, offset: int) -> Edits:
    """On an empty line behind a row, the next one: numbered, and what follows numbered anew.

    Behind the last row of a sentence in which nothing has been written yet, that row goes.
    """
    here = line_at(document, offset)
    number = document.line_at(offset)
    if here.text or not number:
        return ()
    above = line_at(document, document.line_bounds(number - 1)[0])
    columns = len(above.fields)
    if above.kind not in ("word", "empty node") or columns not in (COLUMNS, FEWER_COLUMNS):
        return ()
    start, before, behind = _around(document, here)
    if len(before) + len(behind) > _MOST:
        return ()
    if not behind:
        if all(above.field(k) == NOTHING for k in range(1, columns)):
            return (Edit(above.start, above.end, b""),)
        last = int(re.split(rb"\.", above.field(ID))[0])
        text = b"\t".join([b"%d" % (last + 1), *[NOTHING] * (columns - 1)])
        return (Edit(here.start, here.end, text),)
    table = read_table(before + behind)
    if table is None:
        return ()
    rows = [line for line in LINE_BREAK.split(before)[:-1] if not line.startswith(b"#")]
    ranges = sum(b"-" in line.split(b"\t", 1)[0] for line in rows)
    table.rows.insert(len(rows) - ranges, new_row())
    end = here.end + len(behind) + _break(document, here.end)
    return difference(document.text(start, end), written(table), start)


def _around(document: Document, here: Line) -> tuple[int, bytes, bytes]:
    """Where the lines around an empty one start that are not; those above it, and those below."""
    sentence = document.sentence_at(max(here.start - 1, 0)) or 0
    first = int(document.start[sentence]) if len(document) else 0
    last = document.length
    if len(document):
        last = int(document.start[min(sentence + 2, len(document))])
    before = document.text(first, here.start)
    cuts = [match.end() for match in _BLANK_LINE.finditer(before) if match.end() < len(before)]
    cut = cuts[-1] if cuts else 0
    behind = document.text(here.end + _break(document, here.end), last)
    end = _BLANK_LINE.search(behind)
    return first + cut, before[cut:], behind[: end.start() if end else len(behind)]


def _break(document: Document, offset: int) -> int:
    """How long the line break at an offset is."""
    found = LINE_BREAK.match(document.text(offset, offset + 2))
    return len(found[0]) if found else 0
