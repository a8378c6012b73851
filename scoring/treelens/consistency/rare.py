"""Decisions that the corpus hardly ever makes in such a place: one table of counts a decision.

The estimate leaves the decision itself out: ``(c(what, where) - 1 + 1/2) / (c(where) - 1 + 1)``,
of places that are there at least five times besides. Of a word: its relation, where its tag and
its head's tag are known; punctuation is left out. Of a bracket: its label where its parent's is
known and the tags of its first and last words are; and its children where its label is known.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.brackets import spans
from treelens.consistency.groups import Labels, Occurrence, VariationGroup
from treelens.consistency.material import Material, Places
from treelens.consistency.options import ConsistencyOptions
from treelens.consistency.relations import PUNCTUATION
from treelens.rules.parameters import bare
from treelens.trees.forest import ROOT, Symbols, encode

FEWEST = 5
"""Other places of the same sort without which nothing is said."""


class CountCell(NamedTuple):
    """What was decided where: a cell of one of the tables of counts."""

    table: int
    where: tuple[str, ...]
    what: str


class _Decisions(NamedTuple):
    """``(d,)`` each: what was decided, where (as numbers), and the words that it is about."""

    what: Labels
    where: Labels
    names: list[str]
    places: list[tuple[str, ...]]
    first: Places
    last: Places


class Decision(NamedTuple):
    """One that can be rare. cell: its table, what was decided and where, as names. words: of the
    sentence, from 0: a word, or a bracket's first and last."""

    sentence: int
    cell: CountCell
    words: tuple[int, ...]


def decisions(strip: Material, options: ConsistencyOptions) -> Iterator[Decision]:
    """All decisions of some sentences."""
    for number, found in enumerate(_tables(strip, options)):
        cells: dict[tuple[int, int], CountCell] = {}
        pairs = zip(found.where.tolist(), found.what.tolist(), strict=True)
        for both, (sentence, words) in zip(
            pairs, _placed(strip, found.first, found.last), strict=True
        ):
            cell = cells.get(both)
            if cell is None:
                cell = cells[both] = CountCell(number, found.places[both[0]], found.names[both[1]])
            yield Decision(sentence, cell, words)


def _tables(strip: Material, options: ConsistencyOptions) -> list[_Decisions]:
    if not len(strip.forest.tag):  # brackets that have no word yet
        return []
    if strip.forest.dependencies is not None:
        return [_relations(strip)]
    return _brackets(strip, options) if len(strip.forest.label) else []


def groups(strip: Material, options: ConsistencyOptions) -> Iterator[VariationGroup]:
    """The rarest decisions, the rarest first, until there are ``options.most`` words or brackets;
    those that are equal in what and where are one group."""
    scored = []
    for number, found in enumerate(_tables(strip, options)):
        score = scores(found.what, found.where)
        at = np.flatnonzero(~np.isnan(score))
        if len(at) > options.most:
            limit = np.partition(score[at], options.most - 1)[options.most - 1]
            at = at[score[at] <= limit]
        _, first = np.unique(np.stack([found.where[at], found.what[at]]), axis=1, return_index=True)
        for one in at[first].tolist():
            where, what = found.places[found.where[one]], found.names[found.what[one]]
            scored.append((float(score[one]), where, what, number, one, found))
    left = options.most
    for one_score, where, what, number, one, found in sorted(scored, key=lambda item: item[:4]):
        cell = CountCell(number, where, what)
        here = found.where == found.where[one]
        values, times = np.unique(found.what[here], return_counts=True)
        counts = zip((found.names[k] for k in values.tolist()), times.tolist(), strict=True)
        same = here & (found.what == found.what[one])
        occurrences = [
            Occurrence(*place, what, True)
            for place in _placed(strip, found.first[same], found.last[same])
        ]
        yield _group(strip.forest.symbols, cell, one_score, dict(counts), occurrences)
        left -= len(occurrences)
        if left <= 0:
            return


def _placed(strip: Material, first: Places, last: Places) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The sentence and the words there of each decision: a word, or both ends of a bracket."""
    sentence = strip.sentence[first]
    base = strip.first[sentence] + 1
    ends = zip((first - base).tolist(), (last - base).tolist(), strict=True)
    tabular = strip.forest.dependencies is not None
    for number, both in zip(sentence.tolist(), ends, strict=True):
        yield number, both[:1] if tabular else both


def _group(
    symbols: Symbols,
    cell: CountCell,
    score: float,
    counts: Mapping[str, int],
    occurrences: Iterable[Occurrence],
) -> VariationGroup:
    table, where, what = cell
    labels = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    identity = table, *(symbols.key(encode(name)) for name in (*where, what))
    return VariationGroup(
        "rare", "C", identity, where, tuple(labels), tuple(occurrences), score=score
    )


Occurrences = dict[int, list[tuple[int, ...]]]
"""By sentence, the words of each decision."""


class DecisionCounts:
    """How often was decided what where; sentences are added and taken out."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._of: dict[int, list[CountCell]] = {}
        self._places: dict[tuple[int, tuple[str, ...]], dict[str, Occurrences]] = {}
        self._counts: dict[tuple[int, tuple[str, ...]], Counter[str]] = {}

    def add(self, found: Iterable[Decision]) -> None:
        for sentence, (table, where, what), words in found:
            place = table, where
            self._counts.setdefault(place, Counter())[what] += 1
            there = self._places.setdefault(place, {}).setdefault(what, {})
            there.setdefault(sentence, []).append(words)
            self._of.setdefault(sentence, []).append(CountCell(table, where, what))

    def remove(self, sentence: int) -> None:
        for table, where, what in self._of.pop(sentence, ()):
            place = table, where
            self._counts[place][what] -= 1
            self._places[place][what].pop(sentence, None)
            if not self._counts[place][what]:
                del self._counts[place][what], self._places[place][what]

    def rarest(self, most: int) -> Iterator[VariationGroup]:
        """See :func:`groups`; which these are does not depend on the order of sentences."""
        scored = [
            ((count - 0.5) / total, where, what, table)
            for (table, where), counts in self._counts.items()
            if (total := counts.total()) > FEWEST
            for what, count in counts.items()
        ]
        # (No more than so many: each has a place at least.)
        for score, where, what, table in heapq.nsmallest(most, scored):
            found = self._group(score, CountCell(table, where, what))
            yield found
            most -= len(found.occurrences)
            if most <= 0:
                return

    def _group(self, score: float, cell: CountCell) -> VariationGroup:
        table, where, what = cell
        occurrences = [
            Occurrence(sentence, words, what, True)
            for sentence, there in sorted(self._places[table, where][what].items())
            for words in there
        ]
        return _group(self._symbols, cell, score, self._counts[table, where], occurrences)


