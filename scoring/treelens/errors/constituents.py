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
from treelens.errors.error import NOT_CLASSIFIED, Direction, Error
from treelens.errors.transform import ContextNode, Span, Step, repair
from treelens.rules.parameters import bare, label_table
from treelens.trees.forest import Forest, Ints

_ROOT = "the root"


class _Half(NamedTuple):
    """One side of the groups, as plain numbers."""

    view: View
    first_bracket: list[int]
    """The first bracket of each group, and the end."""
    start: list[int]
    end: list[int]
    label: list[int]
    name: list[str]
    first_word: list[int]
    """The first word of each group, and the end."""
    word_start: list[int]
    """First place of each word among the words that count."""
    word_end: list[int]
    tag: list[str]


def errors_in_constituents(
    comparison: Comparison, views: tuple[View, View], skipped: frozenset[int]
) -> Iterator[tuple[int, Error]]:
    """Each error in the brackets, with its group; groups to be left out are skipped."""
    wrong = {
        group
        for side in (comparison.gold, comparison.system)
        for group in side.brackets.group[_misplaced(side.brackets)].tolist()
    }
    if not wrong - skipped:
        return
    gold, system = _halves(comparison, views)
    for group in sorted(wrong - skipped):
        yield from ((group, error) for error in _Group(gold, system, group).errors())


def nowhere(brackets: Brackets) -> list[int]:
    """The brackets that hold only words which the other side does not have."""
    found: list[int] = np.flatnonzero(brackets.start >= brackets.end).tolist()
    return found


def _misplaced(brackets: Brackets) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return (brackets.partner < 0) & (brackets.start < brackets.end)


def _halves(comparison: Comparison, views: tuple[View, View]) -> tuple[_Half, _Half]:
    sides = comparison.gold, comparison.system
    cells = max(int(side.words.end.max(initial=0)) for side in sides)
    places = counting_axis((sides[0].words, sides[1].words), cells)
    gold, system = (
        _half(side, view, comparison, places) for side, view in zip(sides, views, strict=True)
    )
    return gold, system


def _half(side: ComparedSide, view: View, comparison: Comparison, places: Ints) -> _Half:
    brackets, words, forest = side.brackets, side.words, side.forest
    labels = forest.label[brackets.row]
    numbers = label_table(forest.symbols, comparison.parameters).bracket[labels]
    if not comparison.parameters.labelled:
        numbers = np.zeros_like(numbers)
    names = _names(forest)
    groups = np.arange(comparison.groups + 1)
    return _Half(
        view,
        np.searchsorted(brackets.group, groups).tolist(),
        brackets.start.tolist(),
        brackets.end.tolist(),
        numbers.tolist(),
        [names[label] for label in labels.tolist()],
        np.searchsorted(words.group, groups).tolist(),
        places[words.start].tolist(),
        places[words.end].tolist(),
        [names[tag] for tag in forest.tag.tolist()],
    )


def _names(forest: Forest) -> dict[int, str]:
    """The labels and tags that there are, by id, without function tags."""
    used = {*forest.label.tolist(), *forest.tag.tolist()}
    return {label: bare(forest.symbols.labels[label]) for label in used}


