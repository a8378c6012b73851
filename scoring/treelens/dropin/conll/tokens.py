"""The columns of a token that count, and the tokens that do."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from treelens.dropin.conll.arguments import Request
from treelens.dropin.conll.perl import is_punctuation, number

DERIVATION = b"DERIV"


class Columns(NamedTuple):
    """What is read of a line: FORM, CPOSTAG, HEAD and DEPREL; empty where a line is short."""

    word: bytes
    pos: bytes
    head: bytes
    relation: bytes


Four = tuple[bytes, bytes, bytes, bytes]
"""The fields of :class:`Columns`, which of most words nobody asks for by name."""
Seven = tuple[int, bytes, bytes, bytes, bytes, bytes, bytes]
"""A token that is scored: its place in the sentence from 0, form and part of speech, gold's head
and relation, system's head and relation."""


class NoSuchPlace(Exception):  # noqa: N818 — the originals' own ending
    """A negative head points before the first word, and Perl's array ends there."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def columns(line: bytes) -> Columns:
    """Columns end at any run of white space, so an *empty* column shifts those after it, and a
    line that begins with white space has an empty first one."""
    fields = line.split(None, 8)
    if len(fields) < 8 or line[:1].isspace():
        if line[:1].isspace():
            fields.insert(0, b"")
        fields += [b""] * 8
    return Columns(fields[1], fields[3], fields[6], fields[7])


def all_columns(lines: Sequence[bytes]) -> Sequence[Four]:
    """Those of some lines that are not blank, in less time."""
    if _WHITE.intersection(map(_FIRST, lines)):
        return [columns(line) for line in lines]
    # (Fields that nobody asks for are gone before they have left the processor's caches.)
    return [
        _FOUR(fields) if len(fields := line.split(None, 8)) >= _FEWEST else columns(line)
        for line in lines
    ]


_FIRST, _FOUR = itemgetter(0), itemgetter(1, 3, 6, 7)
_FEWEST = 8
"""Columns of a line that has a relation."""
_WHITE = frozenset(b" \t\n\r\v\f")


def arc(line: bytes) -> tuple[bytes, bytes]:
    """HEAD and DEPREL only, in less time."""
    fields = line.split(None, 8)
    if len(fields) < _FEWEST or line[0] in _WHITE:
        return columns(line)[2:]
    return fields[6], fields[7]


def counts(word: bytes, gold_relation: bytes, request: Request) -> bool:
    """Whether a token is scored."""
    if not request.punctuation and is_punctuation(word):
        return False
    return request.derivations or gold_relation != DERIVATION


def frames(
    words: int, heads: list[bytes], relations: list[bytes], own: list[tuple[int, bytes]]
) -> list[bytes]:
    """For the root and every word, the relations of its dependents in their order, and between
    stars its own: ``own`` has each scored token's place (the first word's is 1) and what is put
    there, gold's relation in the frames of *both* sides.

    The originals keep this in a Perl array, where a negative head counts from the end: the end
    moves when a head lies past it, and before the first place there is nothing.
    """
    found = [b"** ", *[b""] * words]
    size = words + 1
    for head, relation, (index, mark) in zip(heads, relations, own, strict=True):
        place = int(number(head))
        if place < 0:
            place += size
            if place < 0:
                raise NoSuchPlace(place - size)
        if place <= words:
            found[place] += relation + b" "
        elif place >= size:
            size = place + 1
        found[index] += mark
    return found
