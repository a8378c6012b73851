"""Lines that likely have the same text, told by their small letters.

Labels have hardly any, and how words are cut makes no difference to letters. It is a guess, and a
quick one: whether two lines are the same, their columns or sentences say.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from itertools import accumulate

from treelens.dropin.shared.lines import Lines

_OTHERS = bytes(range(128)).translate(None, string.ascii_lowercase.encode() + b"\n")


def same_letters(line: bytes, other: bytes) -> bool:
    return line.translate(None, _OTHERS) == other.translate(None, _OTHERS)


def by_letters(system: Lines, first: int, gold: Lines, gold_first: int) -> list[tuple[int, int]]:
    """Lines that likely have the same text, from these two on, in the order of system: of letters
    that no other line has on either side, or else as far apart as the last ones that were."""
    left, right = (
        side.text.translate(None, _OTHERS).split(b"\n")[: side.count] for side in (system, gold)
    )
    alone = _alone(left, first), _alone(right, gold_first)
    ahead = gold_first - first
    found = []
    for i in range(first, len(left)):
        letters = left[i]
        if letters in alone[0] and letters in alone[1]:
            ahead = alone[1][letters] - i
        if gold_first <= i + ahead < len(right) and right[i + ahead] == letters:
            found.append((i, i + ahead))
    return found


def _alone(texts: Sequence[bytes], first: int) -> dict[bytes, int]:
    """The texts that come once from a place on, and where."""
    found: dict[bytes, int] = {}
    for at in range(first, len(texts)):
        found[texts[at]] = -1 if texts[at] in found else at
    return {text: at for text, at in found.items() if at >= 0}


def of_lines(lines: Lines, numbers: Sequence[int]) -> Lines:
    """The lines with these numbers, alone."""
    parts = [lines.line(number).removesuffix(b"\n") + b"\n" for number in numbers]
    return Lines(b"".join(parts), [0, *accumulate(map(len, parts))])
