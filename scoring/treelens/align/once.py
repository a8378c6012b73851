"""Sentences of two sides that have a word, or some in a row, that no other one of theirs has."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

_Had = TypeVar("_Had", bound=Hashable)
_Sentences = Sequence[Sequence[bytes]]

_LONGEST_ROW = 6
"""Words in a row at most that are looked for where each of them is there many times."""


def pairs_by_words(golds: _Sentences, systems: _Sentences) -> list[tuple[int, int]]:
    """Those, by their numbers, that have a word in common, in order."""
    return _pairs(_had_once(golds), _had_once(systems))


def pairs_by_rows(golds: _Sentences, systems: _Sentences) -> list[tuple[int, int]]:
    """The same by as many words in a row as it takes for most rows to be there once."""
    for length in range(2, _LONGEST_ROW + 1):
        sides = [[_rows(words, length) for words in side] for side in (golds, systems)]
        found = [_had_once(side) for side in sides]
        counts = (sum(map(len, side)) for side in sides)
        if all(2 * len(once) >= count for once, count in zip(found, counts, strict=True)):
            break
    return _pairs(*found)


def _rows(words: Sequence[bytes], length: int) -> list[tuple[bytes, ...]]:
    return [tuple(words[at : at + length]) for at in range(len(words) - length + 1)]


def _had_once(sentences: Iterable[Iterable[_Had]]) -> dict[_Had, int]:
    """What is there once, and which sentence has it."""
    owners: dict[_Had, int] = {}
    for number, sentence in enumerate(sentences):
        for one in sentence:
            owners[one] = -1 if one in owners else number
    return {one: number for one, number in owners.items() if number >= 0}


def _pairs(golds: dict[_Had, int], systems: dict[_Had, int]) -> list[tuple[int, int]]:
    return sorted({(number, systems[one]) for one, number in golds.items() if one in systems})
