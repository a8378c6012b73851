"""What annotators say of any number of sentences, which come some at a time: the sums that their
agreement is made of, which wait until all are there."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.counting.waiting import Waiting
from treelens.session.annotators import (
    BRACKETS,
    FEATURE,
    LEMMAS,
    NO_FEATURE,
    NONE,
    CategoryNames,
    FewNames,
    Judged,
    Numbers,
    judged_in_part,
)
from treelens.session.pair import Pair
from treelens.statistics.reliability import (
    MISSING,
    Judgements,
    ReliabilitySums,
    Shares,
    of_category,
    share,
    sums,
)
from treelens.trees.forest import each_once

_BY_CATEGORY = ("tags", "relations", BRACKETS)
_LARGEST = np.iinfo(np.int64).max
_SHARE = 1 << 17
"""Categories that are counted together where there may be any number of them; a category counts
once for each block that it is in."""


class JudgedSums(NamedTuple):
    """One thing that is judged, or one category of it; units: how many two annotators or more
    have judged, or how many anybody says to be of the category. sums: of some sentences after the
    other, as often as they are asked for."""

    key: str
    title: str
    category: str
    units: int
    sums: Shares


class _Block(NamedTuple):
    """One thing in some sentences: where its sums wait and, where categories are looked at, the
    categories of its ``units`` and their sentences. paired: how many units two annotators or more
    have judged. categories: how many there are; lowest, highest: of them."""

    sums: range
    judged: range
    units: int
    paired: int
    categories: int
    lowest: int
    highest: int


class _Part(NamedTuple):
    """All that is judged in some sentences, by key. left_out: of each annotator."""

    sentences: int
    left_out: tuple[int, ...]
    blocks: dict[str, _Block]


class AnnotatorSums:
    """All that some annotators say. waiting: for what is as long as the sentences are. names: which
    others share, who are to take in what is here."""

    def __init__(self, waiting: Waiting, names: CategoryNames | None = None) -> None:
        self.names = FewNames() if names is None else names
        self._waiting = waiting
        self._parts: list[_Part] = []
        self._titles: dict[str, str] = {}
        self.annotators = 0

    @property
    def sentences(self) -> int:
        """The first annotator's."""
        return sum(part.sentences for part in self._parts)

    @property
    def left_out(self) -> tuple[int, ...]:
        """How many sentences each annotator has that the first lacks: nothing in them is a unit,
        whoever else has them."""
        columns = zip(*(part.left_out for part in self._parts), strict=True)
        return tuple(map(sum, columns))

    def add(self, pairs: Sequence[Pair]) -> None:
        """The next sentences: the first annotator's with each other's."""
        first, self.annotators = pairs[0].gold, len(pairs) + 1
        part = _Part(len(first), (0, *map(_only_there, pairs)), {})
        for one in judged_in_part(first, pairs, self.names):
            self._titles[one.key] = one.title
            part.blocks[one.key] = self._block(one, len(first))
        self._parts.append(part)

    def extend(self, others: AnnotatorSums) -> None:
        """What others have is next."""
        self._parts += others._parts
        self._titles |= others._titles
        self.annotators = others.annotators

    def _block(self, one: Judged, sentences: int) -> _Block:
        there = one.category[one.category != MISSING]
        columns = [one.category, one.sentence] if one.key in _BY_CATEGORY else []
        found = sums(one.category, one.sentence, sentences)
        return _Block(
            self._waiting.add(_packed(found)),
            self._waiting.add(column.tobytes() for column in columns),
            len(one.category),
            int(((one.category != MISSING).sum(axis=1) >= 2).sum()),
            len(found.paired.categories),
            int(there.min(initial=_LARGEST)),
            int(there.max(initial=MISSING)),
        )

    def things(self) -> list[JudgedSums]:
        """What all say something of, and not the same everywhere."""
        found = []
        for key in self._keys():
            blocks = self._blocks(key)
            if min(one.lowest for one in blocks) < max(one.highest for one in blocks):
                units = sum(one.paired for one in blocks)
                shares = self._shares(key)
                found.append(JudgedSums(key, self._titles[key], "", units, shares))
        return found

    def _shares(self, key: str) -> Shares:
        """One, but where there may be any number of categories, which are no numbers from 0."""
        blocks = self._blocks(key)
        given = _Sums(self._waiting, [one.sums for one in blocks])
        if key != LEMMAS:
            return [given]
        count = sum(one.categories for one in blocks) // _SHARE + 1
        bounds = [(number << 63) // count for number in range(1, count)]
        shares = [list[range]() for _ in range(count)]
        for part in given:
            for places, some in zip(shares, _shared(part, bounds), strict=True):
                places.append(self._waiting.add(_packed(some)))
        return [self._numbered(_Sums(self._waiting, places)) for places in shares]

    def _numbered(self, given: _Sums) -> _Sums:
        """The same with categories that are numbers from 0."""
        known = each_once(np.concatenate([part.paired.categories for part in given]))

        def numbered(of: Judgements) -> Judgements:
            return of._replace(categories=np.searchsorted(known, of.categories))

        return _Sums(
            self._waiting,
            [self._waiting.add(_packed(_of_both(part, numbered))) for part in given],
        )

    def categories(self, most: int) -> list[JudgedSums]:
        """The most frequent categories of tags, relations and brackets, so many of each."""
        return [
            self._of_category(thing, category)
            for thing in self.things()
            if thing.key in _BY_CATEGORY
            for category in self._most_frequent(thing.key, most)
        ]

    def _keys(self) -> list[str]:
        """What is judged in all parts, in the order in which it is told."""
        every = dict.fromkeys(key for part in self._parts for key in part.blocks)
        common = [key for key in every if all(key in part.blocks for part in self._parts)]
        features = sorted(key for key in every if key.startswith(FEATURE))
        return [
            *(key for key in common if key not in (NO_FEATURE, BRACKETS, *features)),
            *(features if NO_FEATURE in common else ()),
            *(key for key in common if key == BRACKETS),
        ]

    def _blocks(self, key: str) -> list[_Block]:
        return [part.blocks.get(key) or part.blocks[NO_FEATURE] for part in self._parts]

    def _most_frequent(self, key: str, most: int) -> list[int]:
        """The numbers of categories; of those as frequent as each other the first by name."""
        counts = Counter[int]()
        for category, _ in self._judged(key):
            there = category[(category != MISSING) & (category != NONE)]
            values, times = np.unique(there, return_counts=True)
            counts.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        name = self.names[key].name
        return sorted(counts, key=lambda one: (-counts[one], name(one)))[:most]

    def _of_category(self, thing: JudgedSums, one: int) -> JudgedSums:
        units, places = 0, list[range]()
        for (category, sentence), part in zip(self._judged(thing.key), self._parts, strict=True):
            here = of_category(category, one)
            units += int((here == 1).any(axis=1).sum())
            places.append(self._waiting.add(_packed(sums(here, sentence, part.sentences))))
        name = self.names[thing.key].name(one)
        return JudgedSums(thing.key, thing.title, name, units, [_Sums(self._waiting, places)])

    def _judged(self, key: str) -> Iterator[tuple[Numbers, Numbers]]:
        """Categories and sentences of the units of each part."""
        for block in self._blocks(key):
            data = np.frombuffer(self._waiting.read(block.judged), np.int64)
            category, sentence = np.split(data, [block.units * self.annotators])
            yield category.reshape(block.units, self.annotators), sentence


def _only_there(pair: Pair) -> int:
    """How many sentences of the other annotator’s are in groups without one of the first’s."""
    groups = pair.groups
    sizes = groups.system_end - groups.system_start
    return int(sizes[groups.gold_start == groups.gold_end].sum())


class _Sums:
    """Sums that wait, in order."""

    def __init__(self, waiting: Waiting, places: Sequence[range]) -> None:
        self._waiting, self._places = waiting, places

    def __iter__(self) -> Iterator[ReliabilitySums]:
        return map(_unpacked, map(self._waiting.read, self._places))


def _shared(part: ReliabilitySums, bounds: Sequence[int]) -> Iterator[ReliabilitySums]:
    """Some sentences' sums by shares of the categories, which end before these."""

    def between(of: Judgements, low: int, high: int | None) -> Judgements:
        first = int(np.searchsorted(of.categories, low))
        end = len(of.categories) if high is None else int(np.searchsorted(of.categories, high))
        return share(of, first, end)

    for low, high in itertools.pairwise((0, *bounds, None)):
        yield _of_both(part, functools.partial(between, low=low or 0, high=high))


def _of_both(part: ReliabilitySums, made: Callable[[Judgements], Judgements]) -> ReliabilitySums:
    """With what is made of its judgements."""
    paired = made(part.paired)
    return part._replace(
        paired=paired, whole=paired if part.whole is part.paired else made(part.whole)
    )


def _packed(found: ReliabilitySums) -> Iterator[bytes]:
    """Its columns, after how long each is; judgements that are the same are there once."""
    judgements = [found.paired] if found.whole is found.paired else [found.paired, found.whole]
    columns = [*found[:3], *itertools.chain(*judgements)]
    yield np.array([len(columns), *map(len, columns)], np.int64).tobytes()
    for column in columns:
        yield column.tobytes()


def _unpacked(data: bytes) -> ReliabilitySums:
    numbers = np.frombuffer(data, np.int64)
    ends = np.cumsum(numbers[: int(numbers[0]) + 1]) + 1
    disagreed, complete, agreed, *rest = np.split(numbers, ends)[1:-1]
    paired, *whole = (Judgements(*rest[at : at + 4]) for at in range(0, len(rest), 4))
    return ReliabilitySums(disagreed, complete, agreed, paired, whole[0] if whole else paired)
