"""Two annotators and the file in which it is settled who of them is right.

Where the annotators differ there is a disagreement: a finding between their files. The
adjudicated file begins as a copy of the first annotator's, so where it still has the first's it
may be that nobody has looked. So a disagreement is

* **open** where the adjudicated file has what the first has, or has not the sentence at all;
* **settled** where it has what the second has, or what neither has; or where its sentence has
  been checked (:mod:`treelens.session.review`), which is how the first is said to be right.

All of that is read off the texts; nothing is remembered that they do not say. Who has what is
seen in the three pairs of files. Reads no files and knows no editor.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from treelens.differences.findings import Code, Finding, Mark
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.kinds import kinds
from treelens.session.pair import Pair, Side

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

Follows = Literal["first", "second", "neither", "nothing"]
"""Whose annotation the adjudicated file has; nothing: it has not the sentence."""

_BATCH = 512
"""Sentences whose disagreements are counted in one go: some ten milliseconds."""

_AT_ONCE = 12
"""Sentences whose disagreements are looked at one by one in one go: some ten milliseconds."""


class Three(NamedTuple):
    """The names of the documents that belong together; there may be none adjudicated yet."""

    first: str
    second: str
    adjudicated: str = ""
    parameters: Parameters = PRESETS["default"]
    metrics: tuple[str, ...] = ()
    """Names of what is counted; none are the standard ones."""


def roles(three: Three) -> tuple[str, str, str]:
    """What to call the three: what tells their names apart, such as the annotators'."""
    names = [three.first, three.second, *([three.adjudicated] if three.adjudicated else [])]
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


class Pairs(NamedTuple):
    """Three pairs of the same files. In ``first`` and ``second`` gold is the adjudicated file and
    system the annotator's; None where nothing is adjudicated yet."""

    annotators: Pair
    first: Pair | None = None
    second: Pair | None = None

    def of(self, side: Side) -> Pair:
        """An annotator's pair with the adjudicated file."""
        found = self.first if side is Side.GOLD else self.second
        assert found is not None
        return found


class Place(NamedTuple):
    """A finding of a pair: its group, and its number among those of the group."""

    group: int
    number: int


class Disagreement(NamedTuple):
    """One finding between the annotators, and what became of it.

    finding: of the annotators' pair, of which gold is the first's file. first, second: the
    finding that is left between the adjudicated file and an annotator's, to be taken; None where
    the file has what the annotator has.
    """

    finding: Finding
    follows: Follows
    open: bool
    mark: Mark | None
    """Where it is in the adjudicated file."""
    first: Place | None
    second: Place | None


class _Shape(NamedTuple):
    """A disagreement without what moves when other sentences are edited: places are by how
    manieth group of the sentence it is."""

    follows: Follows
    first: Place | None
    second: Place | None


