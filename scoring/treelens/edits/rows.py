"""A sentence's table of words as values, and what can be done to it: everything stays numbered.

For sentences in which IDs, heads and ranges are as they should be; of others there is no table.
Lines that are not changed stay as they are written, byte for byte. Words are known by objects
of their own, so that whatever happens to their places, heads and ranges go with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from treelens.formats.conll_repair import DIGITS
from treelens.session.document import LINE_BREAK
from treelens.trees.forest import COLUMNS, DEPREL, DEPS, FEWER_COLUMNS, FORM, HEAD, ID, MISC

NOTHING = b"_"
_DEPENDENCY = re.compile(rb"(0|[1-9]\d*|\d+\.[1-9]\d*):(.*)", re.DOTALL)
_ROW = re.compile(rb"(?!#|\xef\xbb\xbf)[^\t\r\n]*\t")
_ID = re.compile(rb"([1-9]\d*)(?:-([1-9]\d*))?|(\d+)\.([1-9]\d*)")


@dataclass(eq=False, slots=True)
class TableRow:
    """A word or an empty node: its fields, and what its head and its DEPS mean.

    ``head`` and the heads of ``deps`` are rows, or the field as written where it names none
    (``0``, ``_``).
    """

    fields: list[bytes]
    empty: bool = False
    head: TableRow | bytes = NOTHING
    deps: list[tuple[TableRow | bytes, bytes]] | None = None
    """None where the field is not made of dependencies and stays as it is."""


@dataclass(eq=False, slots=True)
class Range:
    """A multiword token: its fields, and its words."""

    fields: list[bytes]
    rows: list[TableRow]


@dataclass(slots=True)
class SentenceTable:
    """A sentence: the text before its first row, its rows, and what stands behind the last.

    ``breaks`` is what ends a line, ``columns`` how many fields a line has; rows have ten.
    """

    head: bytes
    rows: list[TableRow]
    ranges: list[Range]
    tail: bytes
    breaks: bytes = b"\n"
    columns: int = COLUMNS

    @property
    def words(self) -> list[TableRow]:
        return [row for row in self.rows if not row.empty]


@dataclass(slots=True)
class _Lines:
    head: list[bytes] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)
    tail: list[bytes] = field(default_factory=list)


def read_table(text: bytes) -> SentenceTable | None:
    """The table of a sentence's piece; None where its IDs, heads or ranges are not in order,
    rows have not ten columns (or all of them eight) with tabs between them, or a comment stands
    among the rows."""
    found = _Lines()
    for line in _lines(text):
        is_row = line.strip() and not line.lstrip(b"\xef\xbb\xbf").startswith(b"#")
        if not is_row:
            (found.tail if found.rows else found.head).append(line)
        elif found.tail:
            return None
        else:
            found.rows.append(line)
    if not found.rows:
        return None
    last = found.rows[-1]
    ended = len(last) - len(last.rstrip(b"\r\n"))
    tail = (last[len(last) - ended :] if ended else b"") + b"".join(found.tail)
    split = [line.rstrip(b"\r\n").split(b"\t") for line in found.rows]
    columns = len(split[0])
    if columns not in (COLUMNS, FEWER_COLUMNS) or any(len(fields) != columns for fields in split):
        return None
    breaks = LINE_BREAK.search(text)
    table = SentenceTable(
        b"".join(found.head), [], [], tail, breaks[0] if breaks else b"\n", columns
    )
    lacking = [NOTHING] * (COLUMNS - columns)
    return table if _filled(table, [fields + lacking for fields in split]) else None


def _lines(text: bytes) -> list[bytes]:
    ends = [match.end() for match in LINE_BREAK.finditer(text)]
    return [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]


def _filled(table: SentenceTable, split: list[list[bytes]]) -> bool:
    """Put rows into a table; False if they are not in order."""
    named: dict[bytes, TableRow] = {}
    ranges: list[tuple[int, int, list[bytes]]] = []
    words = empties = reach = 0
    for fields in split:
        match = _ID.fullmatch(fields[ID])
        if match is None or len(fields[ID]) > 2 * DIGITS:
            return False
        if match[3] is not None:
            empties += 1
            if (int(match[3]), int(match[4])) != (words, empties):
                return False
        elif match[2] is not None:
            first, last = int(match[1]), int(match[2])
            if first != words + 1 or first > last or first <= reach:
                return False
            reach = last
            ranges.append((first, last, fields))
            continue
        else:
            words, empties = words + 1, 0
            if int(match[1]) != words:
                return False
        named[fields[ID]] = row = TableRow(fields, match[3] is not None)
        table.rows.append(row)
    if reach > words or not words:
        return False
    in_order = table.words
    table.ranges = [Range(fields, in_order[first - 1 : last]) for first, last, fields in ranges]
    return all(_attached(row, named) for row in table.rows)


def _attached(row: TableRow, named: dict[bytes, TableRow]) -> bool:
    """Resolve what a row's HEAD and DEPS name; False if HEAD names nothing."""
    written = row.fields[HEAD]
    row.head = named.get(written, written)
    if isinstance(row.head, bytes) and written not in (b"0", NOTHING):
        return False
    parts = [_DEPENDENCY.fullmatch(part) for part in row.fields[DEPS].split(b"|")]
    if all(parts):
        row.deps = [(named.get(part[1], part[1]), part[2]) for part in parts if part]
    return True


