"""Counts of one pair of trees: brackets, and dependencies with words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from treelens.dropin.sparseval.dependencies import Dependency
from treelens.dropin.sparseval.reading import Node
from treelens.dropin.sparseval.words import Words


class Bracket(NamedTuple):
    label: str
    start: int
    end: int


@dataclass(slots=True)
class Counts:
    """What a row shows: of a pair of trees, or of all."""

    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    """Brackets of the test that cross any of gold's."""
    heads_matched: int = 0
    heads_gold: int = 0
    heads_test: int = 0
    open_matched: int = 0
    open_gold: int = 0
    open_test: int = 0

    def row(self) -> tuple[int, ...]:
        return (
            *(self.matched, self.gold, self.test, self.crossing),
            *(self.heads_matched, self.heads_gold, self.heads_test),
            *(self.open_matched, self.open_gold, self.open_test),
        )


@dataclass(slots=True)
class Totals:
    """Sums over all pairs, and how many of them were without fault."""

    counts: Counts
    sentences: int = 0
    complete: int = 0
    """Pairs whose brackets all match."""
    not_crossing: int = 0
    at_most_two_crossing: int = 0

    def add(self, counts: Counts) -> None:
        self.counts = Counts(
            *(one + other for one, other in zip(self.counts.row(), counts.row(), strict=True))
        )
        self.sentences += 1
        self.complete += counts.matched == counts.test == counts.gold
        self.not_crossing += counts.crossing == 0
        self.at_most_two_crossing += counts.crossing <= 2


def brackets(root: Node) -> list[Bracket]:
    """The brackets that take any place, parents first; all nodes are told where they lie.

    A bracket starts where the one before it ended, and ends with its last word.
    """
    order: list[Node] = []
    at = 0
    waiting: list[tuple[Node, bool]] = [(root, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            node.end = at
        elif node.word is not None:
            node.start, node.end = node.place or (at, at)
            at = node.end
        else:
            node.start = at
            order.append(node)
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]
    return [
        Bracket(node.label, node.start, node.end)
        for node in order
        if node.start < node.end and not node.deleted
    ]


def compare_brackets(
    gold: list[Bracket], test: list[Bracket], counts: Counts, *, labelled: bool
) -> None:
    """Count brackets in common (of several equal ones as many as both have), and crossing ones."""
    counts.gold, counts.test = len(gold), len(test)
    if labelled:
        counts.matched = (Counter(gold) & Counter(test)).total()
    else:
        counts.matched = (
            Counter(each[1:] for each in gold) & Counter(each[1:] for each in test)
        ).total()
    counts.crossing = _crossing(gold, test)


def _crossing(gold: list[Bracket], test: list[Bracket]) -> int:
    """How many brackets of the test cross any of gold's.

    Those of gold that lie around a boundary are nested, so it is enough to know the innermost:
    one that starts inside a bracket, around its end, crosses it; or ends inside, around its start.
    """
    size = max((each.end for each in (*gold, *test)), default=0) + 1
    starts, ends = [-1] * size, [size] * size
    for _, start, end in gold:
        inside = end - start - 1
        if inside > 0:
            starts[start + 1 : end] = [start] * inside
            ends[start + 1 : end] = [end] * inside
    return sum(starts[end] > start or ends[start] < end for _, start, end in test)


def compare_placed(
    gold: dict[int, Dependency],
    test: dict[int, Dependency],
    counts: Counts,
    words: Words,
    *,
    labelled: bool,
) -> None:
    """Count dependencies that are equal and at the same place."""
    count_sizes(list(gold.values()), list(test.values()), counts)
    for place, one in gold.items():
        other = test.get(place)
        if other is not None and equal(one, other, words, labelled=labelled):
            counts.heads_matched += 1
            counts.open_matched += one.is_open and other.is_open


def equal(one: Dependency, other: Dependency, words: Words, *, labelled: bool) -> bool:
    if labelled and (one.parent != other.parent or one.child != other.child):
        return False
    return words.equal(one.head_word, other.head_word) and words.equal(one.word, other.word)


def count_sizes(gold: list[Dependency], test: list[Dependency], counts: Counts) -> None:
    counts.heads_gold, counts.heads_test = len(gold), len(test)
    counts.open_gold = sum(each.is_open for each in gold)
    counts.open_test = sum(each.is_open for each in test)
