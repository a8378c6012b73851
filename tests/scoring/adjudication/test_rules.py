"""``[[adjudication]]`` of treelens.toml: paths in, paths out."""

from __future__ import annotations

import pytest
from treelens.adjudication.rules import AdjudicationRule, adjudicated, read_adjudications
from treelens.rules.spelling import Spelling
from treelens.session.config import PairOptions, PairRule, read_config

ADJUDICATION = """
[[adjudication]]
first = "anna/*.conllu"
second = "boris/*.conllu"
adjudicated = "gold/*.conllu"
ignore_case = true
"""


def test_adjudications_are_found_from_any_of_the_three_files() -> None:
    assert read_config(ADJUDICATION) == ((), [])
    rules, problems = read_adjudications(ADJUDICATION)
    assert problems == []
    options = PairOptions(spelling=Spelling(ignore_case=True))
    assert rules == (AdjudicationRule("anna/*.conllu", "boris/*.conllu", "gold/*.conllu", options),)
    for who in ("anna", "boris", "gold"):
        found = adjudicated(rules, f"{who}/a.b.conllu")
        paths = tuple(f"{one}/a.b.conllu" for one in ("anna", "boris", "gold"))
        assert found == [(*paths, options)]
    assert adjudicated(rules, "other/a.conllu") == []


def test_nothing_need_be_adjudicated_yet() -> None:
    rules, problems = read_adjudications("[[adjudication]]\nfirst = 'a'\nsecond = 'b'\n")
    assert (rules, problems) == ((AdjudicationRule("a", "b"),), [])
    assert adjudicated(rules, "b") == [("a", "b", "", PairOptions())]


@pytest.mark.parametrize(
    ("lines", "message", "where"),
    [
        ("first = 'a'", 'needs first = "…" and second = "…"', "[[adjudication]]"),
        ("first = 'a'\nsecond = ['b']", 'needs first = "…" and second = "…"', "second"),
        ("first = '*.a'\nsecond = 'b'", "do not have the same number of *", "[[adjudication]]"),
        ("first = 'a'\nsecond = './a'", "two of the three files are the same", "[[adjudication]]"),
        ("first = '../a'\nsecond = 'b'", "leads out of the folder", "first"),
    ],
)
def test_an_adjudication_that_is_wrong_is_left_out(lines: str, message: str, where: str) -> None:
    text = f"[[pairs]]\ngold = 'g'\nsystem = 's'\n[[adjudication]]\n{lines}\n"
    rules, problems = read_adjudications(text)
    assert rules == ()
    (problem,) = problems
    assert message in problem.message
    assert text[problem.start : problem.end] == where
    assert read_config(text) == ((PairRule("g", ("s",)),), [])


def test_unknown_keys_of_an_adjudication_are_told() -> None:
    text = "[[adjudication]]\nfirst = 'a'\nsecond = 'b'\ngold = 'c'\n"
    rules, problems = read_adjudications(text)
    assert rules == (AdjudicationRule("a", "b"),)
    assert "“gold” is not known in [[adjudication]]" in problems[0].message
    assert read_adjudications("adjudication = 1\n")[1][0].message.startswith(
        "adjudication is a list of tables"
    )


def test_a_text_that_cannot_be_read_has_none() -> None:
    assert read_adjudications("[[adjudication]]\nfirst = " + "[" * 5000) == ((), [])


def test_rules_without_number_are_left_out() -> None:
    rules, problems = read_adjudications("[[adjudication]]\nfirst='a'\nsecond='b'\n" * 1005)
    assert len(rules) == 1000
    assert len(problems) == 5
