"""What an annotator does to a tree by hand, with no other file: each a small edit at the cursor.

Every function is given a tree of brackets with its text and the node it is about (or a place),
and answers with the edits, or None where that cannot be done there. Two and two take each
other back, byte for byte: wrap and delete, split and merge, split and join.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from treelens.edits.brackets import TreeText, closed, delete, untagged, wrap
from treelens.edits.rows import merge_words, read_table, split_word, written
from treelens.edits.text import Edit, Edits, difference, ordered
from treelens.edits.whole import line_break
from treelens.formats.brackets import Habit
from treelens.formats.table import BRACKETS
from treelens.session.document import Document
from treelens.trees.tree import Node

NEW = "XP"
"""The label of a new bracket: any phrase, to be made a name of by whoever put it in."""


def _siblings(text: TreeText, index: int) -> tuple[Node | None, Node | None]:
    """The nodes directly before and behind one, in the same constituent."""
    node = text.node(index)
    if node.parent < 0:
        return None, None
    children = text.node(node.parent).children
    at = children.index(index)
    before = text.node(children[at - 1]) if at else None
    return before, text.node(children[at + 1]) if at + 1 < len(children) else None


def _opening(text: TreeText, node: Node) -> bytes:
    return text.between(node.start, node.label_end) + b" "


def delete_bracket(text: TreeText, index: int) -> Edits | None:
    node = text.node(index)
    if node.word is not None or not node.children:
        return None
    if node.parent < 0 and len(node.children) > 1:
        return None
    return delete(text, {index})


def wrap_node(text: TreeText, index: int) -> Edits | None:
    return wrap(text, index, index, NEW)


def raise_node(text: TreeText, index: int) -> Edits | None:
    """Out of its constituent, at whose edge it stands, to be that one's sibling."""
    node = text.node(index)
    parent = text.node(node.parent) if node.parent >= 0 else None
    before, behind = _siblings(text, index)
    if parent is None or parent.parent < 0 or not closed(text, parent):
        return None
    if behind is None and before is not None and _may_end(text, before, parent):
        return _moved(text, parent, before.end)
    if before is None and behind is not None and _may_begin(text, behind, parent):
        return _reopened(text, parent, behind.start)
    return None


def lower_left(text: TreeText, index: int) -> Edits | None:
    """Into the constituent before it, as its last child."""
    before, _ = _siblings(text, index)
    if before is None or before.word is not None or not closed(text, before):
        return None
    return _moved(text, before, text.node(index).end)


def lower_right(text: TreeText, index: int) -> Edits | None:
    """Into the constituent behind it, as its first child."""
    _, behind = _siblings(text, index)
    if behind is None or behind.word is not None or untagged(text.node(index)):
        return None
    return _reopened(text, behind, text.node(index).start)


def _may_end(text: TreeText, last: Node, parent: Node) -> bool:
    return not (untagged(last) and text.node(parent.children[0]) == last)


def _may_begin(text: TreeText, first: Node, parent: Node) -> bool:
    return not (untagged(first) and text.node(parent.children[-1]) == first)


def _moved(text: TreeText, node: Node, end: int) -> Edits:
    """A constituent that ends somewhere else."""
    return ordered([Edit(node.end - 1, node.end, b""), Edit(end, end, b")")])


def _reopened(text: TreeText, node: Node, start: int) -> Edits | None:
    """A constituent that begins somewhere else."""
    first = text.node(node.children[0]) if node.children else None
    if first is None or text.between(node.label_end, first.start).strip():
        return None
    gone = Edit(node.start, first.start, b"")
    return ordered([gone, Edit(start, start, _opening(text, node))])


# --- two of one, one of two ----------------------------------------------------------------


def split_bracket(text: TreeText, offset: int) -> Edits | None:
    """A constituent cut in two of the same label, between the children around an offset."""
    cut = _cut(text, offset)
    if cut is None or cut[0].parent < 0:
        return None
    return (Edit(cut[1], cut[1], b") " + _opening(text, cut[0]).rstrip()),)


def _cut(text: TreeText, offset: int) -> tuple[Node, int] | None:
    """The lowest constituent with an offset between two of its children, and where the first
    of these ends; None inside of words and labels."""
    found = None
    for node in text.tree.nodes:
        if node.word is None and node.start < offset < node.end:
            found = node
    if found is None or not closed(text, found):
        return None
    children = [text.node(child) for child in found.children]
    for one, other in itertools.pairwise(children):
        between = one.end <= offset <= other.start
        if between and not untagged(one) and not untagged(other):
            return found, one.end
    return None


