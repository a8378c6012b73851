"""Leaf-ancestor: how alike each word's path of labels up to the root is on both sides.

Source: Sampson & Babarczy 2003, *A test of the leaf-ancestor metric for parse accuracy*; Seddah
et al. 2013 (SPMRL), whose printed formula lacks its "1 −". A word scores one minus the edit
distance of its two paths over the sum of their lengths; adding and deleting a label cost 1.
A percentage, 0 to 100. Four kinds of cost:

* Sampson & Babarczy: a path holds boundary marks as well, a ``[`` below the highest constituent
  that starts with the word and a ``]`` above the highest that ends with it (constituents of a
  single word have none). Replacing a label costs 0.5 if the other has the same first character,
  else 2.
* workshop: the same with 1.5 instead of 0.5, as in the paper's earlier version.
* Wagner: as Sampson & Babarczy, but constituents of a single word have both marks, as in
  Wagner's parse_la.py. A metric of its own, counted where it is asked for.
* plain: labels only; replacing one costs 2, as much as deleting and adding.
* plain, equal costs: replacing costs 1 (Levenshtein).

Each is given twice: over all words, and as the mean of the sentences' scores. A score is the
harmonic mean of precision and recall: the sum over words that both sides have, twice, over the
words of both; so a word without counterpart scores 0, and where the words are the same it is the
mean over words. Sentences that are aligned together are one sentence in the mean over sentences.

Trees are what the parameters leave of them: labels and words that do not count are in no path,
nor do they make a boundary; labels that are held equal are the same label, with the first
character of the one that stands for all. Tags are no part of a path. Words that only one side
has take no room: a boundary is that of the shared words.

Exactness: scores are fractions with many denominators, and counts are whole numbers. They are in
units of 1/10,708,457,760, twice the least common multiple of 1 to 24. A score whose paths have up
to 24 labels and marks together is a whole number of units; any other is rounded to the next one,
so that a mean is off by less than 5e-11, and a percentage by less than 5e-9.

Divergences: Wagner's parse_la.py (SPMRL) gives a sentence with other words 0 as a whole, and
keeps the root's label, which is in no path here where the parameters leave it out. It puts marks
around constituents of a single word, which have none in Sampson & Babarczy's (one treebank's 93.71
is 93.52 there): that is the kind named after it. What it does was read, not run,
so that this kind was not compared with it. Paths of more
than 256 labels score 0 unless they are the same: their distance would take its time, and no
treebank has any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.compare.comparison import ComparedSide, Comparison
from treelens.compare.match import Numbers, pack
from treelens.compare.nesting import nest
from treelens.metrics import CONSTITUENTS, Metric, Ratio, Tallies, by_group
from treelens.rules import distances
from treelens.rules.parameters import label_table
from treelens.trees.forest import Ints, running

Flags = npt.NDArray[np.bool_]

UNIT = 2 * 5_354_228_880
LONGEST = 256
_CELLS_AT_ONCE = 1 << 20
"""So that different labels are few enough for characters."""
_OPEN, _CLOSE, _FIRST_LABEL = 1, 2, 3
"""Codes of what a path holds; 0 is nothing."""

KINDS = ("sampson", "workshop", "plain", "equal")
WAGNER = ("wagner",)


def tally(comparison: Comparison) -> Tallies:
    return _tally(comparison, KINDS, _compared, marks_alone=False)


def tally_wagner(comparison: Comparison) -> Tallies:
    """With marks around constituents of a single word too."""
    return _tally(comparison, WAGNER, _compared_with_marks, marks_alone=True)


def _tally(
    comparison: Comparison, kinds: tuple[str, ...], compared: _Compare, *, marks_alone: bool
) -> Tallies:
    gold, system = comparison.gold, comparison.system
    words = [by_group(s.words.group[_leaves(s)], comparison) for s in (gold, system)]
    shared = np.flatnonzero(_leaves(gold) & (gold.words.partner >= 0))
    partners = gold.words.partner[shared].astype(np.int64)
    paths = _paths(comparison, shared, partners, least=1 if marks_alone else 2)
    scores = _scores(comparison, paths, kinds, compared)
    both = words[0] + words[1]
    bounds = np.searchsorted(gold.words.group[shared], np.arange(comparison.groups + 1))
    sums = [np.diff(np.append(0, np.cumsum(score))[bounds]) for score in scores]
    means = [_rounded(2 * total, np.maximum(both, 1)) for total in sums]
    return np.stack([*words, both > 0, *sums, *means], axis=1).astype(np.int64)


def _leaves(side: ComparedSide) -> Flags:
    """The words that count and are no traces."""
    return side.words.counted & (side.words.end > side.words.start)


def _rounded(numerator: Numbers, denominator: Numbers) -> Numbers:
    return (2 * numerator + denominator) // (2 * denominator)


class _Paths(NamedTuple):
    """Constituents of both sides, gold's first, and the paths of the ``n`` shared words."""

    label: Numbers
    """Of each constituent, ``(c,)``, equal for equal labels; next what holds it, -1 for none."""
    parent: Numbers
    depth: Numbers
    words: tuple[_Words, _Words]


