"""The groups of a stretch whose text differs, and where both sides agree again behind it.

Looks ahead as far as it must. A little longer than other modules are: each way of finding where
both sides agree is tried where those before it say too little.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np

from treelens.align.ahead import IN_STEP, Ahead, Sentence
from treelens.align.few import FEW, MOST, of_few_words, repeat, seem_few
from treelens.align.found import FoundGroup, before_alone, before_few, linked, to_last_pair
from treelens.align.groups import GroupedBy
from treelens.align.likeness import (
    SURE,
    alike,
    heaviest_pairs,
    per_sentence,
    shared_words,
    tells_apart,
)
from treelens.align.once import pairs_by_rows, pairs_by_words
from treelens.align.order import in_order
from treelens.align.pins import DISTINCTIVE, pinned
from treelens.align.rows import in_rows
from treelens.align.running import goes_on, resumes
from treelens.align.subsequence import PAIRS_COMPARED, blocks
from treelens.align.together import BLOCK, ONE_BY_ONE, Together
from treelens.trees.forest import Ints

WINDOW = 256
"""How many sentences ahead the nearest text that both sides have is looked for."""

_NEAR = 32
"""Sentences in sum up to where that is taken for what it is; past it may be a gap."""

_FARTHEST = 1 << 13
"""How many sentences ahead words that both sides have once are looked for."""

_FAR = 1 << 11
"""How many sentences ahead, where they or their words are few, some in a row that both sides have
once are."""

_CLOSE = 16
"""Sentences that are alike and so near to one another are not so by chance."""

_MORE, _MANY_MORE = 2, 4
"""So many times as many sentences of one side, and half of them, or most, have no counterpart."""

_MUCH = 1 << 10
"""Bytes, and so many times those of the other side, that may have a counterpart past a pin."""

_FEW = 4
"""So few pairs say nothing of how much alike any two sentences here are."""

_RUNNING = IN_STEP, 2 * WINDOW
"""Sentences of each side of which words in a row are looked for where words are few: what is behind
a gap is farther away."""

_MORE_THAN_CHANCE = 1.1
"""How much more sentences of few words have in common if they are counterparts."""


class Stretch:
    """What is ahead of a walk where both sides differ."""

    def __init__(self, ahead: Ahead, gold: int = 0) -> None:
        """``gold``: which of the sides is gold's."""
        self._ahead = ahead
        self._gold = gold
        self._together = Together(ahead, gold)

    def decide(self) -> Ints:
        """The next groups, at least one: rows of :class:`FoundGroup`."""
        running = self._to_running_text() or self._past_pin()
        return np.array(running) if running else self._to_pin()

    def _to_pin(self) -> Ints:
        """The same of what is before the pin."""
        if min(self._ahead.remaining) == 0:
            self._ahead.look(max(self._ahead.remaining) + 1)
            return self._together.alone(*self._ahead.remaining)
        few_words = of_few_words(self._ahead)
        if few_words or repeat(self._ahead):
            before = self._once(in_a_row=True, farthest=_FAR)
            if before != self._ahead.remaining:
                return self._before(before)
            if few_words and (here := self._by_most_words()):
                return np.array(here)
            if end := self._ahead.same_at_end():
                return self._before(end)
        near = self._agreement()
        if near and self._together.by_chance((0, 0), near):
            near = None
        passes_by = near is not None and self._passes_by(*near)
        if near and sum(near) <= _NEAR and not passes_by:
            return np.array(self._together.groups(*near))
        end = self._ahead.same_at_end()
        return self._across(near, passes_by) if end is None else self._before(end)

    def _passes_by(self, golds: int, systems: int) -> bool:
        """Whether, where one side has few in all, many of the other would be passed by, or one of
        the few that the other has farther on."""
        if self._is_of_few() and abs(golds - systems) > _FEW:
            return True
        few, many = sorted((0, 1), key=lambda side: self._ahead.remaining[side])
        passed = (golds, systems)[few]
        if not passed or not self._is_of_few(_MORE):
            return False
        texts = self._ahead.numbers(*self._ahead.next(_FAR))
        farther = np.isin(texts[few][:passed, 1], texts[many][(golds, systems)[many] :, 1])
        return bool((farther & (texts[few][:passed, 0] > 0)).any())

    def _is_of_few(self, times: int = _MANY_MORE) -> bool:
        """Whether one side has few sentences here and the other many, or more: what those few are
        is then seen sooner than what comes next."""
        few, many = sorted(self._ahead.remaining)
        most = IN_STEP if few > IN_STEP else times * IN_STEP
        self._ahead.look(min(most, many) + 1)
        return few <= IN_STEP and many > times * few

    def _before(self, end: tuple[int, int]) -> Ints:
        """The next groups where so many sentences are before what is the same on both sides; all of
        them have been looked at."""
        before = self._ahead.up_to(end)
        found = Stretch(before, self._gold)._to_pin()
        self._ahead.follow_as(before)
        return found

    # --- where sentences, or words, are few -------------------------------------------------------

    def _to_running_text(self) -> list[FoundGroup]:
        """Groups up to where the same running text goes on, where words are few: what is pinned
        there is so by chance, if sentences are cut otherwise."""
        golds, systems = self._ahead.remaining
        if golds == systems < FEW or not golds * systems:
            return []
        beyond, end = self._ahead.past_pins(), None
        for most in _RUNNING if seem_few(beyond) else ():
            sizes = beyond.of_as_much_text(*beyond.next(most))
            if end := goes_on(*beyond.sentences(*sizes)):
                break
        found = Together(beyond, self._gold).groups(*end) if end and any(end) else []
        self._ahead.follow_as(beyond)
        return found

    def _by_most_words(self) -> list[FoundGroup]:
        """Groups by which sentences have as much in common as they can, in order; none if that is
        what they have in common by chance: if what follows is a gap."""
        sizes = self._ahead.next(MOST)
        whole = max(self._ahead.remaining) <= MOST
        shared = shared_words(*self._ahead.not_moved(*sizes))
        pairs = heaviest_pairs(shared)
        if not whole:
            least = _MORE_THAN_CHANCE * per_sentence(shared[:, ::-1])
            if per_sentence(shared, pairs) < least:
                return []
            # What is behind has a say in the others; and a gap may begin among these.
            pairs = [pair for pair in pairs if max(pair) < MOST // 2]
            while pairs and per_sentence(shared, pairs[-_CLOSE:]) < least:
                del pairs[-_CLOSE:]
        groups: list[FoundGroup] = []
        i = j = 0
        for gold, system in pairs:
            how = self._together.judged(gold, gold + 1, system, system + 1) or GroupedBy.GUESSED
            if how == GroupedBy.GUESSED and not self._together.share_words(gold, system):
                continue
            groups += self._together.lone(range(i, gold), range(j, system))
            i, j = gold + 1, system + 1
            groups.append(FoundGroup(gold, i, system, j, how))
        if whole:
            groups += self._together.lone(
                range(i, self._ahead.remaining[0]), range(j, self._ahead.remaining[1])
            )
        return groups

    def _past_pin(self) -> list[FoundGroup]:
        """Groups up to where running text goes on that is cut otherwise, if that is not the same
        text on both sides of the pin: what is pinned there is so by chance."""
        few, many = sorted(self._ahead.remaining)
        self._ahead.look(min(few, IN_STEP) + 1)
        if not 0 < few <= IN_STEP:
            return []
        self._ahead.look(min(many, _FARTHEST) + 1)
        if many > _FARTHEST:
            return []
        sides = self._ahead.numbers(*self._ahead.remaining)
        fewer, more = sorted(int(side[:, 0].sum()) for side in sides)
        if more < _MANY_MORE * fewer + _MUCH:
            return []
        beyond = self._ahead.past_pins()
        sizes = beyond.next(many + IN_STEP)
        end = None
        if not self._is_cut_alike_behind():
            gold, system = beyond.sentences(*sizes)
            end = resumes(gold, system, self._ahead.remaining)
        found = Together(beyond, self._gold).groups(*end) if end and any(end) else []
        self._ahead.follow_as(beyond)
        return found

    def _is_cut_alike_behind(self) -> bool:
        """Whether most of the next sentences behind the pin are the same ones on both sides."""
        gold, system = self._ahead.behind(IN_STEP)
        same = len(np.intersect1d(gold[:, 1], system[:, 1]))
        return 2 * same > max(len(gold), len(system))

    # --- where both sides agree again ----------------------------------------------------------

    def _agreement(self) -> tuple[int, int] | None:
        """How many sentences to take on each side.

        The fewest on either side after which the same sentence follows on both (or both end), if
        the same one follows that, too; one more is as good as that, and so is what would have to
        be left alone before a pin close by. Where there are several, the fewest in sum. None if
        that is far away.
        """
        best, rank = self._ahead.remaining, (max(self._ahead.remaining), sum(self._ahead.remaining))
        near_pin = max(self._ahead.remaining) <= _NEAR
        surplus = self._ahead.remaining[0] - self._ahead.remaining[1]
        # (Also that there is no pin close by has been looked at.)
        self._ahead.look(min(_NEAR, max(self._ahead.remaining)) + 1)
        seen: tuple[defaultdict[Sentence, list[int]], ...] = (defaultdict(list), defaultdict(list))
        step = 0
        while step <= rank[0] and step < WINDOW:
            for side in (0, 1):
                sentence = self._ahead.sentence(side, step)
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
        self._ahead.look(step + 2)
        return None if best == self._ahead.remaining and max(best) > WINDOW else best

    def _confirmed(self, sentence: Sentence | None, gold: int, system: int) -> bool:
        """Whether a sentence in common is more than a coincidence: long, or not alone."""
        if sentence and sentence[0] >= DISTINCTIVE:
            return True
        return self._goes_on(gold, system)

    def _goes_on(self, gold: int, system: int) -> bool:
        """Whether the same sentence follows on both sides, or the pin, or the end."""
        return self._ahead.sentence(0, gold + 1) == self._ahead.sentence(1, system + 1)

    def _across(self, near: tuple[int, int] | None, passes_by: bool) -> Ints:
        """The next groups where no sentence close by is on both sides.

        If the sentences here are alike, one after the other, no others are looked at. Else what
        follows may be a gap: up to where sentences, or words, are found again that both have.
        ``passes_by``: whether what is ``near`` passes by what is farther on.
        """
        here = [] if passes_by else self._in_step()
        if here:
            return np.array(here)
        end = self._resumed(self._most_in_common() or near or self._once())
        if end[0] * end[1] <= ONE_BY_ONE:
            return np.array(self._together.groups(*end))
        resumed = self._next_words(*end)
        if resumed is None:
            return self._together.alone(*end)
        # Those may be the very next ones, which others do not follow in step.
        return np.array(self._together.groups(*(resumed if any(resumed) else (1, 1))))

    def _in_step(self) -> list[FoundGroup]:
        """The next groups, if most of them are of sentences that are alike."""
        most = [min(BLOCK, left) for left in self._ahead.remaining]
        self._ahead.look(max(most) + 1)
        if self._is_of_few():
            return []
        sizes = self._ahead.of_as_much_text(*most)
        by_text = self._together.by_text(*sizes)
        here = to_last_pair(by_text)
        if 2 * linked(here) < min(sizes) or not self._is_right(here):
            return []
        here = to_last_pair(self._together.or_one_to_one(by_text, *sizes))
        if tuple(sizes) != self._ahead.remaining:
            here = self._before_gap(here)
        here = to_last_pair(self._together.whole(self._together.trimmed(here), *sizes))
        return here if tuple(sizes) == self._ahead.remaining else self._before_cut(here)

    def _before_cut(self, here: list[FoundGroup]) -> list[FoundGroup]:
        """Groups up to one, the last that is certain or behind it, whose text goes on where none
        was looked for."""
        last = max((at for at, one in enumerate(here) if one.how <= GroupedBy.ALIKE), default=0)
        for at, one in enumerate(here[last:], last):
            if self._together.runs_on(one):
                return to_last_pair(here[:at]) or here
        return here

    def _before_gap(self, here: list[FoundGroup]) -> list[FoundGroup]:
        """What is alike behind a gap that begins in here is so by chance."""
        while len(here) > 2 * _CLOSE and not (
            2 * linked(here[-_CLOSE:]) >= _CLOSE and self._is_right(here[-_CLOSE:])
        ):
            here = to_last_pair(here[:-_CLOSE])
        while len(here) > 2 * _CLOSE and (end := before_few(here)):
            here = to_last_pair(here[:end])
        if len(here) <= 2 * _CLOSE < linked(here):
            # Running text that is cut otherwise: of that no sentence stands alone.
            return here[: before_alone(here, _FEW)]
        return here

    def _resumed(self, before: tuple[int, int]) -> tuple[int, int]:
        """As many sentences as those, unless running text that is cut otherwise goes on elsewhere:
        of that, a sentence that both sides have may be one of many."""
        room = 2 * WINDOW
        while min(self._ahead.remaining) >= FEW:
            gold, system = self._ahead.not_moved(*self._ahead.next(room))
            if end := resumes(gold, system, before):
                return end if any(end) else before
            if room >= min(_FARTHEST, max(self._ahead.remaining)):
                break
            room *= 2
        return before

    def _is_right(self, found: list[FoundGroup]) -> bool:
        """Whether sentences are more like their counterparts than like the next ones'."""
        pairs = [
            (self._ahead.words(0, one.gold_start), self._ahead.words(1, one.system_start))
            for one in found
            if one.how in (GroupedBy.ALIKE, GroupedBy.GUESSED)
        ]
        return len(pairs) < _FEW or tells_apart(pairs)

    def _most_in_common(self) -> tuple[int, int] | None:
        """How many sentences there are before the longest common subsequence starts."""
        golds, systems = self._ahead.remaining
        if golds * systems > PAIRS_COMPARED:
            golds, systems = self._once(in_a_row=True)
        if golds * systems > PAIRS_COMPARED:
            return None
        self._ahead.look(golds + 1, systems + 1)
        ones, others = (numbers[:, 1].tolist() for numbers in self._ahead.numbers(golds, systems))
        # An empty sentence is no other one.
        texts = (
            [one or ~step for step, one in enumerate(ones)],
            [other or ~(golds + step) for step, other in enumerate(others)],
        )
        for block in blocks(*texts):
            if block.equal:
                for at, other in zip(block.gold, block.system, strict=True):
                    if self._confirmed(self._ahead.sentence(0, at), at, other):
                        if self._together.by_chance((0, 0), (at, other)):
                            break
                        return at, other
        return golds, systems

    def _once(self, *, in_a_row: bool = False, farthest: int | None = None) -> tuple[int, int]:
        """How many sentences there are before one, or several in a row, that both sides have once;
        or all of them."""
        # (Of fewer sentences shorter rows are there once.)
        room = BLOCK if in_a_row else 2 * WINDOW
        while True:
            sizes = [min(room, left) for left in self._ahead.remaining]
            self._ahead.look(max(sizes) + 1)
            sides = self._ahead.numbers(*sizes)
            first = pinned(*(in_rows(*sides) if in_a_row else sides)).following(0, 0)
            if first != tuple(sizes):
                return first
            if room >= max(self._ahead.remaining) or room == farthest:
                return self._ahead.remaining
            room *= 2

    def _next_words(self, golds: int, systems: int) -> tuple[int, int] | None:
        """How many of some sentences there are before some that are alike; None if none are.

        Those are found by words that both sides have once, in order.
        """
        room = 2 * WINDOW
        while True:
            sizes = min(room, golds), min(room, systems)
            self._ahead.look(max(sizes) + 1)
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
            self._ahead.look(max(sizes) + BLOCK + 1)
            for gold, system in pairs_by_rows(*self._ahead.sentences(*sizes)):
                if self._runs_in_step(gold, system, _CLOSE) and self._runs_in_step(
                    gold, system, BLOCK
                ):
                    while gold and system and self._runs_in_step(gold - 1, system - 1, _CLOSE):
                        gold, system = gold - 1, system - 1
                    return gold, system
            if room >= min(_FARTHEST, max(golds, systems)):
                return None
            room *= 2

    def _runs_in_step(self, gold: int, system: int, most: int) -> bool:
        """Whether so many sentences from two on are alike, one after the other."""
        count = min(most, self._ahead.remaining[0] - gold, self._ahead.remaining[1] - system)
        pairs = [
            (self._ahead.words(0, gold + step), self._ahead.words(1, system + step))
            for step in range(count)
        ]
        return count >= _CLOSE and tells_apart(pairs)

    def _alike_by_words(self, golds: int, systems: int) -> list[tuple[int, int]]:
        """Which of some sentences are alike and have words that no others have, in order."""
        alike_ones = [
            (gold, system)
            for gold, system in pairs_by_words(*self._ahead.not_moved(golds, systems))
            if alike(self._ahead.words(0, gold), self._ahead.words(1, system), SURE)
        ]
        # Of those of one sentence, the first: a selection in order needs different numbers.
        firsts = {system: gold for gold, system in reversed(alike_ones)}
        ones = sorted((gold, system) for system, gold in firsts.items())
        kept = in_order(np.array([system for _, system in ones], np.int32))
        return [one for one, stays in zip(ones, kept, strict=True) if stays]
