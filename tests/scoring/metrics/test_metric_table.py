"""Choosing metrics by name, and what is said of names that there are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.metrics import headlines
from treelens.metrics.table import METRICS, applicable, choose, likely, metrics_of, no_metric
from treelens.rules.parameters import HEADS, PRESETS, Parameters
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.session.session import Link, Session
from treelens.trees.forest import encode

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
def test_a_link_says_what_is_counted(wanted: tuple[str, ...], expected: list[str]) -> None:
    session = Session()
    for name in ("g", "s"):
        session.put(name, document(encode("(S (X a))\n"), session.symbols))
    session.link([Link("g", "s", PRESETS["default"], wanted)])
    (job,) = session.jobs()
    found = pair(job.gold, job.system, job.link.parameters, metrics=job.metrics)
    assert [metric.name for metric in found.metrics] == expected


def test_a_link_with_heads_counts_attachments() -> None:
    session = Session()
    for name in ("g", "s"):
        session.put(name, document(encode("(S (X a))\n"), session.symbols))
    session.link([Link("g", "s", Parameters(heads=HEADS["collins"]), ("UAS",))])
    (job,) = session.jobs()
    found = pair(job.gold, job.system, job.link.parameters, metrics=job.metrics)
    assert [score[1:] for score in found.scores()] == [(2, 2)]
