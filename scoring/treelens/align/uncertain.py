"""What is uncertain in how sentences were paired: gaps, guesses, and what was moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from treelens.align.groups import GroupedBy, Groups, joined

if TYPE_CHECKING:
    from treelens.align.moves import Move

Uncertainty = Literal["gap", "guess", "place", "single", "moved"]

WHY = {
    GroupedBy.GUESSED: "a guess: little text in common",
    GroupedBy.PLACE: "a guess: by its place, for want of words",
    GroupedBy.SINGLE: "a guess: by its place, another word",
}
"""Why sentences were paired, where that is uncertain."""

_GUESSES: dict[Uncertainty, str] = {
    "guess": "for little text in common",
    "single": "by place, a word each",
}
"""What is said of guesses. (One without words is counted as missing, and told there.)"""

_KINDS: dict[GroupedBy, Uncertainty] = {
    GroupedBy.GUESSED: "guess",
    GroupedBy.PLACE: "place",
    GroupedBy.SINGLE: "single",
}

_GAP = 16
"""Sentences in a row that only one side has and that are said to be a gap."""


class Uncertain(NamedTuple):
    """Some sentences, numbered from 0; either range may be empty.

    gap: so many in a row stand on one side only. guess: they were paired for little text in
    common; place: for where they stand, one being without words; single: each being one word,
    another one. moved: both sides have them, out of order, so many of them with other words.
    """

    kind: Uncertainty
    gold: range
    system: range
    reworded: int = 0


def uncertain(batches: Iterable[Groups], moved: Sequence[Move]) -> list[Uncertain]:
    """All that is uncertain in an alignment's groups, given some at a time, in gold's order."""
    found = [Uncertain("moved", *move[:2], len(move.reworded)) for move in moved]
    for groups in _with_whole_gaps(batches):
        found += [*_gaps(groups, moved), *_guesses(groups)]
    return sorted(found, key=lambda one: (one.gold.start, one.system.start, one.kind))


def warnings(
    found: Sequence[Uncertain], *, compared: bool, names: tuple[str, str] = ("gold", "system")
) -> Iterator[str]:
    """In sentences; ``compared``: whether what was moved was compared; ``names``: what the sides
    are called."""
    for one in found:
        gold, system = _numbers(one.gold), _numbers(one.system)
        if one.kind == "gap":
            yield f"{gold or system} of {names[0 if gold else 1]}: without counterpart"
        elif one.kind == "moved":
            some = "" if one.reworded == len(one.gold) else f"{one.reworded:,} of them "
            how = f" ({some}reworded: a guess)" if one.reworded else ""
            end = "; compared" if compared else ", out of order: not compared (see --align moved)"
            yield f"{gold} of {names[0]}: moved to {system} of {names[1]}{how}{end}"
    for kind, why in _GUESSES.items():
        firsts = [_numbers(one.gold) for one in found if one.kind == kind]
        if firsts:
            more = f" and {len(firsts) - 1:,} more" if len(firsts) > 1 else ""
            yield f"{firsts[0]} of {names[0]}{more}: paired {why}"


def _with_whole_gaps(batches: Iterable[Groups]) -> Iterator[Groups]:
    """The groups, none of the batches ending among sentences that only one side has."""
    waiting: list[Groups] = []
    for batch in batches:
        paired = np.flatnonzero(batch.how != GroupedBy.ALONE)
        if len(paired):
            end = int(paired[-1]) + 1
            yield joined([*waiting, batch.part(0, end)])
            waiting, batch = [], batch.part(end)
        waiting.append(batch)
    yield joined(waiting)


def _guesses(groups: Groups) -> Iterator[Uncertain]:
    for how, kind in _KINDS.items():
        for group in np.flatnonzero(groups.how == how).tolist():
            gold, end, system, system_end = (int(column[group]) for column in groups[:4])
            yield Uncertain(kind, range(gold, end), range(system, system_end))


def _gaps(groups: Groups, moved: Sequence[Move]) -> Iterator[Uncertain]:
    """Runs of sentences that only one side has and that are nowhere on the other."""
    for side in (0, 1):
        # (Where both sides lack some, how these and those alternate says nothing.)
        own = np.flatnonzero(groups[2 * side + 1] > groups[2 * side])
        start, end, others = (
            groups[2 * side][own],
            groups[2 * side + 1][own],
            groups[2 - 2 * side][own],
        )
        lone = groups.how[own] == GroupedBy.ALONE
        for move in moved:
            block = move[:2][side]
            if not len(start) or not start[0] <= block.start < end[-1]:
                continue
            low, high = np.searchsorted(end, [block.start, block.stop - 1], "right")
            lone[low : high + 1] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[0], lone.astype(np.int8), [0]])))
        for first, stop in edges.reshape(-1, 2).tolist():
            if stop - first >= _GAP:
                here = range(int(start[first]), int(end[stop - 1]))
                other = int(others[first])
                nothing = range(other, other)
                yield Uncertain("gap", *((here, nothing) if side == 0 else (nothing, here)))


def _numbers(sentences: range) -> str:
    """As people count."""
    if not len(sentences):
        return ""
    if len(sentences) == 1:
        return f"sentence {sentences.start + 1:,}"
    return f"sentences {sentences.start + 1:,}–{sentences.stop:,}"
