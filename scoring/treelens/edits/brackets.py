"""What can be done to a tree of brackets, each a few small edits of its text.

A tree's nodes are named by their index (:attr:`treelens.trees.tree.Tree.nodes`), offsets are those
of the document. Blanks and comments stay where they are as far as they can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from treelens.edits.text import Edit, Edits, ordered
from treelens.rules.parameters import bare, tag_name
from treelens.session.document import Document
from treelens.trees.forest import decode, encode
from treelens.trees.tree import Node, Tree


class TreeText(NamedTuple):
    """A tree with the text that it was read in."""

    tree: Tree
    text: bytes
    start: int
    """Where the text starts in the document, as the tree's offsets have it."""

    def between(self, start: int, end: int) -> bytes:
        return self.text[start - self.start : end - self.start]

    def node(self, index: int) -> Node:
        return self.tree.nodes[index]


def bracket_text(document: Document, sentence: int) -> TreeText:
    """One sentence of a document."""
    start = int(document.start[sentence])
    return TreeText(document.tree(sentence), document.piece_text(sentence), start)


def untagged(node: Node) -> bool:
    """Whether a word stands without a bracket of its own."""
    return node.word is not None and node.start == node.word_start


def closed(text: TreeText, node: Node) -> bool:
    """Whether a bracket has its closing one: broken text may not, and then ends with its last
    child or word."""
    inside = text.node(node.children[-1]).end if node.children else node.label_end
    inside = max(inside, node.word_end)
    return node.end > inside and text.between(node.end - 1, node.end) == b")"


# --- labels --------------------------------------------------------------------------------


def replace_label(text: TreeText, index: int, label: str) -> Edits:
    """Another label or tag, with nothing of the one that is written; not of a word without a
    bracket."""
    node = text.node(index)
    return ordered([Edit(node.label_start, node.label_end, encode(label))])


def relabel(text: TreeText, index: int, label: str) -> Edits:
    """Another label. Where that is another category only, the function tags, indices and features
    that are written here stay; where it is the same one, they go."""
    node = text.node(index)
    written = decode(text.between(node.label_start, node.label_end))
    category = bare(written)
    # What starts with a hyphen is a name as a whole: nothing can stand behind it.
    if label == bare(label) != category and not label.startswith("-"):
        label += written[len(category) :]
    return replace_label(text, index, label)


def retag(text: TreeText, index: int, tag: str, *, whole: bool = False) -> Edits | None:
    """Another part-of-speech tag, features as for labels unless it is ``whole``; None for a word
    without a bracket, or for no tag at all."""
    node = text.node(index)
    if untagged(node) or not tag:
        return None
    written = decode(text.between(node.label_start, node.label_end))
    name = tag_name(written)
    if not whole and tag == tag_name(tag) != name:
        tag += written[len(name) :]
    return replace_label(text, index, tag)


# --- brackets ------------------------------------------------------------------------------


def delete(text: TreeText, gone: Set[int]) -> Edits | None:
    """Some brackets taken out, what is in them raised; None where that is no tree any more.

    A root that holds several constituents stays and loses its label, which makes it count no
    more than no bracket would.
    """
    if any(not closed(text, text.node(index)) for index in gone):
        return None
    edits: list[Edit] = []
    for index in sorted(gone):
        node = text.node(index)
        if node.parent < 0 and len([*kept_children(text.tree, index, gone)]) != 1:
            edits.append(Edit(node.label_start, node.label_end, b""))
            continue
        edits += _without(text, node) if node.children else _without_empty(text, node, gone)
    changed = {text.node(index).parent for index in gone} - gone - {-1}
    changed |= {index for index in gone if text.node(index).parent < 0}
    if not all(_stays_a_constituent(text.tree, index, gone) for index in changed):
        return None
    return ordered(edits)


def _without(text: TreeText, node: Node) -> list[Edit]:
    """A bracket's own characters gone, and blanks that stood between them and a child."""
    first, last = text.node(node.children[0]), text.node(node.children[-1])
    opening, closing = first.start, last.end
    if text.between(node.label_end, opening).strip():  # a comment
        opening = node.label_end
    if text.between(closing, node.end - 1).strip():
        closing = node.end - 1
    return [Edit(node.start, opening, b""), Edit(closing, node.end, b"")]


