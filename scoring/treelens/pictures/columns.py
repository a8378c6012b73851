"""Several systems beside each other: each is compared with gold on columns of its own, and here
they get the same ones, so that what is alike stands one under the other.

Gold's words cut the columns of each comparison into stretches: a word of gold's, or what stands
between two of them. A stretch gets as many columns as it has in any of the comparisons.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from treelens.pictures.canvas import DrawnWord
from treelens.pictures.trees import DrawnNode
from treelens.pictures.views import DrawnSide


def on_shared_columns(
    seen: Sequence[tuple[DrawnSide, DrawnSide]],
) -> list[tuple[DrawnSide, DrawnSide]]:
    """Gold with each system; gold has the same words in all of them."""
    cuts = [_cuts(*both) for both in seen]
    widths = [[high - low for low, high in itertools.pairwise(one)] for one in cuts]
    widest = [max(stretch) for stretch in zip(*widths, strict=True)]
    starts = [0, *itertools.accumulate(widest)]
    found = []
    for (gold, system), cut in zip(seen, cuts, strict=True):
        move = _Move(cut, starts)
        found.append((_moved(gold, move), _moved(system, move)))
    return found


def _cuts(gold: DrawnSide, system: DrawnSide) -> list[int]:
    """Where the stretches begin, and the end: odd ones are words of gold's."""
    total = max(word.last for word in (*gold.words, *system.words, *gold.empty, *system.empty))
    return [0, *itertools.chain.from_iterable(word[2:4] for word in gold.words), total]


class _Move(NamedTuple):
    """From where stretches begin to where they begin on the shared columns."""

    cuts: list[int]
    starts: list[int]

    def first(self, column: int) -> int:
        at = self._stretch(column)
        return self.starts[at] + column - self.cuts[at]

    def last(self, end: int) -> int:
        """The end of a word of gold's is that of its stretch, however wide that is now."""
        at = self._stretch(end - 1)
        if at % 2 and end == self.cuts[at + 1]:
            return self.starts[at + 1]
        return self.starts[at] + end - self.cuts[at]

    def _stretch(self, column: int) -> int:
        return bisect_right(self.cuts, column, hi=len(self.cuts) - 1) - 1


def _moved(view: DrawnSide, move: _Move) -> DrawnSide:
    words = [_placed_word(word, move) for word in view.words]
    if view.tree is None:
        return view._replace(words=words, empty=[_placed_word(word, move) for word in view.empty])
    nodes = [_placed_node(node, move) for node in view.tree.nodes]
    return view._replace(words=words, tree=view.tree._replace(nodes=nodes, words=words))


def _placed_word(word: DrawnWord, move: _Move) -> DrawnWord:
    return word._replace(first=move.first(word.first), last=move.last(word.last))


def _placed_node(node: DrawnNode, move: _Move) -> DrawnNode:
    return node._replace(first=move.first(node.first), last=move.last(node.last))
