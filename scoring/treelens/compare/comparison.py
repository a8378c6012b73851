"""Gold and system on one axis: which brackets, words and tags have a partner on the other side.

Takes groups of sentences (:mod:`treelens.align`), lays their words on a shared axis, takes off
what the parameters leave out and matches the brackets. Metrics count what is found here, and
the editor shows it, so they cannot disagree. Knows nothing of either.

How a bracket's span is put on the axis when the two sides' words differ: a word that only one
side has takes no room there, so a constituent is not wrong because a word inside it is missing.
A constituent that holds nothing but such words can have no partner. Words that the parameters
leave out (punctuation) take no room either; whether a word is left out is for gold to say
where it has the word, so that a wrong tag on a comma shifts nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.axis import AxisLayout, lay
from treelens.compare.attachments import Arcs, arcs
from treelens.compare.match import Numbers, crossing, leftover_partners, pack, partners
from treelens.compare.tags import Rows, fitting_tags
from treelens.rules.parameters import LabelTable, Parameters, label_table, word_table
from treelens.trees.forest import Forest, Ints, running

Flags = npt.NDArray[np.bool_]


class Words(NamedTuple):
    """One side's words; ``(w,)`` each, rows as in the side's forest."""

    group: Ints
    start: Ints
    """First cell of the axis, counted over all groups; a trace's cells are none."""
    end: Ints
    counted: Flags
    """Whether the word counts, by the parameters."""
    partner: Ints
    """The other side's word on exactly the same cells; -1 where there is none."""
    same: Flags
    """Whether the partner is the same word."""
    tagged: Flags
    """Whether the partner has the same tag."""


class Brackets(NamedTuple):
    """One side's brackets that count; ``(b,)`` each, in text order."""

    row: Ints
    """Row in the side's forest."""
    group: Ints
    start: Ints
    """Span on the axis of words that count, over all groups."""
    end: Ints
    partner: Ints
    """The matching bracket on the other side (an index into its columns); -1: none."""
    relabelled: Ints
    """Of a bracket without partner, the one there with the same span; -1: none."""
    crosses: Callable[[], Flags]
    """Whether it crosses at least one bracket of the other side; looked at when it is asked."""


class ComparedSide(NamedTuple):
    """One side of the comparison; ``sentence_group``: which group each sentence is in."""

    forest: Forest
    sentence_group: Ints
    words: Words
    brackets: Brackets
    arcs: Arcs | None
    """Where both sides have dependencies."""
    attachments: Arcs | None
    """The same, with dependencies that a table of heads finds where a side has none."""


class Comparison(NamedTuple):
    """Both sides of some groups of sentences, compared; ``groups`` says how many."""

    gold: ComparedSide
    system: ComparedSide
    groups: int
    parameters: Parameters


def compare(
    gold: Forest,
    gold_group: Ints,
    system: Forest,
    system_group: Ints,
    groups: int,
    parameters: Parameters,
) -> Comparison:
    """Compare sentences in groups; ``*_group`` says, ascending, which group each is in.

    The forests share their symbols.
    """
    table = label_table(gold.symbols, parameters)
    gold_words, system_words = (
        _word_groups(forest, group)
        for forest, group in ((gold, gold_group), (system, system_group))
    )
    words = word_table(gold.symbols, parameters)
    way = parameters.alignment
    axis = lay(gold, gold_words, system, system_words, groups, table.trace, words, way)
    partner = _partners(axis)
    golds = np.flatnonzero(partner >= 0)
    both = golds, partner[golds]
    owners = gold_words, system_words
    gold, system = fitting_tags((gold, system), owners, both, table.tag, groups)
    sides = _words(gold, gold_words, system, system_words, axis, table, both)
    places = counting_axis(sides, axis.cells)
    if gold.annotation != system.annotation:
        # One has brackets, the other heads: no bracket is wrong for that.
        table = table._replace(bracket=np.full_like(table.bracket, -1))
    spans = [
        _spans(forest, group, words, table, places)
        for forest, group, words in zip(
            (gold, system), (gold_group, system_group), sides, strict=True
        )
    ]
    brackets = _matched(spans[0], spans[1], int(places[-1]), parameters.labelled)
    matched = sides[0].partner, sides[1].partner
    own = found = arcs((gold, system), owners, matched)
    if own is None and parameters.heads is not None:
        headed = _headed(gold, parameters), _headed(system, parameters)
        found = arcs(headed, owners, matched)
    return Comparison(
        ComparedSide(gold, gold_group, sides[0], brackets[0], own and own[0], found and found[0]),
        ComparedSide(
            system, system_group, sides[1], brackets[1], own and own[1], found and found[1]
        ),
        groups,
        parameters,
    )


