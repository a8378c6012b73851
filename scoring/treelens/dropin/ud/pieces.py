"""Both files cut into pieces that are scored on their own, and whose counts add up.

A piece ends where a sentence of gold and one of system have the same tokens. What is compared
then fits into the processor's caches, and pieces can be scored at the same time. Cutting at the
wrong place does no harm: the texts on both sides of the cut differ, which is seen and mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_SIZE = 1 << 16
"""Bytes of gold in a piece, or a few more."""
_AROUND = 6_000
"""So far ahead in gold, and to both sides in system, a common sentence is looked for."""
_LONG = 40
"""Bytes of a sentence's tokens; shorter ones occur too often to tell where they are."""

_FORMS = re.compile(rb"^[0-9-]+\t([^\t\n]+)\t", re.MULTILINE)


class Piece(NamedTuple):
    """Some sentences of gold and of system."""

    gold: bytes
    system: bytes


def pieces(gold: bytes, system: bytes) -> list[Piece]:
    """Cut two texts, whose lines end with ``\\n``."""
    found = []
    start = its_start = 0
    goal = _SIZE
    while start + goal < len(gold):
        its_goal = goal * (len(system) - its_start) // (len(gold) - start)
        ends = _same_sentence(gold, start + goal, system, its_start + its_goal)
        goal += _SIZE
        if ends and ends[1] > its_start:
            found.append(Piece(gold[start : ends[0]], system[its_start : ends[1]]))
            start, its_start = ends
            goal = _SIZE
    found.append(Piece(gold[start:], system[its_start:]))
    return found


def _same_sentence(gold: bytes, at: int, system: bytes, its_at: int) -> tuple[int, int] | None:
    """The ends of a sentence with the same tokens, near to these places."""
    places: dict[bytes, int] = {}
    for end, tokens in _sentences(system, its_at - _AROUND, its_at + _AROUND):
        places[tokens] = -1 if tokens in places else end
    for end, tokens in _sentences(gold, at, at + _AROUND):
        found = places.get(tokens, -1) if len(tokens) >= _LONG else -1
        if found >= 0:
            return end, found
    return None


def _sentences(text: bytes, low: int, high: int) -> Iterator[tuple[int, bytes]]:
    """The sentences between two places: where each ends, its blank line included; its tokens."""
    end = text.find(b"\n\n", max(low, 0)) + 2
    for sentence in text[end:high].split(b"\n\n")[:-1]:
        end += len(sentence) + 2
        yield end, b"\t".join(_FORMS.findall(sentence))
