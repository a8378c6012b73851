"""Two annotators and the file in which it is settled who of them is right.

Where the annotators differ there is a disagreement: a finding between their files. The
adjudicated file begins as a copy of the first annotator's, so where it still has the first's it
may be that nobody has looked. So a disagreement is

* **open** where the adjudicated file has what the first has, or has not the sentence at all;
* **settled** where it has what the second has, or what neither has; or where its sentence has
  been checked (:mod:`treelens.session.review`), which is how the first is said to be right.

All of that is read off the texts. A sentence is checked as a whole; of one part of it that the
first was said to be right is remembered, and shown, until that has been said of all of it. Who has
what is seen in the three pairs of files. Reads no files and knows no editor.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from treelens.adjudication.disagreements import (
    AdjudicatedFinding,
    AnnotatorPairs,
    Shapes,
    between,
    groups_holding,
    looked_at,
    resolved,
    sentences_of,
)
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.pair import Side

Flags = npt.NDArray[np.bool_]
Right = Mapping[tuple[int, ...], frozenset[int]]
"""Of annotators' sentences as they are: in which disagreements, by number, the first was said to be
right."""
Numbers = npt.NDArray[np.int64]

_AT_ONCE = 12
"""Sentences whose disagreements are looked at one by one in one go: some ten milliseconds."""


class AdjudicationTask(NamedTuple):
    """The names of the documents that belong together; there may be none adjudicated yet."""

    first: str
    second: str
    adjudicated: str = ""
    parameters: Parameters = PRESETS["default"]
    metrics: tuple[str, ...] = ()
    """Names of what is counted; none are the standard ones."""


def roles(task: AdjudicationTask) -> tuple[str, str, str]:
    """What to call the three files: what tells their names apart, such as the annotators'."""
    names = [task.first, task.second, *([task.adjudicated] if task.adjudicated else [])]
    parts = [_PARTS.findall(unquote(name)) for name in names]
    shortest = min(map(len, parts))
    head = next((k for k in range(shortest) if len({tuple(p[: k + 1]) for p in parts}) > 1), 0)
    parts = [part[head:] for part in parts]
    shortest = min(map(len, parts))
    tail = next((k for k in range(shortest) if len({tuple(p[-k - 1 :]) for p in parts}) > 1), 0)
    called = ["/".join(part[: len(part) - tail]) for part in parts]
    if not all(called) or len({*called}) < len(called):
        called = ["the first annotator", "the second annotator", "adjudicated"]
    return called[0], called[1], called[2] if len(called) > 2 else "adjudicated"


_PARTS = re.compile(r"[^/.]+")


@dataclass(frozen=True, slots=True, eq=False)
class Adjudication:
    """What is open, as it is now. ``groups``: those of the annotators' pair with disagreements."""

    task: AdjudicationTask
    pairs: AnnotatorPairs
    groups: Numbers
    open_of: Numbers
    """How many disagreements of each are open; -1: not known yet."""
    total_of: Numbers
    """How many there are."""
    sentence_of: Numbers
    """The adjudicated file's first sentence of each; -1: it has none."""
    checked: Flags
    """Which sentences of the adjudicated file are."""
    _shapes: Shapes
    _right: Right

    @property
    def open(self) -> int:
        return int(self.open_of.clip(0).sum())

    @property
    def settled(self) -> int:
        return int((self.total_of - self.open_of)[self.open_of >= 0].sum())

    @property
    def complete(self) -> bool:
        """Whether all has been counted."""
        return bool((self.open_of >= 0).all())

    def disagreements(self, group: int) -> tuple[AdjudicatedFinding, ...]:
        """Those of a group of the annotators' pair, in the order of its findings."""
        found = resolved(self.pairs, group, self.checked, self._shapes)
        right = self._right.get(_state(self.pairs, group), frozenset())
        return tuple(
            one._replace(said=one.open and number in right) for number, one in enumerate(found)
        )

    def group_at(self, sentence: int) -> int | None:
        """The group of the annotators' pair that a sentence of the adjudicated file is about."""
        if self.pairs.first is None or self.pairs.second is None:
            return None
        for pair, side in ((self.pairs.first, Side.GOLD), (self.pairs.second, Side.SYSTEM)):
            there = pair.group(pair.group_of(Side.GOLD, sentence)).system
            if there:
                return self.pairs.annotators.group_of(side, there.start)
        return None


