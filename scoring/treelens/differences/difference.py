"""What a kind of difference is: a record of all there is to know of it, and its findings."""

from __future__ import annotations

import functools
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import Comparison
from treelens.compare.sides import Side
from treelens.differences.marks import Mark, Marking, RowSides

Numbers = npt.NDArray[np.integer[Any]]

_Thing = TypeVar("_Thing")

Family = str
"""Differences of one family are about the same thing: a bracket that one has and one that is
labelled otherwise can be each other's."""

Severity = Literal["warning", "information", "hint"]

Modifier = Literal["wrong", "missing", "extra", "crossing", "uncounted"]
"""The other file has something else; it lacks this; gold lacks this; gold has what this crosses;
no score counts it."""

LABELS = frozenset({"label"})
PARTS_OF_LABELS = frozenset({"label", "function", "index"})
FIELDS = frozenset({"tag", "lemma", "feature", "value", "head", "relation"})
WORDS = frozenset({"word", "trace", "punctuation"})


class Rows(NamedTuple):
    """Where some groups have a difference; ``(n,)`` each.

    gold, system: what either has, by number: of its brackets, words, or sentences in the
    comparison; -1: nothing. gold_name, system_name: label ids of what is written there, by which
    differences are counted; -1: none. gold_end, system_end: one behind the last of several.
    """

    group: Numbers
    gold: Numbers
    system: Numbers
    gold_name: Numbers | None = None
    system_name: Numbers | None = None
    gold_end: Numbers | None = None
    system_end: Numbers | None = None

    def chosen(self, flags: npt.NDArray[np.bool_]) -> Rows:
        """Some of them."""
        return Rows._make(None if column is None else column[flags] for column in self)


_Found = TypeVar("_Found")


def once(look: Callable[[Comparison], _Found]) -> Callable[[Comparison], _Found]:
    """Something that several kinds of differences ask of a comparison, looked at once: each
    thread remembers the last one."""
    last = threading.local()
    _remembered.append(last)

    @functools.wraps(look)
    def remembered(comparison: Comparison) -> _Found:
        if getattr(last, "comparison", None) is not comparison:
            last.found, last.comparison = look(comparison), comparison
        found: _Found = last.found
        return found

    return remembered


_remembered: list[threading.local] = []


def forget() -> None:
    """Let go of what this thread remembers, and so of the words of a text that it is done with."""
    for last in _remembered:
        last.__dict__.clear()


def nothing(like: Numbers) -> Numbers:
    """As many rows of nothing."""
    return np.full(len(like), -1, np.int64)


def none_found() -> Rows:
    """No rows."""
    return Rows(*[np.zeros(0, np.int64)] * 3)


def rows_from(found: Iterable[tuple[int, int, int]]) -> Rows:
    """Rows of groups, and of what gold and system have there."""
    return Rows(*np.array([*found], np.int64).reshape(-1, 3).T)


def two_by_two(
    ours: Iterable[_Thing], theirs: Iterable[_Thing], key: Callable[[_Thing], Hashable]
) -> tuple[list[tuple[_Thing, _Thing]], list[_Thing], list[_Thing]]:
    """Those of both sides with the same key, in order, and what is left over on either."""
    others = [*theirs]
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for place, other in enumerate(others):
        places[key(other)].append(place)
    both, left = [], []
    taken = set()
    for one in ours:
        if same := places.get(key(one)):
            taken.add(place := same.popleft())
            both.append((one, others[place]))
        else:
            left.append(one)
    return both, left, [other for place, other in enumerate(others) if place not in taken]


def alone(owner: Side, group: Numbers, rows: Numbers, names: Numbers) -> Rows:
    """Rows that only their owner has."""
    none = nothing(rows)
    if owner is Side.GOLD:
        return Rows(group, rows, none, names, none)
    return Rows(group, none, rows, none, names)


class Noun(NamedTuple):
    """A word for one and for many; the other side's name may stand in it: ``{system}``."""

    one: str
    many: str


class Phrases(NamedTuple):
    """What is said of a difference at its mark on either side, in a linguist's words.

    Slots: ``{gold}`` and ``{system}``, what the sides are called; ``{they}``, the other one;
    ``{here}`` and ``{there}``, what is written on this side and the other; ``{words}`` and
    ``{their_words}``, in quotation marks; ``{counts}``, of words, where they are not as many.
    alone: where the other side has no mark; lacking: where it has one, and nothing there.
    """

    at_gold: str
    at_system: str
    alone: str = ""
    lacking: str = ""


class Sign(NamedTuple):
    """How it is drawn under words on a terminal: the sign, the colour's style, and what is said.

    Slots of ``label`` are ``{gold_has}``, ``{system_has}``, ``{gold_words}``, ``{system_words}``,
    ``{gold}``, ``{system}``; ``twin``: what is drawn under system's text too, where the two texts
    are not the same.
    """

    sign: str
    style: str
    label: str = "{gold_has} → {system_has}"
    detail: str = ""
    twin: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Difference:
    """A kind of difference. Only ``rows`` finds it; all else follows from these."""

    code: str
    rows: Callable[[Comparison], Rows]
    marks: tuple[Marking, Marking]
    """Where a row stands: on gold's side, and on system's."""
    family: Family
    noun: Noun
    """What it is about: ``Take gold’s label``."""
    tally: Noun
    """What it is counted as, where there is room for a word or two only."""
    heading: str
    """Above a list of them."""
    phrases: Phrases
    sign: Sign
    modifier: Modifier | None
    """What is the matter with the tokens at its mark; None: nothing."""
    tokens: frozenset[str] = frozenset()
    """With tokens of which types."""
    owner: Side | None = None
    """The side that has what the other lacks; None: both have something."""
    severity: Severity = "warning"
    blank: Mapping[str, str] = field(default_factory=dict)
    """In words, what is written where that says little: ``no tag``."""
    kind: str = "{gold_has}→{system_has}"
    """A title for those with the same names: ``NP→ADJP``."""
    replaceable: bool = False
    """Whether one side's is written over by the other's, each by itself."""
    everywhere: bool = True
    """Whether those alike can be taken everywhere."""
    listed: bool = False
    """Whether fields are written that list parts: those are said that differ."""
    uncounted_by: str = ""
    """The score that does not count it; empty: it is counted."""

    @property
    def counted(self) -> bool:
        """Whether a score counts it."""
        return not self.uncounted_by

    def modifier_on(self, side: Side) -> Modifier | None:
        """What is the matter with what is written on a side: where something should be written,
        nothing is wrong with what is there instead."""
        here = self.owner in (None, side) or self.modifier == "crossing"
        return self.modifier if here else None

    def mark(self, side: Side, at: RowSides) -> Mark | None:
        """Where a row of it stands on a side."""
        return self.marks[0 if side is Side.GOLD else 1](at)


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference. A side has no mark where it has nothing to point at."""

    code: str
    gold: Mark | None
    system: Mark | None

    def at(self, side: Side) -> Mark | None:
        """Its mark on a side."""
        return self.gold if side is Side.GOLD else self.system
