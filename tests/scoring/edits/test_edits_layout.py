"""Layouts: only blanks change, whatever the tree; what stands on a line is what fits there."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.layout import WIDTH, Style, laid_out, style_of
from treelens.edits.text import edited
from treelens.session.document import Document, document
from treelens.trees.forest import Symbols, encode
from treelens.trees.tree import Tree
from trees import hostile, sentences

styles: st.SearchStrategy[Style] = st.sampled_from(["line", "indented"])


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def laid(text: str, style: Style) -> str:
    """The text with every tree laid out."""
    found = read(text)
    for sentence in reversed(range(len(found))):
        found = edited(found, laid_out(found, sentence, style))
    return found.text().decode("utf-8", "surrogatepass")


def structure(tree: Tree) -> list[tuple[object, ...]]:
    return [(node.label, node.word, node.parent, node.first, node.last) for node in tree.nodes]


@given(hostile, styles)
def test_only_blanks_change(text: str, style: Style) -> None:
    changed = laid(text, style)
    assert re.sub(r"[ \t\n\v\f\r]", "", changed) == re.sub(r"[ \t\n\v\f\r]", "", text)


@given(st.lists(sentences(), min_size=1, max_size=3), styles)
def test_the_trees_stay_the_same_and_so_does_their_layout(trees: list[str], style: Style) -> None:
    text = "\n".join(trees)
    changed = laid(text, style)
    before, after = read(text), read(changed)
    assert [structure(after.tree(k)) for k in range(len(after))] == [
        structure(before.tree(k)) for k in range(len(before))
    ]
    assert laid(changed, style) == changed
    assert laid(changed, "line") == laid(text, "line")


def test_a_tree_is_indented_where_it_does_not_fit() -> None:
    text = (
        "( (S (NP-SBJ (DT the) (NN harbour) (NN master)) (VP (VBD counted) (NP (NP (DT the) "
        "(NNS boats)) (PP (IN of) (NP (DT the) (NN island))))) (. .)) )\n"
    )
    indented = """\
( (S (NP-SBJ (DT the) (NN harbour) (NN master))
    (VP (VBD counted)
      (NP (NP (DT the) (NNS boats)) (PP (IN of) (NP (DT the) (NN island)))))
    (. .)))
"""
    assert laid(text, "indented") == indented
    assert max(map(len, laid(text, "indented").splitlines())) <= WIDTH
    assert laid(indented, "line") == text.replace(") )", "))")


def test_comments_and_broken_trees_stay_as_they_are() -> None:
    text = "# a  b\n(S   (A a)\n# c  d\n  (B b))\n"
    assert laid(text, "line") == "# a  b\n(S (A a)\n# c  d\n  (B b))\n"
    assert laid("(S   (A a)\n", "line") == "(S   (A a)\n"


def test_a_file_is_indented_if_one_of_its_trees_is() -> None:
    found = read("(S (A a))\n(S (A a)\n  (B b))\n")
    assert style_of(found, range(1)) == "line"
    assert style_of(found, range(2)) == "indented"
