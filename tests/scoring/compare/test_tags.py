"""Brackets beside a table: of its two columns of tags, in each sentence the fitting one counts."""

from __future__ import annotations

import re

import pytest
from drawn import sitting, snapshot
from hypothesis import example, given
from hypothesis import strategies as st
from treelens.metrics import tagging
from treelens.present.diagnostics import diagnostics
from treelens.present.hovers import hover
from treelens.present.pictures import PictureChoice, picture
from treelens.rules.universal import UNIVERSAL_TAGS
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols, encode

Word = tuple[str, str, str, str]
"""Form, the brackets' tag, and the table's first and second tag."""


def brackets(sentences: list[list[Word]]) -> str:
    lines = [" ".join(f"({tag} {form})" for form, tag, *_ in words) for words in sentences]
    return "".join(f"(S {line})\n" for line in lines)


def table(sentences: list[list[Word]]) -> str:
    lines = []
    for words in sentences:
        for at, (form, _, first, second) in enumerate(words, 1):
            above = ("0", "root") if at == 1 else ("1", "dep")
            lines.append("\t".join([str(at), form, "_", first, second, "_", *above, "_", "_"]))
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def tagged(gold: str, system: str) -> list[int]:
    """How many words of each sentence have the same tag."""
    symbols = Symbols()
    made = pair(document(encode(gold), symbols), document(encode(system), symbols))
    return [tagging.tally(made.comparison(group))[0, 0] for group in range(len(made))]


def expected(words: list[Word]) -> int:
    first = sum(tag == one for _, tag, one, _ in words)
    second = sum(tag == other for _, tag, _, other in words)
    universal = sum(tag in UNIVERSAL_TAGS for _, tag, *_ in words)
    writes = any(other != "_" for *_, other in words)
    tie = first == second and 2 * universal < len(words) and writes
    column = 3 if second > first or tie else 2
    return sum(word[1] == word[column] for word in words)


DOG = [("the", "DT", "DET", "DT"), ("dog", "NN", "NOUN", "NNS"), ("barks", "VBZ", "VERB", "VBZ")]
UNIVERSAL = [("the", "DET", "DET", "D-S"), ("dog", "NOUN", "NOUN", "NOUN")]


@given(
    st.lists(
        st.lists(
            st.tuples(
                st.sampled_from(["dog", "cat", "barks"]),
                st.sampled_from(["NN", "NOUN", "X"]),
                st.sampled_from(["NOUN", "X", "_"]),
                st.sampled_from(["NN", "X", "_"]),
            ),
            min_size=1,
            max_size=4,
        ),
        min_size=1,
        max_size=3,
    )
)
@example([DOG, UNIVERSAL, DOG])
@example([[("dog", "NN", "VERB", "VB")]])
@example([[("dog", "NN", "NN", "_")]])
@example([[("dog", "NOUN", "X", "NOUN"), ("cat", "NOUN", "NOUN", "X")]])
def test_the_column_with_more_equal_tags_counts_in_each_sentence(
    sentences: list[list[Word]],
) -> None:
    wanted = list(map(expected, sentences))
    assert tagged(brackets(sentences), table(sentences)) == wanted
    assert tagged(table(sentences), brackets(sentences)) == wanted


def test_two_tables_are_compared_by_their_first_tags() -> None:
    assert tagged(table([DOG]), table([DOG]).replace("\tDT\t", "\tNN\t")) == [3]
    assert tagged(table([DOG]), table([DOG]).replace("\tDET\t", "\tADV\t")) == [2]


def test_the_tag_that_differs_is_marked_and_named_in_its_column() -> None:
    session = sitting(brackets([DOG]), table([DOG]))
    text = table([DOG])
    (found,) = diagnostics(snapshot(session, "system.mrg"))
    assert encode(text)[found.start : found.end] == b"NNS"
    assert found.message == "gold has NN for “dog”, not NNS"
    (found,) = diagnostics(snapshot(session))
    assert found.message == "system has NNS for “dog”, not NN"


@pytest.mark.parametrize(
    ("name", "at", "said"),
    [
        ("gold.mrg", "dog", "**system.mrg** has **NNS** “dog” here"),
        ("gold.mrg", "the", "**system.mrg** has the same word and tag"),
        ("system.mrg", "dog", "**gold.mrg** has **NN** “dog” here"),
        ("system.mrg", "the", "**gold.mrg** has the same word and tag, **DT**"),
    ],
)
def test_a_hover_says_the_tag_that_is_compared(name: str, at: str, said: str) -> None:
    session = sitting(brackets([DOG]), table([DOG]))
    text = brackets([DOG]) if name == "gold.mrg" else table([DOG])
    found = hover(snapshot(session, name), text.index(at))
    assert found is not None
    assert said in found.markdown


@pytest.mark.parametrize(
    ("name", "mine", "theirs"), [("gold.mrg", "NN", "NNS"), ("system.mrg", "NNS", "NN")]
)
def test_a_picture_has_both_tags_where_they_differ(name: str, mine: str, theirs: str) -> None:
    session = sitting(brackets([DOG]), table([DOG]))
    found = picture(snapshot(session, name), 1, PictureChoice())
    assert found is not None
    assert re.search(rf">{mine}\s≠\s{theirs}<", found.svg)
    assert found.names.gold == name.split(".")[0]
    (word,) = (node for node in found.nodes if node.part.state == "wrong-tag")
    text = encode(brackets([DOG]) if name == "gold.mrg" else table([DOG]))
    (place,) = word.places
    assert text[place.given_start : place.given_end].decode() == mine
