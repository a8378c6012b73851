"""Lines to trees, as SParseval takes brackets: a label ends at a blank, a word at a ``)``.

So ``(NP(DT the))`` has the label ``NP(DT``, and a word may hold blanks and opening brackets.
``((`` is a bracket without a label. A tree has to end where its line does, if it starts where
the line does. Nodes without words, and those that the parameters call empty, are left out at
once; so are deleted ones, if they have no part in an alignment by gold's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from treelens.dropin.sparseval.settings import Settings

TOP = "TOP"
"""The label of every root, whatever is written."""
_CUTS = re.compile(r"(?s)(?<=.)[-=](?=.)")
_EDITED = attrgetter("edited")
_BLANKS = " \t"
_BLANK = re.compile(r"[ \t]*")
_OPENING = re.compile(r"([^ \t()]*) [ \t]*|")
_TAGGED = re.compile(r"([^ \t()]*) [ \t]*([^ \t()][^()]*)\)((?:[ \t]*\))*)[ \t]*")


class Misbracketing(Exception):  # noqa: N818 — of a user's line, told as such
    """A line that is no tree: where (a column from 1), and why."""

    def __init__(self, column: int, why: str) -> None:
        super().__init__(why)
        self.column = column
        self.why = why


class Label(NamedTuple):
    """A label as it counts, and what the parameters say of it."""

    text: str
    deleted: bool
    edited: bool
    empty: bool
    is_open: bool
    """Not of a closed class."""


class Node:
    """A bracket of a tree; a word's is one without children."""

    __slots__ = (
        "children",
        "deleted",
        "edited",
        "end",
        "head_place",
        "head_word",
        "is_open",
        "label",
        "start",
        "word",
    )

    def __init__(self, label: Label, word: str | None = None) -> None:
        self.label, self.deleted, self.edited, _, self.is_open = label
        self.word = word
        self.children: list[Node] = []
        self.start = self.end = -1
        """Where it starts and ends on the axis of the alignment; not known at first."""
        self.head_word: str | None = None
        self.head_place = -1


class Tree:
    """A tree, or all trees of a side under one root."""

    __slots__ = ("has_edits", "may_have_odd_words", "nodes", "root")

    def __init__(self, root: Node) -> None:
        self.root = root
        self.nodes = [root]
        """All nodes, parents before their children, words in the order of the text."""
        self.has_edits = root.edited
        self.may_have_odd_words = False
        """Whether there may be a bracket with a word beside children."""

    def words(self) -> list[Node]:
        """The nodes that have a word, in the order of the text."""
        return [node for node in self.nodes if node.word is not None]

    def list_again(self) -> None:
        """Find the nodes anew, when some were moved or taken out."""
        self.nodes = _listed([self.root])


def _listed(roots: list[Node]) -> list[Node]:
    found: list[Node] = []
    waiting = roots[::-1]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if node.children:
            waiting += reversed(node.children)
    return found


def take_out_deleted(tree: Tree) -> None:
    """Take out deleted brackets, tags with their words, and then what has nothing left in it."""
    gone = {node for node in tree.nodes if node.deleted}
    if not gone:
        return
    for node in reversed(tree.nodes):
        children = node.children
        if not children or gone.isdisjoint(children):
            continue
        node.children = []
        for child in children:
            if child in gone:
                node.children += child.children
            else:
                node.children.append(child)
        if not node.children:
            gone.add(node)
    tree.nodes = [node for node in tree.nodes if node not in gone or node is tree.root]


class _Piece(NamedTuple):
    """What stands between two opening brackets."""

    label: Label
    word: str | None
    """None if there is none, or if it is left out."""
    ends: int
    """How many brackets end behind the word, its own included; 0 if there is no word."""


_REMEMBERED = 1 << 14
"""Pieces whose meaning is known, at most: there are as many as words."""


