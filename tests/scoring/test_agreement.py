"""Cohen's κ: cases by hand, the textbook's formula over plain lists, laws, and kept-up tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kappas import all_kappas, paired, textbook
from laws import examples
from shared import SHARED
from tables import table_pairs, tables
from treelens.rules.parameters import PRESETS, bare
from treelens.session.agreement import Agreement
from treelens.session.pair import Side
from treelens.statistics import uncounted
from treelens.statistics.kappa import KINDS
from treelens.trees.forest import encode
from treelens.trees.tree import Tree
from trees import pairs, sentences

either = st.one_of(pairs(), table_pairs())


def kappa(first: list[str], second: list[str], key: str) -> float | None:
    found = Agreement(paired(first, second)).kappas.get(key)
    return found.value if found else None


# --- by hand ---------------------------------------------------------------------------------


def test_labels_by_hand() -> None:
    first = ["(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a)) (VP (V b) (PP (P c))))"]
    second = ["(S (NP (D a) (N b)) (PP (P c)))", "(S (NP (D a)) (NP (V b) (PP (P c))))"]
    # Spans that both have: 3 in the first sentence, 4 in the second. First: S 2, NP 2, VP 2, PP 1;
    # second: S 2, NP 3, PP 2. Same: S S NP NP PP = 5 of 7; Pe = (2·2 + 2·3 + 1·2) / 49 = 12/49.
    assert kappa(first, second, "labels") == pytest.approx((5 / 7 - 12 / 49) / (1 - 12 / 49))


def test_spans_of_one_only_are_nothing_of_the_others() -> None:
    first = ["(S (NP (D a) (N b)) (VP (V c)))"]
    second = ["(S (D a) (VP (N b) (V c)))"]
    # Over the same words: S only, one category. With nothing for the rest: S/S, NP/–, VP/–, –/VP;
    # the first gives S 1, NP 1, VP 1, – 1, the second S 1, VP 1, – 2: Pe = (1 + 1 + 2) / 16.
    assert kappa(first, second, "labels") is None
    assert kappa(first, second, "labels-none") == pytest.approx((1 / 4 - 4 / 16) / (1 - 4 / 16))


def test_chains_are_paired_from_the_top_whatever_their_labels() -> None:
    found = Agreement(paired(["(S (NP (VP (V c))))"], ["(S (VP (NP (V c))))"]))
    assert [(row.first, row.second, row.times) for row in found.disagreements("labels")] == [
        ("NP", "VP", 1),
        ("VP", "NP", 1),
    ]
    longer = Agreement(paired(["(S (NP (VP (V c))))"], ["(S (VP (V c)))"]))
    # S over NP over VP against S over VP: the third has no partner.
    assert [(row.first, row.second) for row in longer.disagreements("labels-none")] == [
        ("NP", "VP"),
        ("VP", "–"),
    ]


def test_equal_labels_and_what_is_no_label_are_one_category() -> None:
    first, second = ["(S (ADVP-TMP (R a)) (VP (V c)))"], ["(S (PRT (R a)) (NP (V c)))"]
    found = Agreement(paired(first, second, PRESETS["default"]))
    assert [tuple(row) for row in found.disagreements("labels")] == [("VP", "NP", 1)]
    assert found.kappas["labels"].agreed == 2


TABLE = """\
1\ta\t_\tDET\t_\t_\t{}\tdet\t_\t_
2\tb\t_\tNOUN\t_\t_\t3\t{}\t_\t_
3\tc\t_\t{}\t_\t_\t0\troot\t_\t_

