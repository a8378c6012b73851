"""Errors in constituents: the brackets of groups of sentences, repaired and told in words.

Brackets are compared where they stand on the axis of words that count, so that sentences whose
words differ are repaired over what they share; a group's trees are one tree under a root. What
holds only words that the other side does not have is no matter of structure: such brackets are
given out by :func:`nowhere`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treelens.compare.comparison import Brackets, ComparedSide, Comparison, counting_axis
from treelens.differences.marks import Mark, View
from treelens.differences.wording import Said, quoted
from treelens.errors.classes import attached, class_of
from treelens.errors.described import described
from treelens.errors.error import NOT_CLASSIFIED, CountedError, Error
from treelens.errors.shapes import counted_errors
from treelens.errors.transform import ContextNode, Span, Step, repair
from treelens.rules.parameters import bare, label_table
from treelens.trees.forest import Ints, running


class _Half(NamedTuple):
    """One side of the groups whose brackets are wrong, as plain numbers."""

    view: View
    word: list[int]
    """The word on each place among the words that count, over all groups; some word of the group
    where this side has none."""
    tag: Ints
    """Its tag, by label id."""
    first: list[int]
    """The first bracket of each group among the following, and the end."""
    bracket: list[int]
    """Which of the side's brackets these are: those over words that both sides have."""
    spans: Ints
    """Where each stands, in places of its group, what its label counts as, and its label id;
    ``(b, 4)``."""
    names: dict[int, str]
    """Labels and tags by id, without what is no part of the name."""


