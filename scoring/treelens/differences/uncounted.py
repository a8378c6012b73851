"""What trees of brackets say and PARSEVAL does not count: traces, punctuation, roots, the order
of unary brackets, and whatever else is not read the same. Longer than other files, as records
are: half of it is these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison, shared_axis, wrong_tags
from treelens.compare.match import pack, partners
from treelens.compare.sides import Side
from treelens.differences.difference import (
    FIELDS,
    LABELS,
    WORDS,
    Difference,
    Noun,
    Numbers,
    Phrases,
    Rows,
    Sign,
    alone,
    none_found,
    once,
)
from treelens.differences.marks import (
    at_bracket,
    at_node,
    at_sentence,
    at_whole_label,
    at_whole_tag,
    at_words,
    nowhere,
)
from treelens.trees.forest import Ints

_F1 = "F1"


def alike(comparison: Comparison) -> bool:
    """Whether both sides say the same kinds of things, so that all of it can be the same."""
    gold, system = comparison.gold.forest, comparison.system.forest
    both = gold.layout == system.layout
    return both and (gold.dependencies is None) == (system.dependencies is None)


# --- constituents --------------------------------------------------------------------------


class _Spans(NamedTuple):
    """Some constituents, where they stand among the cells of words that both sides have; ``(n,)``
    each."""

    node: Numbers
    group: Numbers
    start: Numbers
    end: Numbers
    label: Numbers

    def taken(self, rows: Numbers) -> _Spans:
        """Some of them."""
        return _Spans._make(column[rows] for column in self)


def _spans(side: ComparedSide, nodes: Numbers, axis: Ints) -> _Spans:
    forest, words = side.forest, side.words
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))[nodes]
    base = forest.first_leaf[sentence]
    # (Behind the last word, where a constituent without words may be, is where that ends.)
    starts = np.append(words.start, words.end[-1:])
    first, last = base + forest.first[nodes], base + forest.last[nodes]
    end = np.where(last > first, words.end[np.maximum(last - 1, 0)], starts[first])
    group = side.sentence_group[sentence]
    return _Spans(nodes, group, axis[starts[first]], axis[end], forest.label[nodes])


@once
def _axis(comparison: Comparison) -> Ints:
    return shared_axis((comparison.gold.words, comparison.system.words))


class _Unmatched(NamedTuple):
    """Constituents that do not count: those over the same text with other labels, gold's and
    system's row by row, and those that only gold or only system has."""

    gold: _Spans
    system: _Spans
    lone_gold: _Spans
    lone_system: _Spans


@once
def _unmatched(comparison: Comparison) -> _Unmatched | None:
    """None where these cannot be compared."""
    gold, system = comparison.gold, comparison.system
    if not alike(comparison) or not len(gold.words.start) or not len(system.words.start):
        return None
    sides = []
    for side in (gold, system):
        counts = np.zeros(len(side.forest.label), np.bool_)
        counts[side.brackets.row] = True
        sides.append(_spans(side, np.flatnonzero(~counts), _axis(comparison)))
    ours, theirs = sides
    columns = [np.concatenate(pair).astype(np.int64) for pair in zip(*sides, strict=True)]
    cut = len(ours.node)
    same = pack(*columns[1:])
    matched = partners(same[:cut], same[cut:])
    rows, others = np.flatnonzero(matched.gold < 0), np.flatnonzero(matched.system < 0)
    place = pack(*columns[1:4])
    met = partners(place[:cut][rows], place[cut:][others])
    both = rows[met.gold >= 0], others[met.gold[met.gold >= 0]]
    lone = rows[met.gold < 0], others[met.system < 0]
    return _Unmatched(
        ours.taken(both[0]), theirs.taken(both[1]), ours.taken(lone[0]), theirs.taken(lone[1])
    )


def _lone_brackets(comparison: Comparison, owner: Side) -> Rows:
    unmatched = _unmatched(comparison)
    if unmatched is None:
        return none_found()
    found = unmatched.lone_gold if owner is Side.GOLD else unmatched.lone_system
    return alone(owner, found.group, found.node, found.label)


def _labels(comparison: Comparison) -> Rows:
    """Those over the same text with other labels, one for one from the top."""
    unmatched = _unmatched(comparison)
    if unmatched is None:
        return none_found()
    ours, theirs = unmatched.gold, unmatched.system
    return Rows(ours.group, ours.node, theirs.node, ours.label, theirs.label)


def _missing(comparison: Comparison) -> Rows:
    return _lone_brackets(comparison, Side.GOLD)


def _extra(comparison: Comparison) -> Rows:
    return _lone_brackets(comparison, Side.SYSTEM)


def _extent(comparison: Comparison) -> Rows:
    """Brackets that are the same but for words that do not count at their edges."""
    gold, system = comparison.gold.brackets, comparison.system.brackets
    rows = np.flatnonzero(gold.partner >= 0)
    if not len(rows):
        return none_found()
    others = gold.partner[rows]
    ours = _spans(comparison.gold, gold.row[rows], _axis(comparison))
    theirs = _spans(comparison.system, system.row[others], _axis(comparison))
    differ = (ours.start != theirs.start) | (ours.end != theirs.end)
    rows, others = rows[differ], others[differ]
    return Rows(gold.group[rows], rows, others, ours.label[differ], theirs.label[differ])


