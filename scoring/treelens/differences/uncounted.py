"""What trees of brackets say and PARSEVAL does not count: punctuation, roots, the order of unary
brackets, and whatever else is not read the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison, wrong_tags
from treelens.compare.sides import Side
from treelens.differences.difference import (
    FIELDS,
    LABELS,
    Difference,
    Noun,
    Numbers,
    Phrases,
    Rows,
    Sign,
    alone,
    none_found,
)
from treelens.differences.marks import (
    at_bracket,
    at_first_word_of_node,
    at_node,
    at_sentence,
    at_whole_label,
    at_whole_tag,
)
from treelens.differences.nesting import (
    alike,
    counterparts,
    places_on_both,
    spans_of,
    unmatched,
    word_rows,
)
from treelens.trees.forest import Ints

_F1 = "F1"


# --- words ---------------------------------------------------------------------------------


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


# --- constituents --------------------------------------------------------------------------


def _lone_brackets(comparison: Comparison, owner: Side) -> Rows:
    others = unmatched(comparison)
    if others is None:
        return none_found()
    found = others.lone_gold if owner is Side.GOLD else others.lone_system
    return alone(owner, found.group, found.node, found.label)


def _labels(comparison: Comparison) -> Rows:
    """Those over the same text with other labels, one for one from the top."""
    others = unmatched(comparison)
    if others is None:
        return none_found()
    ours, theirs = others.gold, others.system
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
    places = places_on_both(comparison)
    ours = spans_of(comparison.gold, gold.row[rows], places[0])
    theirs = spans_of(comparison.system, system.row[others], places[1])
    differ = (ours.start != theirs.start) | (ours.end != theirs.end)
    rows, others = rows[differ], others[differ]
    return Rows(gold.group[rows], rows, others, ours.label[differ], theirs.label[differ])


def _unary(comparison: Comparison) -> Rows:
    """Constituents over the same words that the other side has in another order."""
    gold, system = comparison.gold, comparison.system
    if not alike(comparison) or not len(gold.words.start) or not len(system.words.start):
        return none_found()
    partner = counterparts(comparison)[0]
    brackets = gold.brackets
    counted = np.flatnonzero(brackets.partner >= 0)
    over_words = [column[counted] for column in (brackets.group, brackets.start, brackets.end)]
    all_of_it = spans_of(gold, np.flatnonzero(partner >= 0), places_on_both(comparison)[0])
    turned = np.zeros(len(partner), np.bool_)
    turned[_turned(brackets.row[counted], partner, over_words)] = True
    spans = [all_of_it.group, all_of_it.start, all_of_it.end]
    turned[_turned(all_of_it.node, partner, spans)] = True
    # (np.unique loads numpy.ma: a tenth of the time of a command for a few sentences.)
    nodes = np.flatnonzero(turned)
    others = partner[nodes]
    names = gold.forest.label[nodes], system.forest.label[others]
    return Rows(gold.sentence_group[word_rows(gold)[0][nodes]], nodes, others, *names)


def _turned(nodes: Numbers, partner: Ints, span: Sequence[Numbers]) -> Numbers:
    """Those of some constituents that stand below one with the same span, and there above it."""
    above, below = nodes[:-1], nodes[1:]
    same = np.logical_and.reduce([column[:-1] == column[1:] for column in span])
    return below[same & (partner[below] < partner[above])]


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


_LABEL = Noun("label", "labels")
_BRACKET = Noun("bracket", "brackets")
_BLANK = {"": "unlabelled bracket"}

DIFFERENCES = (
    Difference(
        code="wrong-uncounted-label",
        rows=_labels,
        marks=(at_whole_label, at_whole_label),
        family="uncounted label",
        noun=_LABEL,
        tally=_LABEL,
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
        marks=(at_node, at_first_word_of_node),
        family="uncounted bracket",
        noun=_BRACKET,
        tally=_BRACKET,
        heading="Missing Brackets that Do Not Count",
        phrases=Phrases(
            "{system} has no {here} over {words}",
            "{gold} has {there} over {their_words}, missing here",
        ),
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
        marks=(at_first_word_of_node, at_node),
        family="uncounted bracket",
        noun=_BRACKET,
        tally=_BRACKET,
        heading="Extra Brackets that Do Not Count",
        phrases=Phrases(
            "{system} has {there} over {their_words}, not in {gold}",
            "{gold} has no {here} over {words}",
        ),
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
        marks=(at_node, at_node),
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
