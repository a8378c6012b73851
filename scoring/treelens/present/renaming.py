"""Renaming what stands at a place: a category, a function, a tag or a relation, in a whole file."""

from __future__ import annotations

from treelens.edits.rename import Name
from treelens.forest import DEPREL, UPOS, XPOS, encode
from treelens.session.session import Snapshot
from treelens.session.vocabulary import COLUMNS, Kind, parts


def name_at(snapshot: Snapshot, offset: int) -> Name | None:
    """The name that is written at an offset, its end included."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return None
    if snapshot.document.format.annotation == "dependencies":
        return _in_table(snapshot, sentence, offset)
    for node in snapshot.tree(sentence).nodes:
        if node.label_start <= offset <= node.label_end:
            kind: Kind = "label" if node.word is None else "tag"
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


def _part(label: str, kind: Kind, base: int, offset: int) -> Name | None:
    for start, end in parts(label, kind):
        low, high = (base + len(encode(label[:at])) for at in (start, end))
        if low <= offset <= high:
            return Name(kind, label[start:end], low, high)
    return None
