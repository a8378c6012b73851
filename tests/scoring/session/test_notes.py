"""Which node a note is on after an edit."""

from __future__ import annotations

import pytest
from treelens.session.document import document
from treelens.session.notes import About, node_of
from treelens.trees.forest import Symbols


@pytest.mark.parametrize(
    ("now", "label"),
    [
        ("(TOP (IP (V a) (N b)))", "IP"),
        ("(TOP (IP-TMP (V a) (N b)))", "IP-TMP"),
        ("(TOP (XP (IP-TMP (V a) (N b))))", "IP-TMP"),
        ("(TOP (XP (V a) (N b)))", "XP"),
        ("(XP (V a) (N b))", "XP"),
        ("(TOP (N c) (IP (V a) (N b)))", "IP"),
        ("(TOP (V a) (NP (N b)))", "TOP"),
    ],
)
def test_of_brackets_over_the_same_words_the_likeliest_has_the_note(now: str, label: str) -> None:
    node = node_of(document(now.encode(), Symbols()).tree(0), About(1, 2, "IP", "a…b"))
    assert node is not None
    assert node.label == label
