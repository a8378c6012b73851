"""The metric of the reports counts for dependencies what the papers' definitions give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.compare import compare
from treelens.forest import ROOT, Symbols, encode
from treelens.metrics import tedeval
from treelens.parameters import PRESETS
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.tedeval import treebank
from treelens.tedeval.convert import Labels
from treelens.tedeval.evaluation import Options, evaluate
from treelens.tedeval.treebank import Treebank
from treelens.tedeval.versions import VERSIONS

WORDS = ("the", "dog", "saw", "a", "cat")

Sentence = list[tuple[str, int, str]]
"""Words with their heads (from 0) and relations."""


def table(sentences: list[Sentence]) -> bytes:
    blocks = (
        "".join(
            f"{at}\t{word}\t_\tX\tX\t_\t{head + 1}\t{relation}\t_\t_\n"
            for at, (word, head, relation) in enumerate(rows, 1)
        )
        for rows in sentences
    )
    return encode("\n".join(blocks))


def counts(gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    """Edits, edits unlabelled and nodes by sentence, from the metric over all at once."""
    symbols = Symbols()
    forests = [
        treebank.read(table(sentences), symbols, "conll", Labels.FUNCTIONS, "*").forest
        for sentences in (gold, system)
    ]
    groups = [np.arange(len(forest), dtype=np.int32) for forest in forests]
    found = compare(forests[0], groups[0], forests[1], groups[1], len(gold), PRESETS["default"])
    return tedeval.tally(found).tolist()


def by_definition(gold: list[Sentence], system: list[Sentence]) -> list[list[int]]:
    """The same, a sentence and a span at a time."""
    banks = [read(sentences) for sentences in (gold, system)]
    rows = []
    for at in range(len(gold)):
        trees = [bank.tree(at) for bank in banks]
        labelled, unlabelled = (
            evaluate(trees[1], [trees[0]], Options(VERSIONS["2011"], labelled))
            for labelled in (True, False)
        )
        rows.append([labelled.edits, unlabelled.edits, labelled.nodes])
    return rows


def read(sentences: list[Sentence]) -> Treebank:
    return treebank.read(table(sentences), Symbols(), "conll", Labels.FUNCTIONS, "*")


@st.composite
def sentence(draw: st.DrawFn, words: list[str]) -> Sentence:
    heads = st.integers(ROOT, len(words) - 1)
    return [(word, draw(heads), draw(st.sampled_from("abc"))) for word in words]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences of both sides, whose words may differ here and there."""
    gold, system = [], []
    for _ in range(draw(st.integers(1, 4))):
        words = draw(
            st.lists(st.sampled_from(["the", "dog", "saw", "a", "cat"]), min_size=1, max_size=8)
        )
        gold.append(draw(sentence(words)))
        kind = draw(st.integers(0, 3))
        at = draw(st.integers(0, len(words) - 1))
        if kind == 1:
            words = [*words[:at], "other", *words[at + 1 :]]
        elif kind == 2:
            words = [*words[:at], *words[at + 1 :]] or ["other"]
        elif kind == 3:
            words = [*words[:at], "".join(words[at : at + 2]), *words[at + 2 :]]
        system.append(draw(sentence(words)))
    return gold, system


@given(pairs())
def test_all_at_once_is_one_by_one(drawn: tuple[list[Sentence], list[Sentence]]) -> None:
    assert counts(*drawn) == by_definition(*drawn)


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # "on Sunday": its head is either word, and * is any label: no edit at all.
        (
            [("on", 1, "prep"), ("Sunday", ROOT, "X")],
            [("on", ROOT, "X"), ("Sunday", 0, "pobj")],
            [0, 0, 6],
        ),
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
    ],
)
def test_by_hand(gold: Sentence, system: Sentence, expected: list[int]) -> None:
    assert counts([gold], [system]) == [expected]


def test_a_lost_word_takes_its_own_node_and_what_is_over_it_alone() -> None:
    gold = [("a", ROOT, "r"), ("b", 0, "x"), ("c", 1, "y")]
    system = [("a", ROOT, "r"), ("b", 0, "x")]
    # Of gold: r over a-c, * over a, x over b-c, * over b, y over c. Of system: r, * and x over b.
    # Without c, gold's x and * are both over b: x stays, * and y are edits.
    assert counts([gold], [system]) == [[2, 2, 8]]


def test_constituents_against_dependencies_have_no_score() -> None:
    symbols = Symbols()
    texts = b"(S (NP (D the) (N dog)) (V barks))\n", table([[("the", 1, "d"), ("dog", ROOT, "r")]])
    found = pair(*(document(text, symbols) for text in texts))
    scores = [score for score in found.scores() if score.ratio.name.startswith("tedeval")]
    assert len(scores) == 2
    assert all(score.value is None for score in scores)


def test_a_very_deep_sentence() -> None:
    # A chain of words, of which one side lacks all but the first: a chain of nodes over one word.
    deep: Sentence = [("w", ROOT, "r"), *((f"x{at}", at, "a") for at in range(2000))]
    (found,) = counts([deep], [[("w", ROOT, "r")]])
    assert found == [4000, 4000, 4002]
