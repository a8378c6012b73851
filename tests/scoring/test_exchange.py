"""NLTK's trees and graphs: what is given is what was written, and what is written is read again."""

from __future__ import annotations

import doctest

import pytest
import treelens
import treelens.exchange
from conll_texts import hostile_tables
from hypothesis import given
from nltk.parse.dependencygraph import DependencyGraph
from nltk.tree import Tree
from trees import hostile, sentences

TABLE = (
    "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n\n"
)


def test_the_example_of_the_docstring() -> None:
    assert doctest.testmod(treelens.exchange).failed == 0


def test_trees_are_those_that_nltk_reads() -> None:
    text = "(S (NP-SBJ-1 (DT the) (NN dog)) (VP (VB barks) x))"
    assert treelens.to_nltk(text) == [Tree.fromstring(text)]
    assert treelens.from_nltk(treelens.to_nltk(text)) == text + "\n"


def test_graphs_are_those_that_nltk_reads() -> None:
    (found,) = treelens.to_nltk(TABLE)
    expected = DependencyGraph(TABLE, cell_separator="\t", top_relation_label="root")
    assert isinstance(found, DependencyGraph)
    for address in (1, 2):
        for key in ("word", "lemma", "ctag", "tag", "head", "rel", "deps"):
            assert found.nodes[address][key] == expected.nodes[address][key]
    assert found.root["word"] == "dog"
    assert treelens.from_nltk([found]) == TABLE


def test_what_cannot_be_written_is_an_error() -> None:
    with pytest.raises(ValueError, match="blank"):
        treelens.from_nltk([Tree("S", ["a b"])])
    with pytest.raises(TypeError, match="two formats"):
        treelens.from_nltk([Tree("S", ["a"]), DependencyGraph()])
    assert treelens.from_nltk([Tree("S", ["("])]) == "(S -LRB-)\n"


@given(sentences())
def test_trees_come_back_as_they_were(text: str) -> None:
    there = treelens.to_nltk(text)
    back = treelens.to_nltk(treelens.from_nltk(there))
    assert [one.leaves() for one in back] == [one.leaves() for one in there]


@given(hostile | hostile_tables)
def test_no_text_makes_it_fail(text: str) -> None:
    treelens.to_nltk(text)
