"""What a score is made of: which names are taken for which, and the scores by sentence length.

From the same comparisons that the metrics count; the sums are the tallies' own. Knows no form
of report.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.attachments import relation_table
from treelens.compare.comparison import Comparison
from treelens.metrics import Ratio, Tallies, fractions
from treelens.rules.parameters import bare, label_table, tag_name
from treelens.rules.universal import universal_relation
from treelens.session.pair import Pair
from treelens.statistics.significance import percentile
from treelens.trees.forest import NOWHERE, Ints, each_once, narrow

Numbers = npt.NDArray[np.int64]
_Lengths = npt.NDArray[np.integer[Any]]

NOBODY = -1
"""In the place of a name: the other side has nothing there."""

_BINS = 10
"""Bins of sentence lengths, at most; the last one is open."""
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class NameCount(NamedTuple):
    """One name: how often either side has it, and what became of it.

    matched: of gold's, those that system calls the same; missing: those without counterpart;
    extra: system's without counterpart. The rest goes by another name on the other side.
    """

    name: str
    gold: int
    system: int
    matched: int
    missing: int
    extra: int

    @property
    def wrong(self) -> int:
        """How many of either side are not as they are on the other."""
        return self.gold + self.system - 2 * self.matched


class Confusions(NamedTuple):
    """How often a name of gold's stands where system has which name.

    key: ``labels``, ``tags``, ``relations`` (whatever the head) or ``attachments`` (relations
    whose heads are the same; an arc from another head has no counterpart); a word without a
    head has no relation. noun: what has such a name, in the plural.
    ``gold``, ``system``, ``times``: ``(k,)`` each, indices into ``names`` or :data:`NOBODY`;
    every combination that occurs, once. Names that the parameters hold equal are one name
    here, such as ``ADVP/PRT``.
    """

    key: str
    noun: str
    names: tuple[str, ...]
    gold: Numbers
    system: Numbers
    times: Numbers

    def by_name(self) -> list[NameCount]:
        """Every name, the most frequent ones of gold first."""
        sums = [
            self._sums(side, chosen)
            for side, chosen in (
                (self.gold, self.gold >= 0),
                (self.system, self.system >= 0),
                (self.gold, self.gold == self.system),
                (self.gold, (self.gold >= 0) & (self.system < 0)),
                (self.system, (self.gold < 0) & (self.system >= 0)),
            )
        ]
        rows = map(NameCount._make, zip(self.names, *sums, strict=True))
        return sorted(rows, key=lambda row: (-row.gold, -row.system, row.name))

    def confused(self) -> list[tuple[str, str, int]]:
        """Gold's name, system's other name, how often; the most frequent first."""
        wrong = (self.gold >= 0) & (self.system >= 0) & (self.gold != self.system)
        rows = zip(
            self.gold[wrong].tolist(),
            self.system[wrong].tolist(),
            self.times[wrong].tolist(),
            strict=True,
        )
        named = ((self.names[one], self.names[other], count) for one, other, count in rows)
        return sorted(named, key=lambda row: (-row[2], row[0], row[1]))

    def matrix(self, most: int) -> tuple[list[str], Numbers]:
        """The names with the most mistakes, and their counts; gold's in rows, system's in columns.

        ``(names + 2, names + 2)``: the last row and column but one are all the other names
        together, the last ones what has no counterpart. Where no name is left over there is
        no row for others: ``(names + 1, names + 1)``.
        """
        wrong = [row for row in self.by_name() if row.wrong]
        rows = sorted(wrong, key=lambda row: (-row.wrong, -row.gold, row.name))
        chosen = [row.name for row in rows[:most]]
        others = len(self.names) > len(chosen)
        size = len(chosen) + others + 1
        place = {name: at for at, name in enumerate(chosen)}
        # (NOBODY, the last element of the table, is the last row.)
        table = np.array([*(place.get(name, len(chosen)) for name in self.names), size - 1])
        cells = table[self.gold] * size + table[self.system]
        sums = np.bincount(cells, self.times, size * size).astype(np.int64)
        return chosen, sums.reshape(size, size)

    def _sums(self, names: Numbers, chosen: npt.NDArray[np.bool_]) -> list[int]:
        sums = np.bincount(names[chosen], self.times[chosen], len(self.names))
        counts: list[int] = sums.astype(np.int64).tolist()
        return counts


class Lengths(NamedTuple):
    """The groups of one stretch of lengths, in words of gold; ``last`` is None for no limit.

    total: the counts of all groups together, one row. fractions: numerators and denominators of a
    score of each group, where one was asked for; ``(groups,)`` both.
    """

    first: int
    last: int | None
    sentences: int
    total: Tallies
    fractions: Sequence[Numbers]

    @property
    def title(self) -> str:
        if self.last is None:
            return f"{self.first}+"
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


def by_length(systems: Sequence[Iterable[Pair]], ratio: Ratio | None = None) -> list[list[Lengths]]:
    """Each system's groups by gold's length: the same stretches for all, which cover everything.

    systems: pairs of each with gold, which have all the groups together. ratio: whose fractions
    are wanted of each group.
    """
    found = [_ByLength(pairs, ratio) for pairs in systems]
    everything = np.concatenate([of_system.lengths for of_system in found])
    stretches = [
        (first, last)
        for first, last in _stretches(everything[everything > 0])
        if _within(everything, first, last).any()
    ]
    return [[of_system.stretch(*stretch) for stretch in stretches] for of_system in found]


def _within(lengths: _Lengths, first: int, last: int | None) -> npt.NDArray[np.bool_]:
    return (lengths >= first) & (True if last is None else lengths <= last)


class _ByLength:
    """What groups of sentences come to by gold's length. Held are a few bytes a group."""

    def __init__(self, pairs: Iterable[Pair], ratio: Ratio | None) -> None:
        columns: list[tuple[_Lengths, ...]] = []
        self._sentences = Counter[int]()
        self._sums: dict[int, Tallies] = {}
        self._nothing: Tallies = np.zeros(0, np.int64)
        for pair in pairs:
            lengths, tallies = pair.lengths(), pair.tallies()
            sizes = pair.groups.gold_end - pair.groups.gold_start
            self._nothing = np.zeros_like(pair.total)
            for length in each_once(lengths).tolist():
                here = lengths == length
                self._sentences[length] += int(sizes[here].sum())
                known = self._sums.get(length, self._nothing)
                self._sums[length] = known + tallies[here].sum(axis=0)
            both = fractions(tallies, pair.metrics, ratio) if ratio else ()
            columns.append(tuple(map(narrow, (lengths, *both))))
        nothing = (np.zeros(0, np.int8),) * (3 if ratio else 1)
        self.lengths, *self._fractions = map(np.concatenate, zip(nothing, *columns, strict=True))

    def stretch(self, first: int, last: int | None) -> Lengths:
        end = last if last is not None else max(self._sums, default=first)
        there = [length for length in self._sums if first <= length <= end]
        total = sum((self._sums[length] for length in there), self._nothing)
        here = _within(self.lengths, first, last)
        of_each = [column[here].astype(np.int64) for column in self._fractions]
        sentences = sum(self._sentences[length] for length in there)
        return Lengths(first, last, sentences, total, of_each)