def scores(what: Labels, where: Labels) -> npt.NDArray[np.float64]:
    """The leave-one-out estimate of each decision, 0 to 1; NaN where too little is known."""
    both = where * (int(what.max(initial=0)) + 1) + what
    _, cell, times = np.unique(both, return_inverse=True, return_counts=True)
    _, place, total = np.unique(where, return_inverse=True, return_counts=True)
    score = (times[cell] - 0.5) / total[place]
    score[total[place] - 1 < FEWEST] = np.nan
    return score


def _relations(strip: Material) -> _Decisions:
    forest = strip.forest
    assert forest.dependencies is not None
    symbols = forest.symbols
    rows = strip.leaf[strip.leaf >= 0]
    head = forest.dependencies.head[rows]
    rows = rows[(forest.tag[rows] != symbols.label_id(PUNCTUATION)) & (head >= ROOT)]
    head = forest.dependencies.head[rows]
    base = forest.first_leaf[strip.sentence[strip.place[rows]]]
    above = np.where(head >= 0, forest.tag[np.where(head >= 0, base + head, 0)], -1) + 1
    size = len(symbols.labels) + 1
    code = above.astype(np.int64) * size + forest.tag[rows]
    values, where = np.unique(code, return_inverse=True)
    names = ["root", *(label or "_" for label in symbols.labels)]
    places: list[tuple[str, ...]] = [
        (names[value // size], names[value % size + 1]) for value in values.tolist()
    ]
    place = strip.place[rows].astype(np.int64)
    what = forest.dependencies.relation[rows].astype(np.int64)
    return _Decisions(what, where, [label or "_" for label in symbols.labels], places, place, place)


def _brackets(strip: Material, options: ConsistencyOptions) -> list[_Decisions]:
    """Labels by what stands around, and children by label."""
    node, first, last, name, names = spans(strip, options)
    forest = strip.forest
    labels = name[node].tolist()
    tags = [bare(label) for label in forest.symbols.labels]
    tag = forest.tag[strip.leaf]
    parents: list[int] = []
    children: list[list[tuple[int, str]]] = [[] for _ in labels]
    stack: list[int] = []
    bounds = list(zip(first.tolist(), last.tolist(), strict=True))
    for row, (low, high) in enumerate(bounds):
        while stack and bounds[stack[-1]][1] < high:
            stack.pop()
        while stack and bounds[stack[-1]][0] > low:  # of the sentence before
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        if stack:
            children[stack[-1]].append((low, names[labels[row]]))
        stack.append(row)
    places = np.flatnonzero(strip.leaf >= 0)
    lowest = _lowest(bounds, len(strip.word))
    for place in places.tolist():
        if lowest[place] >= 0:
            children[lowest[place]].append((place, tags[int(tag[place])]))
    above = ["" if parent < 0 else names[labels[parent]] for parent in parents]
    ends = [(tags[int(tag[low])], tags[int(tag[high])]) for low, high in bounds]
    around: list[tuple[str, ...]] = [(one, *two) for one, two in zip(above, ends, strict=True)]
    made = [" ".join(what for _, what in sorted(one)) for one in children]
    return [
        _decisions([names[k] for k in labels], around, first, last),
        _decisions(made, [(names[k],) for k in labels], first, last),
    ]


def _lowest(bounds: list[tuple[int, int]], total: int) -> list[int]:
    """The lowest bracket over each place, -1 where there is none."""
    found = np.full(total, -1, np.int64)
    for row, (low, high) in enumerate(bounds):  # inner brackets come later
        found[low : high + 1] = row
    return found.tolist()


def _decisions(
    what: list[str], where: list[tuple[str, ...]], first: Places, last: Places
) -> _Decisions:
    names = list(dict.fromkeys(what))
    places = list(dict.fromkeys(where))
    numbers = {name: number for number, name in enumerate(names)}
    spots = {place: number for number, place in enumerate(places)}
    return _Decisions(
        np.array([numbers[one] for one in what], np.int64),
        np.array([spots[one] for one in where], np.int64),
        names,
        places,
        first,
        last,
    )
