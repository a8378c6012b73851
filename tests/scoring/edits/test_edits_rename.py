"""Renaming: all uses and nothing else, there and back."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.rename import Name, parts, problem, renamed
from treelens.edits.text import applied, coarser, edited
from treelens.session.document import Document, document
from treelens.session.vocabulary import LabelKind, vocabulary
from treelens.trees.forest import Symbols, encode
from trees import hostile, sentences


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def used(found: Document) -> tuple[Counter[str], Counter[str]]:
    """Labels and tags, counted tree by tree."""
    nodes = [node for k in range(len(found)) for node in found.tree(k).nodes]
    labels = Counter(node.label for node in nodes if node.word is None and node.label)
    return labels, Counter(node.label for node in nodes if node.word is not None and node.label)


@given(hostile, st.integers(0, 60), st.text("(NP a)", max_size=5))
def test_a_vocabulary_is_what_the_trees_have_now(text: str, at: int, typed: str) -> None:
    found = read(text)
    assert (vocabulary(found, "label"), vocabulary(found, "tag")) == used(found)
    at = min(at, found.length)
    changed, _ = found.edit(at, at, encode(typed))
    assert (vocabulary(changed, "label"), vocabulary(changed, "tag")) == used(changed)


@given(st.lists(sentences(), min_size=1, max_size=3), st.sampled_from(["label", "tag"]))
def test_a_new_name_there_and_back(trees: list[str], kind: LabelKind) -> None:
    found = read("\n".join(trees))
    old = sorted(vocabulary(found, kind))
    names = [label[slice(*span)] for label in old for span in parts(label, kind)]
    if not names:
        return
    there = edited(found, renamed(found, Name(kind, names[0], 0, 0), "QQQ"))
    left = [label[slice(*span)] for label in vocabulary(there, kind) for span in parts(label, kind)]
    assert names[0] not in left
    assert "QQQ" in left
    back = edited(there, renamed(there, Name(kind, "QQQ", 0, 0), names[0]))
    assert back.text() == found.text()


def test_a_category_in_labels_with_functions() -> None:
    found = read("(S (NP-SBJ=1 (NP a)) (VP-NP (NP b)) (NP##x=NP## (X c)))")
    changed = edited(found, renamed(found, Name("label", "NP", 0, 0), "Q"))
    assert changed.text() == b"(S (Q-SBJ=1 (NP a)) (VP-Q (NP b)) (Q##x=NP## (X c)))"
    changed = edited(found, renamed(found, Name("tag", "NP", 0, 0), "Q"))
    assert changed.text() == b"(S (NP-SBJ=1 (Q a)) (VP-NP (Q b)) (NP##x=NP## (X c)))"


def test_a_relation_in_a_table() -> None:
    found = read("1\tdet\t_\tdet\tdet\t_\t2\tdet\t_\t_\n2\tb\t_\tN\t_\t_\t0\troot\t_\tdet\n")
    changed = edited(found, renamed(found, Name("relation", "det", 0, 0), "x"))
    assert changed.text() == found.text().replace(b"2\tdet", b"2\tx")


@pytest.mark.parametrize("name", ["", "a b", "(", "a)", "NP-SBJ", "NP=2"])
def test_what_can_be_no_name(name: str) -> None:
    assert problem(name, "label")
    assert problem("NP", "label") is None


def test_an_index_is_renamed_in_its_sentence_and_an_id_wherever_it_is() -> None:
    tree = "; id: a-1\n(S (NP-1 (N a)) (X=1 (-NONE- *T*-1)) (Y-11 (N b-1)))\n"
    found = read(tree + tree)
    at = tree.index("-1 (N")
    changed = edited(found, renamed(found, Name("index", "1", at + 1, at + 2), "7"))
    now = tree.replace("NP-1", "NP-7").replace("X=1", "X=7").replace("*T*-1", "*T*-7")
    assert changed.text().decode() == now + tree
    changed = edited(found, renamed(found, Name("id", "a-1", 6, 9), "c"))
    assert changed.text().decode() == 2 * tree.replace("id: a-1", "id: c")
    one = edited(found, renamed(found, Name("id", "a-1", 6, 9), "c", range(1)))
    assert one.text().decode() == tree.replace("id: a-1", "id: c") + tree


@given(st.lists(sentences(), min_size=1, max_size=4), st.integers(1, 9))
def test_fewer_edits_do_the_same(trees: list[str], most: int) -> None:
    found = read("\n".join(trees))
    for label in vocabulary(found, "tag"):
        edits = renamed(found, Name("tag", label, 0, 0), "QQQ")
        fewer = coarser(found, edits, most)
        assert len(fewer) <= max(most, 1)
        assert applied(found.text(), fewer) == applied(found.text(), edits)
