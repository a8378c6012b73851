"""Which sentences of two files correspond, as ``difflib`` says, without its tables of some two
hundred bytes for each.

Most sentences are like no other one of their file. A run of such, which are beside each other in
both files, is one element here, that stands for as many as there are in it: whatever difflib takes
has either all of a run or nothing of it, as each of its sentences has but one place to go to. So
what it would find is found, and its tables are as long as what differs and what there is twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import NamedTuple, TypeAlias

Keys: TypeAlias = "array[int]"
"""A hash for each sentence, the same for the same text; its last bit may not be looked at."""

_TOGETHER = 1 << 12
"""Sentences of a file that are looked up in one table, about."""
_NOWHERE = -1


class _Elements(NamedTuple):
    """Sentences and runs of them, in their order. names: of each, the same for those that are the
    same, even for a run. lengths: how many sentences each is."""

    names: array[int]
    lengths: array[int]

    @property
    def starts(self) -> array[int]:
        """The first sentence of each; and how many there are."""
        return array("i", accumulate(self.lengths, initial=0))


def same(gold: Keys, system: Keys) -> Iterator[tuple[int, int, int]]:
    """Runs of sentences that are the same: where they start in gold and in system, and how many
    there are in each; the last one is of none, at the end."""
    runs = [*_runs(_only_places(gold, system))]
    golds = _elements(gold, ((start, start, length) for start, _, length in runs))
    runs.sort(key=lambda run: run[1])
    systems = _elements(system, ((its, start, length) for start, its, length in runs))
    starts, its_starts = golds.starts, systems.starts
    for one, other, count in _Weighted(golds, systems).get_matching_blocks():
        yield starts[one], its_starts[other], starts[one + count] - starts[one]


def _only_places(gold: Keys, system: Keys) -> array[int]:
    """Of each sentence of gold, the place of the only one of system that is the same, if it is the
    only one of gold, too; else _NOWHERE."""
    count = len(gold) // _TOGETHER + 1
    found = array("i", [_NOWHERE]) * len(gold)
    for some, others in zip(_apart(gold, count), _apart(system, count), strict=True):
        its = _once(system, others)
        for key, place in _once(gold, some).items():
            if place != _NOWHERE:
                found[place] = its.get(key, _NOWHERE)
    return found


def _apart(keys: Keys, count: int) -> list[array[int]]:
    """The places of keys, by key, in so many parts."""
    parts = [array("i") for _ in range(count)]
    for place, key in enumerate(keys):
        parts[key % count].append(place)
    return parts


def _once(keys: Keys, places: Iterable[int]) -> dict[int, int]:
    """By key, which of some places it has; _NOWHERE if several."""
    found: dict[int, int] = {}
    for place in places:
        key = keys[place]
        found[key] = _NOWHERE if key in found else place
    return found


def _runs(places: array[int]) -> Iterator[tuple[int, int, int]]:
    """Of sentences that have only places: where runs start in gold and in system, and how many
    there are in each."""
    start = 0
    while start < len(places):
        its, end = places[start], start + 1
        if its != _NOWHERE:
            while end < len(places) and places[end] == its + end - start:
                end += 1
            yield start, its, end - start
        start = end


def _elements(keys: Keys, runs: Iterable[tuple[int, int, int]]) -> _Elements:
    """A file's sentences by their keys, but for its runs: where each starts in the file and in
    gold, and how many are in it."""
    names, lengths, at = array("q"), array("i"), 0
    for start, of_gold, length in (*runs, (len(keys), 0, 0)):
        names.extend(key | 1 for key in keys[at:start])
        lengths.extend([1] * (start - at))
        if length:
            names.append(2 * of_gold)
            lengths.append(length)
        at = start + length
    return _Elements(names, lengths)


class _Weighted(SequenceMatcher[int]):
    """Finds what it would among the sentences that the elements stand for."""

    a: array[int]
    b: array[int]
    b2j: dict[int, list[int]]

    def __init__(self, golds: _Elements, systems: _Elements) -> None:
        super().__init__(None, golds.names, systems.names, autojunk=False)
        self._lengths = golds.lengths

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        ahi = len(self.a) if ahi is None else ahi
        bhi = len(self.b) if bhi is None else bhi
        best, most = Match(alo, blo, 0), 0
        # By system's element with which a match ends: how many elements it has, and sentences.
        before: dict[int, tuple[int, int]] = {}
        for here in range(alo, ahi):
            now: dict[int, tuple[int, int]] = {}
            for there in self.b2j.get(self.a[here], ()):
                if there < blo:
                    continue
                if there >= bhi:
                    break
                count, length = before.get(there - 1, (0, 0))
                count, length = count + 1, length + self._lengths[here]
                now[there] = count, length
                if length > most:
                    best, most = Match(here - count + 1, there - count + 1, count), length
            before = now
        return best
