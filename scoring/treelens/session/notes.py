"""Notes on a node of a tree, or on a word of a table with its edge: what an annotator asks there.

A note names its node by its words and its label, as ``3-5 NP the…sea`` or ``4 obj sea``, and is
kept where states are (:mod:`treelens.session.review`): in tables as a comment above the sentence,

    # treelens_about = 4 obj sea: why not obl?

and else in a line beside the file. When the sentence is edited the node is looked for by its words,
nearest first; a label may have become another one. Reads no files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from treelens.rules.parameters import bare
from treelens.session.document import Document
from treelens.session.sidecar import SidecarLine
from treelens.trees.forest import Forest, decode
from treelens.trees.other_lines import at_line_start
from treelens.trees.tree import Node, Tree

NOTE_COMMENT = re.compile(
    rb"%b[ \t]*treelens_about[ \t]*=[ \t]*([^\r\n]*?)[ \t]*(?:\r\n|\r|\n|\Z)" % at_line_start(b"#")
)
_ABOUT = re.compile(r"(\d{1,6})(?:-(\d{1,6}))? (\S+) (\S+)")
_COMMENTED = re.compile(rf"{_ABOUT.pattern}:(?: +|\Z)")
"""In a comment a colon ends it, and a blank."""
_BLANKS = re.compile(r"\s+")
_NOTHING = "_"


class About(NamedTuple):
    """The node that a note is on: its first and last word, counted from 1, its label or relation,
    and these words, with an ellipsis between them where there are several."""

    first: int
    last: int
    label: str
    words: str


class NodeNote(NamedTuple):
    """``about`` is None where it cannot be read. start, end: the bytes of the document that its
    comment is; line: the sidecar's line, -1 of a comment."""

    about: About | None
    text: str
    start: int
    end: int
    line: int


def written(about: About) -> str:
    """As it is kept."""
    span = f"{about.first}-{about.last}" if about.last > about.first else f"{about.first}"
    return f"{span} {about.label} {about.words}"


def about(document: Document, sentence: int, tree: Tree, node: Node) -> About:
    """What a note on a node is about; of a table's word, its relation is the label."""
    table = document.dependency_tree(sentence)
    label = table.words[node.row].relation if table and node.word is not None else node.label
    return About(node.first + 1, node.last, _plain(label), _words(tree, node))


def node_of(tree: Tree, wanted: About) -> Node | None:
    """The node that a note is on now: over the same words, nearest first; None if there is none."""
    size = wanted.last - wanted.first
    found = [
        node
        for node in tree.nodes
        if node.last - node.first - 1 == size and _words(tree, node) == wanted.words
    ]

    def unlike(node: Node) -> tuple[int, bool, bool, bool]:
        # Of those over the same words a root is the last to have had another label.
        label = _plain(node.label)
        other = bare(label) != bare(wanted.label)
        away = abs(node.first + 1 - wanted.first)
        return away, label != wanted.label, other, node.parent < 0

    return min(found, key=unlike, default=None)


def _words(tree: Tree, node: Node) -> str:
    words = tree.words[node.first : node.last]
    return "…".join(map(_plain, dict.fromkeys([*words[:1], *words[-1:]]))) or _NOTHING


def _plain(text: str) -> str:
    return _BLANKS.sub(_NOTHING, text) or _NOTHING


# --- where they are kept ---------------------------------------------------------------------


def commented_notes(forest: Forest, row: int, until: int, shift: int) -> list[NodeNote]:
    """Those in the comments of a sentence, which end at ``until``."""
    start = int(forest.piece[row, 0])
    found = []
    for match in NOTE_COMMENT.finditer(forest.source, start, until):
        text = decode(match[1])
        which = _COMMENTED.match(text)
        rest = text[which.end() :] if which else text
        place = match.start() + shift, match.end() + shift
        found.append(NodeNote(which and _read(which), rest, *place, -1))
    return found


def beside_notes(lines: Sequence[SidecarLine]) -> list[NodeNote]:
    """Those that lines of a sidecar say."""
    return [
        NodeNote(which and _read(which), line.note, 0, 0, line.number)
        for line in lines
        for which in [_ABOUT.fullmatch(line.about)]
    ]


def _read(which: re.Match[str]) -> About:
    first = int(which[1])
    return About(first, int(which[2] or first), which[3], which[4])
