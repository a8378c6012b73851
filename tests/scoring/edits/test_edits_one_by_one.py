"""Every difference of trees has a fix of its own: taken one by one, in any order and into either
file, each ends with its fix, none appears that was not there, and at the end all is the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from edit_laws import strictly_paired, take_all
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from shared import SHARED
from treelens.differences.table import BY_CODE
from treelens.edits.brackets import bracket_text
from treelens.edits.nesting import constituents, rewritten
from treelens.edits.take import after_edits, take, take_sentence
from treelens.edits.text import applied
from treelens.session.document import document
from treelens.session.pair import Pair, Side
from treelens.trees.forest import Symbols, encode

Leaf = tuple[str, str]
Tree = tuple[str, "list[Tree | Leaf]"]

LABELS = ["NP", "NP-SBJ", "VP", "PP", "S", "ADJP", "NP-1", "WHNP"]
FILES = ("gold.txt", "sys.txt")
LIGHT = (",", ".", "-NONE-")

sides = st.sampled_from(list(Side))
chances = st.randoms(use_true_random=False)


def is_leaf(node: Tree | Leaf) -> bool:
    return isinstance(node[1], str)


def written(node: Tree | Leaf) -> str:
    inside = node[1] if isinstance(node[1], str) else " ".join(map(written, node[1]))
    return f"({node[0]} {inside})"


def words(node: Tree | Leaf) -> list[Leaf]:
    if isinstance(node[1], str):
        return [(node[0], node[1])]
    return [word for child in node[1] for word in words(child)]


def above(node: Tree | Leaf) -> list[Tree]:
    """All constituents, from the root down."""
    if isinstance(node[1], str):
        return []
    return [(node[0], node[1]), *(one for child in node[1] for one in above(child))]


def clear(node: Tree | Leaf, chain: tuple[tuple[str, list[Leaf]], ...] = ()) -> bool:
    """Whether no two constituents over the same words are called the same: which of these is
    which, nobody can say."""
    if isinstance(node[1], str):
        return True
    here = node[0].split("-")[0], [word for word in words(node) if word[0] not in LIGHT]
    return here not in chain and all(clear(child, (*chain, here)) for child in node[1])


def drawn(chance: Random) -> Tree:
    parts: list[Tree | Leaf] = []
    for place in range(chance.randint(2, 8)):
        tag = chance.choice(["N", "V", "V", ",", ".", "-NONE-"])
        parts.append((tag, {"-NONE-": f"*{place}*"}.get(tag, tag if tag in LIGHT else f"w{place}")))
    return nested(chance, [("N", "first"), *parts])


def nested(chance: Random, over: Sequence[Leaf]) -> Tree:
    parts: list[Tree | Leaf] = [*over]
    for _ in range(chance.randint(0, 7)):
        start = chance.randrange(len(parts))
        end = chance.randint(start + 1, min(len(parts), start + 4))
        parts[start:end] = [(chance.choice(LABELS), parts[start:end])]
    top: Tree = ("S", parts)
    return chance.choice([top, ("TOP", [top]), ("", [top])])


def annotated_otherwise(chance: Random, tree: Tree | Leaf) -> Tree | Leaf:
    """Labels, brackets, order, punctuation and empty elements as somebody else might have them."""
    if isinstance(tree[1], str):
        return tree
    label, children = tree[0], [annotated_otherwise(chance, child) for child in tree[1]]
    what, at = chance.randrange(40), chance.randrange(len(children))
    child = children[at]
    if what == 0:
        label = chance.choice(LABELS)
    elif what == 1 and not isinstance(child[1], str):
        children[at : at + 1] = child[1]
    elif what == 2:
        end = chance.randint(at + 1, len(children))
        children[at:end] = [(chance.choice(LABELS), children[at:end])]
    elif what == 3 and not isinstance(child[1], str) and len(children) == 1:
        return child[0], [(label, child[1])]
    elif what in (4, 5) and not isinstance(child[1], str) and len(child[1]) > 1:
        if child[1][-1][0] in LIGHT:
            children[at : at + 1] = [(child[0], child[1][:-1]), child[1][-1]]
    elif what in (6, 7) and at and child[0] in LIGHT and not is_leaf(children[at - 1]):
        before = children[at - 1]
        assert not isinstance(before[1], str)
        children[at - 1 : at + 1] = [(before[0], [*before[1], child])]
    elif what == 8:
        trace: Tree | Leaf = ("-NONE-", f"*{chance.randrange(10**6)}*")
        children.insert(at, chance.choice([trace, ("NP", [trace]), ("NP", [("S", [trace])])]))
    elif what == 9 and child[0] == "-NONE-" and len(children) > 1:
        del children[at]
    elif what in (10, 11) and isinstance(child[1], str) and child[0] == "-NONE-":
        children[at] = (child[0], f"{child[1].partition('-')[0]}-{chance.randrange(3)}")
    return label, children


def told(of: Pair, into: Side) -> Counter[object]:
    """What differs, each named by what no edit into a side moves."""
    found: Counter[object] = Counter()
    for finding in of.findings(0):
        difference, other = BY_CODE[finding.code], finding.at(into.other)
        if other is None or difference.owner is into:
            own = finding.at(into)
            assert own
            found[difference.family, own.written] += 1
        else:
            found[difference.family, other.start, other.written] += 1
    return found


@examples(60)
@given(chances, sides)
def test_each_difference_is_taken_by_itself(chance: Random, into: Side) -> None:
    gold = drawn(chance)
    system = annotated_otherwise(chance, gold)
    assert not isinstance(system[1], str)
    if clear(gold) and clear(system):
        of = take_all(strictly_paired(written(gold), written(system)), into, chance, told)
        trees = [of.document(side).tree(0) for side in Side]
        said = [
            [(node.label, node.first, node.last, node.word) for node in tree.nodes]
            for tree in trees
        ]
        assert said[0] == said[1]


@examples(60)
@given(chances)
def test_any_other_constituents_are_written_around_words_that_stay(chance: Random) -> None:
    tree = drawn(chance)
    texts = [
        bracket_text(document(encode(written(one)), Symbols()), 0)
        for one in (tree, nested(chance, words(tree)))
    ]
    those = constituents(texts[1])
    assert those
    edits = rewritten(texts[0], those)
    assert edits is not None
    for node in texts[0].tree.nodes:
        if node.word is not None:
            assert all(one.end <= node.start or node.end <= one.start for one in edits)
    after = document(applied(encode(written(tree)), edits), Symbols())
    assert [one[:3] for one in constituents(bracket_text(after, 0)) or ()] == [
        one[:3] for one in those
    ]


@pytest.mark.skipif(not SHARED.is_dir(), reason="no reference data")
@pytest.mark.parametrize("number", range(0, 2400, 97))
def test_so_it_is_in_real_trees(number: int) -> None:
    folder = SHARED / "parseval" / "icepahc2400"
    gold, system = ((folder / name).read_text().splitlines()[number] for name in FILES)
    of = strictly_paired(gold, system)
    tags = [mark.written for one in of.findings(0) for mark in (one.gold, one.system) if mark]
    if (
        len(gold) < 500 and "." not in tags
    ):  # which decides whether a word and what is over it count
        for into in Side:
            take_all(of, into, Random(number), told)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("(S (NP (N a) (. .)) (V b))", "(S (NP (N a)) (. .) (V b))"),
        ("(S (VP (V x) (NP (N a) (. .))))", "(S (VP (V x) (NP (N a))) (. .))"),
        ("(S (NP (N a)) (V b) (. .))", "(TOP (S (NP (N a)) (V b)) (. .))"),
        ("(S (A (B (N a))) (V b))", "(S (B (A (N a))) (V b))"),
        ("(TOP (S (N a) (V b)))", "(S (TOP (N a) (V b)))"),
        ("(S (N a) (V b))", "(S (NP (N a) (-NONE- *)) (V b))"),
        ("(S (NP (N a)) (V b))", "(S (NP (N a)) (NP (XP (-NONE- *))) (V b))"),
        ("(S (NP (N a) (-NONE- *)) (V b))", "(S (NP (N a)) (-NONE- *) (V b))"),
        ("(S (NP (N a) (-NONE- *-1)) (V b))", "(S (NP (N a)) (NP (-NONE- *-2)) (V b))"),
        ("(S (N a) (-NONE- *-1) (-NONE- *T*-2))", "(S (N a) (-NONE- *T*-3) (-NONE- *-2))"),
        ("(S (N a) (. .) (V b))", "(S (N a) (X (. .)) (V b))"),
        ("(S (N a) (A (B (-NONE- *))))", "(S (N a) (B (X (-NONE- *))))"),
        ("(S (N##num=sg## a) (V b))", "(S (M a) (V b))"),
    ],
)
def test_what_is_taken_is_what_the_other_file_has(here: str, there: str) -> None:
    of = take_all(strictly_paired(there, here), Side.SYSTEM, Random(1), told)
    assert [node[:7] for node in of.gold.tree(0).nodes] == [
        node[:7] for node in of.system.tree(0).nodes
    ]


def test_what_would_leave_words_without_a_root_is_not_taken_by_itself() -> None:
    """As the other file has none: it was given that of another sentence."""
    for behind in ("", " (Q (B b))"):
        of = strictly_paired(f"(N a){behind}", f"(S (X (N a)) (Y (NN cat))){behind}")
        root = next(one for one in of.findings(0) if one.system and one.system.written == "S")
        assert take(of, 0, root, Side.SYSTEM) is None
        after = after_edits(of, Side.SYSTEM, take_sentence(of, 0, Side.SYSTEM) or ())
        assert after.system.text() == after.gold.text()


def test_comments_and_layout_stay() -> None:
    of = strictly_paired(
        "(S (NP (N a)) (. .) (V b))", "(S\n  (NP (N a)\n# why?\n   (. .))\n  (V b))"
    )
    finding = next(one for one in of.findings(0) if one.code == "wrong-extent")
    after = after_edits(of, Side.SYSTEM, take(of, 0, finding, Side.SYSTEM) or ())
    assert after.system.text() == b"(S\n  (NP (N a))\n# why?\n   (. .)\n  (V b))"


def test_a_new_empty_element_comes_with_its_bracket_in_one_step() -> None:
    of = strictly_paired("(S (NP (N a)) (NP (XP (-NONE- *))) (V b))", "(S (NP (N a)) (V b))")
    (finding,) = of.findings(0)
    for into in Side:
        after = after_edits(of, into, take(of, 0, finding, into) or ())
        assert after.gold.text() == after.system.text()


def test_what_is_no_annotation_is_taken_as_a_whole() -> None:
    """Ordering hundreds of brackets over one word costs their number squared, and more."""
    labels = [f"(X{number} " for number in range(400)]
    here, there = (
        "(S {}(N a){} (N b))".format("".join(each), ")" * len(labels))
        for each in (labels, labels[::-1])
    )
    of = strictly_paired(there, here)
    finding = of.findings(0)[0]
    assert finding.code == "wrong-unary-order"
    assert take(of, 0, finding, Side.SYSTEM) is None
    after = after_edits(of, Side.SYSTEM, take_sentence(of, 0, Side.SYSTEM) or ())
    assert after.system.text() == after.gold.text()
