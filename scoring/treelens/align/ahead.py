"""What is ahead of a walk along two texts, up to the next pin, and how far it was looked at: what
was not may change without another decision there.

Texts are read where numbers do not tell enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treelens.align.groups import Yields
from treelens.align.likeness import Words, without_punctuation
from treelens.align.pins import MOVED
from treelens.align.words import folded
from treelens.rules.spelling import powers
from treelens.trees.forest import Ints, Keys

IN_STEP = 64
"""Sentences of each side that are looked at for a place where the same text ends on both; more
where the text of so many is the same."""

_MORE_TEXT = 1.25
"""So many times as much text as the other side's has no counterpart in it for the most part."""

Sentence = tuple[int, int]
"""Length and number of one's text."""


class Ahead:
    """The sentences of both sides from a place on, counted from there."""

    def __init__(
        self,
        sides: tuple[Yields, Yields],
        states: tuple[Ints, Ints] | None,
        start: tuple[int, int],
        end: tuple[int, int],
    ) -> None:
        """``states``: what :class:`Pins` says of each side's sentences, if anything; ``end``: the
        pin."""
        self._sides = sides
        self._states = states
        self._starts = start
        self._ends = end
        self.remaining = (end[0] - start[0], end[1] - start[1])
        """How many sentences there are on each side before the pin, or the end."""
        self._looked = 0
        """How many of them were looked at on either side; the end counts as one more."""
        self._followed = 0
        """The same, of sentences that are not before the pin only."""
        self._telling: dict[tuple[int, int], Words] = {}
        self._may_be_in_step = False
        """Whether the first texts have to be read to know how many that were."""

    def up_to(self, end: tuple[int, int]) -> Ahead:
        """What is before so many sentences, as if there were a pin."""
        ends = self._starts[0] + end[0], self._starts[1] + end[1]
        return Ahead(self._sides, self._states, self._starts, ends)

    def past_pins(self) -> Ahead:
        """The same as if nothing were pinned: where sentences that are the same say little."""
        ends = len(self._sides[0].numbers), len(self._sides[1].numbers)
        return Ahead(self._sides, None, self._starts, ends)

    def look(self, *counts: int) -> None:
        """So many sentences are looked at on either side."""
        self._looked = max(self._looked, *counts)

    def next(self, most: int) -> list[int]:
        """How many sentences of each side there are, up to so many, which are looked at."""
        self.look(min(most, max(self.remaining)) + 1)
        return [min(most, left) for left in self.remaining]

    def follow(self, *counts: int) -> None:
        """The same, also past the pin."""
        self._followed = max(self._followed, *counts)

    def follow_as(self, other: Ahead) -> None:
        """As many as were looked at, or followed, of some of these, or of what is behind them."""
        looked = (min(other._looked, left + 1) for left in other.remaining)
        self.follow(other._followed, *looked)

    def reach(self, side: int) -> int:
        """The first sentence of a side that was not looked at."""
        if self._may_be_in_step:
            gold, system = self.text(0, 0), self.text(1, 0)
            if gold.startswith(system) or system.startswith(gold):
                self.follow(IN_STEP + 1)
            self._may_be_in_step = False
        left = len(self._sides[side].numbers) - self._starts[side]
        looked = min(self._looked, self.remaining[side] + 1)
        return self._starts[side] + max(looked, min(self._followed, left + 1))

    def words(self, side: int, step: int) -> Words:
        """The words of a sentence."""
        return self._sides[side].words(self._starts[side] + step)

    def telling(self, side: int, step: int) -> Words:
        """Those of them that are no punctuation; looked through once, as a long sentence may stand
        beside thousands."""
        known = self._telling.get((side, step))
        if known is None:
            known = self._telling[side, step] = without_punctuation(self.words(side, step))
        return known

    def text(self, side: int, step: int) -> bytes:
        """The text of a sentence, without spaces."""
        return b"".join(self.words(side, step))

    def moved(self, side: int, step: int) -> bool:
        """Whether a sentence has its counterpart elsewhere."""
        if self._states is None:
            return False
        return bool(self._states[side][self._starts[side] + step] == MOVED)

    def sentence(self, side: int, step: int) -> Sentence | None:
        """Length and number of a sentence; None past the end."""
        if step >= self.remaining[side]:
            return None
        at = self._starts[side] + step
        ((length, number),) = self._sides[side].numbers[at : at + 1].tolist()
        return length, number

    def numbers(self, *sizes: int) -> list[Keys]:
        """Lengths and numbers of so many sentences of both sides."""
        return [
            yields.numbers[start : start + size]
            for yields, start, size in zip(self._sides, self._starts, sizes, strict=True)
        ]

    def behind(self, most: int) -> list[Keys]:
        """The same of so many sentences behind the pin."""
        ends = [start + left for start, left in zip(self._starts, self.remaining, strict=True)]
        return [
            yields.numbers[end : end + most] for yields, end in zip(self._sides, ends, strict=True)
        ]

    def of_as_much_text(self, *most: int) -> list[int]:
        """How many of so many sentences of either side are about as much text as the other's: what
        is behind those is alike by chance. All of them where some are empty."""
        lengths = [side[:, 0] for side in self.numbers(*most)]
        if not all(side.all() for side in lengths):
            return [*most]
        ends = [np.cumsum(side) for side in lengths]
        text = _MORE_TEXT * min(int(end[-1]) for end in ends)
        return [min(int(np.searchsorted(end, text)) + 1, len(end)) for end in ends]

    def sentences(self, *sizes: int) -> list[list[Words]]:
        """The words of so many sentences of both sides, each by itself."""
        return [[self.words(side, step) for step in range(n)] for side, n in enumerate(sizes)]

    def not_moved(self, *sizes: int) -> list[list[Words]]:
        """The same, but no words of those that have their counterpart elsewhere."""
        return [
            [() if self.moved(side, step) else words for step, words in enumerate(sentences)]
            for side, sentences in enumerate(self.sentences(*sizes))
        ]

    def all_words(self, side: int, steps: range) -> list[bytes]:
        """The words of some sentences, one after the other."""
        return [word for step in steps for word in self.words(side, step)]

    def folded(self, side: int, steps: range) -> list[bytes]:
        """The same in small letters."""
        return [folded(word) for word in self.all_words(side, steps)]

    def same_text(self) -> tuple[int, int] | None:
        """The fewest sentences from here that are the same text on both sides, cut otherwise.

        None if the text differs before both end at the same place.
        """
        # Also past a pin: a text that is the same from here on is no coincidence, however cut.
        most = IN_STEP
        sides = self.numbers(most, most)
        self.follow(1)
        if not all(len(side) and side[0, 0] for side in sides):
            return None
        while (counts := _same_length(sides)) is None and self._agree(*map(len, sides)):
            most *= 2
            self.follow(most + 1)
            sides, before = self.numbers(most, most), sides
            shorter = int(before[0][:, 0].sum() > before[1][:, 0].sum())
            if len(sides[shorter]) == len(before[shorter]):
                return None
        if counts is not None:
            one, other = (
                _text_number(side[:count]) for side, count in zip(sides, counts, strict=True)
            )
            if one == other:
                self.follow(max(counts))
                return counts
        # Numbers do not say how far the texts agree, and so how much this depends on.
        self._may_be_in_step = True
        return None

    def _agree(self, *sizes: int) -> bool:
        """Whether the text of so many sentences is the same on both sides, as far as both go."""
        for most in (1, max(sizes)):  # (Mostly the first ones tell.)
            one, other = (
                b"".join([self.text(side, step) for step in range(min(size, most))])
                for side, size in enumerate(sizes)
            )
            if not (one.startswith(other) or other.startswith(one)):
                return False
        return True

    def same_at_end(self) -> tuple[int, int] | None:
        """Where the same text, cut otherwise, starts that goes on up to the pin, if it is a gap
        that is before it: as much as possible of what one side has few sentences of."""
        if min(self.remaining) > IN_STEP:
            return None
        self.look(max(self.remaining) + 1)
        ends = [
            yields.numbers[max(end - IN_STEP, start) : end]
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

    def same_behind(self, gold: int, system: int) -> bool:
        """Whether the sentences behind so many are the same, before a pin or not."""
        self.follow(gold + 1, system + 1)
        texts = [
            side.numbers[start + step : start + step + 1][:, 1].tolist()
            for side, start, step in zip(self._sides, self._starts, (gold, system), strict=True)
        ]
        return texts[0] == texts[1] and texts[0] not in ([], [0])


def _same_length(sides: Sequence[Keys]) -> tuple[int, int] | None:
    """The fewest sentences of two sides, given by length and number, of the same length."""
    ends = [np.cumsum(side[:, 0]) for side in sides]
    place = np.minimum(np.searchsorted(ends[1], ends[0]), len(ends[1]) - 1)
    common = np.flatnonzero(ends[1][place] == ends[0])
    return (int(common[0]) + 1, int(place[common[0]]) + 1) if len(common) else None


def _text_number(numbers: Keys) -> int:
    """The number of some sentences' text, one behind the other."""
    start = np.cumsum(numbers[:, 0]) - numbers[:, 0]
    return int((numbers[:, 1] * powers(start.astype(np.int64))).sum())
