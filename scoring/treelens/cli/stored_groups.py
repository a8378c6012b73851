"""Groups of a corpus of any size: on disk, but for what sorts them.

What memory holds of a group is its rank and where it is, some 300 bytes. Its places, and the
sentences and words of these, are read when they are asked for.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from treelens.cli.waiting import WaitingBytes
from treelens.consistency.found import FileName, OccurrencePlace, Passage, PlacedGroup
from treelens.consistency.groups import Occurrence, Rank, VariationGroup, rank
from treelens.consistency.outermost import Extents, extent, outermost
from treelens.formats.table import EVERY


class PackedGroup(NamedTuple):
    """A group as bytes, and what is asked of it before these are read: its rank, and where it is
    (see ``outermost.extent``)."""

    rank: Rank
    extent: list[tuple[int, int, int]]
    packed: bytes


class StoredGroups(Sequence[PlacedGroup]):
    """Some groups of a store, each read anew when it is asked for; a slice holds none either."""

    def __init__(self, store: GroupStore, numbers: Sequence[int]) -> None:
        self._store = store
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> PlacedGroup: ...
    @overload
    def __getitem__(self, at: slice) -> StoredGroups: ...
    def __getitem__(self, at: int | slice) -> PlacedGroup | StoredGroups:
        if isinstance(at, slice):
            return StoredGroups(self._store, self._numbers[at])
        return self._store.group(self._numbers[at])


class GroupStore:
    """Takes groups as they come, and has them in the order of reports."""

    def __init__(self) -> None:
        self._bytes = WaitingBytes()
        self._ends = array("q", [0])
        self._ranks: list[Rank] = []
        self._counts, self._extents = array("q"), array("q")
        self._is_behind = array("b")

    def add(self, groups: Iterable[PackedGroup], *, behind: bool) -> None:
        """``behind``: after others that are equally sharp."""
        for one in groups:
            self._ends.append(self._bytes.add([one.packed]).stop)
            self._ranks.append(one.rank)
            self._counts.append(len(one.extent))
            for place in one.extent:
                self._extents.extend(place)
            self._is_behind.append(behind)

    def sharpest_first(self, *, every: bool) -> StoredGroups:
        """All of them, or those that are not wholly inside others."""
        numbers = np.argsort(np.array(self._is_behind), kind="stable")
        if not every:
            kinds = [kind for *_, kind, _ in self._ranks]
            places = np.array(self._extents, np.int64).reshape(-1, 3)
            kept = outermost(Extents(kinds, self._counts, places))
            numbers = numbers[kept[numbers]]
        order = sorted(numbers.tolist(), key=self._ranks.__getitem__)
        return StoredGroups(self, array("q", order))

    def group(self, number: int) -> PlacedGroup:
        return _unpacked(self._bytes.read(range(self._ends[number], self._ends[number + 1])))


def packed(one: PlacedGroup) -> PackedGroup:
    fields = [
        one.group,
        [[*place[:-1], _packed_home(place.home)] for place in one.places],
        one.documents,
    ]
    return PackedGroup(rank(one.group), extent(one.group), json.dumps(fields).encode())


def _packed_home(home: Any) -> list[Any] | None:
    if home is None:
        return None
    assert isinstance(home, Passage)  # of an extract
    text = home.text.decode("utf-8", "surrogateescape")
    return [text, EVERY.index(home.format), home.said]


def _unpacked(data: bytes) -> PlacedGroup:
    (kind, tier, identity, key, labels, occurrences, context, score), places, documents = (
        json.loads(data)
    )
    group = VariationGroup(
        kind,
        tier,
        tuple(identity),
        tuple(key),
        tuple((label, count) for label, count in labels),
        tuple(Occurrence(at, tuple(words), *more) for at, words, *more in occurrences),
        context,
        score,
    )
    return PlacedGroup(group, tuple(map(_place, places)), documents)


def _place(fields: list[Any]) -> OccurrencePlace:
    file, sentence, sent_id, line, words, label, deviant, home = fields
    name, where = FileName(*file), (sentence, sent_id, line, tuple(words))
    return OccurrencePlace(name, *where, label, deviant, home and _home(*home))


def _home(text: str, format: int, said: list[str]) -> Passage:
    return Passage(text.encode("utf-8", "surrogateescape"), EVERY[format], tuple(said))
