"""Renaming what stands at a place: a category, a function, a tag or a relation, a trace's index,
a sentence's ID; in its sentence, in the file, or in files that are annotated alike.
"""

from __future__ import annotations

from typing import NamedTuple

from treelens.edits.rename import Name, id_spans, index_spans, renamed
from treelens.edits.text import Edits
from treelens.session.document import Document
from treelens.session.session import Snapshot
from treelens.session.vocabulary import COLUMNS, LabelKind, parts
from treelens.trees.forest import DEPREL, UPOS, XPOS, decode, encode


class Renaming(NamedTuple):
    """What can be renamed, and how often it is used."""

    name: Name
    sentence: int
    file: int
    compared: int
    """In the files that the document is compared with, together."""


def renaming(snapshot: Snapshot, offset: int) -> Renaming | None:
    """What is at an offset, counted; counting takes as long as renaming in these files does."""
    name, sentence = name_at(snapshot, offset), snapshot.document.sentence_at(offset)
    if name is None or sentence is None:
        return None
    others = {other.name: other.document for other in snapshot.counterparts}
    return Renaming(
        name,
        len(renamed(snapshot.document, name, name.text, range(sentence, sentence + 1))),
        len(renamed(snapshot.document, name, name.text)),
        sum(len(renamed_there(name, name.text, document)) for document in others.values()),
    )


def renamed_there(name: Name, new: str, document: Document) -> Edits:
    """The edits of another document than the name's; an index is no other sentence's business."""
    return renamed(document, name, new) if name.kind != "index" else ()


def name_at(snapshot: Snapshot, offset: int) -> Name | None:
    """The name that is written at an offset, its end included."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return None
    start, end = snapshot.document.line_bounds(snapshot.document.line_at(offset))
    for span in id_spans(snapshot.document, start, end):
        if span[0] <= offset <= span[1]:
            return Name("id", decode(snapshot.document.text(*span)), *span)
    if snapshot.document.format.layout == "rows":
        return _in_table(snapshot, sentence, offset)
    for span in index_spans(snapshot.document, sentence):
        if span[0] < offset <= span[1]:
            return Name("index", decode(snapshot.document.text(*span)), *span)
    for node in snapshot.tree(sentence).nodes:
        if node.label_start <= offset <= node.label_end:
            kind: LabelKind = "label" if node.word is None else "tag"
            return _part(node.label, kind, node.label_start, offset)
    return None


def _in_table(snapshot: Snapshot, sentence: int, offset: int) -> Name | None:
    tree = snapshot.dependency_tree(sentence)
    place = None if tree is None else tree.word_at(offset)
    if tree is None or place is None:
        return None
    word = tree.words[place]
    column = word.column(offset)
    names = {UPOS: word.tag, XPOS: word.xpos, DEPREL: word.relation}
    if not names.get(column):
        return None
    return _part(names[column], COLUMNS[column], word.fields[column][0], offset)


def _part(label: str, kind: LabelKind, base: int, offset: int) -> Name | None:
    for start, end in parts(label, kind):
        low, high = (base + len(encode(label[:at])) for at in (start, end))
        if low <= offset <= high:
            return Name(kind, label[start:end], low, high)
    return None
