"""Agreement of any number of annotators beyond chance: Krippendorff's α and Fleiss' κ.

Both compare the disagreement (agreement) that there is with what chance would give if each
category came as often as it does in all annotations together. α takes units that some annotators
have not judged; κ only those that all have (Krippendorff 2004, nominal data; Fleiss 1971; both
in Artstein & Poesio 2008, where the latter is multi-π). From below 0 to 1; undefined where
nothing is left to agree on, or there is one category only. Knows no files.

Both are made of whole numbers that add up, so that sentences may come some at a time, whatever
their number is, and nothing depends on where they are cut.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.statistics.significance import drawn

Numbers = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

MISSING = -2
"""In place of a category, which is -1 or more: this annotator has not judged the unit."""

_LEVEL = 0.95

_AT_ONCE = 1 << 18
"""Numbers that are worked on in one go when sentences are drawn again."""
_CELLS = 1 << 19
"""Of counts by category, when they are."""


class Judgements(NamedTuple):
    """Judgements of some units, by category and sentence: a sentence that has judgements of one
    category and how many, ``(j,)``; the categories that come at all, rising, and where each
    starts, ``(c,)``."""

    sentence: Numbers
    times: Numbers
    categories: Numbers
    starts: Numbers


def share(of: Judgements, first: int, end: int) -> Judgements:
    """The judgements of the categories ``[first, end)`` by their places in the list."""
    bounds = np.append(of.starts, len(of.sentence))
    low, high = int(bounds[first]), int(bounds[end])
    return Judgements(
        of.sentence[low:high],
        of.times[low:high],
        of.categories[first:end],
        of.starts[first:end] - low,
    )


class ReliabilitySums(NamedTuple):
    """What α and κ are made of; ``(s,)`` a value a sentence, so that a corpus is their sum.

    disagreed: of each unit with m ≥ 2 judgements, the ordered pairs that differ by m - 1, as a
    multiple of what makes it whole for that many annotators; paired: the judgements of such units.
    complete: units that all have judged; agreed: of these, the ordered pairs that agree; whole:
    their judgements.
    """

    disagreed: Numbers
    complete: Numbers
    agreed: Numbers
    paired: Judgements
    whole: Judgements


class Estimate(NamedTuple):
    """A value, 1 at most, with its interval; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Reliability(NamedTuple):
    """How far annotators agree on one thing."""

    alpha: Estimate
    kappa: Estimate


