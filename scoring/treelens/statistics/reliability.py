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


class Judgements(NamedTuple):
    """Judgements of some units: their categories from 0, and the sentence of each; ``(j,)``."""

    category: Numbers
    sentence: Numbers


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
    _, numbers = np.unique(category, return_inverse=True)
    numbers = numbers.reshape(category.shape)

    def judgements(units: npt.NDArray[np.bool_]) -> Judgements:
        wanted = judged & units[:, None]
        of = np.broadcast_to(sentence[:, None], category.shape)
        return Judgements(numbers[wanted], of[wanted])

    def by_sentence(values: npt.NDArray[Any]) -> Values:
        return _summed(sentence, values, sentences)

    return ReliabilitySums(
        by_sentence(disagreed),
        judgements(paired),
        by_sentence(complete),
        by_sentence(agreed * complete),
        judgements(complete),
        annotators,
    )


def _counts(given: Judgements, weights: Values) -> Values:
    """How often each category comes, where sentences count as often as they are drawn."""
    return _summed(given.category, weights[given.sentence], 0)


def _summed(numbers: Numbers, values: npt.NDArray[Any], least: int) -> Values:
    """The sum of the values of each number from 0, ``least`` of them or more."""
    return np.bincount(numbers, weights=values, minlength=least).astype(np.float64)


def alpha(given: ReliabilitySums, iterations: int = 0, seed: int = 0) -> Estimate:
    """Krippendorff's α; with iterations, its interval from resampled sentences."""
    return _estimate(given, _alpha, iterations, seed)


def fleiss(given: ReliabilitySums, iterations: int = 0, seed: int = 0) -> Estimate:
    """Fleiss' κ, of the units that all have judged."""
    return _estimate(given, _kappa, iterations, seed)


def _alpha(given: ReliabilitySums, weights: Values) -> float:
    counts = _counts(given.paired, weights)
    total = counts.sum()
    expected = (total * total - (counts * counts).sum()) / max(total - 1, 1)
    return float(1 - (weights @ given.disagreed) / expected) if expected > 0 else math.nan


def _kappa(given: ReliabilitySums, weights: Values) -> float:
    units = weights @ given.complete
    counts = _counts(given.whole, weights)
    total = units * given.annotators
    if not units or counts.max(initial=0) == total:
        return math.nan
    observed = (weights @ given.agreed) / (total * (given.annotators - 1))
    chance = ((counts / total) ** 2).sum()
    return float((observed - chance) / (1 - chance))


_Value = Callable[[ReliabilitySums, Values], float]
"""The statistic where sentences count as often as is given, ``(s,)``; NaN where undefined."""


def _estimate(given: ReliabilitySums, value: _Value, iterations: int, seed: int) -> Estimate:
    sentences = len(given.disagreed)
    found = value(given, np.ones(sentences))
    if math.isnan(found):
        return Estimate(None)
    if not iterations:
        return Estimate(found)
    chance = np.random.default_rng(seed)
    again = np.array([value(given, _drawn(chance, sentences)) for _ in range(iterations)])
    outside = (1 - _LEVEL) / 2
    low, high = np.nanquantile(again, [outside, 1 - outside])
    return Estimate(found, float(low), float(high))


def _drawn(chance: np.random.Generator, sentences: int) -> Values:
    """How often each sentence is drawn among as many, with replacement."""
    drawn = chance.integers(0, sentences, sentences)
    return np.bincount(drawn, minlength=sentences).astype(np.float64)


def of_category(category: Numbers, one: int) -> Numbers:
    """The same units, judged only as being of one category or not."""
    return np.where(category == MISSING, MISSING, (category == one).astype(np.int64))