"""


def test_dependencies_by_hand() -> None:
    first, second = [TABLE.format(2, "nsubj", "VERB")], [TABLE.format(3, "nsubj:pass", "NOUN")]
    found = Agreement(paired(first, second)).kappas
    # Tags DET NOUN VERB against DET NOUN NOUN: Po 2/3, Pe (1 + 2) / 9.
    assert found["tags"].value == pytest.approx((2 / 3 - 3 / 9) / (1 - 3 / 9))
    # Two words have the same head; their relations are nsubj and root, up to subtypes the same.
    assert found["relations"][:2] == (2, 2)
    assert found["relations"].value == 1
    # nsubj root against nsubj:pass root: Po 1/2, Pe 1/4.
    assert found["relations-subtypes"].value == pytest.approx((1 / 2 - 1 / 4) / (1 - 1 / 4))
    # Heads: one behind, one behind, the root; two behind, one behind, the root. Pe (2·1 + 1) / 9.
    assert found["heads"].value == pytest.approx((2 / 3 - 3 / 9) / (1 - 3 / 9))
    # The same with relations: (+1 det) (+1 nsubj) root; (+2 det) (+1 nsubj) root. Pe 2/9.
    assert found["attachments"].value == pytest.approx((2 / 3 - 2 / 9) / (1 - 2 / 9))


def test_a_head_that_only_one_has_is_no_agreement() -> None:
    row = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
    first = row.format(1, "ab", 2) + row.format(2, "cd", 0) + row.format(3, "ef", 2) + "\n"
    second = (
        row.format(1, "ab", 3) + row.format(2, "c", 0) + row.format(3, "d", 2)
        + row.format(4, "ef", 2) + "\n"
    )  # fmt: skip
    found = Agreement(paired([first], [second])).kappas["heads"]
    assert (found.items, found.agreed, found.value) == (2, 0, 0.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [("", ""), ("(NP (D a))", "(NP (D a))"), ("(NP (D a))", "(NP (E b))"), ("(())", "(NP (D a))")],
)
def test_undefined_is_no_number(first: str, second: str) -> None:
    found = Agreement(paired([first], [second]))
    assert "labels" not in found.kappas or found.kappas["labels"].value is None


def test_less_than_chance_is_below_zero() -> None:
    assert kappa(["(A (B x))", "(B (A y))"], ["(B (B x))", "(A (A y))"], "labels") == -1


# --- the textbook ----------------------------------------------------------------------------


def spans(tree: Tree) -> dict[tuple[int, int], list[str]]:
    """The labels over each span, from the top down."""
    found: dict[tuple[int, int], list[str]] = {}
    for node in tree.nodes:
        if node.word is None and bare(node.label):
            found.setdefault((node.first, node.last), []).append(bare(node.label))
    return found


WORDS = ["the", "dog", "barks", "a", "cat"]
same_words = st.tuples(sentences(WORDS, traces=False), sentences(WORDS, traces=False))


@given(st.lists(same_words, max_size=4))
def test_labels_and_tags_are_the_textbooks(trees: list[tuple[str, str]]) -> None:
    # (Numbered words: each sentence is compared with its own partner, whatever the others are.)
    numbered = [
        tuple(tree.replace("the)", f"the{at})") for tree in both) for at, both in enumerate(trees)
    ]
    found = paired([one for one, _ in numbered], [other for _, other in numbered])
    labels: list[tuple[object, object]] = []
    with_none: list[tuple[object, object]] = []
    tags: list[tuple[object, object]] = []
    for at in range(len(trees)):
        one, other = found.gold.tree(at), found.system.tree(at)
        ours, theirs = spans(one), spans(other)
        for span in ours.keys() | theirs.keys():
            mine, yours = ours.get(span, []), theirs.get(span, [])
            both = [*zip(mine, yours, strict=False)]
            labels += both
            with_none += both
            with_none += [(label, None) for label in mine[len(both) :]]
            with_none += [(None, label) for label in yours[len(both) :]]
        tags += zip(
            *(
                [node.label.split("##")[0] for node in tree.nodes if node.word is not None]
                for tree in (one, other)
            ),
            strict=True,
        )
    kappas = Agreement(found).kappas
    for key, items in (("labels", labels), ("labels-none", with_none), ("tags", tags)):
        expected = textbook(items)
        value = kappas[key].value if key in kappas else None
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-12)), key


@given(tables(WORDS), tables(WORDS))
def test_dependencies_are_the_textbooks(one: str, other: str) -> None:
    found = paired([one], [other])
    sides = []
    for side in (found.gold, found.system):
        dependencies = side.forest(range(1)).dependencies
        assert dependencies is not None
        labels = [side.symbols.labels[label] for label in dependencies.relation.tolist()]
        sides.append(list(zip(dependencies.head.tolist(), labels, strict=True)))
    heads: list[tuple[object, object]] = []
    relations: list[tuple[object, object]] = []
    attachments: list[tuple[object, object]] = []
    for at, ((head, label), (head2, label2)) in enumerate(zip(*sides, strict=True)):
        if -2 in (head, head2):
            continue
        # The root is -1: no distance.
        places = [place - at if place >= 0 else "root" for place in (head, head2)]
        names = [name.split(":")[0] for name in (label, label2)]
        heads.append((places[0], places[1]))
        attachments.append(((places[0], names[0]), (places[1], names[1])))
        if head == head2:
            relations.append((names[0], names[1]))
    kappas = Agreement(found).kappas
    for key, items in (("heads", heads), ("relations", relations), ("attachments", attachments)):
        expected = textbook(items)
        value = kappas[key].value if key in kappas else None
        assert value == (None if expected is None else pytest.approx(expected, abs=1e-12)), key


REAL = SHARED / "dependency" / "en_ewt-dev"


@pytest.mark.skipif(not REAL.is_dir(), reason="no shared reference data")
def test_a_real_parser_against_a_treebank_is_the_textbooks() -> None:
    texts = [(REAL / name).read_text() for name in ("gold.conllu", "system.goldtok.conllu")]
    lines = [
        [line.split("\t") for line in text.splitlines() if line.split("\t")[0].isdigit()]
        for text in texts
    ]
    places = [
        [int(row[6]) - int(row[0]) if row[6] != "0" else "root" for row in rows] for rows in lines
    ]
    words = list(zip(*lines, *places, strict=True))
    same_head = [(one, other) for one, other, *_ in words if one[6] == other[6]]
    expected: dict[str, list[tuple[object, object]]] = {
        "tags": [(one[3], other[3]) for one, other, *_ in words],
        "relations": [(a[7].split(":")[0], b[7].split(":")[0]) for a, b in same_head],
        "relations-subtypes": [(a[7], b[7]) for a, b in same_head],
        "heads": [(one, other) for *_, one, other in words],
        "attachments": [
            ((one, a[7].split(":")[0]), (other, b[7].split(":")[0])) for a, b, one, other in words
        ],
    }
    found = Agreement(paired(texts[:1], texts[1:]))
    assert found.kappas.keys() == expected.keys()
    in_both = written_in_both(lines[0], lines[1], texts[0])
    expected["lemmas"] = [(one[2], other[2]) for one, other, *_ in words]
    expected["xpos"] = [(one[4], other[4]) for one, other, *_ in words]
    expected["features"] = [
        (one[5], other[5]) for at, (one, other, *_) in enumerate(words) if in_both[at]
    ]
    kappas = all_kappas(found)
    for key, items in expected.items():
        assert kappas[key].items == len(items)
        assert kappas[key].value == pytest.approx(textbook(items), abs=1e-12), key


def written_in_both(ours: list[list[str]], theirs: list[list[str]], text: str) -> list[bool]:
    """Of each word, whether its sentence has features in both files."""
    found: list[bool] = []
    for sentence in text.strip().split("\n\n"):
        count = sum(line.split("\t")[0].isdigit() for line in sentence.splitlines())
        rows = range(len(found), len(found) + count)
        found += [all(any(side[at][5] != "_" for at in rows) for side in (ours, theirs))] * count
    return found


# --- laws ------------------------------------------------------------------------------------


@given(either)
def test_it_is_the_same_whoever_comes_first(trees: tuple[list[str], list[str]]) -> None:
    there = Agreement(paired(*trees))
    back = Agreement(paired(trees[1], trees[0]))
    assert all_kappas(there) == all_kappas(back)
    for kind in (*there.kinds, *there.uncounted_kinds):
        turned = sorted((row.second, row.first, row.times) for row in back.disagreements(kind.key))
        assert sorted(map(tuple, there.disagreements(kind.key))) == turned


@given(st.one_of(st.lists(sentences(), max_size=4), st.lists(tables(), max_size=4)))
def test_whoever_agrees_with_himself_has_one(trees: list[str]) -> None:
    found = Agreement(paired(trees, trees))
    for key, one in all_kappas(found).items():
        assert one.agreed == one.items
        assert one.value in (1, None), key
        assert found.disagreements(key) == []


@given(either)
def test_it_is_never_more_than_one_nor_than_what_is_observed(
    trees: tuple[list[str], list[str]],
) -> None:
    for one in all_kappas(Agreement(paired(*trees))).values():
        assert one.value is None or -1 <= one.value <= 1
        assert one.value is None or one.observed is None or one.value <= one.observed + 1e-12


@examples(20)
@given(either, either)
def test_kept_up_it_is_as_made_afresh(
    one: tuple[list[str], list[str]], other: tuple[list[str], list[str]]
) -> None:
    now = paired(*one, PRESETS["default"])
    kept = Agreement(now)
    for at, side in enumerate((Side.GOLD, Side.SYSTEM, Side.SYSTEM, Side.GOLD)):
        before = now.document(side)
        source = other[0] if side is Side.GOLD else other[1]
        inserted = encode("".join(line + "\n" for line in source[:2]))
        start = int(before.start[len(before) // 2]) if len(before) else 0
        now = now.edit(side, *before.edit(start, min(start + 9, before.length), inserted))
        if at == 1:
            continue  # two edits may be caught up with at once
        kept.follow(now)
        fresh = Agreement(now)
        assert all_kappas(kept) == all_kappas(fresh)
        for kind in (*KINDS, *uncounted.KINDS):
            assert kept.disagreements(kind.key) == fresh.disagreements(kind.key)


def test_another_pair_is_counted_anew() -> None:
    kept = Agreement(paired(["(S (NP (D a)))"], ["(S (VP (D a)))"]))
    other = paired(["(S (NP (D a)) (VP (V b)))"], ["(S (NP (D a)) (VP (V b)))"])
    kept.follow(other)
    assert kept.kappas == Agreement(other).kappas
