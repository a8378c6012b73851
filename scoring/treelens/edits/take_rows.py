"""What of another file's table of words this file's gets: a head, a relation, fields, words.

A field is written over where it stands. Words that are put in or taken out renumber all that
is behind them (:mod:`treelens.edits.rows`); that needs tables which are in order.
"""

from __future__ import annotations

from itertools import compress

from treelens.differences.difference import Difference, Family, Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.edits import take_lines, whole
from treelens.edits.rows import (
    NOTHING,
    Range,
    SentenceTable,
    TableRow,
    read_table,
    replaced,
    written,
)
from treelens.edits.sides import EditedSide, GroupSides
from treelens.edits.text import Edit, Edits, difference, ordered
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import (
    DEPREL,
    DEPS,
    FEATS,
    HEAD,
    ID,
    LEMMA,
    MISC,
    NOWHERE,
    ROOT,
    UPOS,
    XPOS,
)


def take(both: GroupSides, finding: Finding) -> Edits | None:
    """The edits of this side's file that end a finding; None if it cannot be ended alone."""
    here, there = both.marks(finding)
    difference = BY_CODE[finding.code]
    if difference.replaceable and here and there:
        return _fields(both, difference, here, there)
    if difference.family == "words" and both.simple:
        return _words(both, here, there)
    if difference.family in take_lines.FAMILIES and both.simple:
        return take_lines.take(both, difference, here, there)
    return None


# --- fields --------------------------------------------------------------------------------

_ONE_FIELD: dict[Family, int] = {
    "tag": UPOS,
    "uncounted tag": UPOS,
    "head": HEAD,
    "relation": DEPREL,
    "misc": MISC,
}


def _fields(both: GroupSides, difference: Difference, here: Mark, there: Mark) -> Edits | None:
    mine, theirs = both.here.rows(here)[0], both.there.rows(there)[0]
    columns = _columns(both, difference, mine)
    values = [
        _head(both, theirs) if column == HEAD else _text(both.there, theirs, column)
        for column in columns
    ]
    edits = []
    for column, value in zip(columns, values, strict=True):
        span = _span(both.here, mine, column)
        if span is None or value is None:
            return None
        edits.append(Edit(*span, value or NOTHING))
    return ordered(edits)


def _columns(both: GroupSides, difference: Difference, row: int) -> tuple[int, ...]:
    if difference.family in _ONE_FIELD:
        return (_ONE_FIELD[difference.family],)
    arcs = both.here.side.arcs
    assert arcs is not None
    chosen = arcs.unlike[row] if difference.counted else arcs.differs[row] & ~arcs.unlike[row]
    return tuple(compress((LEMMA, XPOS, FEATS), chosen.tolist()))


def _head(both: GroupSides, row: int) -> bytes | None:
    """What HEAD is to say here for the head of a word there; None if that word is not here."""
    arcs = both.there.side.arcs
    assert arcs is not None
    head = int(arcs.head[row])
    if head == ROOT:
        return b"0"
    if head == NOWHERE:
        return NOTHING
    own = int(both.there.words.partner[head])
    back = int(both.there.words.partner[row])
    if own < 0 or both.here.sentence_of(own) != both.here.sentence_of(back):
        return None
    return _text(both.here, own, ID)


def _span(view: EditedSide, row: int, column: int) -> tuple[int, int] | None:
    """Where a field stands in the document; None if the line has none."""
    forest = view.side.forest
    assert forest.fields is not None
    start, behind = forest.fields.bounds[row, column : column + 2].tolist()
    sentence = view.sentence_of(row)
    if start > forest.leaf_close[row]:
        return None
    shift = int(view.document.start[sentence])
    shift -= int(forest.piece[sentence - view.sentences.start, 0])
    return start + shift, max(behind - 1, start) + shift


def _text(view: EditedSide, row: int, column: int) -> bytes | None:
    span = _span(view, row, column)
    return None if span is None else view.document.text(*span).rstrip(b" ")


# --- words ---------------------------------------------------------------------------------


