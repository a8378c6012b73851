"""Several systems' texts beside one gold text, part by part: in each part are the same sentences
of gold, in which all the systems' groups end where it ends."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Groups, joined
from treelens.corpus.cuts import ByteStretch
from treelens.counting.parts import TextPart, TextParts
from treelens.counting.work import text
from treelens.metrics import Tallies
from treelens.session.counts import Progress
from treelens.session.document import Before, Document
from treelens.session.pair import Pair
from treelens.trees.forest import each_once

Sentences = npt.NDArray[np.int64]

_END = 1 << 62
"""Behind all sentences."""


class _Some(NamedTuple):
    """Some groups of one system's part of that number, counted from its first one."""

    part: int
    groups: range


class _Cut(NamedTuple):
    """The sentences of gold ``[first, end)`` that are in a part, and each system's groups."""

    first: int
    end: int
    systems: tuple[tuple[_Some, ...], ...]


class PartsTogether:
    """All of gold's sentences, in order: of each part the pairs with each of the systems.

    The pairs of a part have one document of gold, which holds just the sentences that their groups
    are of. systems: at least one, all of the same gold text, with the same vocabulary.
    """

    def __init__(self, systems: Sequence[TextParts]) -> None:
        self._systems = systems
        self._cuts = [*_cuts(systems)]

    def __len__(self) -> int:
        return len(self._cuts)

    def __getitem__(self, number: int) -> tuple[Pair, ...]:
        cut = self._cuts[number]
        parts = [
            [system.part(some.part) for some in found]
            for system, found in zip(self._systems, cut.systems, strict=True)
        ]
        around = [_around([one for some in parts for one in some], 0)]
        around += [_around(some, 1) for some in parts]
        size = sum(stretch.end - stretch.start for stretch, _ in around)
        symbols = self._systems[0].vocabulary.symbols(size)
        sides = [self._systems[0].texts[0], *(system.texts[1] for system in self._systems)]
        gold, *others = (
            dataclasses.replace(text(side, stretch, symbols), before=before)
            for side, (stretch, before) in zip(sides, around, strict=True)
        )
        shift = gold.before.sentences
        gold = gold.stretch(range(cut.first - shift, min(cut.end - shift, len(gold))))
        return tuple(
            _pair(system, gold, other, [*zip(found, some, strict=True)])
            for system, other, found, some in zip(
                self._systems, others, cut.systems, parts, strict=True
            )
        )

    def __iter__(self) -> Iterator[tuple[Pair, ...]]:
        return map(self.__getitem__, range(len(self)))

    def each(self, progress: Progress) -> Iterator[tuple[Pair, ...]]:
        """All of them; ``progress`` is called with the share that is done before each."""
        for number in range(len(self)):
            progress(number / len(self))
            yield self[number]


def _around(parts: Sequence[TextPart], side: int) -> tuple[ByteStretch, Before]:
    """The stretch of a text that some parts are in, and what is before it."""
    stretches = [part.stretches[side] for part in parts]
    first = min(range(len(parts)), key=lambda at: stretches[at].start)
    end = max(stretch.end for stretch in stretches)
    return ByteStretch(stretches[first].start, end), parts[first].before[side]


def _pair(
    system: TextParts, gold: Document, other: Document, found: Sequence[tuple[_Some, TextPart]]
) -> Pair:
    """What some groups of a system's parts are of two stretches around them."""
    groups = list[Groups]()
    rows = list[Tallies]()
    for some, part in found:
        here = slice(some.groups.start, some.groups.stop)
        shifts = (
            before.sentences - document.before.sentences
            for before, document in zip(part.before, (gold, other), strict=True)
        )
        groups.append(joined([*part.groups]).part(here.start, here.stop).shifted(*shifts))
        rows.append(system.rows_of(part)[here])
    return system.pair(gold, other, joined(groups), np.concatenate(rows))


# --- where parts end -------------------------------------------------------------------------


class _Waiting:
    """The groups of one system that are in no cut yet, as they come."""

    def __init__(self, system: TextParts) -> None:
        self._system = system
        self._read = 0
        self._some: list[tuple[_Some, Sentences]] = []
        self.last = -1

    @property
    def at_end(self) -> bool:
        return self._read == len(self._system)

    def more(self) -> None:
        """Read the next part's."""
        part = self._system.part(self._read)
        starts = np.concatenate([some.gold_start for some in part.groups]).astype(np.int64)
        starts += part.before[0].sentences
        self._some.append((_Some(self._read, range(len(starts))), starts))
        self._read += 1
        self.last = _END if self.at_end else self._system.part(self._read).golds.start

    def ends(self) -> Sentences:
        """Where a cut may end as far as this system is concerned, rising: where a group starts."""
        return each_once(np.concatenate([*(starts for _, starts in self._some), [self.last]]))

    def take(self, end: int) -> tuple[_Some, ...]:
        """The groups before that sentence."""
        taken, left = list[_Some](), list[tuple[_Some, Sentences]]()
        for some, starts in self._some:
            at = int(np.searchsorted(starts, end))
            if at:
                taken.append(some._replace(groups=some.groups[:at]))
            if at < len(starts):
                left.append((some._replace(groups=some.groups[at:]), starts[at:]))
        self._some = left
        return tuple(taken)


def _cuts(systems: Sequence[TextParts]) -> Iterator[_Cut]:
    """As few parts of the systems in each as can be."""
    golds = max(one.part(at).golds.stop for one in systems for at in range(len(one)))
    waiting, first = [_Waiting(system) for system in systems], 0
    while first < golds:
        in_both = functools.partial(np.intersect1d, assume_unique=True)
        common = functools.reduce(in_both, (one.ends() for one in waiting))
        # (What stands behind gold's last sentence is with it.)
        common = common[(common > first) & ((common < golds) | (common == _END))]
        if len(common):
            end = int(common[-1])
            yield _Cut(first, min(end, golds), tuple(one.take(end) for one in waiting))
            first = min(end, golds)
        else:
            min(waiting, key=lambda one: one.last).more()
