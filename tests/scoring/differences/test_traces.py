"""Empty elements that differ only in their index are the same ones, with another index."""

from __future__ import annotations

import pytest
from treelens.compare.sides import Side
from treelens.differences.wording import accepting, counts_in_words, message, taking
from treelens.edits.take import after_edits, take
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols

TREE = "(S (NP{} (N a)) (VP (V b) (S (NP-SBJ (-NONE- *{})) (VP (V c)))))"


def made(gold: str, system: str) -> Pair:
    symbols = Symbols()
    return pair(*(document(text.encode(), symbols) for text in (gold, system))).strictly()


def test_an_index_is_said_to_be_another_one_and_taken() -> None:
    of = made(TREE.format("-1", "-1"), TREE.format("-1", "-2"))
    (finding,) = of.findings(0)
    assert message(finding, Side.GOLD) == "system has “*-2” here, not “*-1”; not counted by F1"
    assert message(finding, Side.SYSTEM) == "gold has “*-1” here, not “*-2”; not counted by F1"
    assert taking(finding, Side.SYSTEM) == "Take gold’s index “*-1”"
    assert accepting(finding) == "Accept index “*-2” into gold"
    for into in Side:
        edits = take(of, 0, finding, into)
        assert edits
        after = after_edits(of, into, edits).document(into)
        assert after.text() == of.document(into.other).text()


def test_of_a_trace_and_what_it_stands_for_both_indices_are_counted() -> None:
    of = made(TREE.format("-1", "-1"), TREE.format("-2", "-2"))
    assert counts_in_words(of.findings(0)) == ["2 not counted: indices"]


@pytest.mark.parametrize(
    ("gold", "system", "codes"),
    [
        # What hangs elsewhere does so whatever its index is.
        ("(S (NP (N a) (-NONE- *-1)) (V b))", "(S (NP (N a)) (-NONE- *-2) (V b))", "extent trace"),
        ("(S (N a) (NP (-NONE- *)))", "(S (N a) (NP (-NONE- *-2)))", "trace"),
        ("(S (N a) (-NONE- *-1))", "(S (N a) (-NONE- *T*-1))", "missing extra"),
        ("(S (N a) (-NONE- *-1))", "(S (-NONE- *-2) (N a))", "missing extra"),
        # The same one is the same, wherever there is one with another index.
        ("(S (N a) (-NONE- *-1) (-NONE- *-2))", "(S (N a) (-NONE- *-2))", "missing"),
        (
            "(S (N a) (-NONE- *-1) (-NONE- *-2))",
            "(S (N a) (-NONE- *-2) (-NONE- *-1))",
            "missing extra",
        ),
    ],
)
def test_the_rest_is_told_besides(gold: str, system: str, codes: str) -> None:
    said = {"extent": "wrong-extent", "trace": "wrong-trace"}
    wanted = [said.get(one, f"{one}-trace") for one in codes.split()]
    assert [one.code for one in made(gold, system).findings(0)] == wanted
