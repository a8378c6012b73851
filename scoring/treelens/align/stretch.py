"""The groups of a stretch whose text differs, and where both sides agree again behind it.

Looks ahead as far as it must, and says how far: what was not looked at may change without another
decision here.

Longer than other modules are: the walk, how it looks ahead and what it remembers of that are one
argument.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import GroupedBy, Yields
from treelens.align.likeness import (
    GUESS,
    LIKELY,
    SURE,
    alike,
    heaviest_pairs,
    in_letters,
    mean_likeness,
    shared_words,
)
from treelens.align.order import in_order
from treelens.align.pins import DISTINCTIVE, MOVED, pinned
from treelens.align.rows import in_rows
from treelens.align.subsequence import PAIRS_COMPARED, PAIRS_COUNTED, WordRun, blocks, in_common
from treelens.rules.spelling import powers
from treelens.trees.forest import Ints, Keys

WINDOW = 256
"""How many sentences ahead the nearest text that both sides have is looked for."""

_NEAR = 32
"""Sentences in sum up to where that is taken for what it is; past it may be a gap."""

_BLOCK = 64
"""Sentences looked at for likeness where there is none."""

_FARTHEST = 1 << 13
"""How many sentences ahead words that both sides have once are looked for."""

_FAR = 1 << 11
"""How many sentences ahead, where words are few, some in a row that both sides have once are."""

_CLOSE = 16
"""Sentences that are alike and so near to one another are not so by chance."""

_IN_STEP = 64
"""Sentences of each side that are looked at for a place where the same text ends on both."""

_ONE_BY_ONE, _ONE_BY_ONE_BYTES = 1 << 17, 1 << 19
"""So many pairs of sentences, of so much text, are compared one by one, for some hundredths of a
second."""

_MANY_MORE = 4
"""So many times as many sentences of one side, and most of them have no counterpart."""

_FEW = 4
"""So few pairs say nothing of how much alike any two sentences here are."""

_ALONE = 3
"""So many sentences of a word each are paired by their place if the same text is behind them."""

_MARGIN = 0.1
"""By how much more of their characters counterparts must have in common than others."""

_NEXT = 4
"""So many sentences, and as many as would be left alone, say whether a place is the right one."""

_LONGEST_ROW = 6
"""Words in a row at most that are looked for where each of them is there many times."""

_FEW_WORDS = (8, 4), (128, 12)
"""Sentences of each side, and how often each of their words is there on average if the words are
few: then sentences are alike by chance, also the same ones."""

_MANY_WORDS = 1 << 15
"""Words of both sides in which it is not looked for what all have in common: that takes the square
of their number."""

_MORE_THAN_CHANCE = 1.1
"""How much more sentences of few words have in common if they are counterparts."""

_KEPT = 0.9
"""The share of the words in common that going by the right place leaves in common."""

_LINKED_SHARE = 0.3
"""Share of the shorter sentence's text that makes two sentences overlap."""

_CHARACTERS_COMPARED = 4000
"""Past so many, stretches that differ are compared by words."""


class FoundGroup(NamedTuple):
    """A group, its sentences counted from the start of the stretch.

    Gold is, in all of a stretch, the side that comes first (:func:`Stretch.decide` goes by it
    where nothing else tells), whichever of the files that is.
    """

    gold_start: int
    gold_end: int
    system_start: int
    system_end: int
    how: GroupedBy


_Sentence = tuple[int, int]
_Words = Sequence[bytes]


