"""Sentences of gold and system in groups that hold the same text.

First, what is certain is pinned (:mod:`~treelens.align.pins`). Between pins a walk goes from left
to right. Where it stands, a pair of sentence numbers, is all it remembers, and it looks ahead
only as far as it must to find text that both sides have again
(:mod:`~treelens.align.stretch`). So after an edit only those decisions are taken anew that looked
at what changed (a sentence, or what is pinned), until the walk stands where it stood before: what
an edit costs does not depend on the length of the files, and the result is, exactly, that of a
walk from the start. Knows nothing of trees or scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.align.ahead import Ahead
from treelens.align.groups import (
    GroupedBy,
    Groups,
    HeldYields,
    SentenceChange,
    Splice,
    TextNumbers,
    Yields,
    joined,
    one_to_one,
)
from treelens.align.pins import Pins, carried, pinned, repinned
from treelens.align.stretch import Stretch
from treelens.trees.forest import Ints, Keys

_LONGEST_RUN = 4096

_GONE = -4
"""What no sentence is pinned to."""

_Side = TypeVar("_Side")
Sides = tuple[Yields, Yields]
Changes = tuple[SentenceChange, SentenceChange]
_Piece = tuple[Groups, range | None]
"""New groups, and the old ones that they replace; None if they are kept."""


class Alignment(NamedTuple):
    """All sentences of both sides in groups, and what those were found by; numbers: what is known
    of the texts of gold and of system."""

    groups: Groups
    pins: Pins
    numbers: tuple[TextNumbers, TextNumbers]


def align_sentences(gold: Yields, system: Yields) -> Alignment:
    """All sentences of both sides in groups."""
    pins = pinned(gold.numbers, system.numbers)
    groups = joined([*_walk((gold, system), pins, 0, 0)])
    return Alignment(groups, pins, (gold.numbers, system.numbers))


def walk(gold: Yields, system: Yields, pins: Pins) -> Iterator[Groups]:
    """The same in order, some groups at a time, for who does not edit: what a group looked at,
    which takes most of the time where sentences are missing, is not known of it (its reach is 0).
    """
    return _walk((gold, system), pins, 0, 0, for_edits=False)


def realign(
    gold: HeldYields,
    system: HeldYields,
    old: Alignment,
    gold_change: SentenceChange,
    system_change: SentenceChange,
) -> tuple[Alignment, tuple[Splice, ...]]:
    """The alignment after edits: what :func:`align_sentences` says, for the cost of the edit.

    With it, in order, what became of which groups; all others are as they were.
    """
    changes = gold_change, system_change
    pins = repinned(old.pins, old.numbers, gold.numbers, system.numbers, *changes)
    pieces = list(_redecided((gold, system), old, pins, changes))
    groups = _assembled(old.groups, pieces, changes)
    splices: list[Splice] = []
    first = 0
    for part, replaced in pieces:
        if replaced is not None:
            splice = Splice(replaced.start, replaced.stop, first, first + len(part.stood))
            trimmed = _trimmed(splice, old.groups, groups, changes)
            if trimmed.first < trimmed.old_end or trimmed.new_first < trimmed.new_end:
                splices.append(trimmed)
        first += len(part.stood)
    return Alignment(groups, pins, (gold.numbers, system.numbers)), tuple(splices)


def _assembled(old: Groups, pieces: list[_Piece], changes: Changes) -> Groups:
    """The pieces as one; where none has another size, with the columns that are as they were."""
    new = [(part, where) for part, where in pieces if where is not None]
    if any(change.shift for change in changes) or any(
        len(part.stood) != len(where) for part, where in new
    ):
        return joined([part for part, _ in pieces])
    columns = []
    for number, column in enumerate(old):
        known = column
        for part, where in new:
            if not np.array_equal(part[number], column[where.start : where.stop]):
                column = column.copy() if column is known else column
                column[where.start : where.stop] = part[number]
        columns.append(column)
    return Groups._make(columns)


def _redecided(sides: Sides, old: Alignment, pins: Pins, changes: Changes) -> Iterator[_Piece]:
    """The new groups, piece by piece; with those decided anew, the old ones they replace."""
    groups, count = old.groups, len(old.groups.stood)
    touched = np.append(np.flatnonzero(_touched(old, pins, changes)), count)
    i = j = settled = 0
    while settled < count or (i, j) != tuple(len(side.numbers) for side in sides):
        first = int(touched[np.searchsorted(touched, settled)])
        if first > settled:
            kept = _moved_along(groups.part(settled, first), changes)
            i, j = int(kept.gold_end[-1]), int(kept.system_end[-1])
            yield kept, None
        parts, settled = [], count
        for part in _walk(sides, pins, i, j):
            parts.append(part)
            i, j = int(part.gold_end[-1]), int(part.system_end[-1])
            at = _where_stood(groups, changes[0].before(i), changes[1].before(j))
            if at is not None and at >= first:
                settled = at
                break
        if parts or first < settled:
            yield joined(parts), range(first, settled)


def _touched(old: Alignment, pins: Pins, changes: Changes) -> npt.NDArray[np.bool_]:
    """Which groups' decisions looked at anything that changed, of those where the walk stood."""
    groups, before = old.groups, old.pins
    touched = np.zeros(len(groups.stood), np.bool_)
    for known, now, start, reach, (change, other) in (
        (before.gold_state, pins.gold_state, groups.gold_start, groups.gold_reach, changes),
        (
            before.system_state,
            pins.system_state,
            groups.system_start,
            groups.system_reach,
            changes[::-1],
        ),
    ):
        first, old_end, new_end = change
        differs = np.flatnonzero(carried(known, change, other, _GONE) != now)
        # The end of a file is one more sentence.
        edited = np.arange(first, max(old_end, first + 1))
        behind = differs[differs >= new_end] - change.shift
        changed = np.concatenate([differs[differs < first], edited, behind]).astype(np.int32)
        # Of every group, the first that changed at or behind its start: was that looked at?
        ends = np.searchsorted(start, changed, side="right")
        nearest = np.repeat(changed, np.diff(ends, prepend=0))
        touched[: len(nearest)] |= reach[: len(nearest)] > nearest
    return touched & groups.stood


