"""Leaf-ancestor against a slow obvious one over fractions, and on cases by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from treelens.compare.comparison import Comparison
from treelens.compare.nesting import nest
from treelens.metrics import leaf_ancestor, scores
from treelens.metrics.leaf_ancestor import KINDS, METRIC, METRICS, UNIT, WAGNER
from treelens.rules.parameters import PRESETS, Parameters, bare
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode
from treelens.trees.tree import Tree
from trees import pairs, sentences

Element = tuple[str, str]
"""A mark or a label, and its first character."""


def compared(
    gold: str, system: str, parameters: Parameters = PRESETS["none"]
) -> tuple[Comparison, Tree, Tree]:
    found = paired(gold, system, parameters)
    assert len(found) == 1
    return found.comparison(0), found.gold.tree(0), found.system.tree(0)


def paired(gold: str, system: str, parameters: Parameters) -> Pair:
    symbols = Symbols()
    documents = [document(encode(text), symbols) for text in (gold, system)]
    return pair(documents[0], documents[1], parameters)


def path(
    tree: Tree, leaf: int, shared: list[int], parameters: Parameters, *, marks: bool, least: int = 2
) -> list[Element]:
    """From a word (a row of the tree's) up to the root; ``shared``: the rows that take room."""
    equal = dict(parameters.equal_labels)
    held = []
    for node in tree.nodes:  # from the root down
        rows = [row for row in shared if node.first <= row < node.last]
        name = equal.get(bare(node.label), bare(node.label))
        if node.word is None and leaf in rows and name and name not in parameters.delete:
            held.append((name if parameters.labelled else "x", rows))
    opens = next((k for k, (_, r) in enumerate(held) if r[0] == leaf and len(r) >= least), None)
    closes = next((k for k, (_, r) in enumerate(held) if r[-1] == leaf and len(r) >= least), None)
    found: list[Element] = []
    for k in reversed(range(len(held))):
        name = held[k][0]
        if marks and k == opens:
            found.append(("mark [", "mark ["))
        found.append((f"label {name}", name[0] if parameters.labelled else ""))
        if marks and k == closes:
            found.append(("mark ]", "mark ]"))
    return found


def distance(one: list[Element], other: list[Element], alike: Fraction, unlike: int) -> Fraction:
    row = [Fraction(k) for k in range(len(other) + 1)]
    for i, a in enumerate(one, 1):
        above, row = row, [Fraction(i)]
        for j, b in enumerate(other, 1):
            cost = Fraction(0) if a[0] == b[0] else alike if a[1] == b[1] else Fraction(unlike)
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + cost))
    return row[-1]


COSTS = {
    "sampson": (True, Fraction(1, 2), 2),
    "workshop": (True, Fraction(3, 2), 2),
    "plain": (False, Fraction(2), 2),
    "equal": (False, Fraction(1), 1),
    "wagner": (True, Fraction(1, 2), 2),
}


def expected(
    comparison: Comparison, gold: Tree, system: Tree, kind: str, parameters: Parameters
) -> Fraction | None:
    marks, alike, unlike = COSTS[kind]
    words = comparison.gold.words
    partner = {
        k: int(p)
        for k, (p, counted) in enumerate(zip(words.partner, words.counted, strict=True))
        if p >= 0 and counted
    }
    total, least = Fraction(0), 1 if kind == "wagner" else 2
    for row, other in partner.items():
        one = path(gold, row, [*partner], parameters, marks=marks, least=least)
        two = path(system, other, [*partner.values()], parameters, marks=marks, least=least)
        size = len(one) + len(two)
        total += 1 - distance(one, two, alike, unlike) / size if size else 1
    leaves = 0
    for side in (comparison.gold, comparison.system):
        overt = side.words.end > side.words.start  # traces take no room
        leaves += int((side.words.counted & overt).sum())
    return 2 * total / leaves if leaves else None


@given(st.data(), st.sampled_from(list(PRESETS.values())), st.booleans())
def test_scores_are_those_of_the_definition(
    data: st.DataObject, parameters: Parameters, labelled: bool
) -> None:
    words = data.draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
    other = data.draw(st.sampled_from([words, words, words, words[:-1] or words]))
    if not labelled:
        parameters = Parameters("x", parameters.delete, labelled=False)
    texts = data.draw(sentences(words)), data.draw(sentences(other))
    assume(len(paired(*texts, parameters)) == 1)  # (traces may leave them no word in common)
    comparison, *trees = compared(*texts, parameters)
    found = [one for metric in METRICS for one in scores(metric.tally(comparison)[0], [metric])]
    kinds = KINDS + WAGNER
    for kind, over_words, by_sentence in zip(kinds, found[::2], found[1::2], strict=True):
        exact = expected(comparison, trees[0], trees[1], kind, parameters)
        for score in (over_words, by_sentence):
            if exact is None:
                assert score.value is None
                continue
            assert score.value is not None
            share = Fraction(score.numerator, score.denominator)
            assert abs(share - exact) <= Fraction(1, UNIT)
            assert score.value == pytest.approx(float(100 * exact), abs=1e-8)


