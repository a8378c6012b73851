"""What of another file's tree of brackets this file's gets: a label, a bracket, a tag, words.

Each finding is taken by itself, from the files as they are. Where it cannot be (words that are
cut differently, broken brackets, words without tags), there is no edit, and the whole sentence
is the thing to take (:mod:`treelens.edits.take`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import BY_CODE
from treelens.edits import take_nesting, whole
from treelens.edits.brackets import (
    delete,
    relabel,
    replace_label,
    retag,
    reword,
    untagged,
    without_words,
)
from treelens.edits.sides import EditedSide, GroupSides, NodePlace
from treelens.edits.text import Edit, Edits, ordered
from treelens.trees.forest import encode
from treelens.trees.tree import Node


def take(both: GroupSides, finding: Finding, *, in_place: bool = False) -> Edits | None:
    """The edits of this side's file that end a finding; None if it cannot be ended alone.
    ``in_place``: nothing but what is written over."""
    here, there = both.marks(finding)
    difference = BY_CODE[finding.code]
    if difference.family in ("brackets", "uncounted bracket"):
        if difference.owner is both.into:
            return _remove(both, here) if here else None
        if difference.owner is not None:
            return _insert(both, there) if there else None
        return _label(both, here, there, in_place=in_place) if here and there else None
    if difference.family in ("category", "function", "index") and here and there:
        return _label(both, here, there, in_place=True)
    if difference.family == "uncounted label" and here and there:
        # (As it is written there: what no parameters read has no parts that stay.)
        return _label(both, here, there, in_place=in_place, whole=True)
    if difference.family == "extent" and here:
        mine = both.here.place(here)
        return take_nesting.take_place(both, mine) if mine else None
    if difference.family == "unary order" and here:
        mine = both.here.place(here)
        return take_nesting.take_order(both, mine) if mine else None
    if difference.replaceable and difference.family == "trace" and here and there:
        return _index(both, here, there)
    if difference.family == "trace" and both.simple:
        return _remove_trace(both.here, here) if here else _words(both, here, there)
    if difference.family in ("tag", "uncounted tag") and here and there:
        return _tag(both, here, there)
    if difference.family == "comment":
        return _comment(both, here, there)
    if difference.family == "words" and both.simple:
        return _words(both, here, there)
    return None


def _label(
    both: GroupSides, here: Mark, there: Mark, *, in_place: bool, whole: bool = False
) -> Edits | None:
    """Another label, maybe ``whole``; unless ``in_place``, also where the bracket with this one
    starts and ends."""
    mine, theirs = both.here.place(here), both.there.place(there)
    if mine is None or theirs is None:
        return None
    text, label = both.here.text(mine.sentence), _node(both.there, theirs).label
    write = replace_label if whole or both.strict else relabel
    edits = write(text, mine.node, label)
    moved = None if in_place else take_nesting.take_place(both, mine, edits[0].replacement)
    return moved or edits


def _index(both: GroupSides, here: Mark, there: Mark) -> Edits:
    """An empty element with the index that it has there."""
    node = _node(both.here, both.here.leaf(both.here.rows(here)[0]))
    _, word = _leaf_text(both.there, both.there.rows(there)[0])
    return (Edit(node.word_start, node.word_end, word),)


def _tag(both: GroupSides, here: Mark, there: Mark) -> Edits | None:
    mine, theirs = both.here.place(here), both.there.place(there)
    if mine is None or theirs is None:
        return None
    tag = _node(both.there, theirs).label
    return retag(both.here.text(mine.sentence), mine.node, tag, whole=both.strict)


def _node(view: EditedSide, place: NodePlace) -> Node:
    return view.text(place.sentence).node(place.node)


def _comment(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits:
    document = both.here.document
    new = both.there.document.text(there.start, there.end) if there else b""
    if here is None:
        return whole.with_comments(document, both.here.sentences[0], [new])
    if there is None:
        return (whole.without_line(document, here.start, here.end),)
    return (Edit(here.start, here.end, new),)


# --- brackets ------------------------------------------------------------------------------


def _remove(both: GroupSides, mark: Mark) -> Edits | None:
    """A bracket gone; in the place of a root that holds several things, the other file's. (Where
    that has several sentences, each has a root, and none is the place's.)"""
    place = both.here.place(mark)
    if place is None:
        return None
    node = _node(both.here, place)
    if both.simple and node.parent < 0 and len(node.children) != 1:
        return take_nesting.remove(both, place)
    return delete(both.here.text(place.sentence), {place.node})


def _insert(both: GroupSides, mark: Mark) -> Edits | None:
    place = both.there.place(mark)
    return take_nesting.take_bracket(both, place) if place else None


def _remove_trace(here: EditedSide, mark: Mark) -> Edits | None:
    """An empty element, with the brackets that hold nothing else."""
    edits = without_words(
        here.text(mark.sentence), [here.leaf(row).node for row in here.rows(mark)]
    )
    return ordered(edits) if edits else None


def remove_all(both: GroupSides, findings: Iterable[Finding]) -> Edits | None:
    """All brackets taken out that only this side has: a sentence needs them gone in any case."""
    gone: dict[int, set[int]] = {}
    for finding in findings:
        difference = BY_CODE[finding.code]
        if difference.family != "brackets" or difference.owner is not both.into:
            continue
        here, _ = both.marks(finding)
        place = both.here.place(here) if here else None
        if place:
            gone.setdefault(place.sentence, set()).add(place.node)
    edits = [delete(both.here.text(sentence), nodes) for sentence, nodes in gone.items()]
    if any(edit is None for edit in edits):
        return None
    return ordered(chain.from_iterable(edit for edit in edits if edit))


# --- words ---------------------------------------------------------------------------------


def _words(both: GroupSides, here: Mark | None, there: Mark | None) -> Edits | None:
    """Words of the other file, with their tags, in the place of those here."""
    mine = both.here.rows(here) if here else range(0)
    theirs = both.there.rows(there) if there else range(0)
    text = both.here.text(both.here.sentences[0])
    taken = [_node(both.there, both.there.leaf(row)) for row in theirs]
    own = [both.here.leaf(row).node for row in mine]
    if any(map(untagged, taken)) or any(untagged(text.node(index)) for index in own):
        return None
    written = [_leaf_text(both.there, row) for row in theirs]
    edits: list[Edit] = []
    for index, node, leaf in zip(own, taken, written, strict=False):
        edits += reword(text, index, encode(node.word or ""), leaf[0])
    removed = without_words(text, own[len(taken) :]) if len(own) > len(taken) else []
    if removed is None:
        return None
    edits += removed
    leaves = [b"(%b %b)" % leaf for leaf in written]
    if not own:
        return take_nesting.take_words(both, theirs, leaves)
    if more := b"".join(b" " + leaf for leaf in leaves[len(own) :]):
        edits.append(Edit(text.node(own[-1]).end, text.node(own[-1]).end, more))
    return ordered(edits)


def _leaf_text(view: EditedSide, row: int) -> tuple[bytes, bytes]:
    """A tag and its word, as they are written."""
    place = view.leaf(row)
    text, node = view.text(place.sentence), _node(view, place)
    return text.between(node.label_start, node.label_end), text.between(
        node.word_start, node.word_end
    )