def _moved_along(groups: Groups, changes: Changes) -> Groups:
    """Groups that are before, or behind, what changed on either side, as they are numbered now."""
    starts = int(groups.gold_start[0]), int(groups.system_start[0])
    shifts = [
        change.shift if start >= change.old_end else 0
        for start, change in zip(starts, changes, strict=True)
    ]
    return groups.shifted(*shifts)


def _where_stood(groups: Groups, i: int | None, j: int | None) -> int | None:
    """The group at whose start a walk stood at sentences ``i`` and ``j``."""
    if i is None or j is None:
        return None
    # (For a number of another type the whole column would be copied.)
    gold, system = np.int32(i), np.int32(j)
    low, high = (int(np.searchsorted(groups.gold_start, gold, side)) for side in ("left", "right"))
    at = low + int(np.searchsorted(groups.system_start[low:high], system))
    found = at < high and groups.stood[at] and groups.system_start[at] == j
    return at if found else None


def _trimmed(splice: Splice, before: Groups, now: Groups, changes: Changes) -> Splice:
    """Without the groups at either end that were decided on anew and are as they were."""
    first, old_end, new_first, new_end = splice
    old, new = before.part(first, old_end), now.part(new_first, new_end)
    comparable = np.ones(len(old.stood), np.bool_)
    columns: list[Ints] = []
    for start, end, change in zip(old[:4:2], old[1:4:2], changes, strict=True):
        behind = start >= change.old_end
        comparable &= behind | (end <= change.first)
        columns += [column + change.shift * behind for column in (start, end)]
    columns.append(np.where(comparable, old.how, -1))
    its: list[Ints] = [*new[:4], new.how.astype(np.int32)]
    head = _alike(columns, its)
    tail = _alike([column[head:][::-1] for column in columns], [one[head:][::-1] for one in its])
    return Splice(first + head, old_end - tail, new_first + head, new_end - tail)


