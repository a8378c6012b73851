"""Groups as they are found in a stretch, in order."""

from __future__ import annotations

from typing import NamedTuple

from treelens.align.groups import GroupedBy

_A_FEW = 4
"""Fewer pairs behind sentences of both sides that have none are alike by chance."""


class FoundGroup(NamedTuple):
    """A group, its sentences counted from the start of the stretch.

    Gold is, in all of a stretch, the side that comes first (:func:`Stretch.decide` goes by it
    where nothing else tells), whichever of the files that is.
    """

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int
    how: GroupedBy


def to_last_pair(found: list[FoundGroup]) -> list[FoundGroup]:
    """Groups without those at the end that have no counterpart."""
    end = len(found)
    while end and found[end - 1].how == GroupedBy.ALONE:
        end -= 1
    return found[:end]


def linked(found: list[FoundGroup]) -> int:
    """How many sentences have a counterpart, of the side that has more of them."""
    pairs = [one for one in found if one.how != GroupedBy.ALONE]
    return max(
        sum(one.gold_end - one.gold_start for one in pairs),
        sum(one.system_end - one.system_start for one in pairs),
    )


def before_alone(found: list[FoundGroup], sentences: int) -> int:
    """How many groups there are before the first so many in a row that have no counterpart, behind
    some that have; all of them if there are none."""
    alone = 0
    for end, one in enumerate(found, 1):
        alone = alone + 1 if one.how == GroupedBy.ALONE else 0
        if sentences == alone < end:
            return end - alone
    return len(found)


def before_few(found: list[FoundGroup]) -> int:
    """How many groups there are before the last ones if those are few that have counterparts,
    behind sentences of both sides that have none; 0 if they are not."""
    alone = [one.how == GroupedBy.ALONE for one in found]
    pairs = alone[::-1].index(True) if any(alone) else len(found)
    end = len(found) - pairs
    first = end
    while first and alone[first - 1]:
        first -= 1
    golds = sum(one.gold_end - one.gold_start for one in found[first:end])
    return end if pairs < _A_FEW and 0 < golds < end - first else 0