def errors_in_constituents(
    comparison: Comparison, views: tuple[View, View], skipped: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    """Each error in the brackets, with its group; groups to be left out are skipped."""
    for group in _wrong_groups(comparison, views, skipped):
        yield from ((group.number, error) for error in group.errors())


def count_in_constituents(
    comparison: Comparison, views: tuple[View, View], skipped: frozenset[int]
) -> Iterator[tuple[int, CountedError]]:
    """The same errors without what is said of them."""
    known: dict[tuple[bytes, ...], tuple[CountedError, ...]] = {}
    for group in _wrong_groups(comparison, views, skipped):
        same = group.content
        if same not in known:
            known[same] = tuple(counted_errors(*group.trees))
        yield from ((group.number, error) for error in known[same])


def nowhere(brackets: Brackets) -> list[int]:
    """The brackets that hold only words which the other side does not have."""
    found: list[int] = np.flatnonzero(brackets.start >= brackets.end).tolist()
    return found


def _misplaced(brackets: Brackets) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return (brackets.partner < 0) & (brackets.start < brackets.end)


def _wrong_groups(
    comparison: Comparison, views: tuple[View, View], skipped: frozenset[int]
) -> Iterator[_Group]:
    sides = comparison.gold, comparison.system
    wrong = np.zeros(comparison.groups, np.bool_)
    for side in sides:
        wrong[side.brackets.group[_misplaced(side.brackets)]] = True
    wrong[[*skipped]] = False
    groups = np.flatnonzero(wrong)
    if not len(groups):
        return
    cells = max(int(side.words.end.max(initial=0)) for side in sides)
    places = counting_axis((sides[0].words, sides[1].words), cells)
    words = [np.searchsorted(side.words.group, [groups, groups + 1]) for side in sides]
    pairs = [*zip(sides, words, strict=True)]
    base = np.minimum(*(places[side.words.start[first]] for side, (first, _) in pairs))
    end = np.maximum(*(places[side.words.end[stop - 1]] for side, (_, stop) in pairs))
    bases = np.zeros(comparison.groups, np.int32)
    bases[groups] = base
    gold, system = (
        _half(comparison, view, wrong, bases, _words_of_places(side, first, base, end, places))
        for view, (side, (first, _)) in zip(views, pairs, strict=True)
    )
    for group in zip(groups.tolist(), base.tolist(), end.tolist(), strict=True):
        yield _Group(gold, system, *group)


def _words_of_places(side: ComparedSide, first: Ints, base: Ints, end: Ints, places: Ints) -> Ints:
    """The word on each place; of places without one, the first word of the group."""
    found = np.zeros(int(places[-1]), np.int32)
    start, stop = places[side.words.start], places[side.words.end]
    for rows, low, high in ((first, base, end), (np.arange(len(start)), start, stop)):
        counts = high - low
        nth = np.arange(counts.sum()) - np.repeat(running(counts)[:-1], counts)
        found[np.repeat(low, counts) + nth] = np.repeat(rows, counts)
    return found


def _half(
    comparison: Comparison,
    view: View,
    wrong: np.ndarray[tuple[int], np.dtype[np.bool_]],
    bases: Ints,
    words: Ints,
) -> _Half:
    brackets, forest = view.side.brackets, view.forest
    kept = np.flatnonzero(wrong[brackets.group] & (brackets.start < brackets.end))
    group = brackets.group[kept]
    labels = forest.label[brackets.row[kept]]
    numbers = label_table(forest.symbols, comparison.parameters).bracket[labels]
    if not comparison.parameters.labelled:
        numbers = np.zeros_like(numbers)
    tags = forest.tag[words]
    used = {*labels.tolist(), *tags.tolist()}
    names = {label: bare(forest.symbols.labels[label]) for label in used}
    ends = (brackets.start[kept] - bases[group], brackets.end[kept] - bases[group])
    return _Half(
        view,
        words.tolist(),
        tags,
        np.searchsorted(group, np.arange(comparison.groups + 1)).tolist(),
        kept.tolist(),
        np.stack([*ends, numbers, labels], axis=1),
        names,
    )


class _Group:
    """The errors of one group, whose places start at ``base``."""

    def __init__(self, gold: _Half, system: _Half, number: int, base: int, end: int) -> None:
        self.gold = gold
        self.system = system
        self.number = number
        self.places = slice(base, end)
        self.brackets = [range(*half.first[number : number + 2]) for half in (gold, system)]

    @property
    def trees(self) -> tuple[list[str], list[Span], list[Span]]:
        """The tags of the places, and both sides' brackets."""
        tags = self.system.tag[self.places].tolist()
        return [self.system.names[tag] for tag in tags], self.spans(0), self.spans(1)

    @property
    def content(self) -> tuple[bytes, ...]:
        """The same for groups of one comparison that have the same trees, but for the words."""
        tags = self.system.tag[self.places]
        return tags.tobytes(), self.rows(0).tobytes(), self.rows(1).tobytes()

    def rows(self, side: int) -> Ints:
        brackets = self.brackets[side]
        return (self.gold, self.system)[side].spans[brackets.start : brackets.stop]

    def spans(self, side: int) -> list[Span]:
        names = (self.gold, self.system)[side].names
        return [
            Span(start, end, number, names[label])
            for start, end, number, label in self.rows(side).tolist()
        ]

    def errors(self) -> Iterator[Error]:
        found = repair(*self.trees)
        for step in found.steps:
            yield self.error(step)
        if found.missing or found.extra:
            yield self.unclassified(found.missing, found.extra)

    def error(self, step: Step) -> Error:
        kind = class_of(step)
        child = attached(step, kind)
        start, end = self.extent(step, child)
        told = described(step, child, self.quote(start, end), moved=(start, end) != step[1:3])
        words = [self.at_words(side, start, end) for side in (0, 1)]
        labels = [
            self.at_labels(side, places) for side, places in ((0, step.missing), (1, step.extra))
        ]
        # What is attached wrongly is gone to by its words, as a node is where it is not there.
        moves = child is not None or step.operation == "move"
        gold, system = (
            at if at and not moves else (there, *at)
            for at, there in zip(labels, words, strict=True)
        )
        return Error(
            kind,
            told.said,
            told.direction,
            told.gold_label,
            told.system_label,
            len(step.missing) + len(step.extra),
            0,
            gold,
            system,
        )

    def extent(self, step: Step, child: ContextNode | None) -> tuple[int, int]:
        """What a step is about; of a node removed, what it is over in the file: steps before
        may have changed that."""
        if child is not None:
            return child.start, child.end
        if step.operation != "remove":
            return step.start, step.end
        start, end = self.rows(1)[step.extra[0], :2].tolist()
        return start, end

    def unclassified(self, missing: tuple[int, ...], extra: tuple[int, ...]) -> Error:
        count = len(missing) + len(extra)
        phrase = "{count} more brackets differ: too much for this sentence's errors to be told"
        return Error(
            NOT_CLASSIFIED,
            Said(phrase, {"count": str(count)}),
            "",
            "",
            "",
            count,
            0,
            self.at_labels(0, missing),
            self.at_labels(1, extra),
        )

    def words(self, side: int, start: int, end: int) -> range:
        rows = (self.gold, self.system)[side].word[self.places]
        return range(rows[start], rows[end - 1] + 1)

    def quote(self, start: int, end: int) -> str:
        view = self.gold.view
        return quoted(view.words(self.words(0, start, end)))

    def at_words(self, side: int, start: int, end: int) -> Mark:
        view = (self.gold, self.system)[side].view
        return view.at_words(self.words(side, start, end))

    def at_labels(self, side: int, places: tuple[int, ...]) -> tuple[Mark, ...]:
        half, brackets = (self.gold, self.system)[side], self.brackets[side]
        return tuple(half.view.at_bracket(half.bracket[brackets[place]]) for place in places)