def _alike(old: list[Ints], new: list[Ints]) -> int:
    """How many of the first rows are the same."""
    shorter = min(len(old[0]), len(new[0]))
    differs = np.zeros(shorter, np.bool_)
    for column, its in zip(old, new, strict=True):
        differs |= column[:shorter] != its[:shorter]
    return int(np.argmax(differs)) if differs.any() else shorter


def _walk(sides: Sides, pins: Pins, i: int, j: int, *, for_edits: bool = True) -> Iterator[Groups]:
    """Groups from sentences ``i`` and ``j`` on, as they are decided on."""
    gold, system = known = _KnownWords(sides[0]), _KnownWords(sides[1])
    golds, systems = gold.numbers, system.numbers
    longest = 1
    while i < len(golds) or j < len(systems):
        run = _equal_run(golds[i : i + longest], systems[j : j + longest])
        part = one_to_one(i, j, run) if run else _stretch(known, pins, (i, j), for_edits)
        # Short at first: after an edit the walk soon stands where the last one stood.
        longest = min(2 * longest, _LONGEST_RUN)
        yield part
        ends = int(part.gold_end[-1]), int(part.system_end[-1])
        gold.pass_by(range(i, ends[0]))
        system.pass_by(range(j, ends[1]))
        i, j = ends


class _KnownWords:
    """One side, with the words that were read ahead of where a walk stands: in a gap it looks at
    each sentence many times."""

    def __init__(self, side: Yields) -> None:
        self.numbers = side.numbers
        self._side = side
        self._words: dict[int, Sequence[bytes]] = {}

    def words(self, sentence: int) -> Sequence[bytes]:
        known = self._words.get(sentence)
        if known is None:
            known = self._words[sentence] = self._side.words(sentence)
        return known

    def pass_by(self, sentences: range) -> None:
        """Forgets some sentences that the walk does not come back to."""
        if self._words:
            for sentence in sentences:
                self._words.pop(sentence, None)


def _equal_run(gold: Keys, system: Keys) -> int:
    length = min(len(gold), len(system))
    different = np.flatnonzero(gold[:length, 1] != system[:length, 1])
    return int(different[0]) if len(different) else length


def _stretch(sides: Sides, pins: Pins, start: tuple[int, int], for_edits: bool) -> Groups:
    """The groups of a stretch that differs, up to where both sides agree again.

    The same ones whichever side is gold: that which comes first here is told by its text.
    """
    end, states = pins.following(*start), (pins.gold_state, pins.system_state)
    turn = _first_text(sides[0], start[0]) > _first_text(sides[1], start[1])
    between = _turned(start, turn), _turned(end, turn)
    ahead = Ahead(_turned(sides, turn), _turned(states, turn), *between)
    if same := ahead.same_text():
        found = np.array([(0, same[0], 0, same[1], GroupedBy.CUT)])
    else:
        found = Stretch(ahead, int(turn)).decide()
    columns = found.astype(np.int32).T[[2, 3, 0, 1, 4] if turn else slice(None)]
    columns[:4] += np.repeat(np.array(start, np.int32), 2)[:, None]
    reach = (
        np.full(len(found), ahead.reach(side) if for_edits else 0, np.int32)
        for side in _turned((0, 1), turn)
    )
    stood = np.zeros(len(found), np.bool_)
    stood[0] = True
    return Groups._make([*columns[:4], *reach, stood, columns[4].astype(np.int8)])


def _first_text(side: Yields, sentence: int) -> list[int]:
    """Length and number of a sentence; of the end, nothing."""
    found: list[list[int]] = side.numbers[sentence : sentence + 1].tolist()
    return found[0] if found else []


def _turned(sides: tuple[_Side, _Side], turn: bool) -> tuple[_Side, _Side]:
    return (sides[1], sides[0]) if turn else sides
