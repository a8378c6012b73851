"""Edits from a picture: the text says what was asked, or there is a reason why it cannot."""

from __future__ import annotations

import itertools

import pytest
from conll_texts import tables
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.attach import Refusal
from treelens.edits.text import applied, edited, inverse
from treelens.present.node_edits import OPERATIONS, Span, node_edits
from treelens.render.width import shortened
from treelens.session.document import Document, document
from treelens.trees.dependency_tree import DependencyTree
from treelens.trees.forest import Symbols, encode
from trees import hostile, sentences

TREE = "(S (NP (D the) (N dog)) (VP (V sees) (NP (N rain))))\n"
TABLE = """\
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_

"""


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def span(source: Document, text: str) -> Span:
    """Where the node or line is written that starts so."""
    nodes = source.tree(0).nodes
    return next(
        (node.start, node.end)
        for node in nodes
        if source.text(node.start, node.end).startswith(encode(text))
    )


def done(text: str, node: str, operation: str, argument: str = "", target: str = "") -> str:
    """The text after an operation, or why there is none."""
    source = read(text)
    there = span(source, target) if target else None
    made = node_edits(source, span(source, node), operation, argument, there)  # type: ignore[arg-type]
    if isinstance(made, Refusal):
        return made.reason
    return applied(source.text(), made).decode()


@pytest.mark.parametrize("number", ["1", "x", "", "²", "٣", "9" * 5000])
def test_a_word_that_no_head_can_mean_is_none(number: str) -> None:
    """As where two rows have an ID, which is then the first one's: the edit would change nothing,
    or attach to another word."""
    text = TABLE.replace("2\tdog", f"{number}\tdog").replace("3\tnsubj", "0\troot")
    said = done(text, "3\tsees", "head", target=f"{number}\tdog")
    told = shortened(number, 12) or "which is empty"
    assert said.startswith(f"the ID of “dog”, {told}, does not mean")
    assert said.endswith("Number the words of this sentence anew first")
    assert "\t3\tdet" in done(text, "1\tthe", "head", target="3\tsees")


@pytest.mark.parametrize(
    ("node", "operation", "argument", "becomes"),
    [
        ("(VP", "relabel", "X", "(S (NP (D the) (N dog)) (X (V sees) (NP (N rain))))\n"),
        ("(N dog", "relabel", "M", "(S (NP (D the) (M dog)) (VP (V sees) (NP (N rain))))\n"),
        ("(VP", "delete", "", "(S (NP (D the) (N dog)) (V sees) (NP (N rain)))\n"),
        ("(NP (N", "raise", "", "(S (NP (D the) (N dog)) (VP (V sees)) (NP (N rain)))\n"),
        ("(VP", "lower", "", "(S (NP (D the) (N dog) (VP (V sees) (NP (N rain)))))\n"),
        ("(V sees", "lower", "right", "(S (NP (D the) (N dog)) (VP (NP (V sees) (N rain))))\n"),
        ("(VP", "wrap", "", "(S (NP (D the) (N dog)) (XP (VP (V sees) (NP (N rain)))))\n"),
        ("(VP", "wrap", "Y", "(S (NP (D the) (N dog)) (Y (VP (V sees) (NP (N rain)))))\n"),
        ("(VP", "relabel", "A B", "“A B” cannot be a label: labels have no blanks and no brackets"),
        ("(VP", "relabel", "", "a label is needed"),
        (
            "(S",
            "delete",
            "",
            "the root holds several constituents, which would be trees of their own",
        ),
        ("(VP", "raise", "", "it is directly under the root S"),
        ("(V sees", "lower", "left", "there is no constituent before it in which it could be"),
        ("(N dog", "delete", "", "words are not deleted here: only brackets are"),
        ("(VP", "head", "", "words of a tree have no heads: attach it to a bracket"),
    ],
)
def test_trees(node: str, operation: str, argument: str, becomes: str) -> None:
    assert done(TREE, node, operation, argument) == becomes


@pytest.mark.parametrize("label", ["XP", "XP-SBJ", "NP-SBJ-2", "NP", "-NONE-", "NX##case=dat##"])
def test_a_new_label_is_the_whole_one(label: str) -> None:
    text = "(S (NP-SBJ-1##case=nom## (N##num=sg## we)) (VP (V go)))\n"
    assert done(text, "(NP", "relabel", label) == text.replace("NP-SBJ-1##case=nom##", label)
    assert done(text, "(N##", "relabel", label) == text.replace("N##num=sg##", label)


def test_a_word_without_a_bracket_has_no_tag_to_change() -> None:
    reason = "this word has no tag that could be another one"
    assert done("(S (NP the dog) (V sees))\n", "dog", "relabel", "N") == reason


def test_attaching() -> None:
    assert done(TREE, "(NP (N", "attach", target="(S") == (
        "(S (NP (D the) (N dog)) (VP (V sees)) (NP (N rain)))\n"
    )
    assert "would change their order" in done(TREE, "(NP (N", "attach", target="(NP (D")
    assert done(TREE, "(VP", "attach").startswith("choose a bracket")