class Reader:
    """Reads the lines of one side.

    A treebank consists of few different pieces, when it is cut at its opening brackets; what an
    ordinary piece means is found out once. Other lines are read letter by letter.
    """

    def __init__(self, settings: Settings, nameless: str, *, drops_deleted: bool) -> None:
        self._delete = frozenset(settings.delete_labels)
        self._empty = frozenset(settings.empty_labels)
        self._edit = frozenset(settings.edit_labels)
        self._closed = frozenset(settings.closed_class)
        self._renamed = dict(settings.equal_labels)
        self._nameless = nameless
        """What is read where a label or a word is missing."""
        self._drops_deleted = drops_deleted
        self._labels: dict[str, Label] = {}
        self._pieces: dict[str, _Piece | None] = {}

    def read(self, line: str, tree: Tree | None = None) -> Tree:
        """The tree of a line; its parts are added to a tree that is given.

        Raises Misbracketing where the line is no tree.
        """
        target = Tree(Node(self._traits(TOP))) if tree is None else tree
        root, count = target.root, len(target.root.children)
        nodes: list[Node] = []
        if not self._read_pieces(line.split("("), root, nodes):
            del root.children[count:]
            self._read_letters(line, root, continues=tree is not None)
            nodes = _listed(root.children[count:])
            target.may_have_odd_words = True
        target.nodes += nodes
        target.has_edits = target.has_edits or any(map(_EDITED, nodes))
        return target

    def _traits(self, label: str) -> Label:
        return Label(
            label,
            label in self._delete,
            label in self._edit,
            label in self._empty,
            label not in self._closed,
        )

    def label(self, written: str) -> Label:
        """Cut at the first - or = that is neither its first nor its last letter, and renamed."""
        known = self._labels.get(written)
        if known is None:
            text = written or self._nameless
            cut = _CUTS.search(text)
            if cut:
                text = text[: cut.start()]
            known = self._labels[written] = self._traits(self._renamed.get(text, text))
        return known

    def _piece(self, piece: str) -> _Piece | None:
        """What a piece between two opening brackets means, if it is an ordinary one."""
        meaning: _Piece | None = None
        tagged = _TAGGED.fullmatch(piece)
        if tagged:
            label = self.label(tagged[1])
            is_out = label.empty or (label.deleted and self._drops_deleted)
            meaning = _Piece(label, None if is_out else tagged[2], tagged[3].count(")") + 1)
        else:
            opening = _OPENING.fullmatch(piece)
            if opening:
                meaning = _Piece(self.label(opening[1] or ""), None, 0)
        if len(self._pieces) >= _REMEMBERED:
            self._pieces.clear()
        self._pieces[piece] = meaning
        return meaning

    def _read_pieces(self, pieces: list[str], root: Node, nodes: list[Node]) -> bool:
        """Read a line of ordinary pieces; whether it was one. New nodes are listed."""
        known = self._pieces
        first = known.get(pieces[1]) or self._piece(pieces[1]) if len(pieces) > 1 else None
        if pieces[0] or first is None or first.ends:
            return False
        stack: list[tuple[Node, int]] = []
        node, start = root, 0
        last = len(pieces) - 1
        for number in range(2, last + 1):
            meaning = known.get(pieces[number]) or self._piece(pieces[number])
            if meaning is None:
                return False
            label, word, ends = meaning
            if not ends:
                stack.append((node, start))
                node, start = Node(label), len(nodes)
                nodes.append(node)
                continue
            if word is not None:
                leaf = Node(label, word)
                node.children.append(leaf)
                nodes.append(leaf)
            while ends > 1:
                ends -= 1
                if not stack:
                    # The root ends, and the line has to end with it.
                    return number == last and ends == 1
                parent, before = stack.pop()
                self._close(node, start, parent, nodes)
                node, start = parent, before
        return False

    def _close(self, node: Node, start: int, parent: Node, nodes: list[Node]) -> None:
        """Give a finished bracket, listed at ``start``, to its parent, or what is left of it."""
        if not node.children or node.label in self._empty:
            del nodes[start:]
        elif node.deleted and self._drops_deleted:
            parent.children += node.children
            del nodes[start]
        else:
            parent.children.append(node)

    def _read_letters(self, line: str, root: Node, *, continues: bool) -> None:
        """Read any line."""
        start = at = _skip(line, 0)
        if line[at : at + 1] != "(":
            raise Misbracketing(at + 1, f"a tree starts with a (, not with “{line[at : at + 20]}”")
        stack: list[Node] = []
        node = root
        lost: set[Node] = set()
        at = self._opened(line, _label_end(line, at, " \t" if continues else " "), root)
        while True:
            at = _skip(line, at)
            letter = line[at : at + 1]
            if not letter:
                raise Misbracketing(
                    len(line) + 1, f"the line ends inside of ({node.label} …: a ) is missing"
                )
            if letter == "(":
                stack.append(node)
                end = _label_end(line, at, " ")
                node = Node(self.label(line[at + 1 : end]))
                at = self._opened(line, end, node)
            elif letter != ")":
                end = line.find(")", at)
                if end < 0:
                    raise Misbracketing(
                        len(line) + 1, f"the line ends in the word “{line[at : at + 20]}”"
                    )
                node.word, at = line[at:end], end
            elif stack:
                at += 1
                parent = stack.pop()
                self._finish(node, parent, lost)
                node = parent
            else:
                break
        at = _skip(line, at + 1)
        if start == 0 and at < len(line):
            raise Misbracketing(
                at + 1, f"the line goes on behind the tree: “{_visible(line[at : at + 20])}”"
            )

    def _opened(self, line: str, end: int, node: Node) -> int:
        """Go on behind a label: if a bracket ends there, its word is an empty one."""
        at = _skip(line, end)
        if at > end and line[at : at + 1] == ")":
            node.word = self._nameless
        return at

    def _finish(self, node: Node, parent: Node, lost: set[Node]) -> None:
        """The same as ``_close`` for nodes that may have a word, and children too."""
        hollow = not node.children and (node.word is None or node in lost)
        if hollow or node.label in self._empty:
            return
        if node.deleted and self._drops_deleted:
            parent.children += node.children
            lost.add(parent)
        else:
            parent.children.append(node)


def _label_end(line: str, at: int, blanks: str) -> int:
    """Where the label ends that starts behind the bracket at this place."""
    if line[at + 1 : at + 2] == "(":
        return at + 1
    ends = (line.find(blank, at + 1) for blank in blanks)
    return min((end for end in ends if end >= 0), default=len(line))


def _skip(line: str, at: int) -> int:
    found = _BLANK.match(line, at)
    assert found is not None  # it matches nothing, too
    return found.end()


def _visible(text: str) -> str:
    return text.replace("\r", "\\r")


def tree_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, numbered from 1."""
    for number, line in enumerate(lines, start=1):
        if line.strip(_BLANKS):
            yield number, line