def sums(category: Numbers, sentence: Numbers, sentences: int) -> ReliabilitySums:
    """The sums of some units: categories ``(u, annotators)``, :data:`MISSING` where there is none,
    and the sentence of each, ``(u,)``."""
    annotators = category.shape[1]
    judged = category != MISSING
    size = judged.sum(axis=1)
    agreed = np.zeros(len(category), np.int64)
    for one, other in itertools.permutations(range(annotators), 2):
        agreed += judged[:, one] & (category[:, one] == category[:, other])
    paired, complete = size >= 2, size == annotators
    differing = np.where(paired, size * (size - 1) - agreed, 0)

    def judgements(units: npt.NDArray[np.bool_]) -> Judgements:
        wanted = judged & units[:, None]
        of = np.broadcast_to(sentence[:, None], category.shape)
        values, number = np.unique(category[wanted], return_inverse=True)
        both, times = np.unique(number * sentences + of[wanted], return_counts=True)
        _, starts = np.unique(both // max(sentences, 1), return_index=True)
        return Judgements(both % max(sentences, 1), times, values, starts)

    def by_sentence(values: npt.NDArray[Any]) -> Numbers:
        return np.bincount(sentence, weights=values, minlength=sentences).astype(np.int64)

    of_pairs = judgements(paired)
    return ReliabilitySums(
        by_sentence(differing * _whole(annotators) // np.maximum(size - 1, 1)),
        by_sentence(complete),
        by_sentence(agreed * complete),
        of_pairs,
        of_pairs if np.array_equal(paired, complete) else judgements(complete),
    )


def _whole(annotators: int) -> int:
    """What all numbers of annotators but one, of so many, divide."""
    return math.lcm(*range(1, annotators))


def of_category(category: Numbers, one: int) -> Numbers:
    """The same units, judged only as being of one category or not."""
    return np.where(category == MISSING, MISSING, (category == one).astype(np.int64))


Shares = Sequence[Iterable[ReliabilitySums]]
"""The sums of consecutive sentences, some at a time, as often as they are asked for: a share of the
categories after the other, each numbered from 0. (What is by sentence is in each.)"""


def reliabilities(
    given: Sequence[Shares],
    annotators: int,
    sentences: int,
    iterations: int = 0,
    seed: int = 0,
    progress: Callable[[float], object] = lambda _: None,
) -> list[Reliability]:
    """α and κ of things that are judged of the same sentences; with iterations, intervals from
    resampled sentences.

    ``given``: of each thing. ``progress`` is called now and then with the share that is done.
    """
    once = [_Totals(shares, np.ones((1, sentences), np.uint8)) for shares in given]
    values = [[float(value(of, annotators)[0]) for value in _VALUES] for of in once]
    again = [[list[Values]() for _ in _VALUES] for _ in given]
    done = 0
    for times in drawn(sentences, iterations, seed) if sentences else ():
        progress(done / iterations)
        done += len(times)
        for shares, of, point, found in zip(given, once, values, again, strict=True):
            if all(map(math.isnan, point)):
                continue
            at_once = max(_CELLS // of.most, 1)
            for first in range(0, len(times), at_once):
                totals = _Totals(shares, times[first : first + at_once], of.most)
                for value, column in zip(_VALUES, found, strict=True):
                    column.append(value(totals, annotators))
    return [
        Reliability(*map(_estimate, point, found))
        for point, found in zip(values, again, strict=True)
    ]


def _estimate(value: float, again: Sequence[Values]) -> Estimate:
    if math.isnan(value):
        return Estimate(None)
    if not again:
        return Estimate(value)
    outside = (1 - _LEVEL) / 2
    low, high = np.nanquantile(np.concatenate(again), [outside, 1 - outside])
    return Estimate(value, float(low), float(high))


class _Counts(NamedTuple):
    """Of judgements by category, in corpora: how many there are, the sum of the squares, and the
    most of one category; ``(b,)``."""

    total: Numbers
    squares: Numbers
    largest: Numbers

    def plus(self, table: Numbers) -> _Counts:
        """With those of other categories, ``(b, c)``."""
        return _Counts(
            self.total + table.sum(axis=1),
            self.squares + (table * table).sum(axis=1),
            np.maximum(self.largest, table.max(axis=1)),
        )


class _Totals:
    """The sums of corpora in which sentences count as often as they are drawn, ``(b, sentences)``:
    ``(b, 3)``, and what there is by category. most: how many of these a share has, or more."""

    def __init__(self, shares: Shares, times: npt.NDArray[np.uint8], most: int = 1) -> None:
        self.sums, self.most = np.zeros((len(times), 3), np.int64), most
        self.paired = self.whole = _Counts(*np.zeros((3, len(times)), np.int64))
        for number, parts in enumerate(shares):
            self._add(parts, times, with_sums=number == 0)

    def _add(
        self, parts: Iterable[ReliabilitySums], times: npt.NDArray[np.uint8], *, with_sums: bool
    ) -> None:
        paired = whole = np.zeros((len(times), self.most), np.int64)
        apart, first = False, 0
        for part in parts:
            here = times[:, first : first + len(part.disagreed)]
            first += len(part.disagreed)
            if with_sums:
                columns = np.stack([part.disagreed, part.complete, part.agreed], axis=1)
                self.sums += (here.astype(np.float64) @ columns.astype(np.float64)).astype(np.int64)
            if not apart and part.whole is not part.paired:
                whole, apart = paired.copy(), True
            paired = _with(paired, part.paired, here)
            whole = _with(whole, part.whole, here) if apart else paired
        self.most = max(paired.shape[1], whole.shape[1])
        self.paired, self.whole = self.paired.plus(paired), self.whole.plus(whole)


def _with(counts: Numbers, given: Judgements, times: npt.NDArray[np.uint8]) -> Numbers:
    """The counts by category, and those of some more judgements."""
    if not len(given.starts):
        return counts
    places = given.categories + 1
    if (more := int(places[-1]) + 1 - counts.shape[1]) > 0:
        counts = np.pad(counts, ((0, 0), (0, more)))
    at_once = max(_AT_ONCE // len(given.sentence), 1)
    for first in range(0, len(times), at_once):
        some = slice(first, first + at_once)
        judged = times[some][:, given.sentence] * given.times
        counts[some, places] += np.add.reduceat(judged, given.starts, axis=1)
    return counts


def _alpha(of: _Totals, annotators: int) -> Values:
    total = of.paired.total
    disagreed = of.sums[:, 0] / _whole(annotators)
    expected = (total * total - of.paired.squares) / np.maximum(total - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - disagreed / expected, np.nan)


def _kappa(of: _Totals, annotators: int) -> Values:
    _, units, agreed = of.sums.T
    total = units * annotators
    is_defined = (units > 0) & (of.whole.largest < total)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = agreed / (total * (annotators - 1))
        chance = of.whole.squares / (total * total)
        return np.where(is_defined, (observed - chance) / (1 - chance), np.nan)


_VALUES: tuple[Callable[[_Totals, int], Values], ...] = (_alpha, _kappa)
"""Of each corpus, NaN where it is undefined."""
