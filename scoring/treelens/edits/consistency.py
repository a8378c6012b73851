"""One place annotated as another one is, where that is another word in a field or a label."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.consistency.brackets import CHAINED, ROOTS
from treelens.consistency.found import word_nodes
from treelens.consistency.groups import Occurrence, VariationGroup
from treelens.edits.text import Edit, Edits, ordered
from treelens.edits.whole import replace
from treelens.rules.parameters import bare
from treelens.session.document import Document
from treelens.trees.forest import DEPREL, DEPS, FEATS, HEAD, LEMMA, XPOS, encode
from treelens.trees.tree import Node

_FIELDS = {"tags:xpos": XPOS, "tags:feats": FEATS, "tags:lemma": LEMMA}


def relabelled(
    document: Document, sentence: int, one: VariationGroup, here: Occurrence, label: str | None
) -> Edits | None:
    """The edits that give an occurrence another label of its group; None where that would be
    another structure, or all is as it should be."""
    if label is None or here.label is None or label == here.label:
        return None
    if one.kind == "tags":
        node = word_nodes(document, sentence)[here.words[0]]
        return _edit(document, node.label_start, node.label_end, here.label, label)
    if one.kind in _FIELDS:
        return _field(document, sentence, here.words[0], _FIELDS[one.kind], label)
    if one.kind == "relations":
        if here.label[-1] != label[-1]:
            return None
        dependent = here.words[1] if label.endswith("<") else here.words[0]
        return _field(document, sentence, dependent, DEPREL, label[:-1])
    if one.kind == "brackets":
        return _brackets(document, sentence, here, label.split(CHAINED))
    return None


def analysed(document: Document, sentence: int, there: Document, other: int) -> Edits | None:
    """The edits that give a sentence the heads and relations, or the tree, of one of the same
    words. None where all is as it should be, or their tokens have other numbers."""
    table, given = document.dependency_tree(sentence), there.dependency_tree(other)
    if table is None or given is None:
        return replace(document, range(sentence, sentence + 1), there, range(other, other + 1))
    if [word.number for word in table.words] != [word.number for word in given.words]:
        return None
    edits = []
    for mine, theirs in zip(table.words, given.words, strict=True):
        for column in (HEAD, DEPREL, DEPS):
            (start, end), wanted = mine.fields[column], there.text(*theirs.fields[column])
            # (Without a graph of its own a sentence gets none, and keeps one that nobody has.)
            is_graph = column == DEPS and b"_" in (wanted, document.text(start, end))
            if start < end and wanted and not is_graph and document.text(start, end) != wanted:
                edits.append(Edit(start, end, wanted))
    return ordered(edits) or None


def _edit(document: Document, start: int, end: int, old: str, new: str) -> Edits | None:
    """The first part of a name changed: what stands behind it (features, functions) stays."""
    if start == end or not document.text(start, end).startswith(encode(old)):
        return None
    return (Edit(start, start + len(encode(old)), encode(new)),)


def _field(document: Document, sentence: int, word: int, column: int, value: str) -> Edits | None:
    table = document.dependency_tree(sentence)
    if table is None:
        return None
    start, end = table.words[word_nodes(document, sentence)[word].row].fields[column]
    return None if start == end else (Edit(start, end, encode(value)),)


def _brackets(
    document: Document, sentence: int, here: Occurrence, labels: Sequence[str]
) -> Edits | None:
    """As many brackets with other labels; their functions stay."""
    over = brackets_over(document, sentence, here)
    if len(over) != len(labels):
        return None
    edits: list[Edit] = []
    for node, label in zip(over, labels, strict=True):
        if bare(node.label) != label:
            edit = _edit(document, node.label_start, node.label_end, bare(node.label), label)
            if edit is None:
                return None
            edits += edit
    return ordered(edits)


def brackets_over(document: Document, sentence: int, here: Occurrence) -> list[Node]:
    """The brackets that count over exactly an occurrence's words, from the top down."""
    words = [node.row for node in word_nodes(document, sentence)]
    ends = words[here.words[0]], words[here.words[-1]]
    return [
        node
        for node in document.tree(sentence).nodes
        if node.word is None
        and bare(node.label) not in ROOTS
        and _ends(words, node.first, node.last) == ends
    ]


def _ends(words: Sequence[int], first: int, last: int) -> tuple[int, int] | None:
    """The first and the last word of a stretch that may begin or end with traces."""
    inside = [row for row in words if first <= row < last]
    return (inside[0], inside[-1]) if inside else None