def _stretches(lengths: _Lengths) -> Iterator[tuple[int, int | None]]:
    """No word at all (empty trees, and what only system has); then equal steps."""
    yield 0, 0
    if not len(lengths):
        return
    # So that a few very long sentences do not push all others into one bin.
    usual = int(percentile(np.sort(lengths), 99))
    step = next((step for step in _STEPS if step * _BINS >= usual), _STEPS[-1])
    longest = int(lengths.max())
    edges = list(range(0, min(longest, step * _BINS), step))
    for edge in edges[:-1]:
        yield edge + 1, edge + step
    yield edges[-1] + 1, None if longest > edges[-1] + step else edges[-1] + step


# --- names -----------------------------------------------------------------------------------


class _Kind(NamedTuple):
    """Something whose names are compared: ``pairs`` gives ids of both sides, row by row."""

    key: str
    noun: str
    pairs: Callable[[Comparison], tuple[Ints, Ints]]
    shown: Callable[[str], str]


def confusions(pairs: Iterable[Pair]) -> tuple[Confusions, ...]:
    """What is taken for what, for everything with names that the files have.

    pairs: which have all groups together, and whose labels have the same ids.
    """
    found = {kind.key: _NONE_COUNTED for kind in _KINDS}
    numbers: dict[str, Ints] = {}
    symbols: Sequence[str] = ()
    for pair in pairs:
        symbols = pair.gold.symbols.labels
        table = label_table(pair.gold.symbols, pair.parameters)
        relations = relation_table(pair.gold.symbols).universal
        numbers = {
            "labels": table.bracket,
            "attachments": relations,
            "relations": relations,
            "tags": table.tag,
        }
        for comparison in pair.comparisons():
            for kind in _KINDS:
                ids = (_numbered(numbers[kind.key], side) for side in kind.pairs(comparison))
                found[kind.key] = _together(found[kind.key], _counted(*ids))
    if not numbers:
        return ()
    named = (_named(kind, *found[kind.key], numbers[kind.key], symbols) for kind in _KINDS)
    return tuple(one for one in named if len(one.times))


