"""Which things are equal where some pairs of them are: one of them stands for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

_Thing = TypeVar("_Thing", bound=Hashable)


def standing_for(pairs: Iterable[tuple[_Thing, _Thing]]) -> dict[_Thing, _Thing]:
    """Each thing that another one may stand for, and the one that does: of a pair the second, or
    what stands for that by then."""
    above: dict[_Thing, _Thing] = {}

    def standing(one: _Thing) -> _Thing:
        while (other := above.get(one, one)) != one:
            # What was gone past is nearer the next time: a list may hold all equal to its first.
            above[one] = above.get(other, other)
            one = other
        return one

    for one, other in pairs:
        above[standing(one)] = standing(other)
    return {one: standing(one) for one in above}