def _unary(comparison: Comparison) -> Rows:
    """Brackets over the same words that the other side has in another order."""
    gold, system = comparison.gold, comparison.system
    brackets = gold.brackets
    rows = np.flatnonzero(brackets.partner >= 0)
    above, below = rows[:-1], rows[1:]
    same = brackets.group[above] == brackets.group[below]
    for column in (brackets.start, brackets.end):
        same &= column[above] == column[below]
    found = below[same & (brackets.partner[below] < brackets.partner[above])]
    others = brackets.partner[found]
    names = gold.forest.label[brackets.row[found]]
    theirs = system.forest.label[system.brackets.row[others]]
    return Rows(brackets.group[found], found, others, names, theirs)


# --- words ---------------------------------------------------------------------------------


def _lone_traces(comparison: Comparison, owner: Side) -> Rows:
    """Empty elements that do not count, and that only one side has at a place."""
    rows, keys = [], []
    for side in (comparison.gold, comparison.system):
        words = side.words
        found = np.flatnonzero((words.end <= words.start) & ~words.counted)
        rows.append(found)
        keys.append(
            (
                words.group[found],
                words.start[found],
                side.forest.word[found],
                side.forest.tag[found],
            )
        )
    if not any(map(len, rows)):
        return none_found()
    group, start, word, tag = (np.concatenate(pair) for pair in zip(*keys, strict=True))
    number = np.unique(word, return_inverse=True)[1].astype(np.int64)
    key, cut = pack(group, start, number, tag), len(rows[0])
    matched = partners(key[:cut], key[cut:])
    at = 0 if owner is Side.GOLD else 1
    lone = np.flatnonzero(matched[at] < 0)
    return alone(owner, keys[at][0][lone], rows[at][lone], keys[at][3][lone])


def _missing_traces(comparison: Comparison) -> Rows:
    return _lone_traces(comparison, Side.GOLD)


def _extra_traces(comparison: Comparison) -> Rows:
    return _lone_traces(comparison, Side.SYSTEM)


def _tags(comparison: Comparison) -> Rows:
    """Tags of words that do not count, or that the parameters hold equal."""
    gold, system = comparison.gold, comparison.system
    words = gold.words
    rows = np.flatnonzero((words.partner >= 0) & ~wrong_tags(words))
    others = words.partner[rows]
    ours, theirs = gold.forest.tag[rows], system.forest.tag[others]
    differ = ours != theirs
    rows, others = rows[differ], others[differ]
    return Rows(words.group[rows], rows, others, ours[differ], theirs[differ])


# --- all the rest --------------------------------------------------------------------------


def _unequal(comparison: Comparison) -> Rows:
    """Groups that are not read the same, whatever it is; with their first sentences."""
    if not alike(comparison):
        return none_found()
    sides = comparison.gold, comparison.system
    owners = [_owners(side) for side in sides]
    sizes = [[np.bincount(owner, minlength=comparison.groups) for owner in each] for each in owners]
    unequal = np.zeros(comparison.groups, np.bool_)
    for ours, theirs in zip(*sizes, strict=True):
        unequal |= ours != theirs
    columns = [_columns(side) for side in sides]
    for which in range(3):
        kept = [~unequal[each[which]] for each in owners]
        for ours, theirs in zip(columns[0][which], columns[1][which], strict=True):
            differ = ours[kept[0]] != theirs[kept[1]]
            unequal[owners[0][which][kept[0]][differ]] = True
            kept = [~unequal[each[which]] for each in owners]
    there = (sizes[0][2] > 0) & (sizes[1][2] > 0)
    groups = np.flatnonzero(unequal & there)
    first = [np.searchsorted(side.sentence_group, groups) for side in sides]
    return Rows(groups, *first)


def _owners(side: ComparedSide) -> tuple[Numbers, Numbers, Numbers]:
    """Which group each sentence is in, each constituent, each word."""
    nodes = np.repeat(side.sentence_group, np.diff(side.forest.first_node))
    return side.sentence_group, nodes, side.words.group


def _columns(side: ComparedSide) -> tuple[tuple[npt.NDArray[np.generic], ...], ...]:
    """What is read of sentences, of constituents and of words; of words that are spoken, the
    axis has said whether they are the same."""
    forest, words = side.forest, side.words
    trace = np.where(words.end <= words.start, forest.word, np.uint64(0))
    more = () if forest.anchors is None else (forest.anchors.token,)
    return (
        (np.diff(forest.first_leaf), np.diff(forest.first_node)),
        (forest.label, forest.first, forest.last),
        (forest.tag, trace, words.end > words.start, *more),
    )


_BRACKET = Noun("bracket", "brackets")
_TRACE = Noun("empty element", "empty elements")
_BLANK = {"": "unlabelled bracket"}