def written(table: SentenceTable) -> bytes:
    """The text of a table, numbered anew."""
    names: dict[int, bytes] = {}
    words = empties = 0
    for row in table.rows:
        words, empties = (words, empties + 1) if row.empty else (words + 1, 0)
        names[id(row)] = b"%d.%d" % (words, empties) if row.empty else b"%d" % words
    starts = {id(one.rows[0]): one for one in table.ranges if one.rows}
    lines = []
    for row in table.rows:
        tied = starts.get(id(row))
        if tied is not None:
            ends = names[id(tied.rows[0])], names[id(tied.rows[-1])]
            lines.append([b"-".join(ends), *tied.fields[1:]])
        lines.append(_numbered(row, names))
    rows = (b"\t".join(fields[: table.columns]) for fields in lines)
    return table.head + table.breaks.join(rows) + table.tail


def _numbered(row: TableRow, names: dict[int, bytes]) -> list[bytes]:
    fields = [names[id(row)], *row.fields[1:]]
    fields[HEAD] = _name(row.head, names)
    if row.deps is not None:
        named = [(_name(head, names), relation) for head, relation in row.deps]
        fields[DEPS] = b"|".join(b":".join(pair) for pair in named)
    return fields


def _name(head: TableRow | bytes, names: dict[int, bytes]) -> bytes:
    return head if isinstance(head, bytes) else names.get(id(head), b"0")


# --- numbers -------------------------------------------------------------------------------


def renumbered(text: bytes) -> bytes | None:
    """A sentence's piece with IDs from 1 on, in order, and HEADs, DEPS and ranges that mean the
    same words as before; None where it is no table, or what a range means is not clear.

    IDs that are given twice mean the first of their words, as they do when they are read. What
    names no word is made ``_`` (in DEPS it is left out): with new numbers it would name one.
    """
    lines = _lines(text)
    split = [
        line.strip() and _ROW.match(line) and line.rstrip(b"\r\n").split(b"\t") for line in lines
    ]
    rows = [fields for fields in split if fields]
    if not rows or any(len(fields) < FEWER_COLUMNS for fields in rows):
        return None
    names = _new_names(rows)
    ends = {fields[ID]: names[k] for k, fields in reversed([*enumerate(rows)]) if names[k]}
    for k, fields in enumerate(rows):
        if not names[k]:
            first, last = names[k + 1] if k + 1 < len(rows) else b"", fields[ID].split(b"-")[-1]
            if not first.isdigit() or int(ends.get(last) or 0) < int(first):
                return None
            names[k] = first + b"-" + ends[last]
    for name, fields in zip(names, rows, strict=True):
        fields[ID] = name
        if fields[HEAD] != b"0" and fields[HEAD].isdigit():
            fields[HEAD] = ends.get(fields[HEAD], NOTHING)
        if len(fields) > DEPS:
            fields[DEPS] = _renamed(fields[DEPS], ends)
    return b"".join(
        b"\t".join(fields) + line[len(line.rstrip(b"\r\n")) :] if fields else line
        for fields, line in zip(split, lines, strict=True)
    )


def _new_names(rows: list[list[bytes]]) -> list[bytes]:
    """The IDs that words and empty nodes should have; empty for ranges."""
    names, words, empties = [], 0, 0
    for fields in rows:
        match = _ID.fullmatch(fields[ID])
        if match and match[2]:
            names.append(b"")
            continue
        words, empties = (words, empties + 1) if match and match[3] else (words + 1, 0)
        names.append(b"%d.%d" % (words, empties) if empties else b"%d" % words)
    return names


