"""Decisions that the corpus hardly ever makes in such a place: one table of counts a decision.

The estimate leaves the decision itself out: ``(c(what, where) - 1 + 1/2) / (c(where) - 1 + 1)``,
of places that are there at least five times besides. Of a word: its relation, where its tag and
its head's tag are known; punctuation is left out. Of a bracket: its label where its parent's is
known and the tags of its first and last words are; and its children where its label is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.consistency.brackets import spans
from treelens.consistency.groups import Group, Labels, Occurrence
from treelens.consistency.material import Material, Places
from treelens.consistency.options import Options
from treelens.consistency.relations import PUNCTUATION
from treelens.rules.parameters import bare
from treelens.trees.forest import ROOT

FEWEST = 5
"""Other places of the same sort without which nothing is said."""


class _Decisions(NamedTuple):
    """``(d,)`` each: what was decided, where (as numbers), and the words that it is about."""

    what: Labels
    where: Labels
    names: list[str]
    places: list[tuple[str, ...]]
    first: Places
    last: Places


def groups(strip: Material, options: Options) -> Iterator[Group]:
    """The rarest decisions, at most ``options.most`` words or brackets, the rarest first; those
    that are equal in what and where are one group."""
    tables = (
        [_relations(strip)] if strip.forest.dependencies is not None else _brackets(strip, options)
    )
    found = [group for table in tables for group in _groups(strip, table, options.most)]
    found.sort(key=lambda one: (one.score, one.key, one.labels))
    left = options.most
    for one in found:
        yield one
        left -= len(one.occurrences)
        if left <= 0:
            return


def scores(what: Labels, where: Labels) -> npt.NDArray[np.float64]:
    """The leave-one-out estimate of each decision, 0 to 1; NaN where too little is known."""
    both = where * (int(what.max(initial=0)) + 1) + what
    _, cell, times = np.unique(both, return_inverse=True, return_counts=True)
    _, place, total = np.unique(where, return_inverse=True, return_counts=True)
    score = (times[cell] - 0.5) / total[place]
    score[total[place] - 1 < FEWEST] = np.nan
    return score


def _groups(strip: Material, found: _Decisions, most: int) -> Iterator[Group]:
    if not len(found.what):
        return
    score = scores(found.what, found.where)
    order = np.argsort(score, kind="stable")[:most]
    order = order[~np.isnan(score[order])]
    seen = set()
    for at in order.tolist():
        cell = int(found.where[at]), int(found.what[at])
        if cell in seen:
            continue
        seen.add(cell)
        here = found.where == cell[0]
        same = np.flatnonzero(here & (found.what == cell[1]))
        values, counts = np.unique(found.what[here], return_counts=True)
        labels = sorted(
            ((found.names[k], n) for k, n in zip(values.tolist(), counts.tolist(), strict=True)),
            key=lambda item: (-item[1], item[0]),
        )
        occurrences = tuple(_occurrence(strip, found, one) for one in same.tolist())
        key = found.places[cell[0]]
        yield Group("rare", "C", cell, key, tuple(labels), occurrences, score=float(score[at]))


def _occurrence(strip: Material, found: _Decisions, at: int) -> Occurrence:
    first, last = int(found.first[at]), int(found.last[at])
    sentence = int(strip.sentence[first])
    base = int(strip.first[sentence]) + 1
    words = (
        (first - base,) if strip.forest.dependencies is not None else (first - base, last - base)
    )
    return Occurrence(sentence, words, found.names[int(found.what[at])], True)


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


def _brackets(strip: Material, options: Options) -> list[_Decisions]:
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