def merge_bracket(text: TreeText, index: int) -> Edits | None:
    """A constituent made one with the next one, which has the same label."""
    node, (_, behind) = text.node(index), _siblings(text, index)
    if node.word is not None or behind is None or behind.word is not None:
        return None
    if node.label != behind.label or not closed(text, node):
        return None
    return (Edit(node.end - 1, behind.label_end, b""),)


def split_tagged(text: TreeText, offset: int) -> Edits | None:
    """A word cut in two with the same tag."""
    index = text.tree.innermost(offset)
    node = text.node(index) if index is not None else None
    if node is None or node.word is None or untagged(node):
        return None
    if not node.word_start < offset < node.word_end:
        return None
    return (Edit(offset, offset, b") " + _opening(text, node)),)


def merge_tagged(text: TreeText, index: int) -> Edits | None:
    """A word made one with the next one beside it; its own tag stays."""
    node, (_, behind) = text.node(index), _siblings(text, index)
    if node.word is None or behind is None or behind.word is None:
        return None
    if untagged(node) or untagged(behind):
        return None
    return (Edit(node.word_end, behind.word_start, b""),)


def split_sentence(document: Document, text: TreeText, offset: int) -> Edits | None:
    """A sentence cut in two trees, between the children of its root around an offset; or of what
    alone is in the root, as in ``( (S …))``."""
    cut = _cut(text, offset)
    if cut is None:
        return None
    above = [cut[0]]
    while above[-1].parent >= 0:
        above.append(text.node(above[-1].parent))
    if not all(closed(text, node) for node in above):
        return None
    if any(len(node.children) > 1 for node in above[1:]):
        return None
    lines = 2 if document.format is BRACKETS[Habit.PARAGRAPH] else 1
    openings = b"".join(_opening(text, node) for node in reversed(above)).rstrip()
    inserted = b")" * len(above) + line_break(document) * lines + openings
    return (Edit(cut[1], cut[1], inserted),)


def join_sentences(document: Document, text: TreeText, sentence: int) -> Edits | None:
    """A sentence and the next one as one tree, the first one's; only blanks may stand between."""
    if sentence + 1 >= len(document):
        return None
    other = document.tree(sentence + 1).nodes
    root = text.node(0)
    if root.word is not None or other[0].word is not None or not closed(text, root):
        return None
    if document.text(root.end, other[0].start).strip() or root.label != other[0].label:
        return None
    return (Edit(root.end - 1, other[0].label_end, b""),)


# --- tables --------------------------------------------------------------------------------


def split_row(document: Document, sentence: int, offset: int) -> Edits | None:
    """A word of a table cut in two at an offset in its form; all is numbered anew."""
    nodes = document.tree(sentence).nodes
    at = next((n for n in nodes if n.word_start < offset < n.word_end), None)
    text = document.piece_text(sentence)
    table = read_table(text)
    if at is None or table is None:
        return None
    forms = document.text(at.word_start, offset), document.text(offset, at.word_end)
    split_word(table, table.words[at.row], forms)
    return difference(text, written(table), int(document.start[sentence]))


def merge_rows(document: Document, sentence: int, index: int) -> Edits | None:
    """A word of a table made one with the next; all is numbered anew."""
    text = document.piece_text(sentence)
    table = read_table(text)
    row = document.tree(sentence).nodes[index].row
    if table is None or row + 1 >= len(table.words):
        return None
    merge_words(table, table.words[row], table.words[row + 1])
    return difference(text, written(table), int(document.start[sentence]))


# --- all of them ---------------------------------------------------------------------------


class Operation(NamedTuple):
    """Something to do to a node; ``title`` has places for its label and a neighbour's."""

    title: str
    edits: Callable[[TreeText, int], Edits | None]


OPERATIONS: dict[str, Operation] = {
    "delete": Operation("Delete bracket {label}", delete_bracket),
    "wrap": Operation("Wrap {label} in a new " + NEW, wrap_node),
    "raise": Operation("Raise {label} out of {parent}", raise_node),
    "lower-left": Operation("Lower {label} into the {before} before it", lower_left),
    "lower-right": Operation("Lower {label} into the {behind} behind it", lower_right),
    "merge": Operation("Merge {label} with the {behind} behind it", merge_bracket),
    "merge-word": Operation("Merge word with the next one", merge_tagged),
}
CUTS: dict[str, Operation] = {
    "split": Operation("Split bracket here", split_bracket),
    "split-word": Operation("Split word here", split_tagged),
}


def names(text: TreeText, index: int) -> dict[str, str]:
    """What the titles call a node and those around it."""
    node, (before, behind) = text.node(index), _siblings(text, index)
    parent = text.node(node.parent) if node.parent >= 0 else None
    around = {"label": node, "parent": parent, "before": before, "behind": behind}
    return {name: (one.label if one else "") or "bracket" for name, one in around.items()}
