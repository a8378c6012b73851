"""All kinds of differences, and what follows from their rows: findings, counts, "has any"."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison, presence
from treelens.compare.sides import Side
from treelens.differences import (
    brackets,
    enhanced,
    fields,
    heads,
    labels,
    morphology,
    other_lines,
    sentences,
    tags,
    traces,
    uncounted,
    words,
)
from treelens.differences.difference import Difference, Finding, Numbers, Rows, nothing, once
from treelens.differences.marks import Mark, RowSides, View, bare_name
from treelens.trees.forest import Symbols

_TOGETHER: tuple[tuple[Difference, ...], ...] = (
    brackets.DIFFERENCES,
    tags.DIFFERENCES,
    heads.DIFFERENCES + morphology.DIFFERENCES,
    words.DIFFERENCES,
    sentences.DIFFERENCES,
    labels.DIFFERENCES,
    uncounted.DIFFERENCES + traces.DIFFERENCES,
    enhanced.DIFFERENCES,
    fields.DIFFERENCES,
    other_lines.DIFFERENCES,
    (uncounted.REMAINDER,),
)
"""In the order in which a group's findings are given; those together word by word."""

DIFFERENCES = tuple(itertools.chain.from_iterable(_TOGETHER))

_COUNTED = tuple(one for one in DIFFERENCES if one.counted)

BY_CODE = {one.code: one for one in DIFFERENCES}

PARTS = {one.code: part for part, together in enumerate(_TOGETHER) for one in together}
"""The place of each kind among those that are given together, by code."""

_NAME_BITS = 24
_NAME = (1 << _NAME_BITS) - 1


def rows_of(
    comparison: Comparison, wanted: tuple[Difference, ...] = DIFFERENCES
) -> Iterator[tuple[Difference, Rows]]:
    """The rows of some kinds of differences, in the table's order; of groups with words on one
    side only, that; what is for the remainder only where there is nothing else of these."""
    gold, system = presence(comparison)
    alone, both = gold != system, gold & system
    any_alone, all_both = bool(alone.any()), bool(both.all())
    found = np.zeros(comparison.groups, np.bool_)
    for difference in wanted:
        rows = difference.rows(comparison)
        if not len(rows.group):  # (as mostly: of each sentence by itself, this is what takes time)
            yield difference, rows
            continue
        if any_alone and difference.family != "sentence":
            rows = rows.chosen(~alone[rows.group])
        if not all_both and not difference.counted:
            rows = rows.chosen(both[rows.group])
        if difference is uncounted.REMAINDER:
            rows = rows.chosen(~found[rows.group])
        found[rows.group] = True
        yield difference, rows


@once
def all_rows(comparison: Comparison) -> tuple[tuple[Difference, Rows], ...]:
    """The rows of all kinds: who counts them asks for them next, one by one."""
    return tuple(rows_of(comparison))


class Numbered(NamedTuple):
    """How many differences each group has, that scores count and that they do not; ``(groups,)``
    each."""

    counted: npt.NDArray[np.int64]
    uncounted: npt.NDArray[np.int64]


def counts_of_differences(comparison: Comparison, strict: bool = True) -> Numbered:
    """How many differences each group has; unless ``strict``, of those that scores count."""
    found = Numbered(*np.zeros((2, comparison.groups), np.int64))
    for difference, rows in all_rows(comparison) if strict else rows_of(comparison, _COUNTED):
        if len(rows.group):
            counts = np.bincount(rows.group, minlength=comparison.groups)
            np.add(found[not difference.counted], counts, out=found[not difference.counted])
    return found


# --- findings ------------------------------------------------------------------------------


def own_mark(finding: Finding, side: Side) -> Mark | None:
    """Where a side has what differs; None where it lacks it, though the place may be marked."""
    return finding.at(side) if BY_CODE[finding.code].owner in (None, side) else None


