"""Krippendorff's α and Fleiss' κ against nltk's, whatever is missing."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from treelens.statistics.reliability import (
    MISSING,
    Estimate,
    Reliability,
    of_category,
    reliabilities,
    sums,
)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    annotators = draw(st.integers(2, 4))
    unit = st.lists(st.integers(MISSING + 1, 2), min_size=annotators, max_size=annotators)
    return draw(st.lists(unit, min_size=2, max_size=12))


def triples(table: list[list[int]]) -> list[tuple[int, int, int]]:
    return [
        (annotator, unit, category)
        for unit, row in enumerate(table)
        for annotator, category in enumerate(row)
        if category != MISSING
    ]


def reliability(
    table: list[list[int]], sentences: int = 3, iterations: int = 0, cuts: tuple[int, ...] = ()
) -> Reliability:
    """Of units that are in one sentence after the other, over and over again; ``cuts``: sentences
    that a part starts with."""
    category, sentence = np.array(table, np.int64), np.arange(len(table)) % sentences
    parts = []
    for first, end in itertools.pairwise([0, *cuts, sentences]):
        here = (sentence >= first) & (sentence < end)
        parts.append(sums(category[here], sentence[here] - first, end - first))
    (found,) = reliabilities([[parts]], category.shape[1], sentences, iterations)
    return found


def with_gaps(table: list[list[int]], data: st.DataObject, most: int) -> list[list[int]]:
    """The same, of which about one in ``most + 1`` is not judged."""
    return [
        [MISSING if data.draw(st.integers(0, most)) == 0 else category for category in row]
        for row in table
    ]


@given(tables())
def test_both_are_as_in_nltk(table: list[list[int]]) -> None:
    task = AnnotationTask(triples(table))
    if len({category for _, _, category in triples(table)}) < 2:
        assert reliability(table) == (Estimate(None), Estimate(None))
        return
    found = reliability(table)
    assert found.alpha.value == pytest.approx(task.alpha())
    assert found.kappa.value == pytest.approx(task.pi())


@given(tables(), st.data())
def test_alpha_takes_units_that_some_have_not_judged(
    table: list[list[int]], data: st.DataObject
) -> None:
    rows = with_gaps(table, data, 3)
    paired = [row for row in rows if sum(category != MISSING for category in row) > 1]
    if len({category for row in paired for category in row if category != MISSING}) < 2:
        return
    assert reliability(rows).alpha.value == pytest.approx(AnnotationTask(triples(paired)).alpha())
    complete = [row for row in rows if MISSING not in row]
    if complete:
        assert reliability(rows).kappa == reliability(complete).kappa


@given(tables(), st.data())
def test_it_does_not_matter_where_sentences_are_cut(
    table: list[list[int]], data: st.DataObject
) -> None:
    rows = with_gaps(table, data, 5)
    cuts = tuple(sorted(data.draw(st.sets(st.integers(1, 4)))))
    assert reliability(rows, 5, 20, cuts) == reliability(rows, 5, 20)


def test_a_category_is_judged_as_being_it_or_not() -> None:
    category = np.array([[1, 2], [3, MISSING], [2, 2]], np.int64)
    assert of_category(category, 2).tolist() == [[0, 1], [0, MISSING], [1, 1]]


def test_an_interval_holds_the_value_and_is_the_same_every_time() -> None:
    chance = np.random.default_rng(3)
    truth = chance.integers(0, 3, 400)
    noisy = np.where(chance.random((400, 3)) < 0.8, truth[:, None], chance.integers(0, 3, (400, 3)))
    first, again = (reliability(noisy.tolist(), 100, 200).alpha for _ in range(2))
    assert first == again
    assert first.value is not None
    assert first.low is not None
    assert first.high is not None
    assert first.low < first.value < first.high
    assert not math.isnan(first.low)
