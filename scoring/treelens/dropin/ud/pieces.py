"""Both files cut into pieces that are scored on their own, and whose counts add up.

A piece ends where a sentence of gold and one of system have the same tokens. What is compared
then fits into the processor's caches, and pieces can be scored at the same time. Cutting at the
wrong place does no harm: the texts on both sides of the cut differ, which is seen and mended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

_SIZE = 1 << 16
"""Bytes of gold in a piece, or a few more."""
_READ = 1 << 18
"""Bytes that are read at a time."""
_AROUND = 6_000
"""So far ahead in gold, and to both sides in system, a common sentence is looked for."""
_WIDEST = 16
"""So many times as far at most where none was found: the more text there is since the last cut, the
worse is it known where in system a place of gold is."""
_LONG = 40
"""Bytes of tokens; sentences of fewer occur too often to tell where they are by themselves."""

_FORMS = re.compile(rb"^[0-9-]+\t([^\t\n]+)\t", re.MULTILINE)


class Piece(NamedTuple):
    """Some sentences of gold and of system."""

    gold: bytes
    system: bytes


def pieces(gold: BinaryIO, system: BinaryIO) -> Iterator[Piece]:
    """Cut two files, which can be entered anywhere and are at their starts."""
    mine, its = _Ahead(gold), _Ahead(system)
    goal = _SIZE
    around = _AROUND
    while len(mine.at_least(goal + around)) > goal:
        its_goal = goal * its.left // max(mine.left, 1)
        its_text = its.at_least(its_goal + around)
        ends = _same_sentence(mine.text, goal, its_text, its_goal, around)
        goal += _SIZE
        around = min(around + _AROUND, _WIDEST * _AROUND)
        if ends and ends[1] > 0:
            yield Piece(mine.taken(ends[0]), its.taken(ends[1]))
            goal, around = _SIZE, _AROUND
    yield Piece(mine.rest(), its.rest())


def stretches(file: BinaryIO) -> Iterator[bytes]:
    """One file, which can be entered anywhere, cut between sentences."""
    ahead, goal = _Ahead(file), _SIZE
    while len(ahead.at_least(goal + 1)) > goal:
        end = ahead.text.rfind(b"\n\n", 0, goal) + 2
        # (Of more blank lines each is a sentence without words.)
        if end > 1 and ahead.text[end : end + 1] != b"\n":
            yield ahead.taken(end)
            goal = _SIZE
        else:
            goal += _SIZE
    yield ahead.rest()


def with_newlines(file: BinaryIO) -> Iterator[bytes]:
    """The rest of a file, each of its lines ending with ``\\n``."""
    while chunk := file.read(_READ):
        while chunk.endswith(b"\r") and (more := file.read(1)):
            chunk += more
        yield chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in chunk else chunk


class _Ahead:
    """A file, read a little ahead of what was taken of it."""

    def __init__(self, file: BinaryIO) -> None:
        self.left = file.seek(0, os.SEEK_END)
        """Bytes that were not taken yet, or a few more."""
        file.seek(0)
        self._chunks = with_newlines(file)
        self.text = b""

    def at_least(self, size: int) -> bytes:
        """What comes next: so much, or all that there is."""
        while len(self.text) < size and (chunk := next(self._chunks, b"")):
            self.text += chunk
        return self.text

    def taken(self, size: int) -> bytes:
        taken, self.text = self.text[:size], self.text[size:]
        self.left -= size
        return taken

    def rest(self) -> bytes:
        return b"".join([self.text, *self._chunks])


def _same_sentence(
    gold: bytes, at: int, system: bytes, its_at: int, around: int
) -> tuple[int, int] | None:
    """The ends of sentences with the same tokens, near to these places."""
    places: dict[bytes, int] = {}
    for end, tokens in _sentences(system, its_at - around, its_at + around):
        places[tokens] = -1 if tokens in places else end
    for end, tokens in _sentences(gold, at, at + around):
        if (found := places.get(tokens, -1)) >= 0:
            return end, found
    return None


def _sentences(text: bytes, low: int, high: int) -> Iterator[tuple[int, bytes]]:
    """The sentences between two places: where each ends, its blank line included; its tokens,
    behind those of as many before it as it takes to tell where it is."""
    end = text.find(b"\n\n", max(low, 0)) + 2
    before: list[bytes] = []
    for sentence in text[end:high].split(b"\n\n")[:-1]:
        end += len(sentence) + 2
        before.append(b"\t".join(_FORMS.findall(sentence)))
        while sum(map(len, before[1:])) >= _LONG:
            del before[0]
        if sum(map(len, before)) >= _LONG:
            yield end, b"\n".join(before)
