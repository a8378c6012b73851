"""Errors counted, not told: worked out once for trees of one shape, whatever their labels are.

What repairs a tree, and which classes the steps are of, asks of a label only which others are the
same, and what kind of phrase it is of (:mod:`treelens.errors.categories`). A million headlines
have a handful of such shapes, and no two need to share a word or a label for that.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from treelens.errors.categories import kinds_of
from treelens.errors.classes import attached, class_of
from treelens.errors.described import described
from treelens.errors.error import NOT_CLASSIFIED, CountedError, Direction, ErrorKind
from treelens.errors.transform import Span, repair

_REMEMBERED = 1 << 12
"""Shapes whose errors are remembered, a few kilobytes each."""

_NUMBERS = "I"
_SPAN = 4
"""Numbers of a span: its ends, its label and its name."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """Both trees, names and labels by the order in which they first occur."""

    kinds: tuple[int, ...]
    """What classes know of each name."""
    cells: bytes
    gold: bytes
    system: bytes
    names: tuple[str, ...] = field(compare=False)


class _Kind(NamedTuple):
    """An error's kind and its brackets; labels are numbers of names where they are names."""

    kind: str
    direction: Direction
    gold: int | str
    system: int | str
    brackets: int


def counted_errors(
    cells: Sequence[str], gold: Sequence[Span], system: Sequence[Span]
) -> Iterator[CountedError]:
    """The errors between two trees, as :func:`treelens.errors.transform.repair` takes them."""
    shape = _shape(cells, gold, system)
    for kind, direction, *labels, brackets in _found(shape):
        names = (shape.names[one] if isinstance(one, int) else one for one in labels)
        yield CountedError(ErrorKind(kind, direction, *names), brackets, 0)


def _shape(cells: Sequence[str], gold: Sequence[Span], system: Sequence[Span]) -> _Shape:
    names: dict[str, int] = {}
    labels: dict[int, int] = {}

    def numbered(spans: Sequence[Span]) -> bytes:
        numbers = array(_NUMBERS)
        for start, end, label, name in spans:
            label_number = labels.setdefault(label, len(labels))
            numbers.extend((start, end, label_number, names.setdefault(name, len(names))))
        return numbers.tobytes()

    tags = array(_NUMBERS, [names.setdefault(name, len(names)) for name in cells]).tobytes()
    sides = numbered(gold), numbered(system)
    return _Shape(tuple(map(kinds_of, names)), tags, *sides, tuple(names))


@lru_cache(_REMEMBERED)
def _found(shape: _Shape) -> tuple[_Kind, ...]:
    names = shape.names
    numbers = {name: number for number, name in enumerate(names) if name}
    gold, system = (
        [
            Span(start, end, label, names[name])
            for start, end, label, name in zip(*[iter(numbers)] * _SPAN, strict=True)
        ]
        for numbers in (array(_NUMBERS, side) for side in (shape.gold, shape.system))
    )
    repaired = repair([names[cell] for cell in array(_NUMBERS, shape.cells)], gold, system)
    found = []
    for step in repaired.steps:
        kind = class_of(step)
        told = described(step, attached(step, kind), "", moved=False)
        expected, there = (numbers.get(one, one) for one in (told.gold_label, told.system_label))
        count = len(step.missing) + len(step.extra)
        found.append(_Kind(kind, told.direction, expected, there, count))
    left = len(repaired.missing) + len(repaired.extra)
    return (*found, *[_Kind(NOT_CLASSIFIED, "", "", "", left)] * bool(left))
