"""Sentences of gold and system in groups that hold the same text.

A walk from left to right. Where it stands, a pair of sentence numbers, is all it remembers,
and it looks ahead only as far as it must to find text that both sides have again. So the walk
after an edit can be joined to the walk from before as soon as it stands where that one stood:
what an edit costs does not depend on the length of the files, and the result is, exactly,
that of a walk from the start. Knows nothing of trees or scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.align.words import blocks
from treelens.rules.spelling import powers
from treelens.trees.forest import Ints, Keys

WINDOW = 256
"""How many sentences ahead the walk looks for text that both sides have."""

_BLOCK = 64
"""Sentences taken together where it found none."""

_IN_STEP = 64
"""Sentences of each side that are looked at for a place where the same text ends on both."""

_DISTINCTIVE = 16
"""Bytes from which one sentence in common is no coincidence."""

_LINKED_SHARE = 0.3
"""Share of the shorter sentence's text that makes two sentences counterparts."""

_CHARACTERS_COMPARED = 4000
"""Past so many, stretches that differ are compared by words."""

_LONGEST_RUN = 4096


class Yields(Protocol):
    """The texts of one side's sentences."""

    @property
    def numbers(self) -> Keys:
        """Length and number of each one (:func:`~treelens.align.yields.text_numbers`)."""

    def words(self, sentence: int) -> Sequence[bytes]:
        """The words of one of them, as they are compared."""


class Change(NamedTuple):
    """Sentences ``[first, old_end)`` of one side became ``[first, new_end)``."""

    first: int
    old_end: int
    new_end: int


UNCHANGED = Change(int(np.iinfo(np.int32).max), 0, 0)
"""The change of a side that has none: no decision ever looked so far."""


class Groups(NamedTuple):
    """Groups of sentences in order, ``(g,)`` each. Ranges are half open; either may be empty.

    ``gold_reach`` and ``system_reach``: the first sentence that the walk had not looked at
    when it decided on this group (the end of a file counts as one more sentence).
    ``stood``: whether the walk stood at the start of this group.
    """

    gold_start: Ints
    gold_end: Ints
    system_start: Ints
    system_end: Ints
    gold_reach: Ints
    system_reach: Ints
    stood: npt.NDArray[np.bool_]

    def part(self, first: int, end: int | None = None) -> Groups:
        """Groups ``[first, end)``."""
        return Groups._make(column[first:end] for column in self)


class Splice(NamedTuple):
    """Old groups ``[first, old_end)`` became new groups ``[first, new_end)``."""

    first: int
    old_end: int
    new_end: int


def align_sentences(gold: Yields, system: Yields) -> Groups:
    """All sentences of both sides in groups."""
    return _joined([_EMPTY, *_walk(gold, system, 0, 0)])


def realign(
    gold: Yields, system: Yields, old: Groups, gold_change: Change, system_change: Change
) -> tuple[Groups, Splice]:
    """The groups after edits: what :func:`align_sentences` says, for the cost of the edit."""
    touched = (old.gold_reach > gold_change.first) | (old.system_reach > system_change.first)
    kept = int(np.argmax(touched)) if touched.any() else len(touched)
    # A decision that looked at the edit was taken where the walk stood last.
    while 0 < kept < len(touched) and not old.stood[kept]:
        kept -= 1
    i = int(old.gold_end[kept - 1]) if kept else 0
    j = int(old.system_end[kept - 1]) if kept else 0
    gold_shift = gold_change.new_end - gold_change.old_end
    system_shift = system_change.new_end - system_change.old_end
    parts: list[Groups] = [_EMPTY]
    rest = len(touched)
    for part in _walk(gold, system, i, j):
        parts.append(part)
        i, j = int(part.gold_end[-1]), int(part.system_end[-1])
        if i >= gold_change.new_end and j >= system_change.new_end:
            at = _where_stood(old, i - gold_shift, j - system_shift)
            if at is not None:
                rest = at
                break
    new = _joined(parts)
    groups = _joined(
        [
            old.part(0, kept),
            new,
            _shifted(old.part(rest), gold_shift, system_shift),
        ]
    )
    return groups, Splice(kept, rest, kept + len(new.stood))


def _where_stood(groups: Groups, i: int, j: int) -> int | None:
    """The group at whose start a walk stood at sentences ``i`` and ``j``."""
    low, high = (int(np.searchsorted(groups.gold_start, i, side)) for side in ("left", "right"))
    at = low + int(np.searchsorted(groups.system_start[low:high], j))
    found = at < high and groups.stood[at] and groups.system_start[at] == j
    return at if found else None


def _joined(parts: list[Groups]) -> Groups:
    return Groups._make(map(np.concatenate, zip(*parts, strict=True)))


def _shifted(groups: Groups, gold: int, system: int) -> Groups:
    if not gold and not system:
        return groups
    return Groups(
        groups.gold_start + gold,
        groups.gold_end + gold,
        groups.system_start + system,
        groups.system_end + system,
        groups.gold_reach + gold,
        groups.system_reach + system,
        groups.stood,
    )