_Shapes = dict[tuple[object, ...], tuple[_Shape, ...]]
"""Of sentences that have been looked at, by the states of their groups."""

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Adjudication:
    """What is open, as it is now. ``groups``: those of the annotators' pair with disagreements."""

    three: Three
    pairs: Pairs
    groups: Numbers
    open_of: Numbers
    """How many disagreements of each are open; -1: not known yet."""
    total_of: Numbers
    """How many there are; -1: not known yet, and perhaps none."""
    sentence_of: Numbers
    """The adjudicated file's first sentence of each; -1: it has none."""
    checked: Flags
    """Which sentences of the adjudicated file are."""
    _shapes: _Shapes

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

    def disagreements(self, group: int) -> tuple[Disagreement, ...]:
        """Those of a group of the annotators' pair, in the order of its findings."""
        return tuple(_resolved(self.pairs, group, self.checked, self._shapes))

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

    def __init__(self, three: Three) -> None:
        self.three = three
        self._annotators: Pair | None = None
        self._totals = np.zeros(0, np.int64)
        self._known: tuple[Numbers, Numbers, Numbers] = _nothing()
        self._shapes: _Shapes = {}
        self._origins: list[object] = []
        self._last: Adjudication | None = None

    def now(self, pairs: Pairs, checked: Flags) -> Adjudication:
        """What is open as things are now: the same object while nothing has changed. Where much
        is to be looked at, a part of it is; ask again until it is complete."""
        last = self._last
        same = last and last.pairs == pairs and np.array_equal(last.checked, checked)
        if last is not None and same and last.complete:
            return last
        origins = [pair.origin for pair in pairs if pair is not None]
        if len(origins) != len(self._origins) or any(map(operator.is_not, origins, self._origins)):
            self._known, self._shapes, self._origins = _nothing(), {}, origins
        self._count(pairs.annotators)
        groups = np.flatnonzero(self._totals).astype(np.int64)
        totals = self._totals[groups]
        if pairs.first is None or pairs.second is None:
            nowhere = np.full(len(groups), -1, np.int64)
            found = Adjudication(self.three, pairs, groups, totals, totals, nowhere, checked, {})
        else:
            found = self._against(pairs, groups, totals, checked)
        self._last = found
        return found

    def _count(self, annotators: Pair) -> None:
        """How many disagreements each group has: of new ones, a part is counted."""
        before = self._annotators
        splice = annotators.since(before) if before is not None else None
        first, old_end, new_end = splice or (0, len(self._totals), len(annotators))
        new = np.full(new_end - first, -1, np.int64)
        new[~annotators.mismatching()[first:new_end]] = 0
        self._totals = np.concatenate([self._totals[:first], new, self._totals[old_end:]])
        self._annotators = annotators
        unknown = np.flatnonzero(self._totals < 0)
        if len(unknown):
            start = int(unknown[0])
            end = min(int(unknown[-1]) + 1, start + _BATCH)
            counted = kinds(annotators.compared(start, end)).group
            self._totals[start:end] = np.bincount(counted, minlength=end - start)

    def _against(
        self, pairs: Pairs, groups: Numbers, totals: Numbers, checked: Flags
    ) -> Adjudication:
        spans = [_span(pairs, side, groups) for side in Side]
        clean = [
            (end > start) & (_between(pairs.of(side).mismatching(), start, end) == 0)
            for side, (start, end) in zip(Side, spans, strict=True)
        ]
        sentences, ends = _sentences(pairs, spans)
        there = ends > sentences
        done = there & (_between(checked, sentences, ends) == ends - sentences)
        open_of = np.where(done | (clean[1] & ~clean[0]), 0, totals)
        mixed = np.flatnonzero(~done & ~clean[0] & ~clean[1] & (totals > 0))
        open_of[mixed] = self._one_by_one(pairs, groups, mixed, spans, checked)
        open_of[totals < 0] = -1
        sentence_of = np.where(there, sentences, -1)
        shapes = self._shapes
        return Adjudication(
            self.three, pairs, groups, open_of, totals, sentence_of, checked, shapes
        )

    def _one_by_one(
        self,
        pairs: Pairs,
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
        for side, (start, end) in zip(Side, spans, strict=True):
            states = pairs.of(side).states()
            columns += [(end - start)[mixed], _between(states, start[mixed], end[mixed])]
        key = np.stack([state, *columns], axis=1)
        known_state, known_key, known_open = self._known
        at = np.searchsorted(known_state, state)
        at[at >= len(known_state)] = 0
        same = (known_key[at] == key).all(axis=1) if len(known_state) else np.zeros(len(at), bool)
        found = np.where(same, known_open[at] if len(known_state) else 0, -1)
        for place in np.flatnonzero(found < 0)[:_AT_ONCE].tolist():
            group = int(groups[mixed[place]])
            resolved = _resolved(pairs, group, checked, self._shapes)
            found[place] = sum(one.open for one in resolved)
        order = np.argsort(state)
        order = order[found[order] >= 0]
        self._known = state[order], key[order], found[order]
        return found


def _nothing() -> tuple[Numbers, Numbers, Numbers]:
    return np.zeros(0, np.int64), np.zeros((0, 5), np.int64), np.zeros(0, np.int64)


def _span(pairs: Pairs, side: Side, groups: Numbers) -> tuple[Numbers, Numbers]:
    """Which groups of an annotator's pair hold the annotator's sentences of some groups."""
    found, ours = pairs.of(side).groups, pairs.annotators.groups
    start, end = (
        (ours.gold_start, ours.gold_end)
        if side is Side.GOLD
        else (ours.system_start, ours.system_end)
    )
    first = np.searchsorted(found.system_end, start[groups], side="right").astype(np.int64)
    last = np.searchsorted(found.system_end, end[groups] - 1, side="right").astype(np.int64)
    return first, np.where(end[groups] > start[groups], last + 1, first)


def _sentences(pairs: Pairs, spans: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """The adjudicated file's sentences of some groups, by the first's, else by the second's."""
    found = []
    for side, (start, end) in zip(Side, spans, strict=True):
        groups = pairs.of(side).groups
        some = end > start
        first = np.append(groups.gold_start, 0)[np.where(some, start, -1)].astype(np.int64)
        last = np.append(groups.gold_end, 0)[np.where(some, end - 1, -1)].astype(np.int64)
        found.append((first, last))
    by_first = found[0][1] > found[0][0]
    return (
        np.where(by_first, found[0][0], found[1][0]),
        np.where(by_first, found[0][1], found[1][1]),
    )


def _between(values: npt.NDArray[np.generic], start: Numbers, end: Numbers) -> Numbers:
    """The sums of some stretches of an array."""
    sums = np.append(0, np.cumsum(values, dtype=np.int64))
    return sums[end] - sums[start]


# --- one sentence --------------------------------------------------------------------------

_FAMILY: dict[Code, str] = {
    **dict.fromkeys(
        ("missing-bracket", "extra-bracket", "crossing-bracket", "wrong-label"), "brackets"
    ),
    **dict.fromkeys(("different-words", "missing-words", "extra-words"), "words"),
    **dict.fromkeys(("missing-sentence", "extra-sentence"), "sentence"),
}
_ONLY_GOLD = ("missing-bracket", "missing-words", "missing-sentence")
_ONLY_SYSTEM = ("extra-bracket", "crossing-bracket", "extra-words", "extra-sentence")


def _family(code: Code) -> str:
    return _FAMILY.get(code, code)


class _Found:
    """The findings between the adjudicated file and an annotator's, by where they are."""

    def __init__(self, pair: Pair, groups: range) -> None:
        self.pair = pair
        self.groups = groups
        self.empty = not any(pair.group(group).gold for group in groups)
        self.all = [
            (Place(group, number), finding)
            for group in groups
            for number, finding in enumerate(pair.findings(group))
        ]
        self.clean = len(groups) > 0 and not self.all

    def about(self, family: str, mark: Mark, side: Side) -> tuple[Place, Finding] | None:
        """The finding about something that a side has at a mark; None: the other has it too."""
        lacking = _ONLY_SYSTEM if side is Side.GOLD else _ONLY_GOLD
        for place, finding in self.all:
            if _family(finding.code) != family or finding.code in lacking:
                continue
            there = finding.gold if side is Side.GOLD else finding.system
            if there is not None and _same_place(family, there, mark):
                return place, finding
        return None


def _same_place(family: str, one: Mark, other: Mark) -> bool:
    if one.sentence != other.sentence:
        return False
    if family == "brackets":
        return one.start == other.start
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _resolved(pairs: Pairs, group: int, checked: Flags, shapes: _Shapes) -> Iterator[Disagreement]:
    findings = pairs.annotators.findings(group)
    if pairs.first is None or pairs.second is None:
        yield from (Disagreement(one, "nothing", True, None, None, None) for one in findings)
        return
    wanted = np.array([group], np.int64)
    spans = [_span(pairs, side, wanted) for side in Side]
    groups = {
        side: range(int(start[0]), int(end[0]))
        for side, (start, end) in zip(Side, spans, strict=True)
    }
    states = [pairs.of(side).states_of(groups[side]) for side in Side]
    key = (*pairs.annotators.states_of(range(group, group + 1)), *states)
    shapes_here = shapes.get(key)
    if shapes_here is None:
        if len(shapes) >= _REMEMBERED:
            shapes.clear()
        shapes_here = tuple(_shapes(pairs, groups, findings))
        # (Where the other annotator has no sentence, it is by other groups that one is found.)
        if not any(_family(finding.code) == "sentence" for finding in findings):
            shapes[key] = shapes_here
    (low,), (high,) = (part.tolist() for part in _sentences(pairs, spans))
    done = high > low and bool(checked[low:high].all())
    for finding, shape in zip(findings, shapes_here, strict=True):
        yield _placed(pairs, groups, finding, shape, done=done)


def _placed(
    pairs: Pairs, groups: dict[Side, range], finding: Finding, shape: _Shape, *, done: bool
) -> Disagreement:
    places = []
    for side, place in ((Side.GOLD, shape.first), (Side.SYSTEM, shape.second)):
        start = groups[side].start
        places.append(place._replace(group=start + place.group) if place else None)
    marks = [
        pairs.of(side).findings(place.group)[place.number].gold
        for side, place in ((Side.SYSTEM, places[1]), (Side.GOLD, places[0]))
        if place is not None
    ]
    mark = next((mark for mark in marks if mark is not None), None)
    is_open = shape.follows in ("first", "nothing") and not done
    return Disagreement(finding, shape.follows, is_open, mark, places[0], places[1])


def _shapes(
    pairs: Pairs, groups: dict[Side, range], findings: Sequence[Finding]
) -> Iterator[_Shape]:
    found = {side: _Found(pairs.of(side), groups[side]) for side in Side}
    # (Of sentences that occur twice each pair of files may take another one for the same.)
    whole: Follows | None = "first" if found[Side.GOLD].clean else None
    whole = whole or ("second" if found[Side.SYSTEM].clean else None)
    for finding in findings:
        one = _shape(pairs, found, finding)
        places = [
            place._replace(group=place.group - groups[side].start) if place else None
            for side, place in ((Side.GOLD, one.first), (Side.SYSTEM, one.second))
        ]
        yield _Shape(whole or one.follows, *places)


def _shape(pairs: Pairs, found: dict[Side, _Found], finding: Finding) -> _Shape:
    family = _family(finding.code)
    if family == "sentence":
        return _of_sentence(pairs, found, finding)
    if all(one.empty for one in found.values()):
        return _Shape("nothing", None, None)
    marks = {Side.GOLD: finding.gold, Side.SYSTEM: finding.system}
    if finding.code in _ONLY_GOLD:
        left = _lone(pairs, found, family, marks, Side.GOLD)
    elif finding.code in _ONLY_SYSTEM:
        left = _lone(pairs, found, family, marks, Side.SYSTEM)
    else:
        left = {
            side: found[side].about(family, mark, Side.SYSTEM) if mark else None
            for side, mark in marks.items()
        }
    return _made(left)


_Left = dict[Side, tuple[Place, Finding] | None]
"""By annotator, the finding that is left between his file and the adjudicated one."""


def _made(left: _Left) -> _Shape:
    first, second = left[Side.GOLD], left[Side.SYSTEM]
    # It may have both's, where several brackets are over the same words: more than the first's.
    follows: Follows = "second" if second is None else "first" if first is None else "neither"
    return _Shape(follows, first[0] if first else None, second[0] if second else None)


def _lone(
    pairs: Pairs, found: dict[Side, _Found], family: str, marks: dict[Side, Mark | None], side: Side
) -> _Left:
    """Of something that only one annotator has."""
    mark = marks[side]
    assert mark is not None
    missed = found[side].about(family, mark, Side.SYSTEM)
    if missed is None:  # the adjudicated file has it too: the other annotator's lacks it
        here = _place_here(found[side], family, mark)
        other = found[side.other].about(family, here, Side.GOLD) if here else None
        return {side: None, side.other: other}
    if missed[1].code in _ONLY_SYSTEM:
        return {side: missed, side.other: None}
    here = missed[1].gold  # something else is there
    other = found[side.other].about(family, here, Side.GOLD) if here else None
    return {side: missed, side.other: other}


def _place_here(found: _Found, family: str, mark: Mark) -> Mark | None:
    """Where the adjudicated file has what an annotator has at a mark, and it has too."""
    pair = found.pair
    group = pair.group_of(Side.SYSTEM, mark.sentence)
    ranges, comparison = pair.group(group), pair.comparison(group)
    here, there = comparison.gold, comparison.system
    at = mark.sentence - ranges.system.start
    if family == "words":
        partner = int(there.words.partner[int(there.forest.first_leaf[at]) + mark.span[0]])
        if partner < 0:
            return None
        sentence = int(np.searchsorted(here.forest.first_leaf, partner, side="right")) - 1
        word = partner - int(here.forest.first_leaf[sentence])
        return mark._replace(sentence=ranges.gold.start + sentence, span=(word, word + 1))
    base = int(pair.system.start[mark.sentence]) - int(there.forest.piece[at, 0])
    starts = there.forest.open[there.brackets.row].astype(np.int64) + base
    rows = np.flatnonzero(starts == mark.start)
    # (A forest of several sentences has each with offsets of its own.)
    first, last = int(there.forest.first_node[at]), int(there.forest.first_node[at + 1])
    rows = rows[(there.brackets.row[rows] >= first) & (there.brackets.row[rows] < last)]
    partner = int(there.brackets.partner[rows[0]]) if len(rows) else -1
    if partner < 0:
        return None
    row = int(here.brackets.row[partner])
    sentence = int(np.searchsorted(here.forest.first_node, row, side="right")) - 1
    shift = int(pair.gold.start[ranges.gold.start + sentence])
    start = int(here.forest.open[row]) - int(here.forest.piece[sentence, 0]) + shift
    return mark._replace(sentence=ranges.gold.start + sentence, start=start)


def _of_sentence(pairs: Pairs, found: dict[Side, _Found], finding: Finding) -> _Shape:
    """Of a sentence that only one annotator has: who has none says as much as who has one."""
    side = Side.GOLD if finding.code in _ONLY_GOLD else Side.SYSTEM
    missed = _lone_sentence(found[side].all)
    if missed is not None:
        return _made({side: missed, side.other: None})
    # (The other annotator may have nothing to find it by but what is adjudicated.)
    other = pairs.of(side.other)
    groups = {
        other.group_of(Side.GOLD, sentence)
        for group in found[side].groups
        for sentence in found[side].pair.group(group).gold
    }
    lone = [_lone_sentence(_Found(other, range(group, group + 1)).all) for group in sorted(groups)]
    return _made({side: None, side.other: next(filter(None, lone), None)})


def _lone_sentence(findings: list[tuple[Place, Finding]]) -> tuple[Place, Finding] | None:
    return next((one for one in findings if _family(one[1].code) == "sentence"), None)
