"""The next and the previous mismatch, from anywhere, round the end of the file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.session.pair import Side
from treelens.session.session import Counterpart, Snapshot


class MismatchPlace(NamedTuple):
    """A mismatch to go to: where it is written."""

    start: int
    end: int


def next_mismatch(snapshot: Snapshot, offset: int) -> MismatchPlace | None:
    """The first mismatch that starts behind an offset; past the last one, the first."""
    found = [_after(other, snapshot, offset) for other in snapshot.marked]
    marks = [mark for mark in found if mark is not None]
    return min(marks, key=lambda mark: (mark.start <= offset, mark), default=None)


def previous_mismatch(snapshot: Snapshot, offset: int) -> MismatchPlace | None:
    """The last mismatch that ends before an offset; before the first one, the last.

    It *ends* there: an editor that has gone to a mismatch has the cursor behind it.
    """
    found = [_before(other, snapshot, offset) for other in snapshot.marked]
    marks = [mark for mark in found if mark is not None]
    return max(marks, key=lambda mark: (mark.end < offset, mark), default=None)


def _after(other: Counterpart, snapshot: Snapshot, offset: int) -> MismatchPlace | None:
    wrong, here = _wrong(other), _group_at(other, snapshot, offset)
    first = int(np.searchsorted(wrong, here))
    # Once around, and the group here once more: what is before the cursor may be all there is.
    for step in range(first, first + len(wrong) + 1 if len(wrong) else first):
        behind = offset if step < len(wrong) else -1
        for mark in _marks(other, int(wrong[step % len(wrong)])):
            if mark.start > behind:
                return mark
    return None


def _before(other: Counterpart, snapshot: Snapshot, offset: int) -> MismatchPlace | None:
    wrong, here = _wrong(other), _group_at(other, snapshot, offset)
    last = int(np.searchsorted(wrong, here, side="right")) - 1
    for step in range(last, last - len(wrong) - 1 if len(wrong) else last, -1):
        limit = offset if step >= 0 else snapshot.document.length + 1
        for mark in reversed(_marks(other, int(wrong[step % len(wrong)]))):
            if mark.end < limit:
                return mark
    return None


def _group_at(other: Counterpart, snapshot: Snapshot, offset: int) -> int:
    return other.pair.group_of(other.side, snapshot.document.sentence_at(offset) or 0)


def _wrong(other: Counterpart) -> npt.NDArray[np.intp]:
    """Groups with a mismatch that have a sentence on this side."""
    groups = other.pair.groups
    if other.side is Side.GOLD:
        here = groups.gold_end > groups.gold_start
    else:
        here = groups.system_end > groups.system_start
    return np.flatnonzero(other.pair.mismatching() & here)


def _marks(other: Counterpart, group: int) -> list[MismatchPlace]:
    """What is marked on this side of a group, in text order."""
    sides = [finding.at(other.side) for finding in other.pair.findings(group)]
    return sorted({MismatchPlace(mark.start, mark.end) for mark in sides if mark is not None})
