"""Sentences of tables cut in two, and two made one: everything stays numbered, and hangs somewhere.

A head that is on the other side of a cut is none any more: the first word that has lost its head
becomes its part's root if the part has none, and the others hang on the root. Where two are made
one, the root of the second hangs on the first one's (``parataxis``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.edits.rows import SentenceTable, TableRow, read_table, written
from treelens.edits.text import Edits, difference
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import DEPREL, FORM, MISC

ROOT = b"0"
_ID = re.compile(rb"(#[ \t]*sent_id[ \t]*=[ \t]*)([^\r\n]*?)([ \t]*)")
_TEXT = re.compile(rb"(#[ \t]*text[ \t]*=[ \t]*)([^\r\n]*?)([ \t]*)")
_NEW = re.compile(rb"#[ \t]*new(?:doc|par)\b")
_JOINED = b"# joined_sent_id = "


class Resegmentation(NamedTuple):
    """Edits, and how many words have another head by them than before."""

    edits: Edits
    reattached: int


# --- one into two --------------------------------------------------------------------------


def split_table(document: Document, sentence: int, offset: int) -> Resegmentation | None:
    """The word on whose line an offset is (of a multiword token, its first) begins another
    sentence; None for the first one, within a token, and where the table is not in order."""
    text = document.piece_text(sentence)
    table, tree = read_table(text), document.dependency_tree(sentence)
    if table is None or tree is None:
        return None
    place = next((place for place, word in enumerate(tree.words) if offset <= word.end), 0)
    if not 0 < place < len(table.words):
        return None
    first = table.words[place]
    if any(first in tied.rows[1:] for tied in table.ranges):
        return None
    cut = table.rows.index(first)
    one = _part(table, table.rows[:cut], 2 * table.breaks)
    other = _part(table, table.rows[cut:], table.tail)
    reattached = _reattach(one) + _reattach(other)
    one.head, other.head = _comments_of_both(table, one, other)
    new = written(one) + written(other)
    return Resegmentation(difference(text, new, int(document.start[sentence])), reattached)


def _part(table: SentenceTable, rows: list[TableRow], tail: bytes) -> SentenceTable:
    ranges = [tied for tied in table.ranges if tied.rows[0] in rows]
    return SentenceTable(b"", rows, ranges, tail, table.breaks, table.columns)


def _reattach(part: SentenceTable) -> int:
    """Hang what has lost its head; how many words of the part that were."""
    inside = {id(row) for row in part.rows}
    lost = [row for row in part.words if _is_outside(row.head, inside)]
    root = next((row for row in part.words if row.head == ROOT), None)
    if root is None and lost:
        root = lost[0]
        root.head, root.fields[DEPREL] = ROOT, b"root"
    for row in lost:
        if root is not None and row is not root:
            row.head = root
    for row in part.rows:
        if row.deps is not None:
            row.deps = [*dict.fromkeys(_inside(row, one, root, inside) for one in row.deps)]
    return len(lost)


def _inside(
    row: TableRow,
    dependency: tuple[TableRow | bytes, bytes],
    root: TableRow | None,
    inside: set[int],
) -> tuple[TableRow | bytes, bytes]:
    head, relation = dependency
    if not _is_outside(head, inside):
        return dependency
    return (ROOT, b"root") if root is None or row is root else (root, relation)


def _is_outside(head: TableRow | bytes, inside: set[int]) -> bool:
    return not isinstance(head, bytes) and id(head) not in inside


def _comments_of_both(
    table: SentenceTable, one: SentenceTable, other: SentenceTable
) -> tuple[bytes, bytes]:
    """The comments above both parts: IDs with ``-1`` and ``-2`` behind them, texts cut in two;
    everything else stays above the first."""
    first, second = [], []
    for line in LINE_BREAK.split(table.head)[:-1]:
        identity, text = _ID.fullmatch(line), _TEXT.fullmatch(line)
        mine = line
        if identity:
            mine, theirs = (identity[1] + identity[2] + b"-%d" % k + identity[3] for k in (1, 2))
            second.append(theirs)
        elif text:
            both = _cut_text(text[2], one) or (running_text(one), running_text(other))
            mine, theirs = (text[1] + part for part in both)
            second.append(theirs)
        first.append(mine)
    return _lines(first, table.breaks), _lines(second, table.breaks)


def _cut_text(text: bytes, one: SentenceTable) -> tuple[bytes, bytes] | None:
    """A text behind the letters of a part; None where it has others."""
    letters = b"".join(running_text(one).split())
    at = 0
    for letter in letters:
        while text[at : at + 1].isspace():
            at += 1
        if text[at : at + 1] != bytes([letter]):
            return None
        at += 1
    return text[:at], text[at:].lstrip()


# --- two into one --------------------------------------------------------------------------


def join_tables(document: Document, sentence: int) -> Resegmentation | None:
    """A sentence and the next one as one; None where a document or paragraph begins with the
    next one, and where a table is not in order."""
    if sentence + 1 >= len(document):
        return None
    texts = document.piece_text(sentence), document.piece_text(sentence + 1)
    one, other = (read_table(text) for text in texts)
    if one is None or other is None or one.columns != other.columns:
        return None
    if any(_NEW.match(line) for line in LINE_BREAK.split(other.head)):
        return None
    head = _comments_of_one(one, other)
    reattached = _hang(one, other)
    joined = SentenceTable(
        head,
        one.rows + other.rows,
        one.ranges + other.ranges,
        other.tail,
        one.breaks,
        one.columns,
    )
    start = int(document.start[sentence])
    return Resegmentation(difference(b"".join(texts), written(joined), start), reattached)


def _hang(one: SentenceTable, other: SentenceTable) -> int:
    """The roots of a sentence on that of another; how many there are."""
    root = next((row for row in one.words if row.head == ROOT), None)
    if root is None:
        return 0
    roots = [row for row in other.words if row.head == ROOT]
    for row in roots:
        row.head, row.fields[DEPREL] = root, b"parataxis"
    for row in other.rows:
        if row.deps is not None:
            row.deps = [
                (root, b"parataxis") if head == ROOT else (head, relation)
                for head, relation in row.deps
            ]
    return len(roots)


def _comments_of_one(one: SentenceTable, other: SentenceTable) -> bytes:
    """The comments of both; of the second one's ID and text, what is not in the first one's."""
    lines = LINE_BREAK.split(one.head)[:-1]
    others = [line for line in LINE_BREAK.split(other.head)[:-1] if line.strip()]
    ids, texts = (_first(pattern, others) for pattern in (_ID, _TEXT))
    for k, line in enumerate(lines):
        identity, text = _ID.fullmatch(line), _TEXT.fullmatch(line)
        if identity and ids and _halves(identity[2], ids[2]):
            lines[k] = identity[1] + identity[2][:-2] + identity[3]
            others.remove(ids[0])
            ids = None
        elif text and texts:
            lines[k] = text[1] + text[2] + _gap(one) + texts[2]
            others.remove(texts[0])
            texts = None
    if ids and _first(_ID, lines):
        others[others.index(ids[0])] = _JOINED + ids[2]
    return _lines(lines + others, one.breaks)


def _first(pattern: re.Pattern[bytes], lines: Iterable[bytes]) -> re.Match[bytes] | None:
    return next((match for line in lines if (match := pattern.fullmatch(line))), None)


def _halves(one: bytes, other: bytes) -> bool:
    """Whether two IDs are those of a sentence that was cut in two."""
    return one[-2:] == b"-1" and other[-2:] == b"-2" and one[:-2] == other[:-2]


# --- texts ---------------------------------------------------------------------------------


def running_text(table: SentenceTable) -> bytes:
    """The text of a sentence, as its tokens and their ``SpaceAfter=No`` have it."""
    return b"".join(form + gap for form, gap in _tokens(table)).rstrip(b" ")


def _gap(table: SentenceTable) -> bytes:
    """What stands behind the last token."""
    return _tokens(table)[-1][1]


def _tokens(table: SentenceTable) -> list[tuple[bytes, bytes]]:
    tied = {id(row): one for one in table.ranges for row in one.rows}
    found, last = [], None
    for row in table.words:
        token = tied.get(id(row))
        if token is None or token is not last:
            fields = (token or row).fields
            spaced = b"SpaceAfter=No" not in fields[MISC].split(b"|")
            found.append((fields[FORM], b" " if spaced else b""))
        last = token
    return found


def _lines(lines: Sequence[bytes], end: bytes) -> bytes:
    return b"".join(line + end for line in lines)