class _Words(NamedTuple):
    """Of each word a constituent, or -1; ``(n,)`` each."""

    lowest: Numbers
    opens: Numbers
    """The highest of several words that starts with it."""
    closes: Numbers


_Compare = Callable[[_Paths, Numbers, Numbers], Numbers]
"""The scores of some words' paths, given the labels' first characters, in units; ``(kinds, n)``."""


def _paths(comparison: Comparison, *rows: Numbers, least: int) -> _Paths:
    """``rows``: the shared words, on gold's side and on system's; ``least``: how many of them a
    constituent with marks has."""
    labels, parents, depths, words = [], [], [], []
    shift = 0
    for side, kept in zip((comparison.gold, comparison.system), rows, strict=True):
        first, last, label = _spans(side, kept, comparison)
        found = nest(first, last, len(kept))
        several = np.flatnonzero(last >= first + least)[::-1]
        opens, closes = np.full((2, len(kept)), -1)
        # Of several assignments to one place the last counts: that of the highest.
        opens[first[several]] = several
        closes[last[several] - 1] = several
        words.append(_Words(*(_moved(x, shift) for x in (found.word_parent, opens, closes))))
        labels.append(label)
        parents.append(_moved(found.parent, shift))
        depths.append(found.depth)
        shift += len(label)
    label, parent, depth = (np.concatenate(parts) for parts in (labels, parents, depths))
    return _Paths(label, parent, depth, (words[0], words[1]))


def _moved(rows: Numbers, shift: int) -> Numbers:
    return np.where(rows >= 0, rows + shift, -1)


def _spans(side: ComparedSide, kept: Numbers, comparison: Comparison) -> tuple[Ints, Ints, Numbers]:
    """First and last of the shared words in each constituent that has any, and its label."""
    forest, rows = side.forest, side.brackets.row
    flags = np.zeros(len(forest.word), np.bool_)
    flags[kept] = True
    before = running(flags)
    sentence = np.repeat(np.arange(len(forest)), np.diff(forest.first_node))[rows]
    base = forest.first_leaf[sentence]
    first, last = before[base + forest.first[rows]], before[base + forest.last[rows]]
    table = label_table(forest.symbols, comparison.parameters)
    label = table.bracket[forest.label[rows]].astype(np.int64)
    if not comparison.parameters.labelled:
        label[:] = 0
    held = first < last
    return first[held], last[held], label[held]


def _scores(
    comparison: Comparison, paths: _Paths, kinds: tuple[str, ...], compared: _Compare
) -> list[Numbers]:
    """The score of each shared word, in units, for each of the kinds."""
    keys = _keys(paths)
    count = len(keys[0])
    scores = [np.full(count, UNIT) for _ in kinds]
    differing = np.flatnonzero(keys[0] != keys[1])
    _, chosen, number = np.unique(
        pack(keys[0][differing], keys[1][differing]), return_index=True, return_inverse=True
    )
    chosen = differing[chosen]
    depth = np.append(paths.depth, -1)
    deepest = np.maximum(*(depth[side.lowest[chosen]] for side in paths.words)) + 1
    order = np.argsort(deepest, kind="stable")
    order = order[: np.searchsorted(deepest[order], LONGEST, side="right")]
    initials = _initials(comparison)
    found = np.zeros((len(kinds), len(chosen)), np.int64)
    for part in _portions(order, deepest):
        found[:, part] = compared(paths, chosen[part], initials)
    for score, values in zip(scores, found, strict=True):
        score[differing] = values[number]
    return scores