class Adjudicating:
    """The memory behind: what an edit leaves alone is not looked at again."""

    def __init__(self, task: AdjudicationTask) -> None:
        self.task = task
        self._known: tuple[Numbers, Numbers, Numbers] = _nothing()
        self._shapes: Shapes = {}
        self._origins: list[object] = []
        self._last: Adjudication | None = None
        self._right: Right = {}

    def say_right(self, pairs: AnnotatorPairs, group: int, number: int) -> None:
        """The first is right in a disagreement of a group, which has what the first has."""
        state = _state(pairs, group)
        self._right = {**self._right, state: self._right.get(state, frozenset()) | {number}}
        self._last = None

    def now(self, pairs: AnnotatorPairs, checked: Flags) -> Adjudication:
        """What is open as things are now: the same object while nothing has changed. Where much
        is to be looked at, a part of it is; ask again until it is complete."""
        last = self._last
        same = last and last.pairs == pairs and np.array_equal(last.checked, checked)
        if last is not None and same and last.complete:
            return last
        origins: list[object] = [pair.origin for pair in pairs if pair is not None]
        # (States say what is in a group, and not which differences are looked at.)
        origins.append(pairs.annotators.strict)
        if len(origins) != len(self._origins) or any(map(operator.is_not, origins, self._origins)):
            self._known, self._shapes, self._origins = _nothing(), {}, origins
        counts = pairs.annotators.differences()
        groups = np.flatnonzero(counts).astype(np.int64)
        totals = counts[groups]
        if pairs.first is None or pairs.second is None:
            nowhere = np.full(len(groups), -1, np.int64)
            found = Adjudication(
                self.task, pairs, groups, totals, totals, nowhere, checked, {}, self._right
            )
        else:
            found = self._against(pairs, groups, totals, checked)
        self._last = found
        return found

    def _against(
        self, pairs: AnnotatorPairs, groups: Numbers, totals: Numbers, checked: Flags
    ) -> Adjudication:
        spans = [groups_holding(pairs, side, groups) for side in Side]
        clean = [
            (end > start) & (between(pairs.of(side).mismatching(), start, end) == 0)
            for side, (start, end) in zip(Side, spans, strict=True)
        ]
        sentences, ends = sentences_of(pairs, spans)
        there = ends > sentences
        done = there & (between(checked, sentences, ends) == ends - sentences)
        open_of = np.where(done | (clean[1] & ~clean[0]), 0, totals)
        mixed = np.flatnonzero(~done & ~clean[0] & ~clean[1])
        open_of[mixed] = self._one_by_one(pairs, groups, mixed, spans, checked)
        sentence_of = np.where(there, sentences, -1)
        rest = sentence_of, checked, self._shapes, self._right
        return Adjudication(self.task, pairs, groups, open_of, totals, *rest)

    def _one_by_one(
        self,
        pairs: AnnotatorPairs,
        groups: Numbers,
        mixed: npt.NDArray[np.intp],
        spans: list[tuple[Numbers, Numbers]],
        checked: Flags,
    ) -> Numbers:
        """Of sentences that are as neither annotator's: what is open, as far as it is known."""
        state = pairs.annotators.states()[groups[mixed]].astype(np.int64)
        # States are given out in ascending order: an edit of some groups leaves as many, with a
        # greater sum, or makes others of them, that are more or fewer.
        columns = []
        for side, own, others in zip(Side, spans, reversed(spans), strict=True):
            states = pairs.of(side).states()
            for start, end in (own, looked_at(pairs, side, others)):
                columns += [(end - start)[mixed], between(states, start[mixed], end[mixed])]
        key = np.stack([state, *columns], axis=1)
        known_state, known_key, known_open = self._known
        at = np.searchsorted(known_state, state)
        at[at >= len(known_state)] = 0
        same = (known_key[at] == key).all(axis=1) if len(known_state) else np.zeros(len(at), bool)
        found = np.where(same, known_open[at] if len(known_state) else 0, -1)
        for place in np.flatnonzero(found < 0)[:_AT_ONCE].tolist():
            group = int(groups[mixed[place]])
            settled = resolved(pairs, group, checked, self._shapes)
            found[place] = sum(one.open for one in settled)
        order = np.argsort(state)
        order = order[found[order] >= 0]
        self._known = state[order], key[order], found[order]
        return found


def _state(pairs: AnnotatorPairs, group: int) -> tuple[int, ...]:
    return pairs.annotators.states_of(range(group, group + 1))


def _nothing() -> tuple[Numbers, Numbers, Numbers]:
    return np.zeros(0, np.int64), np.zeros((0, 9), np.int64), np.zeros(0, np.int64)
