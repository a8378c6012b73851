"""Labels of brackets as functions, slots and categories; what becomes of traces and bad trees."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from conll_texts import hostile_tables
from hypothesis import assume, given
from hypothesis import strategies as st
from tedeval_trees import bank, shown
from treelens.corpus.sources import is_plain
from treelens.tedeval import treebank
from treelens.tedeval.convert import LabelReading, functions
from treelens.tedeval.treebank import FORMATS, Treebank
from treelens.tedeval.trees import bracketed, chains
from treelens.trees.forest import encode
from trees import hostile


def read(text: str, format_name: str, labels: LabelReading = LabelReading.FUNCTIONS) -> Treebank:
    return bank(encode(text), format_name, labels)


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("NP", []),
        ("NP-SBJ", ["SBJ"]),
        ("NP-LOC-PRD-1", ["LOC", "PRD"]),
        ("NP-SBJ=2", ["SBJ"]),
        ("NP=2", []),
        ("NP-SBJ##case=nom##", ["SBJ"]),
        ("NP##case=nom-x##", []),
        ("-LRB-", []),
        ("-NONE-", []),
        ("", []),
        ("NP-", []),
    ],
)
def test_dash_functions(label: str, found: list[str]) -> None:
    assert functions(label) == found


def test_each_function_is_a_node_and_a_constituent_without_one_is_none() -> None:
    text = "(TOP (S (NP-LOC-PRD-1 (NN-hd here)) (VP (VB is))))"
    found = read(text, "ptb").tree(0)
    assert shown(chains(found.nodes)) == {"0-1": ["LOC", "PRD", "hd"]}
    assert found.words == ("here", "is")


def test_categories_leave_functions_features_and_the_root_out() -> None:
    text = "(TOP (S##mood=ind## (NP-SBJ (NN##num=sg## dog)) (VP=1 (VB barks))))"
    found = read(text, "ptb", LabelReading.CATEGORIES).tree(0)
    assert shown(chains(found.nodes)) == {"0-1": ["NP"], "0-2": ["S"], "1-2": ["VP"]}
    assert found.tags == ("NN", "VB")


def test_traces_are_no_words_and_hold_no_nodes() -> None:
    text = "(S (NP-SBJ (-NONE- *T*-1)) (VP-PRD (VB-hd go) (NP-OBJ (-NONE- *))))"
    found = read(text, "ptb").tree(0)
    assert found.words == ("go",)
    assert shown(chains(found.nodes)) == {"0-1": ["PRD", "hd"]}


def test_of_relational_realisational_trees_the_slots_remain() -> None:
    text = "(S ({sbj,prd}@S (sbj@S (NP (N x))) (sbj:prd@S (, ,)) (prd@S (V y))))"
    found = read(text, "rr").tree(0)
    assert shown(chains(found.nodes)) == {"0-1": ["sbj"], "2-3": ["prd"]}
    assert found.tags == ("N", ",", "V")


def test_the_root_of_function_trees_is_no_node() -> None:
    for text, nodes in (
        ("(R w)", {}),
        ("(R (a w))", {"0-1": ["a"]}),
        ("(R w (a v))", {"1-2": ["a"]}),
    ):
        assert shown(chains(read(text, "ftrees").tree(0).nodes)) == nodes


@pytest.mark.parametrize(
    ("format_name", "labels", "tags"),
    [
        ("ptb", LabelReading.CATEGORIES, ("NN-hd", "hd@NP")),
        ("ptb", LabelReading.FUNCTIONS, ("NN", "hd@NP")),
        ("rr", LabelReading.FUNCTIONS, ("NN-hd", "")),
        ("ftrees", LabelReading.FUNCTIONS, ("", "")),
    ],
)
def test_tags_are_what_the_words_labels_say_besides_functions(
    format_name: str, labels: LabelReading, tags: tuple[str, ...]
) -> None:
    assert read("(S (NN-hd x) (hd@NP y))", format_name, labels).tree(0).tags == tags


def test_what_brackets_cannot_hold_is_written_otherwise() -> None:
    text = "1\t(\t_\tX\tX\t_\t2\ta b\t_\t_\n2\tx y\t_\tX\tX\t_\t0\t_\t_\t_\n"
    found = read(text, "conllu").tree(0)
    assert bracketed(found) == "(ROOT (_ (a_b -LRB-) (hd x_y)))"


def test_formats_are_known_by_name_or_by_how_they_begin() -> None:
    table = b"1\tx\t_\t_\t_\t_\t0\tr\t_\t_\n"
    assert treebank.guess("x.ftrees", b"(R (a w))") == "ftrees"
    assert treebank.guess("x.conllu", b"") == "conllu"
    assert treebank.guess("x", table) == "conll"
    assert treebank.guess("x.mrg", b"(S (X y))") == "ptb"


@given(
    hostile,
    st.sampled_from(FORMATS),
    st.sampled_from([LabelReading.FUNCTIONS, LabelReading.CATEGORIES]),
)
def test_any_text_gives_trees(text: str, format_name: str, labels: LabelReading) -> None:
    found = read(text, format_name, labels)
    for sentence in range(len(found) + 1):
        tree = found.tree(sentence)
        assert len(tree.tags) == len(tree.words)
        assert all(0 <= node.first < node.last <= len(tree.words) for node in tree.nodes)
        assert bracketed(tree).count("(") == bracketed(tree).count(")")
    assert all(0 <= (one.sentence or 0) < len(found) for one in found.remarks())


@given(hostile | hostile_tables, st.sampled_from(FORMATS), st.integers(1, 60), st.randoms())
def test_blocks_of_any_size_give_the_same(
    text: str, format_name: str, size: int, chance: random.Random
) -> None:
    source = encode(text)
    assume(is_plain(source))
    whole, found = bank(source, format_name), bank(source, format_name, size=size)
    asked = [*range(len(whole) + 1)]
    assert [*map(everything(found), asked)] == [*map(everything(whole), asked)]
    chance.shuffle(asked)
    assert [*map(everything(found), asked)] == [*map(everything(whole), asked)]
    for one in (whole, found):
        assert len(one) == len(asked) - 1
    assert [*found.problems()] == [*whole.problems()]
    assert [*found.remarks()] == [*whole.remarks()]


def everything(bank: Treebank) -> Callable[[int], object]:
    return lambda at: (bank.tree(at), bank.nodes(at), bank.tokens(at), bank.line(at))