@given(st.data())
def test_short_paths_are_exact(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
    comparison, gold, system = compared(
        *(data.draw(sentences(words, traces=False)) for _ in range(2))
    )
    deep = max(len(tree.path(k)) for tree in (gold, system) for k in range(len(tree.nodes)))
    found = scores(leaf_ancestor.tally(comparison)[0], [METRIC])
    for kind, score in zip(KINDS, found[::2], strict=True):
        if deep + 2 <= 12:
            exact = expected(comparison, gold, system, kind, PRESETS["none"])
            assert Fraction(score.numerator, score.denominator) == exact


def test_lineages_of_the_papers_first_example() -> None:
    tree = "(S (N1 (D two) (N1 (N tax) (N revision)) (N bills)) (V were) (V passed))"
    _, gold, _ = compared(tree, tree)
    rows = [*range(6)]
    assert [
        " ".join(name.split()[1] for name, _ in path(gold, row, rows, PRESETS["none"], marks=True))
        for row in rows
    ] == ["N1 [ S", "[ N1 N1 S", "N1 ] N1 S", "N1 ] S", "S", "S ]"]


@pytest.mark.parametrize(
    ("gold", "system", "sampson", "workshop", "plain", "equal"),
    [
        # [ S, S ] on both sides, below NP (NX) and VP: labels that begin alike.
        ("(S (NP (N a)) (VP (V b)))", "(S (NX (N a)) (VP (V b)))",
         (Fraction(11, 12) + 1) / 2, (Fraction(3, 4) + 1) / 2,
         Fraction(3, 4), Fraction(7, 8)),
        # Nothing alike: 2 of 6, of 4, and one replaced of 4.
        ("(S (NP (N a)) (VP (V b)))", "(S (X (N a)) (VP (V b)))",
         Fraction(5, 6), Fraction(5, 6), Fraction(3, 4), Fraction(7, 8)),
        # The same labels, and a boundary that only system has: A ] S ] against … none.
        ("(S (A (N a) (N b)) (A (N c) (N d)))", "(S (A (N a) (N b) (N c) (N d)))",
         (1 + Fraction(4, 5) + Fraction(4, 5) + 1) / 4,
         (1 + Fraction(4, 5) + Fraction(4, 5) + 1) / 4, 1, 1),
        # A word that system lacks scores 0: two of three on one side, all on the other.
        ("(S (N a) (N b) (N c))", "(S (N a) (N b))",
         Fraction(4, 5), Fraction(4, 5), Fraction(4, 5), Fraction(4, 5)),
    ],
)  # fmt: skip
def test_by_hand(
    gold: str,
    system: str,
    sampson: Fraction,
    workshop: Fraction,
    plain: Fraction,
    equal: Fraction,
) -> None:
    kinds = {"sampson": sampson, "workshop": workshop, "plain": plain, "equal": equal}
    comparison, *_ = compared(gold, system)
    found = scores(leaf_ancestor.tally(comparison)[0], [METRIC])
    shares = [Fraction(score.numerator, score.denominator) for score in found]
    assert dict(zip(KINDS, shares[::2], strict=True)) == kinds
    assert [float(share) for share in shares[1::2]] == pytest.approx([*map(float, kinds.values())])


def test_marks_around_single_words_are_wagners() -> None:
    comparison, *_ = compared("(S (NP (N a)) (N b))", "(S (N a) (N b))")
    shares = [scores(one.tally(comparison)[0], [one])[0].value for one in METRICS]
    # NP [ S against [ S; then NP ] [ S against [ S.
    assert shares == pytest.approx([100 * (4 / 5 + 1) / 2, 100 * (4 / 6 + 1) / 2])


def test_sentences_and_words_weigh_differently() -> None:
    symbols = Symbols()
    texts = "(S (A (N a)))\n(S (N b) (N c) (N d))\n", "(S (N a))\n(S (N b) (N c) (N d))\n"
    gold, system = (document(encode(text), symbols) for text in texts)
    found = pair(gold, system, PRESETS["none"], metrics=(METRIC,))
    values = {score.ratio.name: score.value for score in found.scores()}
    assert values["leaf-ancestor-plain"] == pytest.approx(100 * (2 / 3 + 3) / 4)
    assert values["leaf-ancestor-plain-sentences"] == pytest.approx(100 * (2 / 3 + 1) / 2)


def test_labels_that_are_held_equal_are_one_label() -> None:
    comparison, *_ = compared("(S (ADVP (R a)) (N b))", "(S (PRT (R a)) (N b))", PRESETS["default"])
    assert all(s.value == 100 for s in scores(leaf_ancestor.tally(comparison)[0], [METRIC]))


def test_paths_that_are_very_deep() -> None:
    deep, other = "(A " * 5000 + "(N a)" + ")" * 5000, "(B " * 5000 + "(N a)" + ")" * 5000
    comparison, *_ = compared(f"(S {deep} (N b))", f"(S {other} (N b))")
    # The deep word scores 0 (its distance is not looked for), the other's path is the same.
    assert leaf_ancestor.tally(comparison)[0, 3:7].tolist() == [UNIT] * 4
    comparison, *_ = compared(f"(S {deep} (N b))", f"(S {deep} (N b))")
    assert leaf_ancestor.tally(comparison)[0, 3:7].tolist() == [2 * UNIT] * 4


@given(pairs())
def test_nesting_is_that_of_the_trees(trees: tuple[list[str], list[str]]) -> None:
    text = document(encode("\n".join(trees[0])), Symbols())
    for sentence in range(len(text)):
        tree = text.tree(sentence)
        spans = [node for node in tree.nodes if node.word is None and node.first < node.last]
        places = {id(node): k for k, node in enumerate(spans)}
        words = [node for node in tree.nodes if node.word is not None]
        forest = text.forest([sentence])
        held = forest.first < forest.last
        found = nest(forest.first[held], forest.last[held], len(words))
        above = [node.parent for node in spans]
        expected = [places[id(tree.nodes[p])] if p >= 0 else -1 for p in above]
        assert found.parent.tolist() == expected
        assert found.word_parent.tolist() == [
            places[id(tree.nodes[word.parent])] if word.parent >= 0 else -1 for word in words
        ]
