"""What the other file has in the place of a node: the same bracket, another label, or its words."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide
from treelens.differences.nesting import traces_of_both
from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import FORM
from treelens.trees.tree import Node, Tree


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


class CounterpartPlace(NamedTuple):
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


def counterparts(snapshot: Snapshot, offset: int) -> list[CounterpartPlace]:
    """Where the node at an offset is in the other files."""
    at = node_at(snapshot, offset)
    if at is None:
        return []
    here = snapshot.dependency_tree(at[0])
    found = []
    for other in snapshot.counterparts:
        match = matching(other, *at)
        if match is None:
            continue
        if here is not None and here.word_at(offset) is None:
            # A comment, or what is no word: the sentence as a whole.
            tree = other.document.tree(match.sentence)
            found.append(CounterpartPlace(other.name, tree.start, tree.start, tree.start, tree.end))
        else:
            selected = _field(other, match, here, offset) or _to_select(match)
            found.append(CounterpartPlace(other.name, *selected, match.start, match.end))
    return found


def _field(
    other: Counterpart, match: Match, here: DependencyTree | None, offset: int
) -> tuple[int, int] | None:
    """The same field of a word's line there; its form where the line has no such field."""
    there = other.document.dependency_tree(match.sentence)
    place = here.word_at(offset) if here else None
    if here is None or there is None or place is None or match.kind != "same":
        return None
    word = there.words[match.node.row]
    start, end = word.fields[here.words[place].column(offset)]
    return (start, end) if start < end else word.fields[FORM]


def _to_select(match: Match) -> tuple[int, int]:
    """A bracket's own text, not all that it holds; a word with its tag; several words."""
    if match.kind == "words" or match.node.word is not None:
        return match.start, match.end
    return match.node.start, match.node.label_end


class CounterpartGroup(NamedTuple):
    """A group of sentences, seen from one of its files."""

    other: Counterpart
    mine: range
    """This file's sentences of the group; ``theirs`` are the other's."""
    theirs: range
    here: ComparedSide
    there: ComparedSide

    def row(self, sentence: int, word: int) -> int:
        """The row of a word of this file's; a sentence's number is the document's."""
        return int(self.here.forest.first_leaf[sentence - self.mine.start]) + word

    def place_there(self, row: int) -> tuple[int, int]:
        """The other document's sentence that has a row, and the word's number in it."""
        first = self.there.forest.first_leaf
        number = int(np.searchsorted(first, row, side="right")) - 1
        return self.theirs.start + number, row - int(first[number])


def group_at(other: Counterpart, sentence: int) -> CounterpartGroup:
    """The group that a sentence of this file is in, compared."""
    number = other.pair.group_of(other.side, sentence)
    ranges, comparison = other.pair.group(number), other.pair.comparison(number)
    if other.side is Side.SYSTEM:
        return CounterpartGroup(
            other, ranges.system, ranges.gold, comparison.system, comparison.gold
        )
    return CounterpartGroup(other, ranges.gold, ranges.system, comparison.gold, comparison.system)


def matching(other: Counterpart, sentence: int, node: Node) -> Match | None:
    """What another file has for a node of this one; None if it has nothing of the sentence."""
    group = group_at(other, sentence)
    if not len(group.theirs):
        return None
    at = sentence - group.mine.start
    found = _word(group, at, node) if node.word is not None else _bracket(group, at, node)
    return found or _around(group, at, node)


def _word(group: CounterpartGroup, sentence: int, node: Node) -> Match | None:
    row = int(group.here.forest.first_leaf[sentence]) + node.row
    partner = int(group.here.words.partner[row])
    if partner < 0:
        partner = _other_index(group, row)
    if partner < 0:
        return None
    number, word = group.place_there(partner)
    leaf = _leaf(group.other.document.tree(number), word)
    # (Beside brackets it is the one of a table's two tags that is compared.)
    forest = group.there.forest
    leaf = leaf._replace(label=forest.symbols.label(int(forest.tag[partner])))
    return Match("same", number, leaf, leaf.start, leaf.end)


def _other_index(group: CounterpartGroup, row: int) -> int:
    """The row there of an empty element that stands here with another index; -1 if there is none:
    no word is matched with it, as it is spelt otherwise."""
    pair, side = group.other.pair, group.other.side
    number = pair.group_of(side, group.mine.start)
    golds, systems = traces_of_both(pair.comparison(number))
    ours, theirs = (golds, systems) if side is Side.GOLD else (systems, golds)
    at = np.flatnonzero(ours == row)
    return int(theirs[at[0]]) if len(at) else -1


def _bracket(group: CounterpartGroup, sentence: int, node: Node) -> Match | None:
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
    tree = group.other.document.tree(group.theirs.start + number)
    found = next(one for one in tree.nodes if one.word is None and one.row == wanted)
    kind: Literal["same", "other label"] = "same" if same >= 0 else "other label"
    return Match(kind, group.theirs.start + number, found, found.start, found.end)


def _around(group: CounterpartGroup, sentence: int, node: Node) -> Match:
    """The words there on the cells of a node's words, and what holds them all."""
    at = _words_there(group, sentence, node)
    if not len(at):  # nothing of it is there: the sentence as a whole
        tree = group.other.document.tree(group.theirs.start)
        return Match("words", group.theirs.start, tree.nodes[0], tree.start, tree.end)
    firsts = group.there.forest.first_leaf
    number = int(np.searchsorted(firsts, at[0], side="right")) - 1
    low = int(at[0] - firsts[number])
    high = int(min(at[-1], firsts[number + 1] - 1) - firsts[number]) + 1
    tree = group.other.document.tree(group.theirs.start + number)
    holding = [
        one for one in tree.nodes if one.word is None and one.first <= low and one.last >= high
    ]
    # A bracket that does not count, such as the root: one like it is its counterpart.
    for one in holding if node.word is None else ():
        if (one.first, one.last, one.label) == (low, high, node.label):
            return Match("same", group.theirs.start + number, one, one.start, one.end)
    smallest = min(holding or tree.nodes[:1], key=lambda one: one.last - one.first)
    start, end = _leaf(tree, low).start, _leaf(tree, high - 1).end
    return Match("words", group.theirs.start + number, smallest, start, end)


def _words_there(group: CounterpartGroup, sentence: int, node: Node) -> npt.NDArray[np.intp]:
    words, there = group.here.words, group.there.words
    if node.first == node.last:
        return np.zeros(0, np.intp)
    base = int(group.here.forest.first_leaf[sentence])
    start, end = words.start[base + node.first], words.end[base + node.last - 1]
    return np.flatnonzero((there.end > start) & (there.start < end) & (there.end > there.start))


def _leaf(tree: Tree, row: int) -> Node:
    return next(node for node in tree.nodes if node.word is not None and node.row == row)