class _Group:
    """The errors of one group."""

    def __init__(self, gold: _Half, system: _Half, group: int) -> None:
        self.gold = gold
        self.system = system
        rows = [range(*half.first_word[group : group + 2]) for half in (gold, system)]
        bounds = [
            (half.word_start[words[0]], half.word_end[words[-1]])
            for half, words in zip((gold, system), rows, strict=True)
        ]
        self.base = min(start for start, _ in bounds)
        self.count = max(end for _, end in bounds) - self.base
        self.rows = tuple(
            self.words_of_places(half, words)
            for half, words in zip((gold, system), rows, strict=True)
        )
        self.brackets = tuple(
            [
                bracket
                for bracket in range(*half.first_bracket[group : group + 2])
                if half.start[bracket] < half.end[bracket]
            ]
            for half in (gold, system)
        )

    def words_of_places(self, half: _Half, words: range) -> list[int]:
        """The word on each place; some word beside it where there is none."""
        found = [words[0]] * self.count
        for row in words:
            for place in range(half.word_start[row], half.word_end[row]):
                found[place - self.base] = row
        return found

    def spans(self, half: _Half, brackets: list[int]) -> list[Span]:
        return [
            Span(
                half.start[bracket] - self.base,
                half.end[bracket] - self.base,
                half.label[bracket],
                half.name[bracket],
            )
            for bracket in brackets
        ]

    def errors(self) -> Iterator[Error]:
        tags = [self.system.tag[row] for row in self.rows[1]]
        found = repair(
            tags,
            self.spans(self.gold, self.brackets[0]),
            self.spans(self.system, self.brackets[1]),
        )
        for step in found.steps:
            yield self.error(step)
        if found.missing or found.extra:
            yield self.unclassified(found.missing, found.extra)

    def error(self, step: Step) -> Error:
        kind = class_of(step)
        child = attached(step, kind)
        start, end = self.extent(step, child)
        described = _described(step, child, self.quote(start, end), moved=(start, end) != step[1:3])
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
            described.said,
            described.direction,
            described.gold_label,
            described.system_label,
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
        bracket = self.brackets[1][step.extra[0]]
        return self.system.start[bracket] - self.base, self.system.end[bracket] - self.base

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
        return range(self.rows[side][start], self.rows[side][end - 1] + 1)

    def quote(self, start: int, end: int) -> str:
        view = self.gold.view
        return quoted(view.words(self.words(0, start, end)))

    def at_words(self, side: int, start: int, end: int) -> Mark:
        view = (self.gold, self.system)[side].view
        return view.at_words(self.words(side, start, end))

    def at_labels(self, side: int, places: tuple[int, ...]) -> tuple[Mark, ...]:
        view = (self.gold, self.system)[side].view
        return tuple(view.at_bracket(self.brackets[side][place]) for place in places)


class _Description(NamedTuple):
    """What is said of a step."""

    said: Said
    direction: Direction
    gold_label: str
    system_label: str


def _described(step: Step, child: ContextNode | None, words: str, *, moved: bool) -> _Description:
    """What a step is told as.

    child: of a node added or removed, the one whose attachment is what is wrong. moved: whether
    the words quoted are others than the node is over by then.
    """
    if step.operation == "move":
        return _move_described(step, words)
    if step.operation == "relabel":
        said = Said(
            "{was} {words} is {label} in {gold}",
            {"was": step.was, "words": words, "label": step.label},
        )
        return _Description(said, "", step.label, step.was)
    parent = step.parent or _ROOT
    if child is not None:
        slots = {"name": child.name, "words": words, "parent": parent, "label": step.label}
        if step.operation == "add":
            return _Description(Said(_TOO_HIGH, slots), "too high", step.label, parent)
        return _Description(Said(_TOO_LOW, slots), "too low", parent, step.label)
    slots = {"label": step.label, "over": "" if moved else _over(step), "words": words}
    if step.operation == "add":
        return _Description(
            Said("{system} has no {label} over {over}{words}", slots), "", step.label, ""
        )
    return _Description(Said("{gold} has no {label} over {over}{words}", slots), "", "", step.label)


_TOO_HIGH = "{name} {words} is attached too high: to {parent}, not to a missing {label}"
_TOO_LOW = "{name} {words} is attached too low: to a needless {label}, not to {parent}"


def _over(step: Step) -> str:
    """What a node of a single child stands over."""
    if len(step.parts) != 1:
        return ""
    return "the single word " if step.parts[0].leaf else f"{step.parts[0].name} "


def _move_described(step: Step, words: str) -> _Description:
    old, new = step.parent or _ROOT, step.new_parent or _ROOT
    there = new
    if step.label:
        there = f"a missing {new}"
    elif old == new or not (step.inside or step.place == "above"):
        there = f"the {new} {step.place}{'' if step.place == 'above' else ' it'}"
    direction: Direction = ""
    if step.inside:
        direction = "too high"
    elif step.place == "above":
        direction = "too low"
    how = f"{direction}: " if direction else ""
    slots = {"what": f"{_named(step.parts)}{words}", "how": how, "old": old, "there": there}
    said = Said("{what} is attached {how}to {old}, not to {there}", slots)
    return _Description(said, direction, new, old)


def _named(parts: tuple[ContextNode, ...]) -> str:
    return f"{parts[0].name} " if len(parts) == 1 else ""
