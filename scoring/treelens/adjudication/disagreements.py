"""One sentence that two annotators have: which of its disagreements are settled, and how.

Read off the three pairs of files; nothing is remembered here that they do not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.differences.difference import PARTS_OF_LABELS, Family, Finding
from treelens.differences.marks import Mark
from treelens.differences.nesting import counterparts, traces_of_both
from treelens.differences.table import BY_CODE, DIFFERENCES
from treelens.session.pair import Pair, Side

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

Follows = Literal["first", "second", "neither", "nothing"]
"""Whose annotation the adjudicated file has; nothing: it has not the sentence."""


class AnnotatorPairs(NamedTuple):
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


class FindingPlace(NamedTuple):
    """A finding of a pair: its group, and its number among those of the group."""

    group: int
    number: int


class AdjudicatedFinding(NamedTuple):
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
    first: FindingPlace | None
    second: FindingPlace | None
    said: bool = False
    """Whether the first was said to be right here, in a sentence that is not checked yet."""


class _Shape(NamedTuple):
    """A disagreement without what moves when other sentences are edited: places are by how
    manieth group of the sentence it is."""

    follows: Follows
    first: FindingPlace | None
    second: FindingPlace | None


Shapes = dict[tuple[object, ...], tuple[_Shape, ...]]
"""Of sentences that have been looked at, by the states of their groups."""

_REMEMBERED = 4096


def _family(finding: Finding) -> Family:
    return BY_CODE[finding.code].family


def _owner(finding: Finding) -> Side | None:
    return BY_CODE[finding.code].owner


class _Found:
    """The findings between the adjudicated file and an annotator's, by where they are."""

    def __init__(self, pair: Pair, groups: range) -> None:
        self.pair = pair
        self.groups = groups
        self.empty = not any(pair.group(group).gold for group in groups)
        self.all = [
            (FindingPlace(group, number), finding)
            for group in groups
            for number, finding in enumerate(pair.findings(group))
        ]
        self.clean = len(groups) > 0 and not self.all

    def about(self, family: Family, mark: Mark, side: Side) -> tuple[FindingPlace, Finding] | None:
        """The finding about something that a side has at a mark; None: the other has it too."""
        for place, finding in self.all:
            if _family(finding) != family or _owner(finding) is side.other:
                continue
            there = finding.at(side)
            if there is not None and _same_place(family, there, mark):
                return place, finding
        return None


_BY_START = {one.family for one in DIFFERENCES if one.tokens and one.tokens <= PARTS_OF_LABELS}
"""Families whose marks are at a bracket: another one may be over the same words."""

_SEVERAL = frozenset({"comment", "enhanced"})
"""Families of which a place has several, each known by what is written."""

_OF_SENTENCES = frozenset({"comment"})
"""Families that are about all of a sentence, wherever in it they stand."""

_BY_WORDS = frozenset({"words", "trace"})
"""Families whose marks are at words also among brackets."""


_VALUE = re.compile(r" = |(?<=:) ")


def _about(mark: Mark) -> str:
    """What a comment is about; of all else, what is written."""
    return _VALUE.split(mark.written, maxsplit=1)[0]


def _same_place(family: Family, one: Mark, other: Mark) -> bool:
    if family in _OF_SENTENCES:
        return _about(one) == _about(other)
    if one.sentence != other.sentence:
        return False
    if family in _BY_START:
        return one.start == other.start
    if family in _SEVERAL and _about(one) != _about(other):
        return False
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def resolved(
    pairs: AnnotatorPairs, group: int, checked: Flags, shapes: Shapes
) -> Iterator[AdjudicatedFinding]:
    findings = pairs.annotators.findings(group)
    if pairs.first is None or pairs.second is None:
        yield from (AdjudicatedFinding(one, "nothing", True, None, None, None) for one in findings)
        return
    wanted = np.array([group], np.int64)
    spans = [groups_holding(pairs, side, wanted) for side in Side]
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
        if not any(_family(finding) == "sentence" for finding in findings):
            shapes[key] = shapes_here
    (low,), (high,) = (part.tolist() for part in sentences_of(pairs, spans))
    done = high > low and bool(checked[low:high].all())
    for finding, shape in zip(findings, shapes_here, strict=True):
        yield _placed(pairs, groups, finding, shape, done=done)


def _placed(
    pairs: AnnotatorPairs, groups: dict[Side, range], finding: Finding, shape: _Shape, *, done: bool
) -> AdjudicatedFinding:
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
    return AdjudicatedFinding(finding, shape.follows, is_open, mark, places[0], places[1])


