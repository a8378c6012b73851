"""Counts of one pair of trees: brackets, and dependencies with words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import reduce
from operator import and_
from typing import NamedTuple

from treelens.dropin.sparseval.dependencies import Dependency
from treelens.dropin.sparseval.reading import Node, Tree
from treelens.dropin.sparseval.words import Words


class Bracket(NamedTuple):
    label: str
    start: int
    end: int


class Counts(NamedTuple):
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


class Totals(NamedTuple):
    """Sums over all pairs, and how many of them were without fault."""

    counts: Counts = Counts()
    sentences: int = 0
    complete: int = 0
    """Pairs whose brackets all match."""
    not_crossing: int = 0
    at_most_two_crossing: int = 0

    def plus(self, counts: Counts) -> Totals:
        return Totals(
            Counts(*map(int.__add__, self.counts, counts)),
            self.sentences + 1,
            self.complete + (counts.matched == counts.test == counts.gold),
            self.not_crossing + (counts.crossing == 0),
            self.at_most_two_crossing + (counts.crossing <= 2),
        )


def brackets(tree: Tree) -> list[Bracket]:
    """The brackets that take any place, parents first. They learn where they lie, and so do
    words that have no place of their own.

    A bracket starts where the one before it ended, and ends with its last word.
    """
    nodes = _without_odd_parts(tree) if tree.may_have_odd_words else tree.nodes
    phrases: list[Node] = []
    at = 0
    for node in nodes:
        if node.word is None:
            node.start = at
            phrases.append(node)
        else:
            if node.start < 0:
                node.start = node.end = at
            at = node.end
    for node in reversed(phrases):
        node.end = node.children[-1].end if node.children else node.start
    return [
        Bracket(node.label, node.start, node.end)
        for node in phrases
        if node.start < node.end and not node.deleted
    ]


def _without_odd_parts(tree: Tree) -> list[Node]:
    """The nodes that are in no bracket that has a word itself."""
    inside: set[Node] = set()
    for node in tree.nodes:
        if node in inside or node.word is not None:
            inside.update(node.children)
    return [node for node in tree.nodes if node not in inside]


def compare_brackets(
    gold: list[Bracket], test: list[Bracket], *, labelled: bool
) -> tuple[int, int, int, int]:
    """Brackets in common (of several equal ones as many as both have), of gold, of the test,
    and how many of the test's cross any of gold's."""
    if labelled:
        in_common = Counter(gold) & Counter(test)
        matched = in_common.total()
    else:
        spans = (Counter([(start, end) for _, start, end in side]) for side in (gold, test))
        matched = reduce(and_, spans).total()
    return matched, len(gold), len(test), _crossing(gold, test)


def _crossing(gold: list[Bracket], test: list[Bracket]) -> int:
    """How many brackets of the test cross any of gold's.

    Those of gold that lie around a boundary are nested, so it is enough to know the innermost:
    one that starts inside a bracket, around its end, crosses it; or ends inside, around its start.
    """
    around = _innermost(gold, max((each.end for each in (*gold, *test)), default=0))
    return sum(around[end][0] > start or around[start][1] < end for _, start, end in test)


def _innermost(brackets: list[Bracket], last: int) -> list[tuple[int, int]]:
    """For each boundary up to the last, start and end of the innermost bracket around it."""
    found: list[tuple[int, int]] = []
    stack = [(-1, last + 1)]
    waiting = iter([*brackets, Bracket("", last + 1, last + 1)])
    following = next(waiting)
    for place in range(last + 1):
        while stack[-1][1] <= place:
            stack.pop()
        found.append(stack[-1])
        while following.start == place:
            stack.append((following.start, following.end))
            following = next(waiting)
    return found


def compare_placed(
    gold: dict[int, Dependency], test: dict[int, Dependency], words: Words, *, labelled: bool
) -> tuple[int, int]:
    """Dependencies that are equal and at the same place: all, and open-class ones."""
    matched = matched_open = 0
    for place, one in gold.items():
        other = test.get(place)
        if other is not None and _equal(one, other, words, labelled=labelled):
            matched += 1
            matched_open += one.is_open and other.is_open
    return matched, matched_open


def _equal(one: Dependency, other: Dependency, words: Words, *, labelled: bool) -> bool:
    if labelled and (one.parent != other.parent or one.child != other.child):
        return False
    return words.equal(one.head_word, other.head_word) and words.equal(one.word, other.word)


def with_sizes(
    matched: tuple[int, int], gold: Collection[Dependency], test: Collection[Dependency]
) -> tuple[int, int, int, int, int, int]:
    """The six numbers of a row: matched, of gold and of the test; the same of open-class ones."""
    opened = [sum(each.is_open for each in side) for side in (gold, test)]
    return matched[0], len(gold), len(test), matched[1], opened[0], opened[1]