def _keys(paths: _Paths) -> tuple[Numbers, Numbers]:
    """A number for each word's path, marks and all: equal where the paths are."""
    name, depth = np.append(_names(paths), -1), np.append(paths.depth, -1)
    columns = [
        np.concatenate([table[getattr(side, field)] + 1 for side in paths.words])
        for table, field in ((name, "lowest"), (depth, "opens"), (depth, "closes"))
    ]
    both = pack(*columns)
    cut = len(paths.words[0].lowest)
    return both[:cut], both[cut:]


def _names(paths: _Paths) -> Numbers:
    """A number for the labels of each constituent and of all that hold it: equal where those are.

    The names of paths of up to 1, 2, 4, 8, … labels in turn: of the two halves' names.
    """
    name, above = paths.label.copy(), paths.parent.copy()
    live = np.flatnonzero(above >= 0)
    while len(live):
        halves = pack(name[live], name[above[live]])
        # Longer paths than those before: other numbers.
        base = int(name.max()) + 1
        above_next = above[above[live]]
        name[live] = base + np.unique(halves, return_inverse=True)[1]
        above[live] = above_next
        live = live[above_next >= 0]
    return name


def _initials(comparison: Comparison) -> Numbers:
    """The first character of the labels with each number; ``(labels,)``."""
    table = label_table(comparison.gold.forest.symbols, comparison.parameters)
    counted = table.bracket >= 0
    found = np.zeros(int(table.bracket.max(initial=0)) + 1, np.int64)
    if comparison.parameters.labelled:
        found[table.bracket[counted]] = table.initial[counted]
    return found


