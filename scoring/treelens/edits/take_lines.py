"""What of another file's lines that are no words' this file's table gets: comments, multiword
tokens, empty nodes; and of its enhanced dependencies, which name these. IDs stay in order
(:mod:`treelens.edits.rows`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from treelens.differences import enhanced, other_lines
from treelens.differences.difference import Difference, Family
from treelens.differences.marks import Mark
from treelens.edits import whole
from treelens.edits.rows import NOTHING, Range, SentenceTable, TableRow
from treelens.edits.sides import EditedSide, GroupSides
from treelens.edits.text import Edit, Edits, difference
from treelens.edits.two_tables import TwoTables, two_tables
from treelens.formats.conll_repair import BOM
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import DEPS, ID
from treelens.trees.other_lines import is_annotation

FAMILIES = other_lines.FAMILIES | {one.family for one in enhanced.DIFFERENCES}


def take(
    both: GroupSides, difference: Difference, here: Mark | None, there: Mark | None
) -> Edits | None:
    """The edits that give one sentence such a line, or such a dependency, of another one, or take
    it away."""
    if difference.family == "comment":
        return _comment(both, here, there)
    own = here if difference.owner in (None, both.into) else None
    taken = there if difference.owner in (None, both.into.other) else None
    return _rewritten(both, own, taken, difference.family)


# --- comments ------------------------------------------------------------------------------


def _comment(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits:
    document = both.here.document
    new = both.there.document.text(there.start, there.end) if there else b""
    if here is None:
        at, _ = _rows_start(document, both.here.sentences[0])
        return (Edit(at, at, new + whole.line_break(document)),)
    if there is not None:
        return (Edit(here.start, here.end, new),)
    return (whole.without_line(document, here.start, here.end),)


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


# --- rows ----------------------------------------------------------------------------------


def _rewritten(
    both: GroupSides, here: Mark | None, there: Mark | None, family: Family
) -> Edits | None:
    """A token, an empty node or dependencies as the other sentence has them, and all numbered anew;
    None of tables that are not in order."""
    tables = two_tables(both)
    own, taken = _line_at(both.here, here), _line_at(both.there, there)
    return tables.edits() if tables and _CHANGES[family](tables, own, taken) else None


class _Line(NamedTuple):
    """What a mark is on: the ID of its line, and the text that is marked."""

    id: bytes = b""
    text: bytes = b""


def _line_at(view: EditedSide, mark: Mark | None) -> _Line:
    if mark is None:
        return _Line()
    start = int(view.document.start[mark.sentence])
    before = LINE_BREAK.split(view.document.text(start, mark.start))[-1]
    text = view.document.text(mark.start, mark.end)
    return _Line((before + text).removeprefix(BOM).split(b"\t")[ID], text)


def _token(two: TwoTables, here: _Line, there: _Line) -> bool:
    own = next((one for one in two.table.ranges if one.fields[ID] == here.id), None)
    taken = next((one for one in two.other.ranges if one.fields[ID] == there.id), None)
    if taken is None and own is not None:
        two.table.ranges.remove(own)
    elif taken is not None and own is not None:
        own.fields = [*taken.fields]
    elif taken is not None:
        rows = [row for row in map(two.here, taken.rows) if row is not None]
        # (A word is of one token; one of words that were put in is here already.)
        two.table.ranges = [one for one in two.table.ranges if not {*one.rows} & {*rows}]
        two.table.ranges.append(Range([*taken.fields], rows))
        return len(rows) == len(taken.rows)
    return True


def _empty_node(two: TwoTables, here: _Line, there: _Line) -> bool:
    own, taken = _row(two.table, here), _row(two.other, there)
    if own is None and taken is not None:
        two.put_empty_node(taken)
    elif own is not None and taken is not None:
        own.fields = [*taken.fields[:DEPS], own.fields[DEPS], *taken.fields[DEPS + 1 :]]
    elif own is not None:
        two.table.rows.remove(own)
        for row in two.table.rows:
            _set_deps(row, [one for one in row.deps or () if one[0] is not own])
    return True


# --- enhanced dependencies -----------------------------------------------------------------

_Dependency = tuple[TableRow | bytes, bytes]
"""A head and a relation, as rows have them."""


def _edge(two: TwoTables, here: _Line, there: _Line) -> bool:
    """One dependency in the place of one, or more, or less."""
    own, taken = _row(two.table, here), _row(two.other, there)
    row = own if own is not None or taken is None else two.known(taken)
    if row is None:
        return False
    deps = [one for one in row.deps or () if own is None or _text(one) != here.text]
    if taken is not None:
        found = [one for one in taken.deps or () if _text(one) == there.text]
        if not found:
            return False
        head, relation = found[0]
        deps.append((two.head(head), relation))
    row.deps = row.deps or []
    _set_deps(row, deps, two.table)
    return True


def _all_edges(two: TwoTables, here: _Line, there: _Line) -> bool:
    """All that the other sentence says, where one says nothing."""
    for row in two.table.rows:
        row.deps = []
        _set_deps(row, [])
    two.enhanced = True
    for row in two.other.rows:
        known = two.here(row) if row.deps else None
        if known is not None:
            known.deps = []
            _set_deps(known, two.dependencies(row) or [], two.table)
    return True


def _row(table: SentenceTable, line: _Line) -> TableRow | None:
    return next((row for row in table.rows if row.fields[ID] == line.id), None)


def _text(dependency: _Dependency) -> bytes:
    head, relation = dependency
    return (head if isinstance(head, bytes) else head.fields[ID]) + b":" + relation


def _set_deps(row: TableRow, deps: list[_Dependency], table: SentenceTable | None = None) -> None:
    """Other enhanced dependencies, where the field is made of such at all; ``table``: in the order
    of their heads there."""
    if row.deps is None:
        return
    if table is not None:
        order = {id(one): place for place, one in enumerate(table.rows)}
        deps.sort(key=lambda one: order.get(id(one[0]), -1))
    row.deps = deps or None
    if not deps:
        row.fields[DEPS] = NOTHING


_CHANGES: dict[Family, Callable[[TwoTables, _Line, _Line], bool]] = {
    "token": _token,
    "empty-node": _empty_node,
    "enhanced": _edge,
    "unwritten enhanced": _all_edges,
}