def _headed(forest: Forest, parameters: Parameters) -> Forest:
    """The forest with dependencies, its own or found by the parameters' table of heads."""
    if forest.dependencies is not None or parameters.heads is None:
        return forest
    from treelens.compare.headed import with_heads  # which hardly anybody asks for

    return with_heads(forest, parameters.heads, parameters)


def _word_groups(forest: Forest, sentence_group: Ints) -> Ints:
    return np.repeat(sentence_group, np.diff(forest.first_leaf))


def _partners(axis: AxisLayout) -> Ints:
    """The system's word on exactly the same cells as each of gold's; -1 where there is none."""
    if axis.same:
        return np.arange(axis.cells, dtype=np.int32)
    starts, ends = zip(axis.gold.T, axis.system.T, strict=True)
    # A word's partner starts at the same cell and ends with it.
    at = np.full(axis.cells + 1, -1, np.int32)
    overt = np.flatnonzero(ends[1] > starts[1])
    at[starts[1][overt].astype(np.intp)] = overt
    partner = at.take(starts[0])
    partner[(np.append(ends[1], -1).take(partner) != ends[0]) | (ends[0] == starts[0])] = -1
    return partner


def _words(
    gold: Forest,
    gold_group: Ints,
    system: Forest,
    system_group: Ints,
    axis: AxisLayout,
    table: LabelTable,
    both: tuple[Rows, Rows],
) -> tuple[Words, Words]:
    """``both``: rows of words that are partners."""
    starts, ends = zip(axis.gold.T, axis.system.T, strict=True)
    golds, systems = both
    partner, back = (np.full(len(group), -1, np.int32) for group in (gold_group, system_group))
    partner[golds], back[systems] = systems, golds
    same = axis.gold_word[golds] == axis.system_word.take(systems)
    tagged = table.tag.take(gold.tag[golds]) == table.tag.take(system.tag.take(systems))
    counted, system_counted = own_counted(gold, table), own_counted(system, table)
    system_counted[systems] = counted[golds]
    return (
        Words(
            gold_group,
            starts[0],
            ends[0],
            counted,
            partner,
            *_spread(golds, same, tagged, gold_group),
        ),
        Words(
            system_group,
            starts[1],
            ends[1],
            system_counted,
            back,
            *_spread(systems, same, tagged, system_group),
        ),
    )


def own_counted(forest: Forest, table: LabelTable) -> Flags:
    """The words that parameters for brackets do not leave out, by a side's own tags: of
    dependencies, all; ``(w,)``."""
    return (
        np.ones(len(forest.tag), np.bool_)
        if forest.dependencies
        else ~table.deleted.take(forest.tag)
    )


def _spread(rows: Rows, same: Flags, tagged: Flags, like: Ints) -> tuple[Flags, Flags]:
    """Flags of some rows as flags of all, false elsewhere."""
    flags = np.zeros((2, len(like)), np.bool_)
    flags[0, rows], flags[1, rows] = same, tagged
    return flags[0], flags[1]


def counting_axis(sides: tuple[Words, Words], cells: int) -> Ints:
    """The place of each cell's boundary among the cells that count; ``(cells+1,)``.

    A cell counts if both sides have text there and gold's words are not left out.
    """
    gold, _ = sides
    if all(_fill(words, cells) for words in sides):
        return running(gold.counted)
    left_out = ~gold.counted
    counts = _shared(sides, cells) & ~_covered(gold.start[left_out], gold.end[left_out], cells)
    return running(counts)


def _fill(words: Words, cells: int) -> bool:
    """Whether each cell is a word."""
    return len(words.start) == cells and bool((words.end - words.start == 1).all())


def shared_axis(sides: tuple[Words, Words]) -> Ints:
    """The same among the cells where both sides have text, left out or not."""
    cells = max(int(words.end.max(initial=0)) for words in sides)
    return running(_shared(sides, cells))


