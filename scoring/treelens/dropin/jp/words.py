"""jp-evalb's walk over the words of both sides: which of them are one position.

Equal words (in lower case) are. Where words differ, both sides collect words, always the side
with more letters ahead of it, until the words that follow are equal; what was collected is one
position. It never looks back and never further than one word ahead, so one missing word can
pair up all that follow it wrongly (``treelens.align.words`` does better).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple


class Positions(NamedTuple):
    """The position of each word of system and of gold."""

    system: list[int]
    gold: list[int]


def align_words(system: Sequence[str], gold: Sequence[str]) -> Positions:
    """Number the words so that those that belong together have the same number."""
    left, right = ([word.lower() for word in words] for words in (system, gold))
    left_ahead, right_ahead = _letters_ahead(system), _letters_ahead(gold)
    positions = Positions([], [])
    i = j = 0
    while i < len(left) and j < len(right):
        first, second = i, j
        if left[i] != right[j]:
            i, j = _end_of_difference(left, right, left_ahead, right_ahead, i, j)
        i, j = i + 1, j + 1
        number = positions.gold[-1] + 1 if positions.gold else 0
        positions.system.extend([number] * (i - first))
        positions.gold.extend([number] * (j - second))
    # At most one side has words left. They join the last position; or, if the other side never
    # had a word, each is its own.
    for side, words in ((positions.system, left), (positions.gold, right)):
        rest = len(words) - len(side)
        side.extend([side[-1]] * rest if side else range(rest))
    return positions


def _letters_ahead(words: Sequence[str]) -> list[int]:
    """The letters behind each word, as the words are written."""
    lengths = (len(word) for word in reversed(words))
    return list(itertools.accumulate(lengths, initial=0))[-2::-1]


def _end_of_difference(
    left: Sequence[str],
    right: Sequence[str],
    left_ahead: Sequence[int],
    right_ahead: Sequence[int],
    i: int,
    j: int,
) -> tuple[int, int]:
    """The last words on both sides of a difference that starts at ``i`` and ``j``."""
    last = len(left) - 1, len(right) - 1
    # Mended: the script only looks for an end before the first step, and runs past it later.
    while i < last[0] and j < last[1]:
        if left[i + 1] == right[j + 1] or left_ahead[i] == right_ahead[j]:
            return i, j
        if left_ahead[i] > right_ahead[j]:
            i += 1
        else:
            j += 1
    return last
