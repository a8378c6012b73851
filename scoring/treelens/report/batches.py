"""What is told in another order than the files have it, of texts that wait on disk."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from treelens.counting.waiting import Waiting
from treelens.session.pair import Pair
from treelens.session.ranking import Places
from treelens.trees.forest import each_once

LARGEST = 512
"""Places that are looked at together."""


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


Key = tuple[float, ...]


class Foremost:
    """What there is to tell of the foremost of many things, which come one after the other: it is
    told of those that may be among them when they come, and waits.

    most: how many are told, all by default.
    """

    def __init__(self, waiting: Waiting, most: int | None = None) -> None:
        self.count = 0
        """How many came."""
        self._waiting, self._most = waiting, most
        self._keys, self._starts, self._ends = list["array[float]"](), array("q"), array("q")
        self._lowest: list[Key] = []
        """The keys of the foremost so far with their signs changed: what is last comes first."""

    def add(self, key: Key, tell: Callable[[], str]) -> None:
        """The lowest keys are foremost, of equal ones what came first."""
        self.count += 1
        if self._most is not None:
            last = tuple(-value for value in key)
            if len(self._lowest) < self._most:
                heapq.heappush(self._lowest, last)
            elif self._lowest and last > self._lowest[0]:
                heapq.heapreplace(self._lowest, last)
            else:
                return
        self._keys = self._keys or [array("d") for _ in key]
        for column, value in zip(self._keys, key, strict=True):
            column.append(value)
        place = self._waiting.add([_encoded(tell())])
        self._starts.append(place.start)
        self._ends.append(place.stop)

    def told(self) -> Iterator[str]:
        keys = [np.asarray(column) for column in reversed(self._keys)]
        order = np.lexsort(keys) if keys else np.arange(len(self._starts))
        for at in map(int, order[: self._most]):
            yield _decoded(self._waiting.read(range(self._starts[at], self._ends[at])))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
