"""Ordinary lines, read piece by piece: the same as ``reading``, several times faster.

Cut at its opening brackets, a treebank consists of few different pieces: ``NP``, ``IN of)``,
``. .)))``. What a piece means is found out once. A line with any piece that is not like these,
with a phrase to be deleted or one that nothing is left of, is left to ``reading``, which this
module is tested against.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from treelens.dropin.jp.reading import (
    GOLD_ONLY,
    Bracket,
    Sentence,
    Tag,
    bracket_label,
    read_sentence,
)
from treelens.dropin.jp.settings import Settings

_TOKEN = r"[^\s()\\]++(?:\\(?![()])[^\s()\\]*+)*+"
_OPENING = re.compile(rf"\s*({_TOKEN})?\s*")
_TAGGED = re.compile(rf"\s*({_TOKEN})\s+({_TOKEN})\s*\)((?:\s*+\))*+)\s*")
_REMEMBERED = 1 << 11
_PIECES = 1 << 15
"""So many pieces are remembered, which are those of a few megabytes."""

_Piece = tuple[str | None, Tag, int, int]
"""Of a phrase its label, empty if it does not count, and the tag says how it is written. Of a
word None, the tag and the word, how many brackets end behind its own, and what is left of it:
all (``_KEPT``), or nothing, which counts 0 or 1 for the length. Of a phrase that last number
says whether its label is to be deleted."""
_KEPT = 2


class NotOrdinary(Exception):  # noqa: N818 — a reason to read the line otherwise, no error
    """A line that only the model understands."""


def reader(pieces: Pieces, is_gold: bool, problems: dict[str, str]) -> Callable[[str], Sentence]:
    """A function that reads lines, and remembers the last ones; it adds the problems it meets."""

    @lru_cache(_REMEMBERED)
    def read(line: str) -> Sentence:
        try:
            return _read(line, pieces, is_gold)
        except (NotOrdinary, IndexError):  # IndexError: more brackets end than were opened
            sentence, problem = read_sentence(line, pieces.settings, is_gold)
            if problem:
                problems[line] = problem
            return sentence

    return read


class Pieces(dict[str, _Piece]):
    """What each piece means; both sides may share it."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.differs_by_side = False
        """Whether there was a label that counts on the gold side only."""
        self._deletes_any = bool(settings.delete_labels or settings.quote_labels)

    def __missing__(self, piece: str) -> _Piece:
        found = _plain(piece) or _spaced(piece)
        meaning = self._tagged(*found) if found else self._opening(piece)
        if len(self) >= _PIECES:
            self.clear()
        self[piece] = meaning
        return meaning

    def _tagged(self, tag: str, word: str, ends: int) -> _Piece:
        left = _KEPT
        if self._deletes_any and self.settings.deletes(tag, word):
            left = int(tag not in self.settings.delete_for_length)
        return None, (tag, word), ends, left

    def _opening(self, piece: str) -> _Piece:
        match = _OPENING.fullmatch(piece)
        if match is None or piece.endswith("\\"):  # the bracket that follows is a word's
            raise NotOrdinary
        label = match[1] or ""
        counted = bracket_label(label, is_gold=True)
        self.differs_by_side |= counted != bracket_label(label, is_gold=False)
        return counted, (label, ""), 0, int(label in self.settings.delete_labels)


def _plain(piece: str) -> tuple[str, str, int] | None:
    """Tag, word and further closing brackets, if nothing is out of the ordinary."""
    fields = piece.split()
    if len(fields) != 2 or "\\" in piece:
        return None
    tag, rest = fields
    word = rest.rstrip(")")
    if not word or word == rest or ")" in word or ")" in tag:
        return None
    return tag, word, len(rest) - len(word) - 1


def _spaced(piece: str) -> tuple[str, str, int] | None:
    """The same with blanks between the brackets, or backslashes that stand for themselves."""
    match = _TAGGED.fullmatch(piece)
    return (match[1], match[2], match[3].count(")")) if match else None


def _read(line: str, pieces: Pieces, is_gold: bool) -> Sentence:
    before, *parts = line.split("(")
    # What the last piece ends has to be the tree; so if the line holds one, it is all of it.
    if before or not parts or not pieces[parts[-1]][2]:
        raise NotOrdinary
    tagged: list[Tag] = []
    dropped: list[int] = []
    brackets: list[Bracket] = []
    labels: list[str] = []
    starts: list[int] = []
    words = deleted = deletable = near_root = trees = 0
    for part in parts:
        label, tag, ends, left = pieces[part]
        if label is not None:
            labels.append(label)
            starts.append(words)
            deletable += left
            continue
        if left == _KEPT:
            words += 1
        else:
            dropped.append(len(tagged))
            deleted += left
        tagged.append(tag)
        if ends:
            for _ in range(ends):
                label, start = labels.pop(), starts.pop()
                if start == words:
                    raise NotOrdinary
                if label:
                    brackets.append((label, start, words))
            near_root += len(labels) < 2
            trees += not labels
    if trees != 1 or labels:
        raise NotOrdinary
    if deletable and (deletable > 1 or near_root > 1 or not _root_stays(parts, pieces)):
        raise NotOrdinary
    if pieces.differs_by_side and not is_gold:
        brackets = [each for each in brackets if each[0] != GOLD_ONLY]
    return _sentence(tagged, dropped, brackets, deleted)


def _root_stays(parts: list[str], pieces: Pieces) -> bool:
    """Whether the one phrase to be deleted is the root, which stays with its only child: a
    word, or a phrase (of which it was made sure that it ends where the root does)."""
    is_root = bool(pieces[parts[0]][3])
    return is_root and (len(parts) == 2 or pieces[parts[1]][0] is not None)


def _sentence(
    tagged: list[Tag], dropped: list[int], brackets: list[Bracket], deleted: int
) -> Sentence:
    words = [word for _, word in tagged]
    text = kept = " ".join(words).lower()
    if dropped:
        for place in reversed(dropped):
            del tagged[place], words[place]
        kept = " ".join(words).lower()
    return Sentence(text, kept, tuple(words), tuple(tagged), tuple(brackets), deleted, False)
