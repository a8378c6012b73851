"""Which constituents and empty elements both sides have that PARSEVAL does not count, and where.

An empty element that both have takes room as a word does, so that what it hangs in is seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison, shared_axis
from treelens.compare.match import Partners, pack, partners
from treelens.differences.difference import Numbers, once
from treelens.rules import distances
from treelens.trees.forest import Ints, running

_INDEX = re.compile(rb"(?<=.)-[0-9]+\Z", re.DOTALL)
"""What an empty element ends with that says what it stands for: ``*T*-1``."""


def alike(comparison: Comparison) -> bool:
    """Whether both sides say the same kinds of things, so that all of it can be the same."""
    gold, system = comparison.gold.forest, comparison.system.forest
    both = gold.layout == system.layout
    return both and (gold.dependencies is None) == (system.dependencies is None)


class Traces(NamedTuple):
    """Gold's or system's empty elements that do not count, ``(n,)`` each: their rows, and which
    of them only this side has at their places, with whatever index."""

    rows: Numbers
    lone: npt.NDArray[np.bool_]


@once
def traces(comparison: Comparison) -> tuple[Traces, Traces]:
    sides = comparison.gold, comparison.system
    words = comparison.gold.words, comparison.system.words
    rows = [np.flatnonzero((one.end <= one.start) & ~one.counted) for one in words]
    found = tuple(Traces(each, np.ones(len(each), np.bool_)) for each in rows)
    if all(map(len, rows)):
        axis = shared_axis((comparison.gold.words, comparison.system.words))
        columns = [_trace_columns(*each, axis) for each in zip(sides, rows, strict=True)]
        group, start, word, tag = (np.concatenate(pair) for pair in zip(*columns, strict=True))
        number = np.unique(word, return_inverse=True)[1].astype(np.int64)
        places = np.split(pack(group, start), [len(rows[0])])
        keys = np.split(pack(group, start, number, tag), [len(rows[0])])
        golds, systems = in_order(partners(*keys), places, keys)
        found[0].lone[golds] = found[1].lone[systems] = False
        if found[0].lone.any() and found[1].lone.any():
            _match_but_for_index(comparison, found, (group, start, word, tag))
    return found[0], found[1]


def _match_but_for_index(
    comparison: Comparison, found: Sequence[Traces], columns: Sequence[npt.NDArray[np.generic]]
) -> None:
    """Of those that only one side has, as if both had them: the same ones with another index, in
    order between those that both have. ``columns``: group, place, word and tag of all."""
    lone = [np.flatnonzero(one.lone) for one in found]
    chosen = np.concatenate([lone[0], len(found[0].rows) + lone[1]])
    group, start, word, tag = (column[chosen] for column in columns)
    known, inverse = np.unique(word, return_inverse=True)
    numbers: dict[bytes, int] = {}
    stems = [_INDEX.sub(b"", text) for text in comparison.gold.forest.symbols.tokens(known)]
    stem = np.array([numbers.setdefault(one, len(numbers)) for one in stems], np.int64)[inverse]
    behind = np.concatenate(
        [running(~one.lone)[:-1][at] for one, at in zip(found, lone, strict=True)]
    )
    cut = [len(lone[0])]
    places = np.split(pack(group, start, behind), cut)
    keys = np.split(pack(group, start, behind, stem, tag), cut)
    golds, systems = in_order(partners(*keys), places, keys)
    found[0].lone[lone[0][golds]] = found[1].lone[lone[1][systems]] = False


def traces_of_both(comparison: Comparison) -> tuple[Numbers, Numbers]:
    """The rows of the empty elements that both sides have, gold's and system's one for one, maybe
    with another index: those that have changed places are not among them, so the order is the
    same."""
    ours, theirs = (found.rows[~found.lone] for found in traces(comparison))
    return ours, theirs


def _trace_columns(
    side: ComparedSide, rows: Numbers, axis: Ints
) -> tuple[npt.NDArray[np.generic], ...]:
    words, forest = side.words, side.forest
    return words.group[rows], axis[words.start[rows]], forest.word[rows], forest.tag[rows]


def in_order(
    matched: Partners, places: Sequence[Numbers], keys: Sequence[Numbers]
) -> tuple[Numbers, Numbers]:
    """Pairs of equal keys that are in order on both sides, where some have changed places: at
    these places, as many as can be. ``places`` and ``keys`` are gold's and system's."""
    golds = np.flatnonzero(matched.gold >= 0)
    systems = matched.gold[golds].astype(np.int64)
    turned = np.flatnonzero(np.diff(systems) < 0)
    if not len(turned):
        return golds, systems
    places_turned = np.unique(places[0][golds[turned]])
    kept = ~np.isin(places[0][golds], places_turned)
    found = [*zip(golds[kept].tolist(), systems[kept].tolist(), strict=True)]
    for place in places_turned:
        ours, theirs = (np.flatnonzero(each == place).tolist() for each in places)
        for one in distances.Indel.opcodes(keys[0][ours].tolist(), keys[1][theirs].tolist()):
            if one.tag == "equal":
                size = one.src_end - one.src_start
                found += zip(ours[one.src_start :][:size], theirs[one.dest_start :], strict=False)
    golds, systems = np.array(sorted(found), np.int64).reshape(-1, 2).T
    return golds, systems


class Spans(NamedTuple):
    """Some constituents, where they stand among the words and empty elements that both sides
    have; ``(n,)`` each."""

    node: Numbers
    group: Numbers
    start: Numbers
    end: Numbers
    label: Numbers

    def taken(self, rows: Numbers) -> Spans:
        """Some of them."""
        return Spans._make(column[rows] for column in self)


class Places(NamedTuple):
    """Where the words of a side stand among those that both have, ``(w + 1,)`` each, and which of
    them are empty elements that only this side has, added up."""

    start: Numbers
    end: Numbers
    lone: Numbers


@once
def places_on_both(comparison: Comparison) -> tuple[Places, Places]:
    """An empty element that both have takes room of its own, as a word does."""
    axis = shared_axis((comparison.gold.words, comparison.system.words))
    found = []
    sides = comparison.gold.words, comparison.system.words
    for words, empty in zip(sides, traces(comparison), strict=True):
        lone, both = np.zeros((2, len(words.start)), np.bool_)
        lone[empty.rows[empty.lone]] = both[empty.rows[~empty.lone]] = True
        before = running(both)
        start = axis[words.start] + before[:-1]
        end = axis[words.end] + before[1:]
        # (Behind the last word, where a constituent without words may be, is where that ends.)
        found.append(Places(np.append(start, end[-1:]), end, running(lone)))
    return found[0], found[1]


def spans_of(side: ComparedSide, nodes: Numbers, places: Places) -> Spans:
    forest = side.forest
    sentence, first, last = (column[nodes] for column in word_rows(side))
    start = places.start[first]
    end = np.where(last > first, places.end[np.maximum(last - 1, 0)], start)
    return Spans(nodes, side.sentence_group[sentence], start, end, forest.label[nodes])


def word_rows(side: ComparedSide) -> tuple[Numbers, Numbers, Numbers]:
    """The sentence of each constituent, its first word and the one behind its last; ``(c,)``."""
    forest = side.forest
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))
    base = forest.first_leaf[sentence]
    return sentence, base + forest.first, base + forest.last


def only_lone(side: ComparedSide, places: Places) -> npt.NDArray[np.bool_]:
    """Which constituents hold nothing but empty elements that only this side has, and are told
    with these; ``(c,)``."""
    _, first, last = word_rows(side)
    return (last > first) & (places.lone[last] - places.lone[first] == last - first)


class Unmatched(NamedTuple):
    """Constituents that do not count: those that both sides have, those over the same text with
    other labels, gold's and system's row by row, and those that only gold or only system has."""

    both: tuple[Numbers, Numbers]
    gold: Spans
    system: Spans
    lone_gold: Spans
    lone_system: Spans


@once
def unmatched(comparison: Comparison) -> Unmatched | None:
    """None where these cannot be compared."""
    gold, system = comparison.gold, comparison.system
    if not alike(comparison) or not len(gold.words.start) or not len(system.words.start):
        return None
    sides = []
    for side, places in zip((gold, system), places_on_both(comparison), strict=True):
        counts = np.zeros(len(side.forest.label), np.bool_)
        counts[side.brackets.row] = True
        sides.append(spans_of(side, np.flatnonzero(~counts & ~only_lone(side, places)), places))
    ours, theirs = sides
    columns = [np.concatenate(pair).astype(np.int64) for pair in zip(*sides, strict=True)]
    cut = len(ours.node)
    same = pack(*columns[1:])
    matched = partners(same[:cut], same[cut:])
    golds = np.flatnonzero(matched.gold >= 0)
    rows, others = np.flatnonzero(matched.gold < 0), np.flatnonzero(matched.system < 0)
    place = pack(*columns[1:4])
    met = partners(place[:cut][rows], place[cut:][others])
    both = rows[met.gold >= 0], others[met.gold[met.gold >= 0]]
    lone = rows[met.gold < 0], others[met.system < 0]
    return Unmatched(
        (ours.node[golds], theirs.node[matched.gold[golds]]),
        ours.taken(both[0]),
        theirs.taken(both[1]),
        ours.taken(lone[0]),
        theirs.taken(lone[1]),
    )


def counterparts(comparison: Comparison, *, relabelled: bool = False) -> tuple[Ints, Ints]:
    """Of each constituent of gold and of system, ``(c,)`` each, the same one of the other side,
    counted or not, or with ``relabelled`` one with another label in its place; -1: none."""
    gold, system = comparison.gold, comparison.system
    found = [np.full(len(side.forest.label), -1, np.int32) for side in (gold, system)]
    columns = [gold.brackets.partner, *([gold.brackets.relabelled] if relabelled else [])]
    pairs: list[tuple[Numbers, Numbers]] = [
        (gold.brackets.row[column >= 0], system.brackets.row[column[column >= 0]])
        for column in columns
    ]
    if others := unmatched(comparison):
        pairs.append(others.both)
        pairs += [(others.gold.node, others.system.node)] if relabelled else []
    for golds, systems in pairs:
        found[0][golds], found[1][systems] = systems, golds
    return found[0], found[1]
