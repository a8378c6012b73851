"""Attaching by hand: exactly what was asked, or the reason why not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.attach import Refusal, attach
from treelens.edits.brackets import bracket_text
from treelens.edits.text import applied, edited, inverse
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols, encode
from treelens.trees.tree import Tree
from trees import sentences

TREE = "( (S (NP (D a) (N b))\n  (VP (V c) (PP (P d) (NP (N e) (J f))))\n  (ADVP (R g))))\n"


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def at(source: Document, mark: str) -> int:
    offset = source.text().index(encode(mark))
    return next(i for i, node in enumerate(source.tree(0).nodes) if node.start == offset)


def attached(node: str, target: str, text: str = TREE) -> str:
    source = read(text)
    made = attach(bracket_text(source, 0), at(source, node), at(source, target))
    return made.reason if isinstance(made, Refusal) else applied(source.text(), made).decode()


@pytest.mark.parametrize(
    ("node", "target", "becomes"),
    [
        # Out of what it ends, whatever the depth.
        (
            "(J f",
            "(VP",
            "( (S (NP (D a) (N b))\n  (VP (V c) (PP (P d) (NP (N e))) (J f))\n  (ADVP (R g))))\n",
        ),
        (
            "(PP",
            "(S",
            "( (S (NP (D a) (N b))\n  (VP (V c)) (PP (P d) (NP (N e) (J f)))\n  (ADVP (R g))))\n",
        ),
        # Out of what it begins.
        (
            "(V c",
            "(S",
            "( (S (NP (D a) (N b))\n  (V c) (VP (PP (P d) (NP (N e) (J f))))\n  (ADVP (R g))))\n",
        ),
        # Into what ends before it: what is around that grows with it.
        (
            "(ADVP",
            "(NP (N e",
            "( (S (NP (D a) (N b))\n  (VP (V c) (PP (P d) (NP (N e) (J f)\n  (ADVP (R g))))))\n)\n",
        ),
        (
            "(V c",
            "(NP (D",
            "( (S (NP (D a) (N b)\n  (V c)) (VP (PP (P d) (NP (N e) (J f))))\n  (ADVP (R g))))\n",
        ),
        # Into what begins behind it.
        (
            "(J f",
            "(ADVP",
            "( (S (NP (D a) (N b))\n  (VP (V c) (PP (P d) (NP (N e)))) (ADVP (J f)\n  (R g))))\n",
        ),
        (
            "(N b",
            "(VP",
            "( (S (NP (D a)) (VP (N b)\n  (V c) (PP (P d) (NP (N e) (J f))))\n  (ADVP (R g))))\n",
        ),
    ],
)
def test_what_becomes_of_a_tree(node: str, target: str, becomes: str) -> None:
    found = attached(node, target)
    assert " ".join(found.split()).replace(" )", ")") == " ".join(becomes.split()).replace(
        " )", ")"
    )


@pytest.mark.parametrize(
    ("node", "target", "reason"),
    [
        ("(NP (D", "(PP", "NP does not stand beside PP: “c” is between them"),
        ("(PP", "(D a", "“a” is a word"),
        ("(N b", "(PP", "“c” is between them"),
        ("(VP", "(PP", "PP is in VP itself"),
        ("(PP", "(VP", "PP is directly under VP already"),
        ("(R g", "(S", "ADVP holds nothing else and would be empty"),
        ("(P d", "(S", "“d” stands inside of VP, which would be cut in two"),
    ],
)
def test_what_is_refused(node: str, target: str, reason: str) -> None:
    assert reason in attached(node, target)


def test_a_root_is_under_nothing() -> None:
    assert "VP is in S itself" in attached("(S", "(VP")
    assert "the bracket" in attached("( (S", "(S")


def nesting(tree: Tree, moved: int = -1, under: int = -1) -> list[object]:
    """The trees as nested lists; one node may be told to be under another: where, its words say."""
    children: dict[int, list[int]] = {index: [] for index in range(-1, len(tree.nodes))}
    for index in reversed(range(len(tree.nodes))):
        node = tree.nodes[index]
        parent = under if index == moved else node.parent
        children[parent].append(index)

    def listed(index: int) -> object:
        node = tree.nodes[index]
        if node.word is not None:
            return (node.label, node.word)
        below = sorted(children[index], key=first)
        return [node.label, *map(listed, below)]

    def first(index: int) -> int:
        node = tree.nodes[index]
        return (
            node.start
            if node.word is not None
            else min(map(first, children[index]), default=node.start)
        )

    return [listed(index) for index in sorted(children[-1], key=first)]


@given(sentences(), st.data())
def test_it_says_exactly_what_was_asked(text: str, data: st.DataObject) -> None:
    source = read(text)
    if not len(source) or source.problems() or not source.tree(0).nodes:
        return
    tree = source.tree(0)
    node, target = (data.draw(st.integers(0, len(tree.nodes) - 1)) for _ in range(2))
    made = attach(bracket_text(source, 0), node, target)
    if isinstance(made, Refusal):
        assert made.reason
        return
    after = edited(source, made)
    assert applied(after.text(), inverse(source.text(), made)) == source.text()
    assert not after.problems()
    assert after.tree(0).words == tree.words
    assert nesting(after.tree(0)) == nesting(tree, node, target)
