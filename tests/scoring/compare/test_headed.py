"""Dependencies of constituents: against a slow obvious one, and by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.compare.headed import relation_name, with_heads
from treelens.metrics import attachment
from treelens.rules.parameters import HEADS, PRESETS, Heads, Parameters, bare, tag_name
from treelens.session.document import Document, document
from treelens.session.pair import pair
from treelens.trees.forest import NOWHERE, ROOT, Symbols, encode
from treelens.trees.tree import Tree
from trees import sentences

Arc = tuple[int, str]
"""Head (or ``ROOT``, ``NOWHERE``) and relation."""

TREE = """
(TOP (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBD ate) (NP (NP (DT a) (NN bone))
  (PP (IN with) (NP (NN meat))))) (. .)))
"""


def arcs(text: Document, heads: Heads, parameters: Parameters) -> list[list[Arc]]:
    forest = with_heads(text.forest(range(len(text))), heads, parameters)
    assert forest.dependencies is not None
    labels = forest.symbols.labels
    found = [
        (head, labels[relation])
        for head, relation in zip(
            forest.dependencies.head.tolist(), forest.dependencies.relation.tolist(), strict=True
        )
    ]
    bounds = forest.first_leaf.tolist()
    return [found[a:b] for a, b in itertools.pairwise(bounds)]


def obvious(tree: Tree, heads: Heads, parameters: Parameters) -> list[Arc]:
    words = [node for node in tree.nodes if node.word is not None]
    traces = [tag_name(word.label) == "-NONE-" for word in words]
    found: list[Arc] = [(NOWHERE, "")] * len(words)
    equal = dict(parameters.equal_labels)

    def overt(index: int) -> bool:
        node = tree.nodes[index]
        return not all(traces[node.first : node.last]) and node.first < node.last

    def walk(index: int) -> tuple[int, str]:
        """The head word below a node, and the relation that it has by that node."""
        node = tree.nodes[index]
        if node.word is not None:
            name = tag_name(node.label)
            return node.row, equal.get(name, name)
        children = [child for child in node.children if overt(child)]
        names, aside = [], set()
        for place, child in enumerate(children):
            label = tree.nodes[child].label
            is_word = tree.nodes[child].word is not None
            names.append(tag_name(label) if is_word else bare(label))
            if is_word and tag_name(label) in parameters.delete:
                aside.add(place)
        below = [walk(child) for child in children]
        head = heads.table.head(bare(node.label), names, aside)
        for place, (word, relation) in enumerate(below):
            if place != head:
                found[word] = (below[head][0], relation)
        own = equal.get(bare(node.label), bare(node.label))
        counts = bool(own) and own not in parameters.delete
        return below[head][0], relation_name(node.label, parameters) if counts else below[head][1]

    if any(not trace for trace in traces):
        word, relation = walk(0)
        found[word] = (ROOT, relation)
    return found


@given(
    st.lists(sentences(), min_size=1, max_size=4),
    st.sampled_from(list(HEADS.values())),
    st.sampled_from(list(PRESETS.values())),
)
def test_all_at_once_is_one_by_one(trees: list[str], heads: Heads, parameters: Parameters) -> None:
    text = document(encode("\n".join(trees)), Symbols())
    expected = [obvious(text.tree(k), heads, parameters) for k in range(len(text))]
    assert arcs(text, heads, parameters) == expected


def test_a_tree_by_hand() -> None:
    text = document(encode(TREE), Symbols())
    assert arcs(text, HEADS["collins"], PRESETS["default"]) == [
        [
            (1, "DT"),
            (2, "NP:SBJ"),
            (ROOT, "S"),
            (4, "DT"),
            (2, "NP"),
            (4, "PP"),
            (5, "NP"),
            (2, "."),
        ]
    ]


def test_punctuation_is_head_of_nothing_else() -> None:
    heads = Heads("right", "*default* (r)\n")
    text = document(encode("(S (NP (N a)) (. .))\n(S (. .) (. !))\n(NN word)\n"), Symbols())
    assert arcs(text, heads, PRESETS["default"]) == [
        [(ROOT, "S"), (0, ".")],
        [(1, "."), (ROOT, "S")],
        [(ROOT, "NN")],
    ]


def test_a_flat_sentence_and_a_deep_one() -> None:
    flat = "(S " + "(X a) " * 3000 + ")"
    deep = "(S (X a) " * 3000 + "(Y b)" + ")" * 3000
    text = document(encode(f"{flat}\n{deep}\n"), Symbols())
    heads = Heads("left", "*default* (l)\n")
    wide, high = arcs(text, heads, PRESETS["none"])
    assert set(wide[1:]) == {(0, "X")}
    assert [head for head, _ in high] == [ROOT, *range(3000)]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("NP-SBJ-1", "NP:SBJ"),
        ("NP-SBJ-TMP=2", "NP:SBJ-TMP"),
        ("NP=2", "NP"),
        ("NP##case=nom##", "NP"),
        ("NP-SUJ##case=nom##", "NP:SUJ"),
        ("PRT-CLR", "PRT:CLR"),
        ("ADVP-CLR", "PRT:CLR"),
        ("-NONE-", "-NONE-"),
    ],
)
def test_relations_are_labels_with_functions_behind(label: str, name: str) -> None:
    assert relation_name(label, PRESETS["default"]) == name


def test_attachments_of_constituents() -> None:
    system = """
    (S1 (S (NP (DT the) (NN dog)) (VP (VBD ate) (NP (DT a) (NN bone))
      (PP (IN with) (NP (NN meat)))) (. .)))
    """
    symbols = Symbols()
    texts = [document(encode(text), symbols) for text in (TREE, system)]
    parameters = replace(PRESETS["default"], heads=HEADS["collins"])
    found = pair(texts[0], texts[1], parameters)
    assert "attachment" in [metric.name for metric in found.metrics]
    # One head is another, and one relation is a subtype's.
    by_name = {score.ratio.name: score[1:] for score in found.scores()}
    assert by_name["UAS"] == by_name["LAS"] == (14, 16)
    assert by_name["LAS-subtypes"] == (12, 16)
    assert by_name["UAS-plain"] == (12, 14)
    assert not {finding.code for finding in found.findings(0)} & {"wrong-head", "wrong-relation"}
    # Without a table there are none.
    assert attachment.METRIC not in pair(texts[0], texts[1]).metrics


def test_the_signature_tells_tables_apart() -> None:
    assert HEADS["collins"].signature == "collins"
    own = Heads("collins", "*default* (r)\n")
    assert own.signature.startswith("collins#")
    assert own.signature != Heads("collins", "*default* (l)\n").signature
