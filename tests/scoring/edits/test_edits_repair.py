"""Quick fixes: the problem is gone, the trees are those that the careful reader took them for."""

from __future__ import annotations

import pytest
from hypothesis import given
from treelens.edits.repair import REPAIRS
from treelens.edits.text import applied, edited
from treelens.session.document import document
from treelens.trees.forest import Symbols, encode
from trees import hostile


def row(*cells: str) -> str:
    return "\t".join([*cells, *["_"] * (10 - len(cells))]) + "\n"


@pytest.mark.parametrize(
    ("code", "text", "becomes"),
    [
        ("unclosed", "(S (X (N a)) (Y (V b)\n(S (N c))\n", "(S (X (N a)) (Y (V b)))\n(S (N c))\n"),
        ("unclosed", "(S (N a\n", "(S (N a))\n"),
        ("unopened", "(S (N a)))\n", "(S (N a))\n"),
        ("label-apart", "( NP (N a) (N b))\n", "(NP (N a) (N b))\n"),
        (
            "space-for-tab",
            row("1", "a", "a", "X", "_", "_", "0") + "2 b\tb\tX\t_\t_\t1\tx\t_  _\n",
            row("1", "a", "a", "X", "_", "_", "0") + "2\tb\tb\tX\t_\t_\t1\tx\t_\t_\n",
        ),
        (
            "no-blank-line",
            row("1", "a", "a", "X", "_", "_", "2") + row("2", "a", "a", "X", "_", "_", "0")
            + "# id\n" + row("1", "a", "a", "X", "_", "_", "0"),
            row("1", "a", "a", "X", "_", "_", "2") + row("2", "a", "a", "X", "_", "_", "0")
            + "\n# id\n" + row("1", "a", "a", "X", "_", "_", "0"),
        ),
        (
            "id-order",
            row("1", "a", "a", "X", "_", "_", "7") + row("7", "a", "a", "X", "_", "_", "0"),
            row("1", "a", "a", "X", "_", "_", "2") + row("2", "a", "a", "X", "_", "_", "0"),
        ),
    ],
)  # fmt: skip
def test_what_becomes_of_a_text(code: str, text: str, becomes: str) -> None:
    source = document(encode(text), Symbols())
    problem = next(one for one in source.problems() if one.code == code)
    sentence = source.sentence_at(problem.start)
    assert sentence is not None
    edits = REPAIRS[code].edits(source, sentence, problem)
    assert edits
    after = applied(source.text(), edits).decode()
    assert after == becomes
    assert code not in [one.code for one in document(encode(after), Symbols()).problems()]


@given(hostile)
def test_a_repair_of_any_text_leaves_its_words(text: str) -> None:
    source = document(encode(text), Symbols())
    for problem in source.problems() if len(source) else []:
        sentence = source.sentence_at(problem.start)
        if problem.code in REPAIRS and sentence is not None:
            edits = REPAIRS[problem.code].edits(source, sentence, problem)
            if edits and problem.code in ("unclosed", "label-apart"):
                after = edited(source, edits)
                words = [source.tree(k).words for k in range(len(source))]
                assert [after.tree(k).words for k in range(len(after))] == words
