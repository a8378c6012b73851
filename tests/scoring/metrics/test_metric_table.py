"""Choosing metrics by name, and what is said of names that there are not."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.metrics import headlines
from treelens.metrics.table import (
    METRICS,
    applicable,
    choose,
    likely,
    metrics_of,
    metrics_shown,
    no_metric,
)
from treelens.rules.parameters import HEADS, Parameters
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols, encode

BRACKETS = applicable("constituents", "constituents")
TABLES = applicable("dependencies", "dependencies")


def names(*wanted: str) -> list[tuple[str, list[str]]]:
    return [(m.name, [r.name for r in m.ratios]) for m in choose(wanted, METRICS).metrics]


def test_a_metric_comes_with_all_of_its_scores_and_a_score_alone() -> None:
    assert names("LAS", "crossing", "uas") == [
        ("attachment", ["LAS", "UAS"]),
        ("crossing", ["crossing", "no-crossing", "2-or-less-crossing"]),
    ]
    assert choose(["attachment", "LAS"], METRICS).metrics == (
        next(m for m in METRICS if m.name == "attachment"),
    )


def test_all_and_standard() -> None:
    assert choose(["all"], BRACKETS).metrics == BRACKETS
    assert choose(["standard"], TABLES).metrics == metrics_of("dependencies", "dependencies")
    assert {m.name for m in choose(["standard", "leaf-ancestor"], BRACKETS).metrics} == {
        *(m.name for m in metrics_of("constituents")),
        "leaf-ancestor",
    }


def test_names_that_are_not_and_that_do_not_apply() -> None:
    found = choose(["F1", "LASS", "LAS", "parseval"], TABLES)
    assert [m.name for m in found.metrics] == ["attachment"]
    assert (found.unknown, found.unfit) == (("LASS",), ("F1", "parseval"))
    assert likely("leafancestor")[0] == "leaf-ancestor"
    assert likely("LAS_recall")[0] == "LAS-recall"
    assert no_metric("qqqq") == "“qqqq” is no metric and no score"


def test_attachments_of_brackets_need_heads() -> None:
    assert "attachment" not in [m.name for m in BRACKETS]
    headed = applicable("constituents", "dependencies", heads=True)
    assert "attachment" in [m.name for m in headed]
    assert "universal" not in [m.name for m in headed]


@given(st.lists(st.sampled_from([r.name for m in METRICS for r in m.ratios]), min_size=1))
def test_some_score_is_always_short(wanted: list[str]) -> None:
    assert headlines(choose(wanted, METRICS).metrics)[0].headline


@given(st.text(max_size=30))
def test_any_name_gives_an_answer(name: str) -> None:
    found = choose([name], METRICS)
    assert found.metrics or found.unknown == (name,)
    assert name in no_metric(name)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ((), ["parseval", "tedeval", "crossing", "tagging"]),
        (("leaf-ancestor",), ["leaf-ancestor"]),
        (("LAS", "F1"), ["parseval"]),
        # Nothing of it applies: the standard ones.
        (("LAS",), ["parseval", "tedeval", "crossing", "tagging"]),
    ],
)
def test_of_what_is_named_that_is_counted_which_applies(
    wanted: tuple[str, ...], expected: list[str]
) -> None:
    found = metrics_shown("constituents", "constituents", names=wanted)
    assert [metric.name for metric in found] == expected


def test_with_heads_attachments_are_counted() -> None:
    symbols = Symbols()
    files = (document(encode("(S (X a))\n"), symbols) for _ in range(2))
    unasked = partial(metrics_shown, names=("UAS",))
    found = pair(*files, Parameters(heads=HEADS["collins"]), unasked=unasked)
    assert [score[1:] for score in found.scores()] == [(2, 2)]