def _walk(gold: Yields, system: Yields, i: int, j: int) -> Iterator[Groups]:
    """Groups from sentences ``i`` and ``j`` on, as they are decided on."""
    longest = 1
    golds, systems = len(gold.numbers), len(system.numbers)
    while i < golds or j < systems:
        if i == golds or j == systems:
            part = _lone(i, j, golds, systems, longest)
        else:
            run = _equal_run(gold.numbers[i : i + longest, 1], system.numbers[j : j + longest, 1])
            part = _run(i, j, run) if run else _stretch(gold, system, i, j)
        # Short at first: after an edit the walk soon stands where the last one stood.
        longest = min(2 * longest, _LONGEST_RUN)
        yield part
        i, j = int(part.gold_end[-1]), int(part.system_end[-1])


def _lone(i: int, j: int, golds: int, systems: int, most: int) -> Groups:
    """Some of the sentences behind the end of the other side, which have no counterpart."""
    run = _run(i, j, min(most, max(golds - i, systems - j)))
    return run._replace(
        gold_start=np.minimum(run.gold_start, golds),
        gold_end=np.minimum(run.gold_end, golds),
        system_start=np.minimum(run.system_start, systems),
        system_end=np.minimum(run.system_end, systems),
    )


def _equal_run(gold: Keys, system: Keys) -> int:
    length = min(len(gold), len(system))
    different = np.flatnonzero(gold[:length] != system[:length])
    return int(different[0]) if len(different) else length


def _run(i: int, j: int, length: int) -> Groups:
    """Sentences that pair up 1:1 without a look at any other."""
    gold = np.arange(i, i + length, dtype=np.int32)
    system = np.arange(j, j + length, dtype=np.int32)
    stood = np.ones(length, np.bool_)
    return Groups(gold, gold + 1, system, system + 1, gold + 1, system + 1, stood)


def _stretch(gold: Yields, system: Yields, i: int, j: int) -> Groups:
    """The groups of a stretch that differs, up to where both sides agree again."""
    ahead = _LookAhead(gold, system, i, j)
    same = ahead.same_text()
    found = [(0, same[0], 0, same[1])] if same else ahead.groups(*ahead.agreement())
    groups = np.array(found, np.int32).reshape(-1, 4)
    columns = (groups + np.array([i, i, j, j], np.int32)).T
    reach = np.full((2, len(groups)), ahead.looked, np.int32) + np.array([[i], [j]], np.int32)
    stood = np.zeros(len(groups), np.bool_)
    stood[0] = True
    return Groups._make([*columns, *reach, stood])


_EMPTY = _run(0, 0, 0)


_Sentence = tuple[int, int]


