"""One group of a pair, seen from the file that is to be changed: what is here, what is there.

Names things by where they are (:class:`NodePlace`) and knows which word there is on the same cells
as one here. Makes no edits.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison, Words
from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.table import find, own_mark
from treelens.edits.brackets import TreeText, bracket_text
from treelens.session.document import Document
from treelens.session.pair import Pair, Side
from treelens.trees.enhanced import renumbered
from treelens.trees.forest import Ints, running


class NodePlace(NamedTuple):
    """A node of a tree: the sentence of its document, and the node's index in the tree."""

    sentence: int
    node: int


class EditedSide:
    """One file's sentences of a group; rows of words are those of the comparison's forest."""

    def __init__(
        self, document: Document, sentences: range, side: ComparedSide, places: Ints
    ) -> None:
        self.document = document
        self.sentences = sentences
        self.side = side
        self.places = places
        """Of each cell's boundary among the cells that count; ``(cells + 1,)``."""
        self._texts: dict[int, TreeText] = {}

    @property
    def words(self) -> Words:
        return self.side.words

    def text(self, sentence: int) -> TreeText:
        found = self._texts.get(sentence)
        if found is None:
            found = self._texts[sentence] = bracket_text(self.document, sentence)
        return found

    def place(self, mark: Mark) -> NodePlace | None:
        """The node that a mark on its opening bracket is about."""
        nodes = self.text(mark.sentence).tree.nodes
        found = (index for index, node in enumerate(nodes) if node.start == mark.start)
        index = next(found, None)
        return None if index is None else NodePlace(mark.sentence, index)

    def first_row(self, sentence: int) -> int:
        return int(self.side.forest.first_leaf[sentence - self.sentences.start])

    def rows(self, mark: Mark) -> range:
        base = self.first_row(mark.sentence)
        return range(base + mark.span[0], base + mark.span[1])

    def sentence_of(self, row: int) -> int:
        at = int(np.searchsorted(self.side.forest.first_leaf, row, side="right")) - 1
        return self.sentences.start + at

    @functools.cached_property
    def _leaves(self) -> dict[int, NodePlace]:
        return {
            self.first_row(sentence) + node.row: NodePlace(sentence, index)
            for sentence in self.sentences
            for index, node in enumerate(self.text(sentence).tree.nodes)
            if node.word is not None
        }

    def leaf(self, row: int) -> NodePlace:
        return self._leaves[row]

    @functools.cached_property
    def renumbered(self) -> dict[int, dict[int, int]]:
        """Of the sentences whose IDs are not 1, 2, 3 …, by their place among these: which word,
        from 0, each ID means."""
        return renumbered(self.side.forest)

    @functools.cached_property
    def counting(self) -> npt.NDArray[np.bool_]:
        """Which words have room where words are counted; by row."""
        return self.places[self.words.end] > self.places[self.words.start]


class GroupSides(NamedTuple):
    """Both sides of a group: ``here`` is the file to change."""

    into: Side
    here: EditedSide
    there: EditedSide
    comparison: Comparison
    strict: bool
    """Whether what no score counts is told too, and taken with what it is written in."""

    def marks(self, finding: Finding) -> tuple[Mark | None, Mark | None]:
        """A finding's mark here, and there; None where a side lacks what the other has, which is
        not to be written over."""
        return own_mark(finding, self.into), own_mark(finding, self.into.other)

    @property
    def simple(self) -> bool:
        """Whether one sentence meets one."""
        return len(self.here.sentences) == len(self.there.sentences) == 1


def group_sides(pair: Pair, group: int, into: Side) -> GroupSides:
    ranges = pair.group(group)
    return _group_sides(pair, pair.comparison(group), ranges.gold, ranges.system, into)


def all_group_sides(pair: Pair, into: Side) -> Iterator[tuple[GroupSides, list[Finding]]]:
    """All groups, many of them at a time as if they were one, with their findings."""
    first = 0
    for comparison in pair.comparisons():
        last = first + comparison.groups - 1
        start, end = pair.group(first), pair.group(last)
        gold = range(start.gold.start, end.gold.stop)
        system = range(start.system.start, end.system.stop)
        both = _group_sides(pair, comparison, gold, system, into)
        findings = find(comparison, pair.strict)
        yield both, [_placed(one, pair, gold, system) for one in findings]
        first = last + 1


def _group_sides(
    pair: Pair, comparison: Comparison, gold: range, system: range, into: Side
) -> GroupSides:
    places = _places(comparison)
    views = {
        Side.GOLD: EditedSide(pair.gold, gold, comparison.gold, places),
        Side.SYSTEM: EditedSide(pair.system, system, comparison.system, places),
    }
    return GroupSides(into, views[into], views[into.other], comparison, pair.strict)


def _placed(finding: Finding, pair: Pair, gold: range, system: range) -> Finding:
    """With sentence numbers and offsets of the documents."""
    marks = []
    for mark, of, sentences in (
        (finding.gold, pair.gold, gold),
        (finding.system, pair.system, system),
    ):
        if mark is not None:
            sentence = sentences[mark.sentence]
            base = int(of.start[sentence])
            mark = mark._replace(sentence=sentence, start=mark.start + base, end=mark.end + base)
        marks.append(mark)
    return Finding(finding.code, *marks)


def _places(comparison: Comparison) -> Ints:
    gold, system = comparison.gold.words, comparison.system.words
    cells = int(max(words.end.max(initial=0) for words in (gold, system)))
    counts = _covered(gold, np.ones(len(gold.start), np.bool_), cells)
    counts &= _covered(system, np.ones(len(system.start), np.bool_), cells)
    counts &= ~_covered(gold, ~gold.counted, cells)
    return running(counts)


def _covered(words: Words, chosen: npt.NDArray[np.bool_], cells: int) -> npt.NDArray[np.bool_]:
    change = np.bincount(words.start[chosen], minlength=cells + 1)
    change = change - np.bincount(words.end[chosen], minlength=cells + 1)
    return np.cumsum(change)[:cells] > 0