def _shapes(
    pairs: AnnotatorPairs, groups: dict[Side, range], findings: Sequence[Finding]
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


def _shape(pairs: AnnotatorPairs, found: dict[Side, _Found], finding: Finding) -> _Shape:
    family = _family(finding)
    if family == "sentence":
        return _of_sentence(pairs, found, finding)
    if all(one.empty for one in found.values()):
        return _Shape("nothing", None, None)
    marks = {side: finding.at(side) for side in Side}
    owner = _owner(finding)
    if owner is not None:
        left = _lone(pairs, found, family, marks, owner)
    else:
        left = {
            side: found[side].about(family, mark, Side.SYSTEM) if mark else None
            for side, mark in marks.items()
        }
    return _made(left)


_Left = dict[Side, tuple[FindingPlace, Finding] | None]
"""By annotator, the finding that is left between his file and the adjudicated one."""


def _made(left: _Left) -> _Shape:
    first, second = left[Side.GOLD], left[Side.SYSTEM]
    # It may have both's, where several brackets are over the same words: more than the first's.
    follows: Follows = "second" if second is None else "first" if first is None else "neither"
    return _Shape(follows, first[0] if first else None, second[0] if second else None)


def _lone(
    pairs: AnnotatorPairs,
    found: dict[Side, _Found],
    family: Family,
    marks: dict[Side, Mark | None],
    side: Side,
) -> _Left:
    """Of something that only one annotator has."""
    mark = marks[side]
    assert mark is not None
    missed = found[side].about(family, mark, Side.SYSTEM)
    if missed is None:  # the adjudicated file has it too: the other annotator's lacks it
        here = _place_here(found[side], family, mark)
        other = found[side.other].about(family, here, Side.GOLD) if here else None
        return {side: None, side.other: other}
    if _owner(missed[1]) is Side.SYSTEM:
        return {side: missed, side.other: None}
    here = missed[1].gold  # something else is there
    other = found[side.other].about(family, here, Side.GOLD) if here else None
    return {side: missed, side.other: other}


def _place_here(found: _Found, family: Family, mark: Mark) -> Mark | None:
    """Where the adjudicated file has what an annotator has at a mark, and it has too."""
    if family in _OF_SENTENCES:
        return mark
    pair = found.pair
    group = pair.group_of(Side.SYSTEM, mark.sentence)
    ranges, comparison = pair.group(group), pair.comparison(group)
    here, there = comparison.gold, comparison.system
    at = mark.sentence - ranges.system.start
    if family in _BY_WORDS or there.forest.layout == "rows":
        partner = there.words.partner.astype(np.int64)
        ours, theirs = traces_of_both(comparison)
        partner[theirs] = ours
        word = int(partner[int(there.forest.first_leaf[at]) + mark.span[0]])
        if word < 0:
            return None
        sentence = int(np.searchsorted(here.forest.first_leaf, word, side="right")) - 1
        first = word - int(here.forest.first_leaf[sentence])
        return mark._replace(sentence=ranges.gold.start + sentence, span=(first, first + 1))
    base = int(pair.system.start[mark.sentence]) - int(there.forest.piece[at, 0])
    # (A forest of several sentences has each with offsets of its own.)
    first, last = (int(node) for node in there.forest.first_node[at : at + 2])
    nodes = first + np.flatnonzero(
        there.forest.open[first:last].astype(np.int64) + base == mark.start
    )
    node = int(counterparts(comparison)[1][nodes[0]]) if len(nodes) else -1
    if node < 0:
        return None
    sentence = int(np.searchsorted(here.forest.first_node, node, side="right")) - 1
    shift = int(pair.gold.start[ranges.gold.start + sentence])
    start = int(here.forest.open[node]) - int(here.forest.piece[sentence, 0]) + shift
    return mark._replace(sentence=ranges.gold.start + sentence, start=start)


def _of_sentence(pairs: AnnotatorPairs, found: dict[Side, _Found], finding: Finding) -> _Shape:
    """Of a sentence that only one annotator has: who has none says as much as who has one."""
    side = _owner(finding) or Side.GOLD
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


def _lone_sentence(
    findings: list[tuple[FindingPlace, Finding]],
) -> tuple[FindingPlace, Finding] | None:
    return next((one for one in findings if _family(one[1]) == "sentence"), None)


# --- which sentences of the three files belong together ------------------------------------


def groups_holding(pairs: AnnotatorPairs, side: Side, groups: Numbers) -> tuple[Numbers, Numbers]:
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


def sentences_of(
    pairs: AnnotatorPairs, spans: list[tuple[Numbers, Numbers]]
) -> tuple[Numbers, Numbers]:
    """The adjudicated file's sentences of some groups, by the first's, else by the second's."""
    found = [_sentences_of(pairs.of(side), span) for side, span in zip(Side, spans, strict=True)]
    by_first = found[0][1] > found[0][0]
    return (
        np.where(by_first, found[0][0], found[1][0]),
        np.where(by_first, found[0][1], found[1][1]),
    )


def _sentences_of(pair: Pair, span: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
    """The adjudicated file's sentences in stretches of an annotator's groups."""
    start, end = span
    some = end > start
    first = np.append(pair.groups.gold_start, 0)[np.where(some, start, -1)].astype(np.int64)
    last = np.append(pair.groups.gold_end, 0)[np.where(some, end - 1, -1)].astype(np.int64)
    return first, last


def looked_at(
    pairs: AnnotatorPairs, side: Side, others: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    """Which groups of an annotator's pair are looked at besides those of his own sentences: those
    of the adjudicated file's sentences that the other one's groups have."""
    start, end = _sentences_of(pairs.of(side.other), others)
    ends = pairs.of(side).groups.gold_end
    first = np.searchsorted(ends, start, side="right")
    last = np.searchsorted(ends, end - 1, side="right") + 1
    return first, np.where(end > start, last, first)


def between(values: npt.NDArray[np.generic], start: Numbers, end: Numbers) -> Numbers:
    """The sums of some stretches of an array."""
    sums = np.append(0, np.cumsum(values, dtype=np.int64))
    return sums[end] - sums[start]