def _portions(order: Numbers, deepest: Numbers) -> Iterator[Numbers]:
    """The pairs of paths, the shortest first, as many at once as make a matrix of bounded size."""
    at = 0
    while at < len(order):
        some = order[at : at + _CELLS_AT_ONCE // 64]
        width = 4 * (deepest[some] + 3)
        fitting = int(np.searchsorted(width * np.arange(1, len(some) + 1), _CELLS_AT_ONCE))
        yield some[: max(fitting, 1)]
        at += max(fitting, 1)


def _compared(paths: _Paths, chosen: Numbers, initials: Numbers) -> Numbers:
    """All kinds but Wagner's."""
    marked, first = _with_marks(paths, chosen, initials)
    plain = [_closed_up(np.where(side > _CLOSE, side, 0)) for side in marked]
    size, plain_size = (_size(sides) for sides in (marked, plain))
    workshop = _common([_texts(first[side], side, side, side) for side in marked])
    texts = [_texts(side) for side in plain]
    distance = distances.process.cpdist(
        *texts, scorer=distances.Levenshtein.distance, dtype=np.int32
    ).astype(np.int64)
    some = np.maximum(plain_size, 1)
    return np.stack(
        [
            _sampson(marked, first),
            _rounded(UNIT * workshop, 2 * size),
            np.where(plain_size, _rounded(2 * UNIT * _common(texts), some), UNIT),
            np.where(plain_size, _rounded(UNIT * (plain_size - distance), some), UNIT),
        ]
    )


def _compared_with_marks(paths: _Paths, chosen: Numbers, initials: Numbers) -> Numbers:
    return _sampson(*_with_marks(paths, chosen, initials))[np.newaxis]


def _with_marks(paths: _Paths, chosen: Numbers, initials: Numbers) -> tuple[list[Numbers], Numbers]:
    """Both sides' paths in small codes, and the code of each one's first character."""
    written = [_written(paths, _Words._make(c[chosen] for c in side)) for side in paths.words]
    return _small(written, initials)


def _sampson(marked: list[Numbers], first: Numbers) -> Numbers:
    """Two equal labels save 2 of the cost, two that begin alike 1.5 (for the workshop's 0.5). The
    most that can be saved is a longest common subsequence if every label is written as four
    characters, of which labels that begin alike have three (or one) in common."""
    common = _common([_texts(first[side], first[side], first[side], side) for side in marked])
    return _rounded(UNIT * common, 2 * _size(marked))


def _size(sides: list[Numbers]) -> Numbers:
    """Labels and marks of both paths together; ``(n,)``."""
    size: Numbers = sum((side > 0).sum(axis=1) for side in sides)
    return size


def _written(paths: _Paths, words: _Words) -> Numbers:
    """The path of each word, upwards; a row of codes each, zeros behind."""
    label, parent = np.append(paths.label, -_FIRST_LABEL), np.append(paths.parent, -1)
    here, columns = words.lowest, []
    while (here >= 0).any():
        columns += [
            np.where((here == words.opens) & (here >= 0), _OPEN, 0),
            label[here] + _FIRST_LABEL,
            np.where((here == words.closes) & (here >= 0), _CLOSE, 0),
        ]
        here = parent[here]
    columns = columns or [np.zeros(len(here), np.int64)]
    return _closed_up(np.stack(columns, axis=1))


def _closed_up(codes: Numbers) -> Numbers:
    """Every row's zeros behind all else."""
    there = codes.ravel() > 0
    at = np.flatnonzero(there)
    row = at // codes.shape[1]
    counts = np.bincount(row, minlength=len(codes))
    place = np.arange(len(at)) - running(counts)[row]
    found = np.zeros((len(codes), max(int(counts.max(initial=0)), 1)), np.int64)
    found[row, place] = codes.ravel()[at]
    return found


def _small(written: list[Numbers], initials: Numbers) -> tuple[list[Numbers], Numbers]:
    """The codes as numbers small enough for characters, and that of each one's first character."""
    marks = [0, _OPEN, _CLOSE]
    known, number = np.unique(
        np.concatenate([marks, *(side.ravel() for side in written)]), return_inverse=True
    )
    bounds = np.cumsum([len(marks), *(side.size for side in written)])
    sides = [
        number[a:b].reshape(side.shape)
        for a, b, side in zip(bounds, bounds[1:], written, strict=False)
    ]
    top = len(known)
    _, first = np.unique(initials[known[len(marks) :] - _FIRST_LABEL], return_inverse=True)
    return sides, np.concatenate([[0, top, top + 1], top + 2 + first])


def _texts(*columns: Numbers) -> list[str]:
    """Rows of small numbers as strings, the columns' numbers in turn."""
    together = np.stack(columns, axis=2).astype(np.uint32).reshape(len(columns[0]), -1)
    texts: list[str] = together.view(f"<U{together.shape[1]}")[:, 0].tolist()
    return texts


def _common(texts: list[list[str]]) -> Numbers:
    """The length of each pair's longest common subsequence."""
    return distances.process.cpdist(
        *texts, scorer=distances.LCSseq.similarity, dtype=np.int32
    ).astype(np.int64)


_WORDS = {"gold": UNIT, "system": UNIT}
_SENTENCES = {"sentences": UNIT}


def _ratios(kind: str, name: str, title: str) -> tuple[Ratio, Ratio]:
    over_words = Ratio(name, title, {kind: 2}, _WORDS, unit=UNIT)
    by_sentence = {f"{kind}_sentences": 1}
    return over_words, Ratio(
        f"{name}-sentences", f"{title}, mean of sentences", by_sentence, _SENTENCES, unit=UNIT
    )


def _metric(
    name: str, title: str, kinds: tuple[str, ...], ratios: tuple[Ratio, ...], count: _Tally
) -> Metric:
    return Metric(
        name=name,
        title=title,
        source="Sampson & Babarczy 2003; Seddah et al. 2013",
        counts=("gold", "system", "sentences", *kinds, *(f"{kind}_sentences" for kind in kinds)),
        ratios=ratios,
        tally=count,
        takes=CONSTITUENTS,
        standard=False,
        options=("--parameters", "--unlabelled"),
    )


_Tally = Callable[[Comparison], Tallies]

METRICS = (
    _metric(
        "leaf-ancestor",
        "Leaf-ancestor",
        KINDS,
        (
            *_ratios("sampson", "leaf-ancestor-sampson", "Leaf-ancestor"),
            *_ratios("workshop", "leaf-ancestor-workshop", "Leaf-ancestor, workshop costs"),
            *_ratios("plain", "leaf-ancestor-plain", "Leaf-ancestor, plain"),
            *_ratios("equal", "leaf-ancestor-plain-equal", "Leaf-ancestor, plain with equal costs"),
        ),
        tally,
    ),
    _metric(
        "leaf-ancestor-wagner",
        "Leaf-ancestor, marks around single words",
        WAGNER,
        _ratios("wagner", "leaf-ancestor-single-words", "Leaf-ancestor, marks around single words"),
        tally_wagner,
    ),
)
METRIC = METRICS[0]
