"""Groups of sentences: which of gold and which of system belong together, and how that is known."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import Ints, Keys


class GroupedBy(enum.IntEnum):
    """Why the sentences of a group are one."""

    SAME = 0
    """Both sides have this sentence."""
    CUT = 1
    """The same text, cut into sentences otherwise."""
    ALIKE = 2
    """Much of the text is the same."""
    GUESSED = 3
    """Little of it is, and nothing else stands in this place."""
    PLACE = 4
    """One of them is without words, and stands where the other does."""
    SINGLE = 5
    """Each has a single word, another one, and stands where the other does."""
    ALONE = 6
    """Only one side has a sentence."""
    MOVED = 7
    """The same or much of it, out of order: only if such sentences were to be taken together."""


class TextNumbers(Protocol):
    """Length and number of each sentence's text (:func:`~treelens.align.yields.text_numbers`): rows
    of ``(sentences, 2)``, in memory or not."""

    def __len__(self) -> int: ...
    def __getitem__(self, rows: slice | npt.NDArray[np.integer[Any]]) -> Keys: ...


class Yields(Protocol):
    """The texts of one side's sentences."""

    @property
    def numbers(self) -> TextNumbers:
        """What is known of them without reading them."""

    def words(self, sentence: int) -> Sequence[bytes]:
        """The words of one of them, as they are compared."""


class HeldYields(Yields, Protocol):
    """The same, all of what is known of them in memory."""

    @property
    def numbers(self) -> Keys:
        """Length and number of each one."""


class SentenceChange(NamedTuple):
    """Sentences ``[first, old_end)`` of one side became ``[first, new_end)``."""

    first: int
    old_end: int
    new_end: int

    @property
    def shift(self) -> int:
        return self.new_end - self.old_end

    def before(self, sentence: int) -> int | None:
        """The number that a sentence, or an end, had before; None within what is new."""
        if sentence < self.first:
            return sentence
        return sentence - self.shift if sentence >= self.new_end else None

    def after(self, sentence: int) -> int | None:
        """The number that a sentence has now; None of one that is not what it was."""
        if sentence < self.first:
            return sentence
        return sentence + self.shift if sentence >= self.old_end else None


_FAR = int(np.iinfo(np.int32).max)
UNCHANGED = SentenceChange(_FAR, _FAR, _FAR)
"""The change of a side that has none: behind everything."""


class Groups(NamedTuple):
    """Groups of sentences in order, ``(g,)`` each. Ranges are half open; either may be empty.

    ``gold_reach`` and ``system_reach``: the first sentence that had not been looked at when this
    group was decided on (the end of a file counts as one more sentence). ``stood``: whether the
    walk stood at the start of this group. ``how``: a :class:`GroupedBy`.
    """

    gold_start: Ints
    gold_end: Ints
    system_start: Ints
    system_end: Ints
    gold_reach: Ints
    system_reach: Ints
    stood: npt.NDArray[np.bool_]
    how: npt.NDArray[np.int8]

    def part(self, first: int, end: int | None = None) -> Groups:
        """Groups ``[first, end)``."""
        return Groups._make(column[first:end] for column in self)

    def shifted(self, gold: int, system: int) -> Groups:
        """The same groups, of sentences with so much higher numbers."""
        if not gold and not system:
            return self
        return self._replace(
            gold_start=self.gold_start + gold,
            gold_end=self.gold_end + gold,
            system_start=self.system_start + system,
            system_end=self.system_end + system,
            gold_reach=self.gold_reach + gold,
            system_reach=self.system_reach + system,
        )


class Elsewhere(NamedTuple):
    """Sentences that the other side has out of order: gold's, ascending, where system has each, and
    whether with other words; ``(k,)`` each."""

    gold: Ints
    system: Ints
    reworded: npt.NDArray[np.bool_]


class There(NamedTuple):
    """Where the other side has a sentence, out of order, and whether with other words: that it is
    this one is a guess then."""

    sentence: int
    reworded: bool


class Splice(NamedTuple):
    """Old groups ``[first, old_end)`` became new groups ``[new_first, new_end)``."""

    first: int
    old_end: int
    new_first: int
    new_end: int


def joined(parts: Sequence[Groups]) -> Groups:
    return Groups._make(map(np.concatenate, zip(NONE, *parts, strict=True)))


def one_to_one(i: int, j: int, length: int) -> Groups:
    """Sentences that pair up 1:1 without a look at any other."""
    gold = np.arange(i, i + length, dtype=np.int32)
    system = np.arange(j, j + length, dtype=np.int32)
    gold_end, system_end = gold + 1, system + 1
    stood, how = np.ones(length, np.bool_), np.zeros(length, np.int8)
    return Groups(gold, gold_end, system, system_end, gold_end, system_end, stood, how)


NONE = one_to_one(0, 0, 0)
