"""Sentences in a row: where each text is there many times, so many of them are there once.

Knows nothing of words or trees.
"""

from __future__ import annotations

import numpy as np

from treelens.align.groups import TextNumbers
from treelens.trees.forest import Keys

_LONGEST = 16
"""Sentences in a row at most of which most have to be there once."""

_NO_CHANCE = 4
"""So many times as many are not the same by chance: what is so of one pair of rows in ``n`` is so
of one pair of longer ones in ``n`` to the power of this."""

_BASE = 0x9E3779B97F4A7C15


def in_rows(gold: TextNumbers, system: TextNumbers) -> tuple[Keys, Keys]:
    """Length and number of the rows that start at each sentence, as long ones as it takes that none
    is another one by chance; ``(sentences, 2)`` each.

    Those at the end, which have no such row, are as if empty; and so are all where also long rows
    are there several times.
    """
    sides = [gold[:], system[:]]
    length = 1
    while length <= _LONGEST:
        if all(_mostly_once(side[: len(side) - length + 1, 1]) for side in sides):
            for _ in range(_NO_CHANCE.bit_length() - 1):
                sides = [_twice_as_long(side, length) for side in sides]
                length *= 2
            return sides[0], sides[1]
        sides = [_twice_as_long(side, length) for side in sides]
        length *= 2
    return np.zeros_like(gold), np.zeros_like(system)


def _twice_as_long(rows: Keys, length: int) -> Keys:
    """Rows of twice as many sentences as those of so many are of."""
    longer = np.zeros_like(rows)
    count = len(rows) - 2 * length + 1
    if count > 0:
        first, second = rows[:count], rows[length : length + count]
        longer[:count, 0] = first[:, 0] + second[:, 0]
        longer[:count, 1] = first[:, 1] * np.uint64(pow(_BASE, length, 1 << 64)) + second[:, 1]
    return longer


def _mostly_once(numbers: Keys) -> bool:
    """Whether most of some texts are no other one's."""
    ordered = np.sort(numbers)
    differs = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    return 2 * int((differs[1:] & differs[:-1]).sum()) >= len(numbers)