def _words(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits | None:
    """Rows of the other file in the place of those here, and all numbered anew."""
    sentence = both.here.sentences[0]
    text = both.here.document.piece_text(sentence)
    table = read_table(text)
    other = read_table(both.there.document.piece_text(both.there.sentences[0]))
    if table is None or other is None:
        return None
    mine = both.here.rows(here) if here else range(0)
    theirs = both.there.rows(there) if there else range(0)
    own, taken = table.words, other.words
    old = [own[row] for row in mine]
    new = {id(taken[row]): _copy(taken[row]) for row in theirs}
    partners = both.there.words.partner.tolist()
    known = {id(taken[k]): own[p] for k, p in enumerate(partners) if p >= 0 and p not in mine}
    for row in theirs:
        head = taken[row].head
        if not isinstance(head, bytes):
            new[id(taken[row])].head = new.get(id(head)) or known.get(id(head)) or b"0"
    before = None if old else _next(both, own, theirs[0])
    replaced(table, old, [*new.values()], before)
    _tie(table, other, new)
    return difference(text, written(table), int(both.here.document.start[sentence])) or None


def _copy(row: TableRow) -> TableRow:
    fields = [*row.fields]
    fields[DEPS] = NOTHING
    return TableRow(fields, head=row.head)


def _next(both: GroupSides, own: list[TableRow], row: int) -> TableRow | None:
    """The word here before which one of the other file goes; None: at the end."""
    words, cell = both.here.words, int(both.there.words.start[row])
    return next((own[k] for k, start in enumerate(words.start.tolist()) if start >= cell), None)


def _tie(table: SentenceTable, other: SentenceTable, new: dict[int, TableRow]) -> None:
    """The multiword tokens of the other file that are made of new words only."""
    for tied in other.ranges:
        rows = [new[id(row)] for row in tied.rows if id(row) in new]
        if len(rows) == len(tied.rows):
            table.ranges.append(Range(tied.fields, rows))


# --- whole sentences -----------------------------------------------------------------------


def replace(here: Document, sentences: range, there: Document, others: range) -> Edits:
    """The rows of other sentences in the place of these, and their comments that are annotation;
    what else is said above these stays."""
    edits: list[Edit] = []
    for sentence, other in zip(sentences, others, strict=False):
        start, old = _body(here, sentence)
        new = LINE_BREAK.sub(whole.line_break(here), _body(there, other)[1])
        edits += take_lines.comments(here, sentence, there, other)
        edits += difference(old, new, start)
    edits += [whole.removal(here, sentence) for sentence in sentences[len(others) :]]
    if len(others) > len(sentences):
        edits += insertion(here, sentences.stop, there, others[len(sentences) :])
    return ordered(edits)


def _body(document: Document, sentence: int) -> tuple[int, bytes]:
    """A sentence's rows, from the first to the last, and where they start."""
    tree = document.tree(sentence)
    start = min(node.start for node in tree.nodes)
    text = document.text(tree.start, start)
    # A multiword token or an empty node stands above the first word.
    above = LINE_BREAK.split(text)
    while len(above) > 1 and above[-2] and not above[-2].startswith(b"#"):
        start -= len(above.pop(-2)) + _break_before(document, start)
    return start, document.text(start, tree.end)


def _break_before(document: Document, offset: int) -> int:
    return 2 if document.text(max(offset - 2, 0), offset) == b"\r\n" else 1


def insertion(here: Document, before: int, there: Document, others: range) -> Edits:
    """Other sentences, comments and all, put in before a sentence or at the end."""
    one = whole.line_break(here)
    texts = [LINE_BREAK.sub(one, whole.tree_text(there, other)) for other in others]
    at = int(here.start[before]) if before or not len(here) else whole.first_piece(here)
    tail = here.text(max(at - 8, 0), at)
    breaks = len(LINE_BREAK.findall(tail[len(tail.rstrip()) :]))
    lead = one * max(2 - breaks, 0) if tail.strip() else b""
    return (Edit(at, at, lead + b"".join(text + one + one for text in texts)),)
