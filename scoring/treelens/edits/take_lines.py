"""What of another file's lines that are no words' this file's table gets: comments, multiword
tokens, empty nodes; and of its enhanced dependencies, which name these. IDs stay in order
(:mod:`treelens.edits.rows`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from treelens.differences import enhanced, other_lines
from treelens.differences.difference import Difference, Family
from treelens.differences.marks import Mark
from treelens.edits import whole
from treelens.edits.rows import NOTHING, Range, SentenceTable, TableRow, read_table, written
from treelens.edits.sides import EditedSide, GroupSides
from treelens.edits.text import Edit, Edits, difference
from treelens.formats.conll_repair import BOM
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import DEPS, HEAD, ID
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
    text, their_text = (
        view.document.piece_text(view.sentences[0]) for view in (both.here, both.there)
    )
    table, other = read_table(text), read_table(their_text)
    if table is None or other is None:
        return None
    known = _known(both, table, other)
    own, taken = _line_at(both.here, here), _line_at(both.there, there)
    if not _CHANGES[family](table, other, known, own, taken):
        return None
    start = int(both.here.document.start[both.here.sentences[0]])
    return difference(text, written(table), start) or None


_Known = dict[int, TableRow]
"""Rows here by the identity of rows there."""


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


def _known(both: GroupSides, table: SentenceTable, other: SentenceTable) -> _Known:
    """Words by their partners; empty nodes behind the same word in their order there."""
    own, taken = table.words, other.words
    partners = both.there.words.partner.tolist()
    known = {id(taken[k]): own[p] for k, p in enumerate(partners) if p >= 0}
    ours = {(id(word), place): row for word, place, row in _empty_nodes(table)}
    for word, place, row in _empty_nodes(other):
        here = known.get(id(word))
        if word is None or here is not None:
            twin = ours.get((id(here), place))
            known.update({id(row): twin} if twin else {})
    return known


def _empty_nodes(table: SentenceTable) -> Iterator[tuple[TableRow | None, int, TableRow]]:
    """Each with the word before it, and how many stand between them."""
    word, place = None, 0
    for row in table.rows:
        if row.empty:
            yield word, place, row
            place += 1
        else:
            word, place = row, 0


def _token(
    table: SentenceTable, other: SentenceTable, known: _Known, here: _Line, there: _Line
) -> bool:
    own = next((one for one in table.ranges if one.fields[ID] == here.id), None)
    taken = next((one for one in other.ranges if one.fields[ID] == there.id), None)
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


def _empty_node(
    table: SentenceTable, other: SentenceTable, known: _Known, here: _Line, there: _Line
) -> bool:
    own, taken = _row(table, here), _row(other, there)
    if own is None and taken is not None:
        before = [row for row in other.rows[: other.rows.index(taken)] if not row.empty]
        if before and id(before[-1]) not in known:
            return False
        at = table.rows.index(known[id(before[-1])]) + 1 if before else 0
        while at < len(table.rows) and table.rows[at].empty:
            at += 1
        row = TableRow([*taken.fields], empty=True, head=taken.fields[HEAD], deps=[])
        _set_deps(row, _here(taken, known))
        table.rows.insert(at, row)
    elif own is not None and taken is not None:
        own.fields = [*taken.fields[:DEPS], own.fields[DEPS], *taken.fields[DEPS + 1 :]]
    elif own is not None:
        table.rows.remove(own)
        for row in table.rows:
            _set_deps(row, [one for one in row.deps or () if one[0] is not own])
    return True


# --- enhanced dependencies -----------------------------------------------------------------

_Dependency = tuple[TableRow | bytes, bytes]
"""A head and a relation, as rows have them."""


def _edge(
    table: SentenceTable, other: SentenceTable, known: _Known, here: _Line, there: _Line
) -> bool:
    """One dependency in the place of one, or more, or less."""
    own, taken = _row(table, here), _row(other, there)
    row = own if own is not None else known.get(id(taken))
    if row is None:
        return False
    deps = [one for one in row.deps or () if own is None or _text(one) != here.text]
    if taken is not None:
        found = [one for one in taken.deps or () if _text(one) == there.text]
        new = [one for one in map(partial(_translated, known=known), found) if one is not None]
        if not new:
            return False
        deps.append(new[0])
    row.deps = row.deps or []
    _set_deps(row, deps, table)
    return True


def _all_edges(
    table: SentenceTable, other: SentenceTable, known: _Known, here: _Line, there: _Line
) -> bool:
    """All that the other sentence says, where one says nothing."""
    for row in table.rows:
        row.deps = []
        _set_deps(row, [])
    for row in other.rows:
        if id(row) in known and row.deps:
            known[id(row)].deps = []
            _set_deps(known[id(row)], _here(row, known), table)
    return True


def _row(table: SentenceTable, line: _Line) -> TableRow | None:
    return next((row for row in table.rows if row.fields[ID] == line.id), None)


def _text(dependency: _Dependency) -> bytes:
    head, relation = dependency
    return (head if isinstance(head, bytes) else head.fields[ID]) + b":" + relation


def _translated(dependency: _Dependency, known: _Known) -> _Dependency | None:
    """The same here; None where its head is not here."""
    head, relation = dependency
    if isinstance(head, bytes):
        return dependency if head == b"0" else None
    return (known[id(head)], relation) if id(head) in known else None


def _here(row: TableRow, known: _Known) -> list[_Dependency]:
    """What of a row's dependencies there can be said here."""
    found = (_translated(one, known) for one in row.deps or ())
    return [one for one in found if one is not None]


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


_CHANGES: dict[Family, Callable[[SentenceTable, SentenceTable, _Known, _Line, _Line], bool]] = {
    "token": _token,
    "empty-node": _empty_node,
    "enhanced": _edge,
    "unwritten enhanced": _all_edges,
}