def _numbered(numbers: Ints, ids: Ints) -> Numbers:
    return np.where(ids < 0, NOBODY, numbers[ids]).astype(np.int64)


def _counted(gold: Numbers, system: Numbers) -> tuple[Numbers, Numbers]:
    """Each combination as one number, and how often it occurs."""
    return np.unique((gold + 1 << 32) + system + 1, return_counts=True)


def _together(
    one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    keys, inverse = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(inverse, np.concatenate([one[1], other[1]]), len(keys))
    return keys, counts.astype(np.int64)


_NONE_COUNTED = np.zeros(0, np.int64), np.zeros(0, np.int64)


def _named(
    kind: _Kind, keys: Numbers, counts: Numbers, numbers: Ints, symbols: Sequence[str]
) -> Confusions:
    sides = (keys >> 32) - 1, (keys & 0xFFFFFFFF) - 1
    used = each_once(np.concatenate(sides))
    used = used[used >= 0]
    named = _names(used, numbers, symbols, kind.shown)
    gold, system = (
        np.where(side < 0, NOBODY, np.searchsorted(used, side)).astype(np.int64) for side in sides
    )
    return Confusions(kind.key, kind.noun, named, gold, system, counts)


def _names(
    used: Numbers, numbers: Ints, symbols: Sequence[str], shown: Callable[[str], str]
) -> tuple[str, ...]:
    """What to call each number: the labels that have it, without what the number disregards."""
    members: dict[int, set[str]] = {number: set() for number in used.tolist()}
    for number, label in zip(numbers.tolist(), symbols, strict=False):
        if number in members:
            members[number].add(shown(label))
    return tuple("/".join(sorted(members[number])) for number in used.tolist())


def _labels(comparison: Comparison) -> tuple[Ints, Ints]:
    gold, system = comparison.gold, comparison.system
    ours, theirs = gold.brackets, system.brackets
    counterpart = np.where(ours.partner >= 0, ours.partner, ours.relabelled)
    alone = np.where(theirs.partner >= 0, theirs.partner, theirs.relabelled) < 0
    return _sides(gold.forest.label[ours.row], system.forest.label[theirs.row], counterpart, alone)


def _tags(comparison: Comparison) -> tuple[Ints, Ints]:
    gold, system = comparison.gold, comparison.system
    counted = gold.words.counted
    alone = system.words.counted & (system.words.partner < 0)
    return _sides(gold.forest.tag, system.forest.tag, gold.words.partner, alone, counted)


def _sides(
    gold: Ints,
    system: Ints,
    counterpart: Ints,
    alone: npt.NDArray[np.bool_],
    counted: npt.NDArray[np.bool_] | None = None,
) -> tuple[Ints, Ints]:
    """Gold's ids and those of their counterparts; then system's that have none."""
    if counted is not None:
        gold, counterpart = gold[counted], counterpart[counted]
    met = np.full(len(gold), NOBODY, np.int32)
    known = counterpart >= 0
    met[known] = system[counterpart[known]]
    left = system[alone]
    return (
        np.concatenate([gold, np.full(len(left), NOBODY, np.int32)]),
        np.concatenate([met, left]),
    )


def _relations(comparison: Comparison, *, attached: bool) -> tuple[Ints, Ints]:
    """Relations of words that have heads, and of their counterparts that have some too.

    attached: only where both have the same head.
    """
    gold, system = comparison.gold, comparison.system
    if gold.arcs is None or system.arcs is None:
        return _NO_NAMES, _NO_NAMES
    assert gold.forest.dependencies is not None
    assert system.forest.dependencies is not None
    headed = gold.arcs.head != NOWHERE, system.arcs.head != NOWHERE
    met = [
        np.append(others, False)[side.words.partner] & (side.arcs.attached | (not attached))
        for side, others in ((gold, headed[1]), (system, headed[0]))
        if side.arcs is not None
    ]
    counterpart = np.where(met[0], gold.words.partner, NOBODY)
    ids = gold.forest.dependencies.relation, system.forest.dependencies.relation
    return _sides(*ids, counterpart, headed[1] & ~met[1], headed[0])


_NO_NAMES = np.zeros(0, np.int32)

_KINDS = (
    _Kind("labels", "brackets", _labels, bare),
    _Kind("attachments", "arcs", functools.partial(_relations, attached=True), universal_relation),
    _Kind("relations", "words", functools.partial(_relations, attached=False), universal_relation),
    _Kind("tags", "words", _tags, tag_name),
)
