"""Lines to trees, as SParseval takes brackets: a label ends at a blank, a word at a ``)``.

So ``(NP(DT the))`` has the label ``NP(DT``, and a word may hold blanks and opening brackets.
``((`` is a bracket without a label. A tree has to end where its line does, if it starts where
the line does. Nodes without words, and those that the parameters call empty, are left out at
once; so are deleted ones, if they have no part in an alignment by gold's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from treelens.dropin.sparseval.settings import Settings

TOP = "TOP"
"""The label of every root, whatever is written."""
_CUTS = re.compile(r"(?s)(?<=.)[-=](?=.)")
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
        "place",
        "start",
        "word",
    )

    def __init__(self, label: Label, word: str | None = None) -> None:
        self.label, self.deleted, self.edited, _, self.is_open = label
        self.word = word
        self.children: list[Node] = []
        self.place: tuple[int, int] | None = None
        """Of a word in the alignment: from, to."""
        self.start = self.end = -1
        """Where it starts and ends on the axis of the alignment."""
        self.head_word: str | None = None
        self.head_place = -1


def preorder(root: Node) -> list[Node]:
    """All nodes, parents before their children; reversed, children come before their parents."""
    found: list[Node] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if node.children:
            waiting += reversed(node.children)
    return found


def words(root: Node) -> list[Node]:
    """The nodes that have a word, in the order of the text."""
    return [node for node in preorder(root) if node.word is not None]


def without_deleted(root: Node) -> None:
    """Take out deleted brackets, tags with their words, and then what has nothing left in it."""
    hollow: set[Node] = set()
    for node in reversed(preorder(root)):
        if not any(child.deleted or child in hollow for child in node.children):
            continue
        kept: list[Node] = []
        for child in node.children:
            if child.deleted or child in hollow:
                kept += child.children
            else:
                kept.append(child)
        node.children = kept
        if not kept:
            hollow.add(node)


@dataclass(frozen=True, slots=True)
class _Leaf:
    label: Label
    word: str
    ends: int
    """How many brackets end behind the word, its own included."""


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
        self._pieces: dict[str, Label | _Leaf | None] = {}

    def read(self, line: str, root: Node | None = None) -> Node:
        """The tree of a line; its parts are added to a root that is given.

        Raises Misbracketing where the line is no tree.
        """
        target = Node(self._traits(TOP)) if root is None else root
        count = len(target.children)
        if not self._read_pieces(line.split("("), target):
            del target.children[count:]
            self._read_letters(line, target, continues=root is not None)
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

    def _piece(self, piece: str) -> Label | _Leaf | None:
        """What a piece between two opening brackets means, if it is an ordinary one."""
        meaning: Label | _Leaf | None = None
        tagged = _TAGGED.fullmatch(piece)
        if tagged:
            meaning = _Leaf(self.label(tagged[1]), tagged[2], tagged[3].count(")") + 1)
        else:
            opening = _OPENING.fullmatch(piece)
            if opening:
                meaning = self.label(opening[1] or "")
        self._pieces[piece] = meaning
        return meaning

    def _read_pieces(self, pieces: list[str], root: Node) -> bool:
        """Read a line of ordinary pieces; whether it was one."""
        known, drops = self._pieces, self._drops_deleted
        before, *rest = pieces
        if before:
            return False
        stack: list[Node] = []
        node = root
        for number, piece in enumerate(rest):
            meaning = known.get(piece) or self._piece(piece)
            if meaning is None:
                return False
            if isinstance(meaning, Label):
                if number:
                    stack.append(node)
                    node = Node(meaning)
                continue
            if not number:
                return False
            label = meaning.label
            if not (label.empty or (label.deleted and drops)):
                node.children.append(Node(label, meaning.word))
            for ended in range(2, meaning.ends + 1):
                if not stack:
                    # The root ends, and the line has to end with it.
                    return number == len(rest) - 1 and ended == meaning.ends
                parent = stack.pop()
                self._close(node, parent)
                node = parent
        return False

    def _close(self, node: Node, parent: Node) -> None:
        """Give a finished bracket to its parent, or what is left of it."""
        if not node.children or node.label in self._empty:
            return
        if node.deleted and self._drops_deleted:
            parent.children += node.children
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


def tree_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, numbered from 1."""
    for number, line in enumerate(lines, start=1):
        if line.strip(_BLANKS):
            yield number, line