class _LookAhead:
    """The sentences from ``i`` and ``j`` on; texts are read when numbers do not tell enough."""

    def __init__(self, gold: Yields, system: Yields, i: int, j: int) -> None:
        self._sides = (gold, system)
        self._starts = (i, j)
        self.remaining = (len(gold.numbers) - i, len(system.numbers) - j)
        self._texts: tuple[dict[int, bytes], dict[int, bytes]] = ({}, {})
        self.looked = 0
        """How many sentences of either side were looked at; the end counts as one more."""

    def words(self, side: int, step: int) -> Sequence[bytes]:
        return self._sides[side].words(self._starts[side] + step)

    def text(self, side: int, step: int) -> bytes:
        """The text of a sentence, without spaces."""
        texts = self._texts[side]
        if step not in texts:
            texts[step] = b"".join(self.words(side, step))
        return texts[step]

    def sentence(self, side: int, step: int) -> _Sentence | None:
        """Length and number of a sentence; None past the end."""
        if step >= self.remaining[side]:
            return None
        length, number = self._sides[side].numbers[self._starts[side] + step].tolist()
        return length, number

    def same_text(self) -> tuple[int, int] | None:
        """The fewest sentences from here that are the same text on both sides, cut otherwise.

        None if the text differs before both end at the same place, or that is far away.
        """
        sides = [
            yields.numbers[start : start + _IN_STEP]
            for yields, start in zip(self._sides, self._starts, strict=True)
        ]
        if not sides[0][0, 0] or not sides[1][0, 0]:
            self.looked = 1
            return None
        ends = [np.cumsum(side[:, 0]) for side in sides]
        place = np.minimum(np.searchsorted(ends[1], ends[0]), len(ends[1]) - 1)
        common = np.flatnonzero(ends[1][place] == ends[0])
        if len(common):
            counts = int(common[0]) + 1, int(place[common[0]]) + 1
            one, other = (
                (side[:count, 1] * powers((end[:count] - side[:count, 0]).astype(np.int64))).sum()
                for side, count, end in zip(sides, counts, ends, strict=True)
            )
            if one == other:
                self.looked = max(counts)
                return counts
        # Numbers do not say how far the texts agree, and so how much this depends on.
        gold, system = self.text(0, 0), self.text(1, 0)
        in_step = gold.startswith(system) or system.startswith(gold)
        self.looked = _IN_STEP + 1 if in_step else 1
        return None

    def agreement(self) -> tuple[int, int]:
        """How many sentences to take on each side.

        The fewest in sum after which the same sentence follows on both sides (or both end).
        """
        best = self.remaining
        seen: tuple[defaultdict[_Sentence, list[int]], ...] = (defaultdict(list), defaultdict(list))
        step = 0
        while step < min(sum(best), WINDOW):
            for side in (0, 1):
                sentence = self.sentence(side, step)
                if not sentence or not sentence[0]:
                    continue
                seen[side][sentence].append(step)
                for other in seen[1 - side][sentence]:
                    pair = (step, other) if side == 0 else (other, step)
                    if sum(pair) < sum(best) and self._confirmed(sentence, *pair):
                        best = pair
            step += 1
        if step >= WINDOW and max(best) > WINDOW:
            best = (min(_BLOCK, self.remaining[0]), min(_BLOCK, self.remaining[1]))
        self.looked = max(self.looked, step + 2)
        return best

    def _confirmed(self, sentence: _Sentence, gold: int, system: int) -> bool:
        """Whether a sentence in common is more than a coincidence: long, or not alone."""
        if sentence[0] >= _DISTINCTIVE:
            return True
        return self.sentence(0, gold + 1) == self.sentence(1, system + 1)

    def groups(self, golds: int, systems: int) -> list[tuple[int, int, int, int]]:
        """Groups of the first ``golds`` and ``systems`` sentences, by the text they share."""
        if golds == systems == 1:
            return [(0, 1, 0, 1)]
        groups: list[tuple[int, int, int, int]] = []
        i = j = 0
        for linked in [*self._components(golds, systems), (golds, golds, systems, systems)]:
            gold_start, gold_end, system_start, system_end = linked
            # What shares no text pairs up in order: a parser that found nothing, say.
            while i < gold_start and j < system_start:
                groups.append((i, i + 1, j, j + 1))
                i, j = i + 1, j + 1
            groups += [(k, k + 1, j, j) for k in range(i, gold_start)]
            groups += [(gold_start, gold_start, k, k + 1) for k in range(j, system_start)]
            if gold_end > gold_start:
                groups.append(linked)
            i, j = gold_end, system_end
        return groups

    def _components(self, golds: int, systems: int) -> list[tuple[int, int, int, int]]:
        """Sentences that share text, directly or through others, as ranges on both sides."""
        components: list[tuple[int, int, int, int]] = []
        for gold, system in self._links(golds, systems):
            if components and (gold < components[-1][1] or system < components[-1][3]):
                gold_start, gold_end, system_start, system_end = components.pop()
                gold_end, system_end = max(gold_end, gold + 1), max(system_end, system + 1)
                components.append((gold_start, gold_end, system_start, system_end))
            else:
                components.append((gold, gold + 1, system, system + 1))
        return components

    def _links(self, golds: int, systems: int) -> list[tuple[int, int]]:
        """Pairs of sentences that are counterparts, in order: the equal ones, and between them
        those that share enough text."""
        texts = [
            [self.text(side, step) for step in range(count)]
            for side, count in ((0, golds), (1, systems))
        ]
        links: list[tuple[int, int]] = []
        for block in blocks(*texts):
            if block.equal:
                links += zip(block.gold, block.system, strict=True)
            elif block.gold and block.system:
                links += self._links_by_parts(block.gold, block.system)
        return links

    def _links_by_parts(self, golds: range, systems: range) -> list[tuple[int, int]]:
        """Pairs of sentences that share enough characters (of long texts: words)."""
        texts = [
            {step: self.text(side, step).decode("utf-8", "replace") for step in steps}
            for side, steps in ((0, golds), (1, systems))
        ]
        small = max(sum(map(len, side.values())) for side in texts) <= _CHARACTERS_COMPARED
        units: list[list[str | bytes]] = []
        owners: list[list[int]] = []
        sizes: list[dict[int, int]] = []
        for side, steps in ((0, golds), (1, systems)):
            parts = {step: texts[side][step] if small else self.words(side, step) for step in steps}
            units.append([unit for part in parts.values() for unit in part])
            owners.append([step for step, part in parts.items() for _ in part])
            sizes.append({step: sum(map(len, part)) for step, part in parts.items()})
        shared: defaultdict[tuple[int, int], int] = defaultdict(int)
        for block in blocks(*units):
            if block.equal:
                for at, other in zip(block.gold, block.system, strict=True):
                    shared[owners[0][at], owners[1][other]] += len(units[0][at])
        return sorted(
            pair
            for pair, size in shared.items()
            if size >= _LINKED_SHARE * min(sizes[0][pair[0]], sizes[1][pair[1]])
        )
