"""What of another file's lines that are no words' this file's table gets: comments, multiword
tokens, empty nodes. IDs stay in order (:mod:`treelens.edits.rows`)."""

from __future__ import annotations

from treelens.differences.difference import Family
from treelens.differences.marks import Mark
from treelens.edits import whole
from treelens.edits.rows import NOTHING, Range, Row, Table, read_table, written
from treelens.edits.sides import Meeting, View
from treelens.edits.text import Edit, Edits, difference
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import DEPS, HEAD, ID
from treelens.trees.other_lines import is_annotation


def take(meeting: Meeting, family: Family, here: Mark | None, there: Mark | None) -> Edits | None:
    """The edits that give one sentence such a line of another one, or take it away."""
    if family == "comment":
        return _comment(meeting, here, there)
    return _rewritten(meeting, here, there, family)


# --- comments ------------------------------------------------------------------------------


def _comment(meeting: Meeting, here: Mark | None, there: Mark | None) -> Edits:
    document = meeting.here.document
    new = meeting.there.document.text(there.start, there.end) if there else b""
    if here is None:
        at, _ = _rows_start(document, meeting.here.sentences[0])
        return (Edit(at, at, new + whole.line_break(document)),)
    if there is not None:
        return (Edit(here.start, here.end, new),)
    behind = LINE_BREAK.match(document.text(here.end, here.end + 2))
    return (Edit(here.start, here.end + (behind.end() if behind else 0), b""),)


def comments(here: Document, sentence: int, there: Document, other: int) -> Edits:
    """The comments of another sentence that are annotation in the place of one's own."""
    at, old = _rows_start(here, sentence)
    _, new = _rows_start(there, other)
    kept = [line for line in old if not is_annotation(line)]
    taken = [line for line in new if is_annotation(line)]
    if [line for line in old if is_annotation(line)] == taken:
        return ()
    one = whole.line_break(here)
    text = b"".join(line + one for line in [*kept, *taken])
    start = here.tree(sentence).start
    return difference(here.text(start, at), text, start)


def _rows_start(document: Document, sentence: int) -> tuple[int, list[bytes]]:
    """Where a sentence's first row starts that may be a multiword token's or an empty node's, and
    the comments above it."""
    start, found = document.tree(sentence).start, []
    text = document.text(start, document.tree(sentence).end)
    at = 0
    while text[at : at + 1] == b"#":
        end = LINE_BREAK.search(text, at)
        if end is None:
            break
        found.append(text[at : end.start()])
        at = end.end()
    return start + at, found


# --- multiword tokens and empty nodes ------------------------------------------------------


def _rewritten(
    meeting: Meeting, here: Mark | None, there: Mark | None, family: Family
) -> Edits | None:
    """A token or an empty node as the other sentence has it, and all numbered anew; None of tables
    that are not in order."""
    text, their_text = (
        view.document.piece_text(view.sentences[0]) for view in (meeting.here, meeting.there)
    )
    table, other = read_table(text), read_table(their_text)
    if table is None or other is None:
        return None
    own, taken = table.words, other.words
    partners = meeting.there.words.partner.tolist()
    known = {id(taken[k]): own[p] for k, p in enumerate(partners) if p >= 0}
    names = _id_at(meeting.here, here), _id_at(meeting.there, there)
    change = _token if family == "token" else _empty_node
    if not change(table, other, known, *names):
        return None
    start = int(meeting.here.document.start[meeting.here.sentences[0]])
    return difference(text, written(table), start) or None


def _id_at(view: View, mark: Mark | None) -> bytes:
    """The ID of the line at a mark; empty without one."""
    return view.document.text(mark.start, mark.end).split(b"\t")[ID] if mark else b""


_Known = dict[int, Row]
"""Rows here by the identity of rows there."""


def _token(table: Table, other: Table, known: _Known, here: bytes, there: bytes) -> bool:
    own = next((one for one in table.ranges if one.fields[ID] == here), None)
    taken = next((one for one in other.ranges if one.fields[ID] == there), None)
    if taken is None and own is not None:
        table.ranges.remove(own)
    elif taken is not None and own is not None:
        own.fields = [*taken.fields]
    elif taken is not None:
        rows = [known[id(row)] for row in taken.rows if id(row) in known]
        tied = {id(row) for one in table.ranges for row in one.rows}
        if len(rows) < len(taken.rows) or any(id(row) in tied for row in rows):
            return False
        table.ranges.append(Range([*taken.fields], rows))
    return True


def _empty_node(table: Table, other: Table, known: _Known, here: bytes, there: bytes) -> bool:
    own = next((row for row in table.rows if row.fields[ID] == here), None)
    taken = next((row for row in other.rows if row.fields[ID] == there), None)
    if own is None and taken is not None:
        before = [row for row in other.rows[: other.rows.index(taken)] if not row.empty]
        if before and id(before[-1]) not in known:
            return False
        at = table.rows.index(known[id(before[-1])]) + 1 if before else 0
        while at < len(table.rows) and table.rows[at].empty:
            at += 1
        table.rows.insert(at, _copy(taken, known))
    elif own is not None and taken is not None:
        own.fields = [*taken.fields[:DEPS], own.fields[DEPS], *taken.fields[DEPS + 1 :]]
    elif own is not None:
        table.rows.remove(own)
        for row in table.rows:
            _set_deps(row, [one for one in row.deps or () if one[0] is not own])
    return True


def _copy(taken: Row, known: _Known) -> Row:
    row = Row([*taken.fields], empty=True, head=taken.fields[HEAD], deps=[])
    named = [(known.get(id(head), head), relation) for head, relation in taken.deps or ()]
    _set_deps(row, [(head, name) for head, name in named if head is row or _is_here(head, known)])
    return row


def _is_here(head: Row | bytes, known: _Known) -> bool:
    return head == b"0" or any(head is row for row in known.values())


def _set_deps(row: Row, deps: list[tuple[Row | bytes, bytes]]) -> None:
    """Other enhanced dependencies, where the field is made of such at all."""
    if row.deps is not None:
        row.deps = deps or None
        row.fields[DEPS] = NOTHING if not deps else row.fields[DEPS]