@pytest.mark.parametrize(
    ("node", "operation", "argument", "target", "becomes"),
    [
        ("1\t", "head", "", "3\t", TABLE.replace("2\tdet", "3\tdet")),
        ("1\t", "attach", "", "3\t", TABLE.replace("2\tdet", "3\tdet")),
        ("2\t", "relation", "obj", "", TABLE.replace("nsubj", "obj")),
        ("2\t", "relabel", "PROPN", "", TABLE.replace("NOUN", "PROPN")),
        ("2\t", "head", "", "1\t", "“the” hangs on “dog” itself: that would be a circle"),
        ("3\t", "head", "", "2\t", "“dog” hangs on “sees” itself: that would be a circle"),
        ("2\t", "head", "", "2\t", "“dog” cannot be its own head"),
        ("2\t", "head", "", "3\t", "“sees” is the head of “dog” already"),
        ("2\t", "head", "0", "", "“sees” is the root already"),
        ("2\t", "relation", "a\tb", "", "a name without tabs and line breaks is needed"),
        ("2\t", "wrap", "", "", "a table has no brackets"),
    ],
)
def test_tables(node: str, operation: str, argument: str, target: str, becomes: str) -> None:
    assert done(TABLE, node, operation, argument, target).startswith(becomes)


DEPS = """\
1\tAnna\t_\tX\t_\t_\t2\tnsubj\t2:nsubj|4:nsubj\t_
2\teats\t_\tX\t_\t_\t0\troot\t0:root\t_
3\tand\t_\tX\t_\t_\t4\tcc\t4:cc\t_
3.1\tthen\t_\tX\t_\t_\t_\t_\t4:dep\t_
4\tdrinks\t_\tX\t_\t_\t2\tconj\t2:conj:and|3.1:obl\t_

"""


@pytest.mark.parametrize(
    ("edge", "operation", "argument", "target", "becomes"),
    [
        ("4:nsubj", "head", "", "3\t", ("|4:nsubj", "|3:nsubj")),
        ("2:nsubj", "attach", "", "4\t", "4:nsubj is there already"),
        ("2:conj:and", "head", "", "3\t", ("2:conj:and|3.1:obl", "3:conj:and|3.1:obl")),
        ("2:conj:and", "head", "", "1\t", ("2:conj:and|", "1:conj:and|")),
        ("3.1:obl", "head", "", "1\t", ("2:conj:and|3.1:obl", "1:obl|2:conj:and")),
        ("4:dep", "head", "", "2\t", ("4:dep", "2:dep")),
        ("4:cc", "head", "0", "", ("4:cc", "0:cc")),
        ("4:cc", "head", "", "3\t", "a word cannot be its own head"),
        ("4:cc", "head", "", "", "choose a word of the same sentence as the head"),
        ("2:conj:and", "relation", "conj:or", "", ("2:conj:and", "2:conj:or")),
        ("4:nsubj", "relabel", "a|b", "", "a relation without blanks and without “|” is needed"),
        ("4:nsubj", "delete", "", "", ("|4:nsubj", "")),
        ("4:cc", "delete", "", "", ("4:cc", "_")),
        ("4:cc", "wrap", "", "", "an enhanced dependency has a head and a relation"),
    ],
)
def test_enhanced_dependencies(
    edge: str, operation: str, argument: str, target: str, becomes: str | tuple[str, str]
) -> None:
    source = read("# before = it\n\n" + DEPS)
    text = source.text().decode()
    start = text.index(edge, text.index("2\teats") if edge == "4:cc" else 0)
    lines = {row.split("\t")[0]: row for row in DEPS.splitlines() if row}
    there = None
    if target:
        line = lines[target.strip()]
        there = text.index(line), text.index(line) + len(line)
    at = start, start + len(edge)
    made = node_edits(source, at, operation, argument, there)  # type: ignore[arg-type]
    if isinstance(becomes, str):
        assert isinstance(made, Refusal)
        assert made.reason.startswith(becomes)
    else:
        assert not isinstance(made, Refusal)
        assert applied(source.text(), made).decode() == text.replace(*becomes, 1)


arguments = st.sampled_from(["", "NP", "left", "right", "0", "a b", "(", "x\ty", "é"])


@given(st.one_of(sentences(), tables(), hostile), st.data())
def test_whatever_is_asked_the_text_reads_and_can_be_taken_back(
    text: str, data: st.DataObject
) -> None:
    source = read(text)
    if not len(source):
        return
    spans = [(node.start, node.end) for node in source.tree(0).nodes] or [(0, 0)]
    node, target = data.draw(st.sampled_from(spans)), data.draw(st.sampled_from(spans))
    operation, argument = data.draw(st.sampled_from(OPERATIONS)), data.draw(arguments)
    made = node_edits(source, node, operation, argument, target)
    if isinstance(made, Refusal):
        assert made.reason
        return
    assert all(one.end <= other.start for one, other in itertools.pairwise(made))
    after = edited(source, made)
    assert applied(after.text(), inverse(source.text(), made)) == source.text()
    assert len(after) == len(source)
    assert len(after.problems()) <= len(source.problems())
    assert after.tree(0).words == source.tree(0).words


@given(tables(), st.data())
def test_heads_and_relations_are_those_asked_for(text: str, data: st.DataObject) -> None:
    source = read(text)
    table = source.dependency_tree(0)
    assert table is not None
    places = st.integers(0, len(table.words) - 1)
    place, target = data.draw(places), data.draw(places)
    spans = [(word.start, word.end) for word in table.words]
    for operation, argument in (("head", ""), ("relation", "new")):
        made = node_edits(source, spans[place], operation, argument, spans[target])  # type: ignore[arg-type]
        if isinstance(made, Refusal):
            continue
        after = edited(source, made).dependency_tree(0)
        assert after is not None
        head = target if operation == "head" else table.words[place].head
        relation = argument or table.words[place].relation
        assert told(after) == told(table, place, head, relation)


def told(
    table: DependencyTree, place: int = -1, head: int = -1, relation: str = ""
) -> list[tuple[str, int, str]]:
    """Every word's form, head and relation; one of them as it is told."""
    return [
        (word.form, head, relation) if at == place else (word.form, word.head, word.relation)
        for at, word in enumerate(table.words)
    ]