def _without_empty(text: TreeText, node: Node, gone: Set[int]) -> list[Edit]:
    """The same of one that holds nothing, or a comment, which stays."""
    if text.between(node.label_end, node.end - 1).strip():
        return [Edit(node.start, node.label_end, b""), Edit(node.end - 1, node.end, b"")]
    parent = text.node(node.parent)
    before = text.between(parent.start, node.start)
    blanks = len(before) - len(before.rstrip(b" \t"))
    if node.parent in gone and text.node(parent.children[0]) == node:
        blanks = 0  # (They go with the parent.)
    after = text.between(node.end, node.end + 1)
    if after == b")" or not after.strip():
        return [Edit(node.start - blanks, node.end, b"")]
    # What stands on either side may be words without tags.
    return [Edit(node.start, node.end, b"" if blanks else b" ")]


def _stays_a_constituent(tree: Tree, index: int, gone: Set[int]) -> bool:
    """Not so if a single word without a tag is left in it, whose tag it then would be; nor if
    it has no label and begins with such a word, which then would be its label."""
    children = [tree.nodes[child] for child in kept_children(tree, index, gone)]
    if not children or not untagged(children[0]):
        return True  # (One without children held no words before.)
    labelled = tree.nodes[index].label and index not in gone
    return len(children) > 1 and bool(labelled)


def kept_children(tree: Tree, index: int, gone: Set[int]) -> Iterator[int]:
    """A node's children when some nodes are not there, whose children then take their place."""
    pending = list(reversed(tree.nodes[index].children))
    while pending:
        child = pending.pop()
        if child in gone:
            pending.extend(reversed(tree.nodes[child].children))
        else:
            yield child


def wrap(
    text: TreeText, first: int, last: int, label: str, gone: Set[int] = frozenset()
) -> Edits | None:
    """A new bracket around siblings, from one to another; ``gone`` are brackets taken out with it.

    None where it cannot be: over a single word without a tag it would be the word's tag.
    """
    if first == last and untagged(text.node(first)):
        return None
    removed = delete(text, gone) if gone else ()
    if removed is None:
        return None
    opening = text.node(first).start, b"(%b " % encode(label)
    closing = text.node(last).end, b")"
    edits = [Edit(at, at, inserted) for at, inserted in (opening, closing)]
    # (What is taken out before the place touches it, and joins.)
    return ordered([*removed, *edits])


# --- words ---------------------------------------------------------------------------------


def reword(text: TreeText, index: int, word: bytes, tag: bytes) -> list[Edit]:
    """Another word, and its tag."""
    node = text.node(index)
    return [
        Edit(node.label_start, node.label_end, tag),
        Edit(node.word_start, node.word_end, word),
    ]


def without_words(text: TreeText, gone: Iterable[int]) -> list[Edit] | None:
    """Words taken out, and the constituents that hold nothing else; None if that is all."""
    nodes, empty = text.tree.nodes, set(gone)
    for index in range(len(nodes) - 1, -1, -1):
        node = nodes[index]
        if node.word is None and node.children and empty.issuperset(node.children):
            empty.add(index)
    if not nodes or 0 in empty:
        return None
    edits: list[Edit] = []
    for index, node in enumerate(nodes):
        if node.word is not None or index in empty or empty.isdisjoint(node.children):
            continue
        kept = [child for child in node.children if child not in empty]
        if len(kept) == 1 and untagged(nodes[kept[0]]):
            return None
        edits += _without_children(text, node.children, empty)
    return edits


def _without_children(text: TreeText, children: tuple[int, ...], empty: Set[int]) -> Iterator[Edit]:
    """Runs of siblings, each with the blanks on one side of it."""
    before: Node | None = None
    run: list[Node] = []
    for index in children:
        node = text.node(index)
        if index in empty:
            run.append(node)
            continue
        if run and before is None:
            yield _blanked(text, run[0].start, run[-1].end, run[0].start, node.start)
        elif run and before is not None:
            yield _blanked(text, run[0].start, run[-1].end, before.end, run[-1].end)
        before, run = node, []
    if run and before is not None:
        yield _blanked(text, run[0].start, run[-1].end, before.end, run[-1].end)


def _blanked(text: TreeText, start: int, end: int, wide_start: int, wide_end: int) -> Edit:
    """From ``wide_start`` to ``wide_end`` if only blanks are there besides ``[start, end)``."""
    around = text.between(wide_start, start) + text.between(end, wide_end)
    return Edit(start, end, b"") if around.strip() else Edit(wide_start, wide_end, b"")