class Stretch:
    """The sentences from ``start`` on, up to a pin; texts are read when numbers do not tell
    enough."""

    def __init__(
        self,
        sides: tuple[Yields, Yields],
        states: tuple[Ints, Ints],
        start: tuple[int, int],
        end: tuple[int, int],
        gold: int = 0,
    ) -> None:
        """``states``: what :class:`Pins` says of each side's sentences; ``gold``: which of the
        sides is gold's."""
        self._sides = sides
        self._states = states
        self._gold = gold
        self._starts = start
        self._ends = end
        self.remaining = (end[0] - start[0], end[1] - start[1])
        """How many sentences there are on each side before the pin, or the end."""
        self._looked = 0
        """How many of them were looked at on either side; the end counts as one more."""
        self._followed = 0
        """The same, of sentences that are not before the pin only."""
        self._may_be_in_step = False
        """Whether the first texts have to be read to know how many that were."""

    def reach(self, side: int) -> int:
        """The first sentence of a side that was not looked at."""
        if self._may_be_in_step:
            gold, system = self.text(0, 0), self.text(1, 0)
            if gold.startswith(system) or system.startswith(gold):
                self._followed = max(self._followed, _IN_STEP + 1)
            self._may_be_in_step = False
        left = len(self._sides[side].numbers) - self._starts[side]
        looked = min(self._looked, self.remaining[side] + 1)
        return self._starts[side] + max(looked, min(self._followed, left + 1))

    def words(self, side: int, step: int) -> _Words:
        return self._sides[side].words(self._starts[side] + step)

    def text(self, side: int, step: int) -> bytes:
        """The text of a sentence, without spaces."""
        return b"".join(self.words(side, step))

    def moved(self, side: int, step: int) -> bool:
        """Whether a sentence has its counterpart elsewhere."""
        return bool(self._states[side][self._starts[side] + step] == MOVED)

    def _sentence(self, side: int, step: int) -> _Sentence | None:
        """Length and number of a sentence; None past the end."""
        if step >= self.remaining[side]:
            return None
        at = self._starts[side] + step
        ((length, number),) = self._sides[side].numbers[at : at + 1].tolist()
        return length, number

    def _numbers(self, *sizes: int) -> list[Keys]:
        """Lengths and numbers of so many sentences of both sides."""
        return [
            yields.numbers[start : start + size]
            for yields, start, size in zip(self._sides, self._starts, sizes, strict=True)
        ]

    def decide(self) -> Ints:
        """The next groups, at least one: rows of :class:`FoundGroup`."""
        if min(self.remaining) == 0:
            self._looked = max(self.remaining) + 1
            return self._alone(*self.remaining)
        if self._of_few_words():
            before = self._once(in_a_row=True, farthest=_FAR)
            if before != self.remaining:
                return self._before(before)
            if here := self._by_most_words():
                return np.array(here)
        near = self._agreement()
        if near and self._by_chance((0, 0), near):
            near = None
        if near and sum(near) <= _NEAR and not self._passes_by_many(*near):
            return np.array(self._groups(*near))
        end = self._same_at_end()
        return self._across(near) if end is None else self._before(end)

    def _passes_by_many(self, golds: int, systems: int) -> bool:
        """Whether many of one side would be passed by where the other has few in all."""
        return abs(golds - systems) > _FEW and self._is_of_few()

    def _is_of_few(self) -> bool:
        """Whether one side has few sentences here and the other many: what those few are is then
        seen sooner than what comes next."""
        few, many = sorted(self.remaining)
        most = _IN_STEP if few > _IN_STEP else _MANY_MORE * _IN_STEP
        self._looked = max(self._looked, min(most, many) + 1)
        return few <= _IN_STEP and many > max(_BLOCK, _MANY_MORE * few)

    def _before(self, end: tuple[int, int]) -> Ints:
        """The next groups where so many sentences are before what is the same on both sides; all of
        them have been looked at."""
        ends = self._starts[0] + end[0], self._starts[1] + end[1]
        before = Stretch(self._sides, self._states, self._starts, ends, self._gold)
        found = before.decide()
        self._followed = max(self._followed, before._followed)
        return found

    def same_text(self) -> tuple[int, int] | None:
        """The fewest sentences from here that are the same text on both sides, cut otherwise.

        None if the text differs before both end at the same place, or that is far away.
        """
        # Also past a pin: a text that is the same from here on is no coincidence, however cut.
        sides = self._numbers(_IN_STEP, _IN_STEP)
        self._followed = 1
        if not all(len(side) and side[0, 0] for side in sides):
            return None
        ends = [np.cumsum(side[:, 0]) for side in sides]
        place = np.minimum(np.searchsorted(ends[1], ends[0]), len(ends[1]) - 1)
        common = np.flatnonzero(ends[1][place] == ends[0])
        if len(common):
            counts = int(common[0]) + 1, int(place[common[0]]) + 1
            one, other = (
                _text_number(side[:count]) for side, count in zip(sides, counts, strict=True)
            )
            if one == other:
                self._followed = max(counts)
                return counts
        # Numbers do not say how far the texts agree, and so how much this depends on.
        self._may_be_in_step = True
        return None

    def _same_at_end(self) -> tuple[int, int] | None:
        """Where the same text, cut otherwise, starts that goes on up to the pin, if it is a gap
        that is before it: as much as possible of what one side has few sentences of."""
        if min(self.remaining) > _IN_STEP:
            return None
        self._looked = max(self.remaining) + 1
        ends = [
            yields.numbers[max(end - _IN_STEP, start) : end]
            for yields, start, end in zip(self._sides, self._starts, self._ends, strict=True)
        ]
        lengths = [np.cumsum(side[::-1, 0]) for side in ends]
        place = np.searchsorted(lengths[1], lengths[0], side="right").tolist()
        for count in range(len(place), 0, -1):
            other = place[count - 1]
            if not other or lengths[1][other - 1] != lengths[0][count - 1]:
                continue
            one, two = (
                _text_number(side[-size:]) for side, size in zip(ends, (count, other), strict=True)
            )
            if one == two and (count, other) != self.remaining:
                return self.remaining[0] - count, self.remaining[1] - other
        return None

    # --- where words are few ----------------------------------------------------------------------

    def _of_few_words(self) -> bool:
        """Whether the sentences here are of few different words."""
        for most, often in _FEW_WORDS:
            if min(self.remaining) < _FEW:
                return False
            sides = [self._all_words(side, steps) for side, steps in enumerate(self._next(most))]
            count = sum(map(len, sides))
            different = len({word for side in sides for word in side})
            if count > _MANY_WORDS or count < often * different:
                return False
        return True

    def _next(self, most: int) -> tuple[range, range]:
        """So many sentences of each side, as far as there are."""
        self._looked = max(self._looked, min(most, max(self.remaining)) + 1)
        golds, systems = (range(min(most, left)) for left in self.remaining)
        return golds, systems

    def _by_most_words(self) -> list[FoundGroup]:
        """Groups by which sentences have as much in common as they can, in order; none if that is
        what they have in common by chance: if what follows is a gap."""
        most = _FEW_WORDS[-1][0]
        sizes = self._next(most)
        whole = max(self.remaining) <= most
        sides = [[self.words(side, step) for step in sizes[side]] for side in (0, 1)]
        shared = shared_words(*sides)
        pairs = heaviest_pairs(shared)
        if not whole:
            least = _MORE_THAN_CHANCE * _per_sentence(shared[:, ::-1])
            if _per_sentence(shared) < least:
                return []
            # What is behind has a say in the others; and a gap may begin among these.
            pairs = [pair for pair in pairs if max(pair) < most // 2]
            while pairs and _per_sentence(shared, pairs[-_CLOSE:]) < least:
                del pairs[-_CLOSE:]
        groups: list[FoundGroup] = []
        i = j = 0
        for gold, system in pairs:
            groups += self._lone(range(i, gold), range(j, system))
            i, j = gold + 1, system + 1
            how = self._judged(gold, i, system, j) or GroupedBy.GUESSED
            groups.append(FoundGroup(gold, i, system, j, how))
        if whole:
            groups += self._lone(range(i, self.remaining[0]), range(j, self.remaining[1]))
        return groups

    # --- where both sides agree again ----------------------------------------------------------

    def _agreement(self) -> tuple[int, int] | None:
        """How many sentences to take on each side.

        The fewest on either side after which the same sentence follows on both (or both end), if
        the same one follows that, too; one more is as good as that, and so is what would have to
        be left alone before a pin close by. Where there are several, the fewest in sum. None if
        that is far away.
        """
        best, rank = self.remaining, (max(self.remaining), sum(self.remaining))
        near_pin = max(self.remaining) <= _NEAR
        surplus = self.remaining[0] - self.remaining[1]
        # (Also that there is no pin close by has been looked at.)
        self._looked = max(self._looked, min(_NEAR, max(self.remaining)) + 1)
        seen: tuple[defaultdict[_Sentence, list[int]], ...] = (defaultdict(list), defaultdict(list))
        step = 0
        while step <= rank[0] and step < WINDOW:
            for side in (0, 1):
                sentence = self._sentence(side, step)
                if not sentence or not sentence[0]:
                    continue
                seen[side][sentence].append(step)
                for other in seen[1 - side][sentence]:
                    pair = (step, other) if side == 0 else (other, step)
                    alone = abs(surplus - pair[0] + pair[1]) if near_pin else 0
                    ranked = step + alone + (not self._goes_on(*pair)), sum(pair)
                    if ranked < rank and self._confirmed(sentence, *pair):
                        best, rank = pair, ranked
            step += 1
        self._looked = max(self._looked, step + 2)
        return None if best == self.remaining and max(best) > WINDOW else best

    def _confirmed(self, sentence: _Sentence | None, gold: int, system: int) -> bool:
        """Whether a sentence in common is more than a coincidence: long, or not alone."""
        if sentence and sentence[0] >= DISTINCTIVE:
            return True
        return self._goes_on(gold, system)

    def _goes_on(self, gold: int, system: int) -> bool:
        """Whether the same sentence follows on both sides, or the pin, or the end."""
        return self._sentence(0, gold + 1) == self._sentence(1, system + 1)

    def _by_chance(self, start: tuple[int, int], at: tuple[int, int]) -> bool:
        """Whether text in common is lost if the same sentence, found ``at``, is a counterpart.

        A name below every letter is the same sentence, but those before it are letters, too.
        """
        longest = max(at[0] - start[0], at[1] - start[1])
        if at[0] - start[0] == at[1] - start[1] or longest > _BLOCK:
            return False
        before: list[list[bytes]] = []
        behind: list[list[bytes]] = []
        for side, (first, step) in enumerate(zip(start, at, strict=True)):
            end = min(step + longest + _NEXT, self.remaining[side])
            self._looked = max(self._looked, end + 1)
            before.append(self._all_words(side, range(first, step)))
            behind.append(self._all_words(side, range(step, end)))
        whole = in_common(*(one + other for one, other in zip(before, behind, strict=True)))
        return in_common(*before) + in_common(*behind) < _KEPT * whole

    def _all_words(self, side: int, steps: range) -> list[bytes]:
        return [word for step in steps for word in self.words(side, step)]

    def _across(self, near: tuple[int, int] | None) -> Ints:
        """The next groups where no sentence close by is on both sides.

        If the sentences here are alike, one after the other, no others are looked at. Else what
        follows may be a gap: up to where sentences, or words, are found again that both have.
        """
        here = self._in_step()
        if here:
            return np.array(here)
        end = self._most_in_common() or near or self._once()
        if end[0] * end[1] <= _ONE_BY_ONE:
            return np.array(self._groups(*end))
        resumed = self._next_words(*end)
        if resumed is None:
            return self._alone(*end)
        # Those may be the very next ones, which others do not follow in step.
        return np.array(self._groups(*(resumed if any(resumed) else (1, 1))))

    def _in_step(self) -> list[FoundGroup]:
        """The next groups, if most of them are of sentences that are alike."""
        sizes = [min(_BLOCK, left) for left in self.remaining]
        self._looked = max(self._looked, max(sizes) + 1)
        if self._is_of_few():
            return []
        by_text = self._by_text(*sizes)
        here = _to_last_pair(by_text)
        if 2 * _linked(here) < min(_BLOCK, *self.remaining) or not self._is_right(here):
            return []
        here = _to_last_pair(self._or_one_to_one(by_text, *sizes))
        if tuple(sizes) == self.remaining:
            return here
        # What is alike behind a gap that begins in here is so by chance.
        while len(here) > 2 * _CLOSE and not (
            2 * _linked(here[-_CLOSE:]) >= _CLOSE and self._is_right(here[-_CLOSE:])
        ):
            here = _to_last_pair(here[:-_CLOSE])
        while len(here) > 2 * _CLOSE and (end := _before_few(here)):
            here = _to_last_pair(here[:end])
        return here

    def _is_right(self, found: list[FoundGroup]) -> bool:
        """Whether sentences are more like their counterparts than like the next ones'."""
        pairs = [
            (self.words(0, one.gold_start), self.words(1, one.system_start))
            for one in found
            if one.how in (GroupedBy.ALIKE, GroupedBy.GUESSED)
        ]
        return len(pairs) < _FEW or _tells_apart(pairs)

    def _most_in_common(self) -> tuple[int, int] | None:
        """How many sentences there are before the longest common subsequence starts."""
        golds, systems = self.remaining
        if golds * systems > PAIRS_COMPARED:
            golds, systems = self._once(in_a_row=True)
        if golds * systems > PAIRS_COMPARED:
            return None
        self._looked = max(self._looked, golds + 1, systems + 1)
        ones, others = (numbers[:, 1].tolist() for numbers in self._numbers(golds, systems))
        # An empty sentence is no other one.
        texts = (
            [one or ~step for step, one in enumerate(ones)],
            [other or ~(golds + step) for step, other in enumerate(others)],
        )
        for block in blocks(*texts):
            if block.equal:
                for at, other in zip(block.gold, block.system, strict=True):
                    if self._confirmed(self._sentence(0, at), at, other):
                        if self._by_chance((0, 0), (at, other)):
                            break
                        return at, other
        return golds, systems

    def _once(self, *, in_a_row: bool = False, farthest: int | None = None) -> tuple[int, int]:
        """How many sentences there are before one, or several in a row, that both sides have once;
        or all of them."""
        room = 2 * WINDOW
        while True:
            sizes = [min(room, left) for left in self.remaining]
            self._looked = max(self._looked, max(sizes) + 1)
            sides = self._numbers(*sizes)
            first = pinned(*(in_rows(*sides) if in_a_row else sides)).following(0, 0)
            if first != tuple(sizes):
                return first
            if room >= max(self.remaining) or room == farthest:
                return self.remaining
            room *= 2

    def _next_words(self, golds: int, systems: int) -> tuple[int, int] | None:
        """How many of some sentences there are before some that are alike; None if none are.

        Those are found by words that both sides have once, in order.
        """
        room = 2 * WINDOW
        while True:
            sizes = min(room, golds), min(room, systems)
            self._looked = max(self._looked, max(sizes) + 1)
            found = self._alike_by_words(*sizes)
            # One alone may be alike by chance, if all that is here is an insertion.
            for one, after in itertools.pairwise(found):
                if max(after[0] - one[0], after[1] - one[1]) <= _CLOSE:
                    return one
            if room >= min(_FARTHEST, max(golds, systems)):
                return found[0] if found else self._next_in_step(golds, systems)
            room *= 2

    def _next_in_step(self, golds: int, systems: int) -> tuple[int, int] | None:
        """The same where words are few and each is there many times: some of them in a row are
        found again, and what follows is alike, one sentence after the other."""
        room = 2 * WINDOW
        while True:
            sizes = min(room, golds), min(room, systems)
            self._looked = max(self._looked, max(sizes) + _BLOCK + 1)
            for gold, system in self._with_rows_in_common(*sizes):
                if self._runs_in_step(gold, system, _CLOSE) and self._runs_in_step(
                    gold, system, _BLOCK
                ):
                    while gold and system and self._runs_in_step(gold - 1, system - 1, _CLOSE):
                        gold, system = gold - 1, system - 1
                    return gold, system
            if room >= min(_FARTHEST, max(golds, systems)):
                return None
            room *= 2

    def _runs_in_step(self, gold: int, system: int, most: int) -> bool:
        """Whether so many sentences from two on are alike, one after the other."""
        count = min(most, self.remaining[0] - gold, self.remaining[1] - system)
        pairs = [
            (self.words(0, gold + step), self.words(1, system + step)) for step in range(count)
        ]
        return count >= _CLOSE and _tells_apart(pairs)

    def _with_rows_in_common(self, golds: int, systems: int) -> list[tuple[int, int]]:
        """Pairs of sentences with as many words in a row, that no others have, as it takes for
        most rows to be there once."""
        for length in range(2, _LONGEST_ROW + 1):
            owners: list[dict[tuple[bytes, ...], int]] = []
            once = 0
            for side, count in enumerate((golds, systems)):
                owner: dict[tuple[bytes, ...], int] = {}
                rows = 0
                for step in range(count):
                    words = self.words(side, step)
                    for at in range(len(words) - length + 1):
                        row = tuple(words[at : at + length])
                        owner[row] = -1 if row in owner else step
                        rows += 1
                owners.append(owner)
                once += 2 * sum(step >= 0 for step in owner.values()) >= rows
            if once == 2:
                break
        return sorted(
            {
                (step, other)
                for row, step in owners[0].items()
                if step >= 0 and (other := owners[1].get(row, -1)) >= 0
            }
        )

    def _alike_by_words(self, golds: int, systems: int) -> list[tuple[int, int]]:
        """Which of some sentences are alike and have words that no others have, in order."""
        places = []
        for side, count in enumerate((golds, systems)):
            owner: dict[bytes, int] = {}
            for step in range(count):
                for word in self.words(side, step):
                    owner[word] = -1 if word in owner else step
            places.append(owner)
        pairs = sorted(
            {
                (step, places[1][word])
                for word, step in places[0].items()
                if step >= 0 and places[1].get(word, -1) >= 0
            }
        )
        alike_ones = [
            (gold, system)
            for gold, system in pairs
            if alike(self.words(0, gold), self.words(1, system), SURE)
        ]
        # Of those of one sentence, the first: a selection in order needs different numbers.
        firsts = {system: gold for gold, system in reversed(alike_ones)}
        ones = sorted((gold, system) for system, gold in firsts.items())
        kept = in_order(np.array([system for _, system in ones], np.int32))
        return [one for one, stays in zip(ones, kept, strict=True) if stays]

    # --- which sentences of a stretch belong together ------------------------------------------

    def _by_text(self, golds: int, systems: int) -> list[FoundGroup]:
        """Groups of the first ``golds`` and ``systems`` sentences, by the text that all share."""
        self._looked = max(self._looked, golds, systems)
        return self._filled(self._linked(golds, systems), golds, systems)

    def _groups(self, golds: int, systems: int) -> list[FoundGroup]:
        """The same, or one to one if that has more in common."""
        return self._or_one_to_one(self._by_text(golds, systems), golds, systems)

    def _or_one_to_one(
        self, groups: list[FoundGroup], golds: int, systems: int
    ) -> list[FoundGroup]:
        """Groups, or others by what each sentence has in common with any one of the other side."""
        size = sum(int(side[:, 0].sum()) for side in self._numbers(golds, systems))
        if not 1 < golds * systems <= _ONE_BY_ONE or size > _ONE_BY_ONE_BYTES:
            return groups
        sides = [
            [self.words(side, at) for at in range(n)] for side, n in enumerate((golds, systems))
        ]
        longest, its = (max(map(len, side)) for side in sides)
        if longest * its > PAIRS_COUNTED:
            return groups
        pairs = [
            FoundGroup(gold, gold + 1, system, system + 1, how)
            for gold, system in heaviest_pairs(shared_words(*sides))
            if (how := self._judged(gold, gold + 1, system, system + 1)) is not None
        ]
        return max(groups, self._filled(pairs, golds, systems), key=self._in_common)

    def _in_common(self, found: Sequence[FoundGroup]) -> int:
        """How many words counterparts have in common."""
        return sum(
            in_common(
                self._all_words(0, range(one.gold_start, one.gold_end)),
                self._all_words(1, range(one.system_start, one.system_end)),
            )
            for one in found
        )

    def _filled(self, linked: Iterable[FoundGroup], golds: int, systems: int) -> list[FoundGroup]:
        """Groups, and those of the sentences between them."""
        groups: list[FoundGroup] = []
        i = j = 0
        for gold_start, gold_end, system_start, system_end, how in itertools.chain(
            linked, [FoundGroup(golds, golds, systems, systems, GroupedBy.ALONE)]
        ):
            groups += self._between(range(i, gold_start), range(j, system_start))
            if gold_end > gold_start:
                groups.append(FoundGroup(gold_start, gold_end, system_start, system_end, how))
            i, j = gold_end, system_end
        return groups

    def _between(self, golds: range, systems: range) -> Iterator[FoundGroup]:
        """Groups of sentences that are linked to none.

        Those that are alike, or without words (a parser that found nothing), pair up in order.
        """
        i, j = golds.start, systems.start
        shares = GUESS if len(golds) == len(systems) else LIKELY
        goes_on = shares == GUESS and self._same_behind(golds.stop, systems.stop)
        alone = goes_on and len(golds) <= _ALONE
        while i < golds.stop and j < systems.stop:
            how = self._in_place(i, j, shares, goes_on)
            if how is None and alone and len(self.words(0, i)) == len(self.words(1, j)) == 1:
                how = None if self.moved(0, i) or self.moved(1, j) else GroupedBy.PLACE
            more = (golds.stop - i) - (systems.stop - j)
            ends = i + (more >= 0), j + (more <= 0)
            if how is not None:
                ends = i + 1, j + 1
                yield FoundGroup(i, i + 1, j, j + 1, how)
            else:
                yield from self._lone(range(i, ends[0]), range(j, ends[1]))
            i, j = ends
        yield from self._lone(range(i, golds.stop), range(j, systems.stop))

    def _lone(self, golds: range, systems: range) -> Iterator[FoundGroup]:
        base = golds.start, systems.start
        for one, end, other, its_end, _ in self._alone(len(golds), len(systems)).tolist():
            ends = base[0] + end, base[1] + its_end
            yield FoundGroup(base[0] + one, ends[0], base[1] + other, ends[1], GroupedBy.ALONE)

    def _alone(self, *sizes: int) -> Ints:
        """Sentences without counterparts, gold's first."""
        step, first = np.arange(sum(sizes)), sizes[self._gold]
        sides = [
            (np.minimum(step, first), np.minimum(step + 1, first)),
            (np.maximum(step - first, 0), np.maximum(step + 1 - first, 0)),
        ]
        one, other = sides[:: -1 if self._gold else 1]
        how = np.full(len(step), GroupedBy.ALONE)
        return np.stack([*one, *other, how], axis=1).astype(np.int32)

    def _same_behind(self, gold: int, system: int) -> bool:
        """Whether the sentences behind so many are the same, before a pin or not."""
        self._followed = max(self._followed, gold + 1, system + 1)
        texts = [
            side.numbers[start + step : start + step + 1][:, 1].tolist()
            for side, start, step in zip(self._sides, self._starts, (gold, system), strict=True)
        ]
        return texts[0] == texts[1] and texts[0] not in ([], [0])

    def _in_place(
        self, gold: int, system: int, shares: tuple[float, float], goes_on: bool
    ) -> GroupedBy | None:
        """How two sentences in one place belong together; None if they do not. ``goes_on``: whether
        the same text follows on both sides, so that hardly any words are other ones here."""
        if self.moved(0, gold) or self.moved(1, system):
            return None
        words = self.words(0, gold), self.words(1, system)
        if not words[0] or not words[1]:
            return GroupedBy.PLACE
        if not alike(*words, shares):
            return None
        by_chance = goes_on and not alike(*words, LIKELY) and not in_letters(*words)
        return None if by_chance else GroupedBy.GUESSED

    def _linked(self, golds: int, systems: int) -> Iterator[FoundGroup]:
        """Sentences that share text, directly or through others."""
        for one in self._components(golds, systems):
            how = self._judged(*one)
            if how is not None:
                yield FoundGroup(*one, how)

    def _judged(
        self, gold_start: int, gold_end: int, system_start: int, system_end: int
    ) -> GroupedBy | None:
        """How sentences that share some text belong together; None if that is a coincidence."""
        sides = [
            self._all_words(side, range(*steps))
            for side, steps in enumerate(((gold_start, gold_end), (system_start, system_end)))
        ]
        if b"".join(sides[0]) == b"".join(sides[1]):
            single = gold_end - gold_start == system_end - system_start == 1
            return GroupedBy.SAME if single else GroupedBy.CUT
        if alike(sides[0], sides[1], SURE):
            return GroupedBy.ALIKE
        return GroupedBy.GUESSED if alike(sides[0], sides[1], LIKELY) else None

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
            [self._sentence(side, step) for step in range(count)]
            for side, count in ((0, golds), (1, systems))
        ]
        links: list[tuple[int, int]] = []
        start = 0, 0
        for block in (*blocks(*texts), WordRun(range(golds, golds), range(systems, systems), True)):
            at = block.gold.start, block.system.start
            if block.equal and (at == (golds, systems) or not self._by_chance(start, at)):
                if start[0] < at[0] and start[1] < at[1]:
                    links += self._links_by_parts(*map(range, start, at))
                links += zip(block.gold, block.system, strict=True)
                start = block.gold.stop, block.system.stop
        return links

    def _links_by_parts(self, golds: range, systems: range) -> list[tuple[int, int]]:
        """Pairs of sentences that share enough characters (of long texts: words)."""
        texts = [
            {
                step: ""
                if self.moved(side, step)
                else self.text(side, step).decode("utf-8", "replace")
                for step in steps
            }
            for side, steps in ((0, golds), (1, systems))
        ]
        small = max(sum(map(len, side.values())) for side in texts) <= _CHARACTERS_COMPARED
        units: list[list[str | bytes]] = []
        owners: list[list[int]] = []
        sizes: list[dict[int, int]] = []
        for side, steps in ((0, golds), (1, systems)):
            parts = {
                step: texts[side][step]
                if small or not texts[side][step]
                else self.words(side, step)
                for step in steps
            }
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


