"""The metrics of the reports count, over whole files, what the papers' definitions give."""

from __future__ import annotations

import dataclasses

import pytest
import treelens
from hypothesis import given
from tedeval_texts import Sentence, Text, by_definition, by_metric, table, texts
from treelens.metrics import tedeval
from treelens.metrics.tedeval_versions import METRICS, SEGEVAL, TEDEVAL_2012A, TEDEVAL_2012B
from treelens.rules.parameters import HEADS, PRESETS
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import ROOT, Symbols, encode

DEPENDENCIES = texts(("conll", "conll"))
CONSTITUENTS = texts(("ptb", "ptb"))
MIXED = texts(("ptb", "conll"))


@given(DEPENDENCIES)
def test_dependencies_are_version_2011(files: tuple[Text, Text]) -> None:
    found = [tuple(row.values()) for row in by_metric(tedeval.METRIC, *files)]
    labelled = by_definition(*files, "2011")
    unlabelled = by_definition(*files, "2011", labelled=False)
    assert found == [
        (one.edits, other.edits, one.nodes) for one, other in zip(labelled, unlabelled, strict=True)
    ]


@pytest.mark.parametrize("metric", [tedeval.METRIC, TEDEVAL_2012B], ids=lambda metric: metric.name)
@given(files=CONSTITUENTS)
def test_constituents_are_version_2012b(metric, files) -> None:  # type: ignore[no-untyped-def]
    same_as_2012b(metric, files)


@given(DEPENDENCIES)
def test_dependencies_can_be_version_2012b(files: tuple[Text, Text]) -> None:
    same_as_2012b(TEDEVAL_2012B, files)


def same_as_2012b(metric, files) -> None:  # type: ignore[no-untyped-def]
    found = [tuple(row.values()) for row in by_metric(metric, *files)]
    labelled = by_definition(*files, "2012b")
    unlabelled = by_definition(*files, "2012b", labelled=False)
    assert found == [
        (one.edits, other.edits, one.nodes) for one, other in zip(labelled, unlabelled, strict=True)
    ]


@given(DEPENDENCIES | CONSTITUENTS | MIXED)
def test_frameworks_are_compared_as_in_version_2012a(files: tuple[Text, Text]) -> None:
    found = [tuple(row.values()) for row in by_metric(TEDEVAL_2012A, *files)]
    labelled = by_definition(*files, "2012a")
    unlabelled = by_definition(*files, "2012a", labelled=False)
    assert found == [
        (*one[:2], *other[:2]) for one, other in zip(labelled, unlabelled, strict=True)
    ]


@given(DEPENDENCIES | CONSTITUENTS | MIXED)
def test_segments_are_those_of_version_2012b(files: tuple[Text, Text]) -> None:
    for labelled, column in ((True, "tagged"), (False, "same")):
        found = [
            (row["words"] - 2 * row[column], row["words"]) for row in by_metric(SEGEVAL, *files)
        ]
        assert found == [errors[2:] for errors in by_definition(*files, "2012b", labelled=labelled)]


@given(MIXED)
def test_categories_and_relations_have_no_score_in_common(files: tuple[Text, Text]) -> None:
    for metric in (tedeval.METRIC, TEDEVAL_2012B):
        assert all(set(row.values()) == {0} for row in by_metric(metric, *files))


def test_the_family_is_counted_only_when_it_is_asked_for() -> None:
    assert [metric.name for metric in METRICS] == ["tedeval-2012a", "tedeval-2012b", "segeval"]
    assert not any(metric.standard for metric in METRICS)
    assert tedeval.METRIC.standard


# --- by hand -------------------------------------------------------------------------------


def counts(gold: Sentence, system: Sentence) -> list[int]:
    """Edits, edits unlabelled and nodes."""
    files = [(encode(table(rows)), "conll") for rows in (gold, system)]
    (found,) = by_metric(tedeval.METRIC, *files)
    return list(found.values())


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # "on Sunday": its head is either word, and * is any label: no edit at all.
        (
            [("on", 1, "prep"), ("Sunday", ROOT, "X")],
            [("on", ROOT, "X"), ("Sunday", 0, "pobj")],
            [0, 0, 6],
        ),
        # Under the same head a relation is right or wrong.
        (
            [("on", ROOT, "X"), ("Sunday", 0, "pobj")],
            [("on", ROOT, "X"), ("Sunday", 0, "obl")],
            [1, 0, 6],
        ),
        # Below each other or beside each other: a node that is there or not, and its daughter.
        (
            [("a", ROOT, "r"), ("b", 0, "x"), ("c", 1, "y")],
            [("a", ROOT, "r"), ("b", 0, "x"), ("c", 0, "y")],
            [1, 1, 9],
        ),
        # Of gold: r over a-c, * over a, x over b-c, * over b, y over c. Of system: r, * and x over
        # b. Without c, gold's x and * are both over b: x stays, * and y are edits.
        (
            [("a", ROOT, "r"), ("b", 0, "x"), ("c", 1, "y")],
            [("a", ROOT, "r"), ("b", 0, "x")],
            [2, 2, 8],
        ),
    ],
)
def test_by_hand(gold: Sentence, system: Sentence, expected: list[int]) -> None:
    assert counts(gold, system) == expected


def test_tags_that_are_held_equal_are_two_as_such_labels_are() -> None:
    files = b"(S (ADVP up) (PRT (NN c)))\n", b"(S (PRT up) (ADVP (NN c)))\n"
    found = treelens.score(*(file.decode() for file in files), metrics="all")
    assert found.scores["F1"] == found.scores["tagging"] == 100
    sides = [(file, "ptb") for file in files]
    (errors,) = by_definition(*sides, "2012b")
    assert errors == (4, 6, 2, 4)
    for name in ("tedeval", "tedeval-2012b"):
        assert found.scores[name] == 100 * errors.score
    assert found.scores["segeval"] == 50


def test_a_very_deep_sentence() -> None:
    # A chain of words, of which one side lacks all but the first: a chain of nodes over one word.
    deep: Sentence = [("w", ROOT, "r"), *((f"x{at}", at, "a") for at in range(2000))]
    assert counts(deep, [("w", ROOT, "r")]) == [4000, 4000, 4002]


def test_constituents_against_dependencies_have_no_score() -> None:
    symbols = Symbols()
    dependencies = encode(table([("the", 1, "d"), ("dog", ROOT, "r")]))
    files = b"(S (NP (D the) (N dog)) (V barks))\n", dependencies
    found = pair(*(document(text, symbols) for text in files))
    scores = [score for score in found.scores() if score.ratio.name.startswith("tedeval")]
    assert len(scores) == 2
    assert all(score.value is None for score in scores)


def test_constituents_with_heads_by_a_table_are_still_constituents() -> None:
    symbols = Symbols()
    files = b"(S (NP (D the) (N dog)) (V barks))\n", b"(S (D the) (VP (N dog) (V barks)))\n"
    documents = [document(text, symbols) for text in files]
    with_heads = dataclasses.replace(PRESETS["default"], heads=next(iter(HEADS.values())))
    found = [pair(*documents, parameters) for parameters in (PRESETS["default"], with_heads)]
    values = [
        {score.ratio.name: score.value for score in one.scores() if "tedeval" in score.ratio.name}
        for one in found
    ]
    assert values[0] == values[1]
    assert values[0]["tedeval"] == 75
