"""Heads and dependents as a hierarchy."""

from __future__ import annotations

from drawn import alone, cursor
from hypothesis import given
from hypothesis import strategies as st
from treelens.present.calls import dependents, head, words_at
from treelens.present.symbols import Symbol
from treelens.trees.forest import encode


def table(*rows: str) -> str:
    """A sentence: rows are ``ID FORM TAG HEAD RELATION``."""
    cells = (row.split(" ") for row in rows)
    lines = [
        "\t".join([n, form, "_", tag, "_", "_", above, rel, "_", "_"])
        for n, form, tag, above, rel in cells
    ]
    return "\n".join(["# text = x", *lines, "", ""])


DU = table(
    "1 mange VERB 0 root", "2-3 du _ _ _", "2 de ADP 4 case", "3 le DET 4 det", "4 𝔸pain NOUN 1 obl"
)


def at(marked: str) -> int:
    piece, inside = cursor(marked)
    return len(encode(DU[: DU.index(piece)])) + inside


def shown(found: list[Symbol]) -> list[tuple[str, str, str]]:
    """Names and details, and what is written where the name is said to be."""
    source = encode(DU)
    return [(one.name, one.detail, source[one.name_start : one.name_end].decode()) for one in found]


def test_a_word_its_head_and_its_dependents() -> None:
    here = alone(DU)
    bread = ("𝔸pain", "NOUN · obl", "𝔸pain")
    assert shown(words_at(here, at("4\t𝔸‸pain"))) == [bread]
    assert shown(head(here, at("2\td‸e"))) == [bread]
    assert shown(head(here, at("4\t𝔸‸pain"))) == [("mange", "VERB · root", "mange")]
    assert shown(dependents(here, at("1\tm‸ange"))) == [bread]
    assert [one.name for one in dependents(here, at("4\t𝔸‸pain"))] == ["de", "le"]
    assert head(here, at("1\tm‸ange")) == []


def test_a_token_is_the_words_it_stands_for_and_a_comment_none() -> None:
    here = alone(DU)
    assert [one.name for one in words_at(here, at("2-3\td‸u"))] == ["de", "le"]
    assert words_at(here, 3) == []
    assert dependents(here, 3) == head(here, 3) == []


def test_brackets_have_no_heads() -> None:
    assert words_at(alone("(S (N a))"), 4) == []
    assert words_at(alone(""), 0) == []


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9))
def test_each_is_among_the_dependents_of_its_head(heads: list[int]) -> None:
    rows = [f"{k} w{k} X {above} dep" for k, above in enumerate(heads, 1)]
    here = alone(table(*rows))
    (tree,) = [here.dependency_tree(0)]
    assert tree is not None
    for word in tree.words:
        for above in head(here, word.start):
            assert word.form in [one.name for one in dependents(here, above.name_start)]
        for below in dependents(here, word.start):
            assert [one.name for one in head(here, below.name_start)] == [word.form]
