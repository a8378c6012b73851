"""What is told in another order than the files have it, of texts that wait on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

LARGEST = 512
"""Places that are looked at together."""


class _Place(Protocol):
    """The number of a group; or of a file, and of what is in it."""

    def __hash__(self) -> int: ...
    def __lt__(self, other: Any, /) -> bool: ...


Place = TypeVar("Place", bound=_Place)
Told = TypeVar("Told")


def told(
    places: Sequence[Place],
    tell: Callable[[Place], Told],
    look_at: Callable[[list[Place]], object] = lambda _: None,
    size: int | None = None,
) -> Iterator[Told]:
    """What there is to tell of each place, in the order of the places.

    Many are looked at together, ascending: what waits on disk is brought once for all of these.
    look_at: is told of them before. size: how many at first, where who reads may stop; then ever
    more.
    """
    first, size = 0, size or LARGEST
    while first < len(places):
        part = places[first : first + size]
        first, size = first + len(part), min(2 * size, LARGEST)
        ascending = sorted(part)
        look_at(ascending)
        found = {place: tell(place) for place in ascending}
        yield from map(found.__getitem__, part)