def _shared(sides: tuple[Words, Words], cells: int) -> Flags:
    gold, system = sides
    return _covered(gold.start, gold.end, cells) & _covered(system.start, system.end, cells)


def _covered(start: Ints, end: Ints, cells: int) -> Flags:
    change = np.bincount(start, minlength=cells + 1) - np.bincount(end, minlength=cells + 1)
    return np.cumsum(change)[:cells] > 0


# --- brackets ------------------------------------------------------------------------------


class _Spans(NamedTuple):
    row: Ints
    group: Ints
    label: Ints
    start: Ints
    end: Ints


def _spans(
    forest: Forest, sentence_group: Ints, words: Words, table: LabelTable, places: Ints
) -> _Spans:
    """The brackets that count: their label does, and a word in them does."""
    label = table.bracket.take(forest.label)
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    base = forest.first_leaf[sentence]
    first, last = base + forest.first, base + forest.last
    counted_before = running(words.counted)
    rows = np.flatnonzero((label >= 0) & (counted_before.take(last) > counted_before.take(first)))
    first, last = first[rows], last[rows]
    return _Spans(
        rows.astype(np.int32),
        sentence_group[sentence[rows]],
        label[rows],
        places.take(words.start.take(first)),
        places.take(words.end.take(last - 1)),
    )


def _matched(
    gold: _Spans, system: _Spans, places: int, labelled: bool
) -> tuple[Brackets, Brackets]:
    both = _Spans(*(np.concatenate(pair) for pair in zip(gold, system, strict=True)))
    # (A place is in one group only.)
    span = pack(both.start, places - both.end)
    # A span without room on the axis is of words that the other side does not have; no two
    # of those are the same, so that nothing can match them.
    nowhere = np.flatnonzero(both.start >= both.end)
    span[nowhere] = span.max(initial=0) + 1 + np.arange(len(nowhere))
    key = span * (int(both.label.max(initial=0)) + 1) + both.label if labelled else span
    cut = len(gold.row)
    matched = partners(key[:cut], key[cut:])
    relabelled = leftover_partners(span[:cut], span[cut:], matched)
    return tuple(  # type: ignore[return-value]
        Brackets(
            *(side.row, side.group, side.start, side.end, partner, other),
            functools.cache(functools.partial(_crosses, side, partner, other, theirs, places)),
        )
        for side, partner, other, theirs in zip(
            (gold, system), matched, relabelled, (system, gold), strict=True
        )
    )


def _crosses(spans: _Spans, partner: Ints, relabelled: Ints, others: _Spans, places: int) -> Flags:
    """Which spans cross others; what the other side has itself does not."""
    found = np.zeros(len(spans.row), np.bool_)
    free = np.flatnonzero((partner < 0) & (relabelled < 0))
    found[free] = crossing(spans.start[free], spans.end[free], others.start, others.end, places)
    return found


def presence(comparison: Comparison) -> tuple[Flags, Flags]:
    """Which groups have words on gold's side, and on system's; ``(groups,)`` each."""
    gold, system = np.zeros((2, comparison.groups), np.bool_)
    for side, found in ((comparison.gold, gold), (comparison.system, system)):
        found[side.sentence_group[np.diff(side.forest.first_leaf) > 0]] = True
    return gold, system


def lengths(comparison: Comparison, parameters: Parameters) -> Numbers:
    """Gold's words of each group that its length counts; ``(groups,)``."""
    gold = comparison.gold
    measured = ~label_table(gold.forest.symbols, parameters).unmeasured.take(gold.forest.tag)
    return np.bincount(gold.words.group[measured], minlength=comparison.groups)


def wrong_words(words: Words) -> Flags:
    """Which words have no partner, or another word for one; traces only where they count."""
    return ~words.same & ((words.end > words.start) | words.counted)


def wrong_arcs(words: Words, arcs: Arcs) -> Flags:
    """Which words have a partner with another head or another relation."""
    return (words.partner >= 0) & ~(arcs.attached & arcs.subtyped)


def wrong_tags(words: Words) -> Flags:
    """Which words that count have a partner with another tag."""
    return words.counted & (words.partner >= 0) & ~words.tagged
