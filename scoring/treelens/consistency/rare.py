"""Decisions that the corpus hardly ever makes in such a place: one table of counts a decision.

The estimate leaves the decision itself out: ``(c(what, where) - 1 + 1/2) / (c(where) - 1 + 1)``,
of places that are there at least five times besides. Of a word: its relation, where its tag and
its head's tag are known; punctuation is left out. Of a bracket: its label where its parent's is
known and the tags of its first and last words are; and its children where its label is known.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from treelens.consistency.brackets import spans
from treelens.consistency.groups import Labels, Occurrence, VariationGroup
from treelens.consistency.material import Material, Places
from treelens.consistency.options import ConsistencyOptions
from treelens.consistency.relations import PUNCTUATION
from treelens.rules.parameters import bare
from treelens.trees.forest import ROOT, Symbols, each_once, encode

FEWEST = 5
"""Other places of the same sort without which nothing is said."""


Spot = tuple[int, tuple[str, ...]]
"""A row of one of the tables of counts: the table, and where something is decided."""


class CountCell(NamedTuple):
    """What was decided where: a cell of one of the tables of counts."""

    table: int
    where: tuple[str, ...]
    what: str

    @property
    def spot(self) -> Spot:
        return self.table, self.where


class RareCell(NamedTuple):
    """One of the rarest. score: its estimate, 0 to 1. times: how often it was decided."""

    score: float
    cell: CountCell
    times: int


class RareDecision(NamedTuple):
    """The same with all that was decided there, and how often."""

    score: float
    cell: CountCell
    counts: Mapping[str, int]


class _Decisions(NamedTuple):
    """``(d,)`` each: what was decided, where (as numbers), and the words that it is about."""

    what: Labels
    where: Labels
    names: list[str]
    places: list[tuple[str, ...]]
    first: Places
    last: Places


class _Table(NamedTuple):
    """The decisions of one table of counts; cells: those that are there; of: which of these each
    decision is of, ``(d,)``."""

    decisions: _Decisions
    cells: list[CountCell]
    of: Places


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
    tables = _with_cells(strip, options)
    counts = _counted(tables)
    totals = Counter[Spot]()
    for cell, count in counts.items():
        totals[cell.spot] += count
    chosen = rarest(counts.items(), totals, options.most)
    yield from _groups(strip, tables, with_counts(chosen, counts.items()))


def counted(strip: Material, options: ConsistencyOptions) -> Counter[CountCell]:
    """How often was decided what where in some sentences."""
    return _counted(_with_cells(strip, options))


def _with_cells(strip: Material, options: ConsistencyOptions) -> list[_Table]:
    tables = []
    for number, found in enumerate(_tables(strip, options)):
        both = found.where * len(found.names) + found.what
        values, of = np.unique(both, return_inverse=True)
        named = (divmod(value, len(found.names)) for value in values.tolist())
        cells = [CountCell(number, found.places[at], found.names[what]) for at, what in named]
        tables.append(_Table(found, cells, of))
    return tables


def _counted(tables: Iterable[_Table]) -> Counter[CountCell]:
    counts = Counter[CountCell]()
    for one in tables:
        # (Two cells may have the same names.)
        for cell, count in zip(one.cells, np.bincount(one.of).tolist(), strict=True):
            counts[cell] += count
    return counts


def rarest(
    counts: Iterable[tuple[CountCell, int]], totals: Mapping[Spot, int], most: int
) -> list[RareCell]:
    """The rarest cells, the rarest first, until there are ``most`` decisions; which these are does
    not depend on the order of counts. totals: of all cells of a place."""
    scored = (
        ((count - 0.5) / total, cell.where, cell.what, cell.table, count)
        for cell, count in counts
        if (total := totals[cell.spot]) > FEWEST
    )
    chosen = []
    # (No more than so many: each is of a decision at least.)
    for score, where, what, table, count in heapq.nsmallest(most, scored):
        chosen.append(RareCell(score, CountCell(table, where, what), count))
        most -= count
        if most <= 0:
            break
    return chosen


def with_counts(
    chosen: Sequence[RareCell], counts: Iterable[tuple[CountCell, int]]
) -> list[RareDecision]:
    """What else was decided where those were that were chosen, of all counts."""
    found: dict[Spot, dict[str, int]] = {one.cell.spot: {} for one in chosen}
    for cell, count in counts:
        if cell.spot in found:
            found[cell.spot][cell.what] = count
    return [RareDecision(one.score, one.cell, found[one.cell.spot]) for one in chosen]


def sentences_of(
    strip: Material, options: ConsistencyOptions, cells: Collection[CountCell]
) -> Places:
    """The sentences in which one of these was decided, each once, ascending."""
    tables = _with_cells(strip, options)
    first = [one.decisions.first[_rows(one, cells)] for one in tables]
    return each_once(strip.sentence[np.concatenate([np.zeros(0, np.int64), *first])])


def groups_of(
    strip: Material, options: ConsistencyOptions, chosen: Sequence[RareDecision]
) -> Iterator[VariationGroup]:
    """The groups of decisions that were chosen, in their order, of all their sentences or more."""
    return _groups(strip, _with_cells(strip, options), chosen)


def _groups(
    strip: Material, tables: Sequence[_Table], chosen: Sequence[RareDecision]
) -> Iterator[VariationGroup]:
    found: dict[CountCell, list[Occurrence]] = {one.cell: [] for one in chosen}
    for one in tables:
        rows = _rows(one, found)
        places = _placed(strip, one.decisions.first[rows], one.decisions.last[rows])
        for of, place in zip(one.of[rows].tolist(), places, strict=True):
            cell = one.cells[of]
            found[cell].append(Occurrence(*place, cell.what, True))
    for score, cell, counts in chosen:
        yield _group(strip.forest.symbols, cell, score, counts, found[cell])


def _rows(table: _Table, cells: Collection[CountCell]) -> Places:
    """The decisions of some cells."""
    wanted = np.array([cell in cells for cell in table.cells], np.bool_)
    return np.flatnonzero(wanted[table.of])


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
        self._places: dict[Spot, dict[str, Occurrences]] = {}
        self._counts: dict[Spot, Counter[str]] = {}

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
        """See :func:`groups`."""
        cells = (
            (CountCell(table, where, what), count)
            for (table, where), counts in self._counts.items()
            for what, count in counts.items()
        )
        totals = {spot: counts.total() for spot, counts in self._counts.items()}
        for score, cell, _ in rarest(cells, totals, most):
            occurrences = [
                Occurrence(sentence, words, cell.what, True)
                for sentence, there in sorted(self._places[cell.spot][cell.what].items())
                for words in there
            ]
            counts = self._counts[cell.spot]
            yield _group(self._symbols, cell, score, counts, occurrences)


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
