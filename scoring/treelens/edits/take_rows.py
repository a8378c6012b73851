"""What of another file's table of words this file's gets: a head, a relation, fields, words.

A field is written over where it stands. Words that are put in or taken out renumber all that
is behind them (:mod:`treelens.edits.rows`); that needs tables which are in order.
"""

from __future__ import annotations

from itertools import compress

from treelens.differences.difference import Difference, Family, Finding
from treelens.differences.fields import differing_at
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.edits import take_lines, whole
from treelens.edits.rows import NOTHING
from treelens.edits.sides import EditedSide, GroupSides
from treelens.edits.text import Edit, Edits, difference, ordered
from treelens.edits.two_tables import two_tables
from treelens.session.document import LINE_BREAK, Document
from treelens.trees.forest import (
    DEPREL,
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


def take(both: GroupSides, finding: Finding, *, in_place: bool = False) -> Edits | None:
    """The edits of this side's file that end a finding; None if it cannot be ended alone, or
    ``in_place``, where it has to be more than a field written over."""
    here, there = both.marks(finding)
    difference = BY_CODE[finding.code]
    if difference.replaceable and here and there:
        edits = _fields(both, difference, here, there)
        if edits is None and difference.family == "head" and both.simple and not in_place:
            edits = _head_brought(both, here, there)
        return edits
    if difference.family == "words" and both.simple:
        tables = two_tables(both)
        if tables is None:
            return None
        mine = both.here.rows(here) if here and difference.owner in (None, both.into) else range(0)
        theirs = both.there.rows(there) if there and difference.owner is not both.into else range(0)
        tables.put_words(mine, theirs)
        return tables.edits()
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
    columns = _columns(both, difference, mine, theirs)
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


def _columns(both: GroupSides, difference: Difference, row: int, other: int) -> tuple[int, ...]:
    if difference.family in _ONE_FIELD:
        return (_ONE_FIELD[difference.family],)
    arcs = both.here.side.arcs
    if arcs is None:
        chosen = differing_at(both.here.side.forest, row, both.there.side.forest, other)
    elif difference.counted:
        chosen = arcs.unlike[row]
    else:
        chosen = arcs.differs[row] & ~arcs.unlike[row]
    return tuple(compress((LEMMA, XPOS, FEATS), chosen.tolist()))


def _head(both: GroupSides, row: int) -> bytes | None:
    """What HEAD is to say here for the head of a word there; None if that word is not here, or no
    number means it."""
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
    return _number(both.here, own)


def _number(view: EditedSide, row: int) -> bytes | None:
    """What means a word in HEAD: its ID, unless that is no number (then the one that is assumed)
    or a word before it has it, too, which it then means."""
    sentence = view.sentence_of(row)
    meant = view.renumbered.get(sentence - view.sentences.start)
    if meant is None:
        return _text(view, row, ID)
    place = row - view.first_row(sentence)
    return next((b"%d" % number for number, at in meant.items() if at == place), None)


def _head_brought(both: GroupSides, here: Mark, there: Mark) -> Edits | None:
    """A head that is no word here yet: it is put in."""
    tables = two_tables(both)
    if tables is None:
        return None
    row = tables.word_here(both.here.rows(here)[0])
    row.head = tables.head(tables.word_there(both.there.rows(there)[0]).head)
    return tables.edits()


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