def _to_last_pair(found: list[FoundGroup]) -> list[FoundGroup]:
    """Groups without those at the end that have no counterpart."""
    end = len(found)
    while end and found[end - 1].how == GroupedBy.ALONE:
        end -= 1
    return found[:end]


def _linked(found: list[FoundGroup]) -> int:
    """How many sentences have a counterpart."""
    return sum(one.gold_end - one.gold_start for one in found if one.how != GroupedBy.ALONE)


def _before_few(found: list[FoundGroup]) -> int:
    """How many groups there are before the last ones if those are few that have counterparts,
    behind sentences of both sides that have none; 0 if they are not."""
    alone = [one.how == GroupedBy.ALONE for one in found]
    pairs = alone[::-1].index(True) if any(alone) else len(found)
    end = len(found) - pairs
    first = end
    while first and alone[first - 1]:
        first -= 1
    golds = sum(one.gold_end - one.gold_start for one in found[first:end])
    return end if pairs < _NEXT and 0 < golds < end - first else 0


def _text_number(numbers: Keys) -> int:
    """The number of some sentences' text, one behind the other."""
    start = np.cumsum(numbers[:, 0]) - numbers[:, 0]
    return int((numbers[:, 1] * powers(start.astype(np.int64))).sum())


def _tells_apart(pairs: list[tuple[_Words, _Words]]) -> bool:
    """Whether pairs of sentences, one after the other, have more in common than each with the
    next one's."""
    others = [(pair[0], after[1]) for pair, after in itertools.pairwise(pairs)]
    measured = zip(mean_likeness(pairs), mean_likeness(others), strict=True)
    return any(ours > theirs + _MARGIN for ours, theirs in measured)


def _per_sentence(
    shared: npt.NDArray[np.float64], pairs: Sequence[tuple[int, int]] | None = None
) -> float:
    """What sentences, or those that some pairs span, have in common, for each of them."""
    pairs = heaviest_pairs(shared) if pairs is None else pairs
    if not pairs:
        return 0.0
    first, last = pairs[0], pairs[-1]
    total = sum(shared[pair] for pair in pairs)
    return float(total / (last[0] - first[0] + last[1] - first[1] + 2))
