"""Agreement of any number of annotators beyond chance: Krippendorff's α and Fleiss' κ.

Both compare the disagreement (agreement) that there is with what chance would give if each
category came as often as it does in all annotations together. α takes units that some annotators
have not judged; κ only those that all have (Krippendorff 2004, nominal data; Fleiss 1971; both
in Artstein & Poesio 2008, where the latter is multi-π). From below 0 to 1; undefined where
nothing is left to agree on, or there is one category only. Knows no files.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

MISSING = -2
"""In place of a category: this annotator has not judged the unit."""

_LEVEL = 0.95

_AT_ONCE = 1 << 18
"""Numbers that are worked on in one go when sentences are drawn again."""


class Judgements(NamedTuple):
    """Judgements of some units, by category and sentence: a sentence that has judgements of one
    category and how many, ``(j,)``; where each category that comes at all starts, ``(c,)``."""

    sentence: Numbers
    times: Numbers
    starts: Numbers


class ReliabilitySums(NamedTuple):
    """What α and κ are made of; ``(s,)`` a value a sentence, so that a corpus is their sum.

    disagreed: of each unit with m ≥ 2 judgements, the ordered pairs that differ by m - 1; paired:
    the judgements of such units. complete: units that all have judged; agreed: of these, the
    ordered pairs that agree; whole: their judgements.
    """

    disagreed: Values
    paired: Judgements
    complete: Values
    agreed: Values
    whole: Judgements
    annotators: int


class Estimate(NamedTuple):
    """A value, 1 at most, with its interval; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


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
    disagreed = np.where(paired, (size * (size - 1) - agreed) / np.maximum(size - 1, 1), 0.0)

    def judgements(units: npt.NDArray[np.bool_]) -> Judgements:
        wanted = judged & units[:, None]
        of = np.broadcast_to(sentence[:, None], category.shape)
        _, number = np.unique(category[wanted], return_inverse=True)
        both, times = np.unique(number * sentences + of[wanted], return_counts=True)
        _, starts = np.unique(both // max(sentences, 1), return_index=True)
        return Judgements(both % max(sentences, 1), times, starts)

    def by_sentence(values: npt.NDArray[Any]) -> Values:
        return np.bincount(sentence, weights=values, minlength=sentences).astype(np.float64)

    return ReliabilitySums(
        by_sentence(disagreed),
        judgements(paired),
        by_sentence(complete),
        by_sentence(agreed * complete),
        judgements(complete),
        annotators,
    )


def alpha(given: ReliabilitySums, iterations: int = 0, seed: int = 0) -> Estimate:
    """Krippendorff's α; with iterations, its interval from resampled sentences."""
    return _estimate(given, _alpha, iterations, seed)


def fleiss(given: ReliabilitySums, iterations: int = 0, seed: int = 0) -> Estimate:
    """Fleiss' κ, of the units that all have judged."""
    return _estimate(given, _kappa, iterations, seed)


def _alpha(given: ReliabilitySums, weights: Values) -> Values:
    counts = _counts(given.paired, weights)
    total = counts.sum(axis=1)
    expected = (total * total - (counts * counts).sum(axis=1)) / np.maximum(total - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - (weights @ given.disagreed) / expected, np.nan)


def _kappa(given: ReliabilitySums, weights: Values) -> Values:
    units = weights @ given.complete
    counts = _counts(given.whole, weights)
    total = units * given.annotators
    is_defined = (units > 0) & (counts.max(axis=1, initial=0) < total)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (weights @ given.agreed) / (total * (given.annotators - 1))
        chance = ((counts / total[:, None]) ** 2).sum(axis=1)
        return np.where(is_defined, (observed - chance) / (1 - chance), np.nan)


_Values = Callable[[ReliabilitySums, Values], Values]
"""The statistic where sentences count as often as is given, ``(b, s)``: ``(b,)``, NaN where it is
undefined."""


def _estimate(given: ReliabilitySums, values: _Values, iterations: int, seed: int) -> Estimate:
    sentences = len(given.disagreed)
    found = float(values(given, np.ones((1, sentences)))[0])
    if math.isnan(found):
        return Estimate(None)
    if not iterations:
        return Estimate(found)
    chance = np.random.default_rng(seed)
    at_once = max(_AT_ONCE // max(sentences, len(given.paired.sentence)), 1)
    again = [
        values(given, np.array([_drawn(chance, sentences) for _ in range(first, last)]))
        for first, last in itertools.pairwise([*range(0, iterations, at_once), iterations])
    ]
    outside = (1 - _LEVEL) / 2
    low, high = np.nanquantile(np.concatenate(again), [outside, 1 - outside])
    return Estimate(found, float(low), float(high))


def _drawn(chance: np.random.Generator, sentences: int) -> Values:
    """How often each sentence is drawn among as many, with replacement."""
    drawn = chance.integers(0, sentences, sentences)
    return np.bincount(drawn, minlength=sentences).astype(np.float64)


def _counts(given: Judgements, weights: Values) -> Values:
    """How often each category comes, where sentences count as often as they are drawn: of weights
    ``(b, s)``, the sums of each category that comes at all, ``(b, c)``."""
    if not len(given.starts):
        return np.zeros((len(weights), 0))
    return np.add.reduceat(weights[:, given.sentence] * given.times, given.starts, axis=1)


def of_category(category: Numbers, one: int) -> Numbers:
    """The same units, judged only as being of one category or not."""
    return np.where(category == MISSING, MISSING, (category == one).astype(np.int64))
