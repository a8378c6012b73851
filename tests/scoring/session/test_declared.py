"""What treelens.toml says of labels, and what is wrong with it."""

from __future__ import annotations

import pytest
from treelens.session.config import read_config
from treelens.session.declared import ANY, DeclaredLabels, read_labels

PAIRS = "[[pairs]]\ngold = 'g'\nsystem = 's'\n"


def test_what_is_listed_is_all_there_is_and_what_is_not_may_be_anything() -> None:
    text = PAIRS + "[labels]\ncategories = ['NP', 'VP']\nfeatures = []\n"
    assert read_labels(text) == DeclaredLabels(
        categories=frozenset({"NP", "VP"}), features=frozenset()
    )
    assert read_config(text)[1] == []
    assert read_labels(PAIRS) == read_labels("no toml [") == ANY


@pytest.mark.parametrize(
    ("lines", "message", "marked"),
    [
        ("[labels]\ntag = ['N']", "“tag” is not known in [labels]: categories, functions,", "tag"),
        ("[labels]\ntags = 'N'", "tags is a list of names; left out", "tags"),
        ("[labels]\ntags = ['N', 1]", "tags is a list of names; left out", "tags"),
        ("[[labels]]\ntags = ['N']", "labels is a table: write [labels]", "labels"),
    ],
)
def test_what_is_wrong_is_told_where_it_is_and_left_out(
    lines: str, message: str, marked: str
) -> None:
    text = f"{PAIRS}{lines}\n"
    rules, (problem,) = read_config(text)
    assert len(rules) == 1
    assert problem.message.startswith(message)
    assert text[problem.start : problem.end] == marked
    assert read_labels(text) == ANY