def _renamed(deps: bytes, ends: dict[bytes, bytes]) -> bytes:
    parts = [_DEPENDENCY.fullmatch(part) for part in deps.split(b"|")]
    if not all(parts):
        return deps
    named = [(part[1] if part[1] == b"0" else ends.get(part[1]), part[2]) for part in parts if part]
    return b"|".join(head + b":" + relation for head, relation in named if head) or NOTHING


# --- words ---------------------------------------------------------------------------------


def new_row() -> TableRow:
    """A word of which nothing is known yet."""
    return TableRow([NOTHING] * COLUMNS)


def without(table: SentenceTable, gone: Sequence[TableRow]) -> None:
    """Take words out: what hung on one hangs on its head, and a range loses them."""
    lost = {id(row) for row in gone}
    for row in table.rows:
        row.head = _above(row.head, lost)
        if row.deps is not None:
            row.deps = [(_above(head, lost), relation) for head, relation in row.deps]
    table.rows = [row for row in table.rows if id(row) not in lost]
    for one in table.ranges:
        one.rows = [row for row in one.rows if id(row) not in lost]
    table.ranges = [one for one in table.ranges if one.rows]


def _above(head: TableRow | bytes, lost: set[int]) -> TableRow | bytes:
    seen: set[int] = set()
    while not isinstance(head, bytes) and id(head) in lost:
        if id(head) in seen:
            return b"0"
        seen.add(id(head))
        head = head.head
    return head


def replaced(
    table: SentenceTable, old: Sequence[TableRow], new: Sequence[TableRow], before: TableRow | None
) -> None:
    """Put words in the place of others, or before a word (at the end for None).

    The first new word takes over what hung on the old ones; in a multiword token that keeps other
    words, they stand where these stood.
    """
    at = (
        table.rows.index(old[0])
        if old
        else (len(table.rows) if before is None else table.rows.index(before))
    )
    lost = {id(row) for row in old}
    heir = new[0] if new else None
    if heir is not None:
        for row in table.rows:
            if id(row) in lost:
                continue
            row.head = _heir(row.head, lost, heir)
            if row.deps is not None:
                row.deps = [(_heir(head, lost, heir), relation) for head, relation in row.deps]
    table.rows[at:at] = new
    for tied in table.ranges:
        if old and len(old) < len(tied.rows) and all(row in tied.rows for row in old):
            place = tied.rows.index(old[0])
            tied.rows[place:place] = new
    if old:
        without(table, old)


def _heir(head: TableRow | bytes, lost: set[int], heir: TableRow) -> TableRow | bytes:
    return heir if not isinstance(head, bytes) and id(head) in lost else head


def split_word(table: SentenceTable, row: TableRow, forms: Sequence[bytes]) -> None:
    """Cut a word in several: the first stays where it hangs, the others hang on it as its parts
    (``goeswith``), as words that belong together and were written apart do."""
    at = table.rows.index(row)
    more = [TableRow([b"", form, form, *row.fields[3:]], head=row, deps=None) for form in forms[1:]]
    for one in more:
        one.fields[DEPREL], one.fields[DEPS] = b"goeswith", NOTHING
        one.fields[MISC] = NOTHING
    row.fields = [*row.fields[:FORM], forms[0], *row.fields[FORM + 1 :]]
    table.rows[at + 1 : at + 1] = more
    for tied in table.ranges:
        if row in tied.rows:
            place = tied.rows.index(row) + 1
            tied.rows[place:place] = more


def merge_words(table: SentenceTable, row: TableRow, other: TableRow) -> None:
    """Make one word of two neighbours: it hangs where the one hung that did not hang on the
    other, and everything that hung on either hangs on it. A token of just these two is gone."""
    upper = other if row.head is other else row
    form = row.fields[FORM] + other.fields[FORM]
    row.fields = [*row.fields[:FORM], form, *row.fields[FORM + 1 :]]
    row.fields[DEPREL], row.head, row.deps = upper.fields[DEPREL], upper.head, upper.deps
    for each in table.rows:
        each.head = row if each.head is other else each.head
        if each.deps is not None:
            each.deps = [(row if head is other else head, name) for head, name in each.deps]
    table.rows.remove(other)
    table.ranges = [one for one in table.ranges if one.rows != [row, other]]
    for tied in table.ranges:
        tied.rows = [one for one in tied.rows if one is not other]
    table.ranges = [one for one in table.ranges if one.rows]
