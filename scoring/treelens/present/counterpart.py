"""What the other file has in the place of a node: the same bracket, another label, or its words."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare import Side as ComparedSide
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.tree import Node, Tree


class Match(NamedTuple):
    """A place in the other file.

    ``node`` is the bracket or word that takes the place; or, where ``kind`` is "words", the
    smallest constituent that holds the same words, which are at ``start`` to ``end``.
    """

    kind: Literal["same", "other label", "words"]
    sentence: int
    node: Node
    start: int
    end: int


class Place(NamedTuple):
    """Where to go: a document's name, what to select there, and what belongs together there."""

    name: str
    start: int
    end: int
    whole_start: int
    whole_end: int


def node_at(snapshot: Snapshot, offset: int) -> tuple[int, Node] | None:
    """The sentence at an offset and its innermost node there; beside the tree, its root."""
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        return None
    tree = snapshot.tree(sentence)
    index = tree.innermost(offset)
    return sentence, tree.nodes[index or 0]


def counterparts(snapshot: Snapshot, offset: int) -> list[Place]:
    """Where the node at an offset is in the other files."""
    at = node_at(snapshot, offset)
    if at is None:
        return []
    found = []
    for other in snapshot.counterparts:
        match = matching(other, *at)
        if match is not None:
            found.append(Place(other.name, *_to_select(match), match.start, match.end))
    return found


def _to_select(match: Match) -> tuple[int, int]:
    """A bracket's own text, not all that it holds; a word with its tag; several words."""
    if match.kind == "words" or match.node.word is not None:
        return match.start, match.end
    return match.node.start, match.node.label_end


class _Group(NamedTuple):
    """A group of sentences, seen from one of its files."""

    other: Counterpart
    here: ComparedSide
    there: ComparedSide
    first: int
    """The other file's first sentence of the group."""


def matching(other: Counterpart, sentence: int, node: Node) -> Match | None:
    """What another file has for a node of this one; None if it has nothing of the sentence."""
    number = other.pair.group_of(other.side, sentence)
    ranges, comparison = other.pair.group(number), other.pair.comparison(number)
    mine, theirs, here, there = ranges.gold, ranges.system, comparison.gold, comparison.system
    if other.side is Side.SYSTEM:
        mine, theirs, here, there = theirs, mine, there, here
    if not len(theirs):
        return None
    group = _Group(other, here, there, theirs.start)
    at = sentence - mine.start
    found = _word(group, at, node) if node.word is not None else _bracket(group, at, node)
    return found or _around(group, at, node)


def _word(group: _Group, sentence: int, node: Node) -> Match | None:
    row = int(group.here.forest.first_leaf[sentence]) + node.row
    partner = int(group.here.words.partner[row])
    if partner < 0:
        return None
    first_leaf = group.there.forest.first_leaf
    number = int(np.searchsorted(first_leaf, partner, side="right")) - 1
    tree = group.other.document.tree(group.first + number)
    leaf = _leaf(tree, partner - int(first_leaf[number]))
    return Match("same", group.first + number, leaf, leaf.start, leaf.end)


def _bracket(group: _Group, sentence: int, node: Node) -> Match | None:
    brackets = group.here.brackets
    row = int(group.here.forest.first_node[sentence]) + node.row
    at = np.flatnonzero(brackets.row == row)
    if not len(at):
        return None
    same, relabelled = int(brackets.partner[at[0]]), int(brackets.relabelled[at[0]])
    if max(same, relabelled) < 0:
        return None
    there = int(group.there.brackets.row[same if same >= 0 else relabelled])
    first_node = group.there.forest.first_node
    number = int(np.searchsorted(first_node, there, side="right")) - 1
    wanted = there - int(first_node[number])
    tree = group.other.document.tree(group.first + number)
    found = next(one for one in tree.nodes if one.word is None and one.row == wanted)
    kind: Literal["same", "other label"] = "same" if same >= 0 else "other label"
    return Match(kind, group.first + number, found, found.start, found.end)


def _around(group: _Group, sentence: int, node: Node) -> Match:
    """The words there on the cells of a node's words, and what holds them all."""
    at = _words_there(group, sentence, node)
    if not len(at):  # nothing of it is there: the sentence as a whole
        tree = group.other.document.tree(group.first)
        return Match("words", group.first, tree.nodes[0], tree.start, tree.end)
    firsts = group.there.forest.first_leaf
    number = int(np.searchsorted(firsts, at[0], side="right")) - 1
    low = int(at[0] - firsts[number])
    high = int(min(at[-1], firsts[number + 1] - 1) - firsts[number]) + 1
    tree = group.other.document.tree(group.first + number)
    holding = [
        one for one in tree.nodes if one.word is None and one.first <= low and one.last >= high
    ]
    # A bracket that does not count, such as the root: one like it is its counterpart.
    for one in holding if node.word is None else ():
        if (one.first, one.last, one.label) == (low, high, node.label):
            return Match("same", group.first + number, one, one.start, one.end)
    smallest = min(holding or tree.nodes[:1], key=lambda one: one.last - one.first)
    start, end = _leaf(tree, low).start, _leaf(tree, high - 1).end
    return Match("words", group.first + number, smallest, start, end)


def _words_there(group: _Group, sentence: int, node: Node) -> npt.NDArray[np.intp]:
    words, there = group.here.words, group.there.words
    if node.first == node.last:
        return np.zeros(0, np.intp)
    base = int(group.here.forest.first_leaf[sentence])
    start, end = words.start[base + node.first], words.end[base + node.last - 1]
    return np.flatnonzero((there.end > start) & (there.start < end) & (there.end > there.start))


def _leaf(tree: Tree, row: int) -> Node:
    return next(node for node in tree.nodes if node.word is not None and node.row == row)