DIFFERENCES = (
    Difference(
        code="wrong-uncounted-label",
        rows=_labels,
        marks=(at_whole_label, at_whole_label),
        family="uncounted label",
        noun=Noun("label", "labels"),
        tally=Noun("uncounted label", "uncounted labels"),
        heading="Labels of Brackets that Do Not Count",
        phrases=Phrases(*["{they} has {there} here, not {here}"] * 2),
        sign=Sign("~", "dim"),
        modifier="wrong",
        tokens=LABELS,
        severity="hint",
        blank={"": "no label"},
        replaceable=True,
        uncounted_by=_F1,
    ),
    Difference(
        code="missing-uncounted-bracket",
        rows=_missing,
        marks=(at_node, nowhere),
        family="uncounted bracket",
        noun=_BRACKET,
        tally=_BRACKET,
        heading="Missing Brackets that Do Not Count",
        phrases=Phrases("{system} has no {here} over {words}", ""),
        sign=Sign("-", "dim", "{gold_has} missing"),
        modifier="missing",
        tokens=LABELS,
        owner=Side.GOLD,
        severity="hint",
        blank=_BLANK,
        kind="{gold_has} missing",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="extra-uncounted-bracket",
        rows=_extra,
        marks=(nowhere, at_node),
        family="uncounted bracket",
        noun=_BRACKET,
        tally=_BRACKET,
        heading="Extra Brackets that Do Not Count",
        phrases=Phrases("", "{gold} has no {here} over {words}"),
        sign=Sign("+", "dim", "{system_has} extra"),
        modifier="extra",
        tokens=LABELS,
        owner=Side.SYSTEM,
        severity="hint",
        blank=_BLANK,
        kind="{system_has} extra",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="wrong-extent",
        rows=_extent,
        marks=(at_bracket, at_bracket),
        family="extent",
        noun=Noun("extent", "extents"),
        tally=Noun("extent", "extents"),
        heading="Where Punctuation and Empty Elements Hang",
        phrases=Phrases(*["{they} has {there} over {their_words}, not over {words}"] * 2),
        sign=Sign("~", "dim", "extent of {gold_has}"),
        modifier="wrong",
        tokens=LABELS,
        severity="hint",
        kind="extent of {gold_has}",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="wrong-unary-order",
        rows=_unary,
        marks=(at_bracket, at_bracket),
        family="unary order",
        noun=Noun("order", "order"),
        tally=Noun("unary order", "unary order"),
        heading="Order of Unary Brackets",
        phrases=Phrases(*["{they} has the brackets over {words} in another order"] * 2),
        sign=Sign("~", "dim", "order of {gold_has}"),
        modifier="wrong",
        tokens=LABELS,
        severity="hint",
        kind="order of {gold_has}",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="missing-trace",
        rows=_missing_traces,
        marks=(at_words, nowhere),
        family="trace",
        noun=_TRACE,
        tally=_TRACE,
        heading="Missing Empty Elements",
        phrases=Phrases("{system} has no {words}", ""),
        sign=Sign("-", "dim", "{gold_words} missing"),
        modifier="missing",
        tokens=WORDS,
        owner=Side.GOLD,
        severity="hint",
        kind="{gold_has} missing",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="extra-trace",
        rows=_extra_traces,
        marks=(nowhere, at_words),
        family="trace",
        noun=_TRACE,
        tally=_TRACE,
        heading="Extra Empty Elements",
        phrases=Phrases("", "{gold} has no {words}"),
        sign=Sign("+", "dim", "{system_words} extra"),
        modifier="extra",
        tokens=WORDS,
        owner=Side.SYSTEM,
        severity="hint",
        kind="{system_has} extra",
        everywhere=False,
        uncounted_by=_F1,
    ),
    Difference(
        code="uncounted-tag",
        rows=_tags,
        marks=(at_whole_tag, at_whole_tag),
        family="uncounted tag",
        noun=Noun("tag", "tags"),
        tally=Noun("tag", "tags"),
        heading="Tags that Do Not Count",
        phrases=Phrases(*["{they} has {there} for {words}, not {here}"] * 2),
        sign=Sign("^", "dim"),
        modifier="wrong",
        tokens=FIELDS,
        severity="hint",
        blank={"": "no tag"},
        replaceable=True,
        uncounted_by="any score",
    ),
)

REMAINDER = Difference(
    code="other-annotation",
    rows=_unequal,
    marks=(at_sentence, at_sentence),
    family="other",
    noun=Noun("structure", "structure"),
    tally=Noun("structure", "structure"),
    heading="Otherwise Annotated",
    phrases=Phrases(
        *["{they} has this cut into other sentences or tokens, or empty elements elsewhere"] * 2
    ),
    sign=Sign("~", "dim", "otherwise annotated"),
    modifier=None,
    severity="hint",
    kind="otherwise annotated",
    everywhere=False,
    uncounted_by="any score",
)
"""Of groups that are not the same though nothing else is found: whatever is missing in this table,
nobody is told that they are."""