def find(comparison: Comparison, strict: bool = True) -> tuple[Finding, ...]:
    """Everything that differs in some groups, in the order of the table: of what gold has in
    the order of its text, then of what only system has; unless ``strict``, what a score counts."""
    return findings(comparison, DIFFERENCES if strict else _COUNTED)


def findings(comparison: Comparison, wanted: tuple[Difference, ...]) -> tuple[Finding, ...]:
    """The same of some kinds of differences, which are in the table's order."""
    views: tuple[View, View] | None = None
    found = []
    rows_of_each = all_rows(comparison) if wanted is DIFFERENCES else rows_of(comparison, wanted)
    for number, (difference, rows) in enumerate(rows_of_each):
        if not len(rows.group):
            continue
        views = views or (View(comparison.gold), View(comparison.system))
        for (gold, gold_end), (system, system_end) in zip(*_ends(rows), strict=True):
            at = RowSides(*views, gold, gold_end, system, system_end)
            back = RowSides(*views[::-1], system, system_end, gold, gold_end)
            marks = difference.mark(Side.GOLD, at), difference.mark(Side.SYSTEM, back)
            lone = gold < 0
            place = _place(views[lone], system if lone else gold, marks[lone])
            order = (PARTS[difference.code], lone, place, number)
            found.append((order, Finding(difference.code, *marks)))
    return tuple(finding for _, finding in sorted(found, key=lambda one: one[0]))


def _place(view: View, row: int, mark: Mark | None) -> tuple[int, int]:
    """Where in its side's text a row stands. Among brackets, rows of one part may be numbers of
    words or of constituents, and how far these are apart depends on what stands before."""
    if mark is None or view.forest.layout != "brackets":
        return row, 0
    return mark.sentence, mark.start


def _ends(rows: Rows) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """What gold has in each row and what system has, with its end."""
    return (
        _with_end(rows.gold, rows.gold_end),
        _with_end(rows.system, rows.system_end),
    )


def _with_end(first: Numbers, end: Numbers | None) -> list[tuple[int, int]]:
    return [*zip(first.tolist(), (first + 1 if end is None else end).tolist(), strict=True)]


# --- by what stands against what -----------------------------------------------------------


class Kind(NamedTuple):
    """A difference together with what stands there: ``NP`` against ``ADJP``; names are empty
    where a side has none."""

    difference: Difference
    gold: str
    system: str


class Kinds(NamedTuple):
    """Of some groups, the number of the kind of each difference; ``(k,)`` each, groups
    ascending."""

    group: Numbers
    kind: Numbers


def counted_only(found: Kinds) -> Kinds:
    """Those of differences that scores count."""
    counts = np.array([one.counted for one in DIFFERENCES])
    kept = counts[found.kind >> 2 * _NAME_BITS]
    return Kinds(found.group[kept], found.kind[kept])


def kind_of(number: int, symbols: Symbols) -> Kind:
    """A kind by its number."""
    gold, system = (number >> _NAME_BITS) & _NAME, number & _NAME
    names = [symbols.label(name - 1) if name else "" for name in (gold, system)]
    bare = [*map(bare_name, names)]
    # (Features may be all that is not the same.)
    return Kind(DIFFERENCES[number >> 2 * _NAME_BITS], *(names if bare[0] == bare[1] else bare))


def kinds(comparison: Comparison) -> Kinds:
    """The kinds of all differences in some groups."""
    groups, found = [], []
    for number, (_, rows) in enumerate(rows_of(comparison)):
        names = [
            (nothing(rows.group) if name is None else name.astype(np.int64)) + 1
            for name in (rows.gold_name, rows.system_name)
        ]
        groups.append(rows.group.astype(np.int64))
        found.append((np.int64(number) << 2 * _NAME_BITS) + (names[0] << _NAME_BITS) + names[1])
    group, kind = np.concatenate(groups), np.concatenate(found)
    order = np.argsort(group, kind="stable")
    return Kinds(group[order], kind[order])
