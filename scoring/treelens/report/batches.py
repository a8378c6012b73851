"""What is told in another order than the files have it, of texts that wait on disk."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from treelens.counting.waiting import Waiting
from treelens.session.pair import Pair
from treelens.session.ranking import Places
from treelens.trees.forest import each_once

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


class _Parts(Protocol):
    """Pairs of some groups each, by number."""

    def __getitem__(self, number: int, /) -> Pair: ...


def in_order(
    parts: _Parts, places: Places, tell: Callable[[Pair, int, int], str], waiting: Waiting
) -> Iterator[str]:
    """What there is to tell of groups, each with the number of its part, in the order of their
    places. They are looked at in the order of the files; what is told waits till its turn comes."""
    order = np.lexsort((places.group, places.part))
    told: list[range] = []
    for part in each_once(places.part).tolist():
        pair = parts[part]
        groups = places.group[order[places.part[order] == part]].tolist()
        for first in range(0, len(groups), LARGEST):
            together = groups[first : first + LARGEST]
            pair.look_at(together)
            texts = (tell(pair, group, part) for group in together)
            told += [waiting.add([_encoded(text)]) for text in texts]
    for at in np.argsort(order).tolist():
        yield _decoded(waiting.read(told[at]))


class Foremost:
    """What there is to tell of the foremost of many things, which come one after the other: it is
    told of those that may be among them when they come, and waits.

    most: how many are told, all by default. ``waiting`` holds nothing else.
    """

    def __init__(self, waiting: Waiting, most: int | None = None) -> None:
        self.count = 0
        """How many came."""
        self._waiting, self._most = waiting, most
        self._ranks, self._ends = array("q"), array("q", [0])
        self._highest: list[int] = []

    def add(self, rank: int, tell: Callable[[], str]) -> None:
        """The highest ranks are foremost, of equal ones what came first."""
        self.count += 1
        if self._most is None or len(self._highest) < self._most:
            heapq.heappush(self._highest, rank)
        elif self._highest and rank > self._highest[0]:
            heapq.heapreplace(self._highest, rank)
        else:
            return
        self._ranks.append(rank)
        self._ends.append(self._waiting.add([_encoded(tell())]).stop)

    def told(self) -> Iterator[str]:
        order = np.argsort(-np.array(self._ranks), kind="stable")[: self._most]
        for at in order.tolist():
            yield _decoded(self._waiting.read(range(*self._ends[at : at + 2])))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
