"""Which sentences of a stretch whose text differs belong together, and how that is known."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from treelens.align.ahead import Ahead
from treelens.align.ends import OVERLAP, Ends, ends_of, goes_on, runs_on, without_idle
from treelens.align.found import FoundGroup
from treelens.align.groups import GroupedBy
from treelens.align.likeness import (
    CLOSE,
    GUESS,
    LIKELY,
    SURE,
    Words,
    alike,
    heaviest_pairs,
    in_letters,
    shared_words,
)
from treelens.align.subsequence import PAIRS_COUNTED, WordRun, blocks, in_common
from treelens.trees.forest import Ints

BLOCK = 64
"""Sentences looked at for likeness where there is none."""

ONE_BY_ONE, _ONE_BY_ONE_BYTES = 1 << 17, 1 << 19
"""So many pairs of sentences, of so much text, are compared one by one, for some hundredths of a
second."""

_FEW = 3
"""So many sentences of a word each, punctuation aside, are paired by their place if the same text
is behind them; and of so many between counterparts, where it is not, punctuation says something."""

_NEXT = 4
"""So many sentences, and as many as would be left alone, say whether a place is the right one."""

_KEPT = 0.9
"""The share of the words in common that going by the right place leaves in common."""

_MANY, _TIMES = 16, 4
"""So many sentences, and so many times as many as the other side has, have one by chance that is
alike."""

_TRIMMED = 16
"""So many sentences of a side at most are looked over for some that are no part of their group."""

_CHARACTERS_COMPARED = 8000
"""Past so many, stretches that differ are compared by words."""


class Together:
    """Groups of what is ahead, each by what its sentences have in common."""

    def __init__(self, ahead: Ahead, gold: int) -> None:
        """``gold``: which of the sides is gold's."""
        self._ahead = ahead
        self._gold = gold

    def by_text(self, golds: int, systems: int) -> list[FoundGroup]:
        """Groups of the first ``golds`` and ``systems`` sentences, by the text that all share."""
        self._ahead.look(golds, systems)
        return self._filled(self._linked(golds, systems), golds, systems)

    def groups(self, golds: int, systems: int) -> list[FoundGroup]:
        """The same, or one to one if that has more in common."""
        found = self.or_one_to_one(self.by_text(golds, systems), golds, systems)
        return self.whole(self.trimmed(found), golds, systems)

    def whole(self, groups: list[FoundGroup], golds: int, systems: int) -> list[FoundGroup]:
        """Groups of so many sentences: those that text runs on through as one."""
        runs: list[list[FoundGroup]] = []
        last = None
        for one in groups:
            ends = self._ends(one)
            if last and ends and runs_on(last, ends):
                runs[-1].append(one)
            else:
                runs.append([one])
            last = ends
        found = [self._as_one(run) if len(run) > 1 else run[0] for run in runs]
        return self._among(found, golds, systems)

    def _as_one(self, run: list[FoundGroup]) -> FoundGroup:
        """Groups, one behind the other, as one."""
        first, last = run[0], run[-1]
        span = first.gold_start, last.gold_end, first.system_start, last.system_end
        return FoundGroup(*span, self.judged(*span) or GroupedBy.GUESSED)

    def _ends(self, group: FoundGroup) -> Ends | None:
        """The ends of a group that has counterparts; None of others."""
        if group.how == GroupedBy.ALONE:
            return None
        spans = enumerate((range(*group[:2]), range(*group[2:4])))
        return ends_of(*(self._ahead.folded(side, steps) for side, steps in spans))

    def runs_on(self, group: FoundGroup) -> bool:
        """Whether the text of a group that has counterparts goes on in the very next sentences."""
        ends = self._ends(group)
        behind = (
            range(end, min(end + 1, left))
            for end, left in zip(group[1:4:2], self._ahead.remaining, strict=True)
        )
        words = (self._ahead.folded(side, steps) for side, steps in enumerate(behind))
        return ends is not None and goes_on(ends, *words)

    def _among(self, groups: list[FoundGroup], golds: int, systems: int) -> list[FoundGroup]:
        """Groups of so many sentences: where one side has few and the other many to choose from,
        some are alike by chance, and that those are counterparts is a guess."""
        few, many = sorted((golds, systems))
        if many < max(_MANY, _TIMES * few):
            return groups
        return [
            FoundGroup(*one[:4], self.judged(*one[:4], CLOSE) or one.how)
            if one.how == GroupedBy.ALIKE
            else one
            for one in groups
        ]

    def or_one_to_one(self, groups: list[FoundGroup], golds: int, systems: int) -> list[FoundGroup]:
        """Groups, or others by what each sentence has in common with any one of the other side."""
        size = sum(int(side[:, 0].sum()) for side in self._ahead.numbers(golds, systems))
        if not 1 < golds * systems <= ONE_BY_ONE or size > _ONE_BY_ONE_BYTES:
            return groups
        sides = self._ahead.not_moved(golds, systems)
        longest, its = (max(map(len, side)) for side in sides)
        if longest * its > PAIRS_COUNTED:
            return groups
        pairs = [
            FoundGroup(gold, gold + 1, system, system + 1, how)
            for gold, system in heaviest_pairs(shared_words(*sides))
            if (how := self.judged(gold, gold + 1, system, system + 1)) is not None
        ]
        return max(groups, self._filled(pairs, golds, systems), key=self._in_common)

    def trimmed(self, groups: list[FoundGroup]) -> list[FoundGroup]:
        """Groups, those of several sentences without the first and last ones of a side which the
        other has as much in common without: short ones that it lacks.

        Only where they are decided: of groups by chance what is left is more alike.
        """
        found: list[FoundGroup] = []
        for one in groups:
            rest = self._without_idle_ends(one)
            how = self.judged(*rest) if rest != one[:4] else None
            if how is None:
                found.append(one)
                continue
            before = range(one.gold_start, rest[0]), range(one.system_start, rest[2])
            behind = range(rest[1], one.gold_end), range(rest[3], one.system_end)
            found += self._between(*before, inside=False)
            found.append(FoundGroup(*rest, how))
            found += self._between(*behind, inside=False)
        return found

    def _without_idle_ends(self, group: FoundGroup) -> tuple[int, int, int, int]:
        spans = range(*group[:2]), range(*group[2:4])
        if group.how == GroupedBy.CUT or not 1 < max(map(len, spans)) <= _TRIMMED:
            return group[:4]
        sides = [self._ahead.all_words(side, steps) for side, steps in enumerate(spans)]
        if max(sum(map(len, words)) for words in sides) > _CHARACTERS_COMPARED:
            return group[:4]
        # (Of either side what all of the other has: whichever of the files is gold.)
        rests = [
            steps[without_idle([self._ahead.words(side, step) for step in steps], sides[1 - side])]
            for side, steps in enumerate(spans)
        ]
        return rests[0].start, rests[0].stop, rests[1].start, rests[1].stop

    def judged(
        self,
        gold_start: int,
        gold_end: int,
        system_start: int,
        system_end: int,
        sure: tuple[float, float] = SURE,
    ) -> GroupedBy | None:
        """How sentences that share some text belong together; None if that is a coincidence.
        ``sure``: the shares that make it certain."""
        sides = [
            self._ahead.all_words(side, range(*steps))
            for side, steps in enumerate(((gold_start, gold_end), (system_start, system_end)))
        ]
        if b"".join(sides[0]) == b"".join(sides[1]):
            single = gold_end - gold_start == system_end - system_start == 1
            return GroupedBy.SAME if single else GroupedBy.CUT
        if alike(sides[0], sides[1], sure):
            return GroupedBy.ALIKE
        return GroupedBy.GUESSED if alike(sides[0], sides[1], LIKELY) else None

    def lone(self, golds: range, systems: range) -> Iterator[FoundGroup]:
        """Groups of some sentences that have no counterparts, gold's first."""
        base = golds.start, systems.start
        for one, end, other, its_end, _ in self.alone(len(golds), len(systems)).tolist():
            ends = base[0] + end, base[1] + its_end
            yield FoundGroup(base[0] + one, ends[0], base[1] + other, ends[1], GroupedBy.ALONE)

    def alone(self, *sizes: int) -> Ints:
        """The same of the first ones, as rows."""
        step, first = np.arange(sum(sizes)), sizes[self._gold]
        sides = [
            (np.minimum(step, first), np.minimum(step + 1, first)),
            (np.maximum(step - first, 0), np.maximum(step + 1 - first, 0)),
        ]
        one, other = sides[:: -1 if self._gold else 1]
        how = np.full(len(step), GroupedBy.ALONE)
        return np.stack([*one, *other, how], axis=1).astype(np.int32)

    def by_chance(self, start: tuple[int, int], at: tuple[int, int]) -> bool:
        """Whether text in common is lost if the same sentence, found ``at``, is a counterpart.

        A name below every letter is the same sentence, but those before it are letters, too.
        """
        longest = max(at[0] - start[0], at[1] - start[1])
        if at[0] - start[0] == at[1] - start[1] or longest > BLOCK:
            return False
        before: list[list[bytes]] = []
        behind: list[list[bytes]] = []
        for side, (first, step) in enumerate(zip(start, at, strict=True)):
            end = min(step + longest + _NEXT, self._ahead.remaining[side])
            self._ahead.look(end + 1)
            before.append(self._ahead.all_words(side, range(first, step)))
            behind.append(self._ahead.all_words(side, range(step, end)))
        whole = in_common(*(one + other for one, other in zip(before, behind, strict=True)))
        return in_common(*before) + in_common(*behind) < _KEPT * whole

    def share_words(self, gold: int, system: int) -> bool:
        """Whether two sentences have a word in common that is no punctuation."""
        one, other = self._telling(gold, system)
        return not set(one).isdisjoint(other)

    def _telling(self, gold: int, system: int) -> tuple[Words, Words]:
        """The words of two sentences that are no punctuation (:func:`telling`)."""
        left = self._ahead.telling(0, gold), self._ahead.telling(1, system)
        return left if all(left) else (self._ahead.words(0, gold), self._ahead.words(1, system))

    def _in_common(self, found: Sequence[FoundGroup]) -> int:
        """How many words counterparts have in common, whatever their case."""
        return sum(
            in_common(
                self._ahead.folded(0, range(*one[:2])), self._ahead.folded(1, range(*one[2:4]))
            )
            for one in found
            if one.how != GroupedBy.ALONE
        )

    def _filled(self, linked: Iterable[FoundGroup], golds: int, systems: int) -> list[FoundGroup]:
        """Groups, and those of the sentences between them."""
        groups: list[FoundGroup] = []
        i = j = 0
        for gold_start, gold_end, system_start, system_end, how in itertools.chain(
            linked, [FoundGroup(golds, golds, systems, systems, GroupedBy.ALONE)]
        ):
            if i < gold_start or j < system_start:
                inside = min(i, j) > 0 and gold_end > gold_start
                groups += self._between(range(i, gold_start), range(j, system_start), inside=inside)
            if gold_end > gold_start:
                groups.append(FoundGroup(gold_start, gold_end, system_start, system_end, how))
            i, j = gold_end, system_end
        return groups

    def _between(self, golds: range, systems: range, *, inside: bool) -> Iterator[FoundGroup]:
        """Groups of sentences that are linked to none; ``inside``: there are such on both sides.

        Those that are alike, or without words (a parser that found nothing), pair up in order.
        """
        i, j = golds.start, systems.start
        shares = GUESS if len(golds) == len(systems) else LIKELY
        goes_on = shares == GUESS and self._ahead.same_behind(golds.stop, systems.stop)
        few = shares == GUESS and len(golds) <= _FEW
        while i < golds.stop and j < systems.stop:
            how = self._in_place(i, j, shares, goes_on, punctuation=few and inside and not goes_on)
            if how is None and few and goes_on and self._are_words(i, j):
                how = GroupedBy.SINGLE
            more = (golds.stop - i) - (systems.stop - j)
            ends = i + (more >= 0), j + (more <= 0)
            if how is not None:
                ends = i + 1, j + 1
                yield FoundGroup(i, i + 1, j, j + 1, how)
            else:
                yield from self.lone(range(i, ends[0]), range(j, ends[1]))
            i, j = ends
        yield from self.lone(range(i, golds.stop), range(j, systems.stop))

    def _are_words(self, gold: int, system: int) -> bool:
        """Whether two sentences have a word each, punctuation aside, and neither is elsewhere."""
        if self._ahead.moved(0, gold) or self._ahead.moved(1, system):
            return False
        return all(len(words) == 1 for words in self._telling(gold, system))

    def _in_place(
        self,
        gold: int,
        system: int,
        shares: tuple[float, float],
        goes_on: bool,
        *,
        punctuation: bool,
    ) -> GroupedBy | None:
        """How two sentences in one place belong together; None if they do not. ``goes_on``: whether
        the same text follows on both sides, so that hardly any words are other ones here;
        ``punctuation``: whether that says something."""
        if self._ahead.moved(0, gold) or self._ahead.moved(1, system):
            return None
        words = self._ahead.words(0, gold), self._ahead.words(1, system)
        if not words[0] or not words[1]:
            return GroupedBy.PLACE
        telling = words if punctuation else self._telling(gold, system)
        if not alike(*telling, shares, punctuation=True):
            return None
        by_chance = goes_on and not alike(*words, LIKELY) and not in_letters(*words)
        return None if by_chance else GroupedBy.GUESSED

    def _linked(self, golds: int, systems: int) -> Iterator[FoundGroup]:
        """Sentences that share text, directly or through others."""
        for one in self._components(golds, systems):
            how = self.judged(*one)
            if how is not None:
                yield FoundGroup(*one, how)

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
        """Pairs of sentences that may be counterparts, in order: the equal ones, and between
        them those that share enough text."""
        texts = [
            [self._ahead.sentence(side, step) for step in range(count)]
            for side, count in ((0, golds), (1, systems))
        ]
        links: list[tuple[int, int]] = []
        start = 0, 0
        for block in (*blocks(*texts), WordRun(range(golds, golds), range(systems, systems), True)):
            at = block.gold.start, block.system.start
            if block.equal and (at == (golds, systems) or not self.by_chance(start, at)):
                if start[0] < at[0] and start[1] < at[1]:
                    links += self._links_by_parts(*map(range, start, at))
                links += zip(block.gold, block.system, strict=True)
                start = block.gold.stop, block.system.stop
        return links

    def _links_by_parts(self, golds: range, systems: range) -> list[tuple[int, int]]:
        """Pairs of sentences that share enough characters (of long texts: words)."""
        texts = [
            [
                ""
                if self._ahead.moved(side, step)
                else self._ahead.text(side, step).decode("utf-8", "replace").lower()
                for step in steps
            ]
            for side, steps in ((0, golds), (1, systems))
        ]
        small = max(sum(map(len, side)) for side in texts) <= _CHARACTERS_COMPARED
        parts: list[Sequence[Sequence[str | bytes]]] = [
            [
                text if small or not text else self._ahead.words(side, step)
                for step, text in zip(steps, texts[side], strict=True)
            ]
            for side, steps in ((0, golds), (1, systems))
        ]
        units = [
            "".join(texts[side]) if small else [unit for part in parts[side] for unit in part]
            for side in (0, 1)
        ]
        owners = [np.repeat(np.arange(len(side)), [*map(len, side)]) for side in parts]
        gold_sizes, system_sizes = (
            np.array([sum(map(len, part)) for part in side]) for side in parts
        )
        equal = [block for block in blocks(*units) if block.equal]
        ours, theirs = (
            np.array([at for run in runs for at in run], np.int64)
            for runs in ([block.gold for block in equal], [block.system for block in equal])
        )
        pairs, which = np.unique(
            owners[0][ours] * len(systems) + owners[1][theirs], return_inverse=True
        )
        lengths = np.array([*map(len, units[0])], np.int64)[ours]
        shared = np.bincount(which, lengths, len(pairs))
        gold, system = np.divmod(pairs, len(systems))
        enough = shared >= OVERLAP * np.minimum(gold_sizes[gold], system_sizes[system])
        return [
            *zip(
                (golds.start + gold[enough]).tolist(),
                (systems.start + system[enough]).tolist(),
                strict=True,
            )
        ]
