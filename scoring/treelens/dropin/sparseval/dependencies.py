"""Dependencies between heads: a phrase, and a child of it that is not its head.

Both have a label and a word, that of their lexical head. The root has all its children as
dependents, and its label for a word. Edited nodes have no dependencies inside, and are no
dependents; a table may still choose one as head, where a phrase has nothing better.
"""

from __future__ import annotations

from typing import NamedTuple

from treelens.dropin.sparseval.reading import Node, Tree
from treelens.rules.heads import HeadTable


class NoHead(Exception):  # noqa: N818 — an ending of the original
    """The table has no rule for this phrase, nor a default that fits."""

    def __init__(self, label: str, children: list[str]) -> None:
        super().__init__(label)
        self.label = label
        self.children = children


class Dependency(NamedTuple):
    parent: str
    """The label of the phrase."""
    child: str
    """The label of the dependent."""
    head_word: str | None
    """The word of the phrase; None where its head is edited speech, or has no place."""
    word: str | None
    """The word of the dependent."""
    is_open: bool
    """Neither word is of a closed class."""


class Heads:
    """A head table, and what was found in it."""

    def __init__(self, table: HeadTable) -> None:
        self._table = table
        self._found: dict[tuple[str, ...], int] = {}

    def of(self, node: Node) -> Node:
        """The child that is the head. Raises NoHead."""
        labels = (node.label, *[child.label for child in node.children])
        known = self._found.get(labels)
        if known is None:
            # Labels say it all: whether a child is edited, too.
            edited = {at for at, child in enumerate(node.children) if child.edited}
            known = self._table.find(node.label, labels[1:], edited)
            if known is None:
                raise NoHead(node.label, list(labels[1:]))
            self._found[labels] = known
        return node.children[known]


def placed(tree: Tree, heads: Heads) -> dict[int, Dependency]:
    """Dependencies by the place of the dependent's word on the axis of the alignment.

    What takes no place is no dependent, and a phrase whose head takes none has no dependents.
    """
    found: dict[int, Dependency] = {}
    for node in reversed(tree.nodes):
        if not node.children or node.edited:
            node.head_word = node.word
            if not node.children and node.start < node.end:
                node.head_place = node.start
            continue
        head = None
        if node is tree.root:
            node.head_word = node.label
        else:
            head = heads.of(node)
            node.head_word = head.head_word if head.start < head.end else None
            node.head_place = head.head_place
            node.is_open = head.is_open
        if node.head_word is None:
            continue
        for child in node.children:
            takes_place = child.start < child.end and child.head_word is not None
            if takes_place and child is not head and not child.edited:
                found[child.head_place] = _dependency(node, child)
    return found


def ordered(tree: Tree, heads: Heads) -> list[Dependency]:
    """One dependency for every word that is not edited speech, in the order of the words."""
    leaves = [node for node in tree.nodes if not node.children]
    found: dict[int, Dependency] = {}
    for place, leaf in enumerate(leaves):
        leaf.head_place = -1 if leaf.edited else place
    for node in reversed(tree.nodes):
        if not node.children or node.edited:
            node.head_word = node.word
            continue
        head = None
        if node is tree.root:
            node.head_word = node.label
        else:
            head = heads.of(node)
            node.head_word, node.head_place = head.head_word, head.head_place
            node.is_open = head.is_open
        for child in node.children:
            if child is not head and child.head_place >= 0:
                found[child.head_place] = _dependency(node, child)
    return [found[place] for place in sorted(found)]


def _dependency(node: Node, child: Node) -> Dependency:
    both_open = node.is_open and child.is_open
    return Dependency(node.label, child.label, node.head_word, child.head_word, both_open)
