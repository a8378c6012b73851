"""Laws that hold for every metric in the table, and PARSEVAL's numbers on cases by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from tables import table_pairs, tables
from treelens.metrics.table import applicable, metrics_of
from treelens.report.content import counts as by_metric
from treelens.rules.parameters import HEADS, PRESETS, Parameters, bare
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode
from treelens.trees.tree import Tree
from trees import pairs, sentences

presets = st.sampled_from(list(PRESETS.values()))
either = st.one_of(pairs(), table_pairs())
"""Trees, or tables."""

METRICS = metrics_of("constituents")

SYMMETRIC = ("F1", "UF1", "CLAS", "MLAS", "UPOS", "XPOS", "UFeats", "AllTags", "tagging")


def scored(gold: list[str], system: list[str], parameters: Parameters) -> Pair:
    """Every metric that applies: constituents have heads too."""
    symbols = Symbols()
    texts = ("\n".join(trees) for trees in (gold, system))
    documents = [document(encode(text), symbols) for text in texts]
    metrics = applicable(*(one.format.annotation for one in documents), heads=True)
    headed = replace(parameters, heads=HEADS["collins"])
    return pair(documents[0], documents[1], headed, metrics=metrics)


def values(scores: Pair, group: int | None = None) -> dict[str, float | None]:
    return {score.ratio.name: score.value for score in scores.scores(group)}


@given(
    st.one_of(
        st.lists(sentences(), min_size=1, max_size=5), st.lists(tables(), min_size=1, max_size=5)
    ),
    presets,
)
def test_a_file_against_itself_is_perfect(trees: list[str], parameters: Parameters) -> None:
    found = scored(trees, trees, parameters)
    assert not found.mismatching().any()
    for score in found.scores():
        best = score.ratio.scale if score.ratio.higher_is_better else 0
        assert score.value in (best, None)


@given(either, presets)
def test_scores_are_in_range_and_totals_are_sums(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = scored(*trees, parameters)
    assert found.tallies().sum(axis=0).tolist() == found.total.tolist()
    for score in found.scores():
        assert score.numerator >= 0
        if score.ratio.scale == 100:
            assert score.numerator <= score.denominator


@given(either, presets)
def test_a_group_mismatches_iff_something_is_shown(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = scored(*trees, parameters)
    flags = found.mismatching()
    assert [bool(found.findings(group)) for group in range(len(found))] == flags.tolist()
    assert found.mismatches == int(flags.sum())


@given(pairs(), presets)
def test_findings_are_what_the_tallies_count(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = scored(*trees, parameters)
    for group in range(len(found)):
        counts = {
            name: score
            for metric, values in by_metric(found.tally(group), found.metrics).items()
            for name, score in values.items()
            if metric in ("parseval", "crossing")
        }
        codes = Counter(finding.code for finding in found.findings(group))
        if codes["missing-sentence"] or codes["extra-sentence"]:
            continue
        assert codes["missing-bracket"] + codes["wrong-label"] == counts["gold"] - counts["matched"]
        extra = codes["extra-bracket"] + codes["crossing-bracket"]
        assert extra + codes["wrong-label"] == counts["system"] - counts["matched"]
        assert counts["spans"] == counts["matched"] + codes["wrong-label"]
        assert codes["crossing-bracket"] == counts["crossing"]


@given(st.data(), st.sampled_from([sentences, tables]))
def test_sides_swap_recall_and_precision(
    data: st.DataObject, strategy: Callable[[list[str]], st.SearchStrategy[str]]
) -> None:
    words = ["the", "dog", "barks", "a", "cat"]
    gold, system = data.draw(strategy(words)), data.draw(strategy(words))
    parameters = PRESETS["none"]  # elsewhere it is for gold to say which words count
    there = values(scored([gold], [system], parameters))
    back = values(scored([system], [gold], parameters))
    both_ways = [name for name in there if name.endswith("recall")]
    assert both_ways
    for name in both_ways:
        assert there[name] == back[name.replace("recall", "precision")]
        assert back[name] == there[name.replace("recall", "precision")]
    for name in there:
        if name in SYMMETRIC or name.startswith(("LA", "UAS", "MWE", "leaf", "tedeval")):
            assert name.endswith(("recall", "precision")) or there[name] == back[name]


@examples(20)
@given(either, either, st.randoms(use_true_random=False), presets)
def test_an_edited_pair_is_the_one_that_would_have_been_made(
    one: tuple[list[str], list[str]],
    other: tuple[list[str], list[str]],
    random: object,
    parameters: Parameters,
) -> None:
    now = scored(*one, parameters)
    for side in (Side.GOLD, Side.SYSTEM, Side.GOLD):
        before = now.document(side)
        source = other[0] if side is Side.GOLD else other[1]
        inserted = encode("".join(line + "\n" for line in source[:2]))
        if not len(before):
            after, change = before.edit(0, before.length, inserted)
        else:
            at = int(before.start[len(before) // 2])
            after, change = before.edit(at, min(at + 9, before.length), inserted)
        now = now.edit(side, after, change)
        fresh = pair(now.gold, now.system, now.parameters, metrics=now.metrics)
        assert now.total.tolist() == fresh.total.tolist()
        assert (now.shared, now.worded) == (fresh.shared, fresh.worded)
        assert now.tallies().tolist() == fresh.tallies().tolist()
        assert [now.group(g) for g in range(len(now))] == [
            fresh.group(g) for g in range(len(fresh))
        ]
        assert [now.findings(g) for g in range(len(now))] == [
            fresh.findings(g) for g in range(len(fresh))
        ]


def _brackets(tree: Tree, parameters: Parameters) -> Counter[tuple[str, int, int]]:
    """PARSEVAL's brackets, the slow and obvious way; labels that are equal get one name."""
    kept = [
        node.label.split("##")[0] not in parameters.delete
        for node in tree.nodes
        if node.word is not None
    ]
    found: Counter[tuple[str, int, int]] = Counter()
    names = dict(parameters.equal_labels)
    for node in tree.nodes:
        label = bare(node.label)
        start, end = sum(kept[: node.first]), sum(kept[: node.last])
        label = names.get(label, label)
        if node.word is None and label and start < end and label not in parameters.delete:
            found[label, start, end] += 1
    return found


_TAGGED = re.compile(r"\((\S+) (\w+)\)")


@given(st.data(), presets)
def test_brackets_are_the_obvious_ones_where_words_agree(
    data: st.DataObject, parameters: Parameters
) -> None:
    words = ["the", "dog", "barks", "a", "cat"]
    gold, system = (data.draw(sentences(words, traces=False)) for _ in range(2))
    # Which words count is for gold's tags to say.
    tags = dict(reversed(one) for one in _TAGGED.findall(gold))
    for tag, word in _TAGGED.findall(system):
        both = tag, tags[word]
        if len({one.split("##")[0] in parameters.delete for one in both}) > 1:
            system = system.replace(f"({tag} {word})", f"({tags[word]} {word})")
    symbols = Symbols()
    documents = [document(encode(text), symbols) for text in (gold, system)]
    found = pair(documents[0], documents[1], parameters)
    golds, systems = (_brackets(d.tree(0), parameters) for d in documents)
    counts = dict(zip(METRICS[0].counts, found.total.tolist(), strict=False))
    assert counts["matched"] == (golds & systems).total()
    assert (counts["gold"], counts["system"]) == (golds.total(), systems.total())


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        # One label wrong, one tag wrong.
        ("(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a) (N b)) (PP (P c)))",
         {"F1": 200 * 2 / 6, "UF1": 100, "tagging": 100 * 2 / 3, "complete": 0}),
        # The same label twice over one span counts twice.
        ("(S (NP (NP (N b))))", "(S (NP (N b)))", {"recall": 100 * 2 / 3, "precision": 100}),
        # A function tag and features are no part of the label.
        ("(S (NP-SBJ##c=n## (N b)))", "(S (NP (N##n=s## b)))", {"F1": 100, "tagging": 100}),
        # Punctuation takes no room, whatever system calls it.
        ("(S (NP (N b)) (, ,) (VP (V c)))", "(S (NP (N b) (X ,)) (VP (V c)))", {"F1": 100}),
        # Gold's traces are not looked for in system.
        ("(S (NP (-NONE- *T*)) (VP (V c)))", "(S (VP (V c)))", {"F1": 100}),
        # A word of system's own shifts nothing.
        ("(S (NP (D a) (N b)) (VP (V c)))", "(S (NP (D a) (J x) (N b)) (VP (V c)))", {"F1": 100}),
        # A constituent of words that system lacks is missing.
        ("(S (NP (D a) (N b)) (ADVP (R x)) (VP (V c)))", "(S (NP (D a) (N b)) (VP (V c)))",
         {"recall": 75, "precision": 100, "tagging": 75}),
        # Words cut otherwise: the boundaries both sides have are compared.
        ("(S (NP (D can) (N not)) (VP (V c)))", "(S (NP (N cannot)) (VP (V c)))", {"F1": 100}),
        # No parse: everything is missing, nothing is wrong.
        ("(S (NP (D a)) (VP (V c)))", "(())", {"recall": 0, "precision": None, "complete": 0}),
        # Two sentences of gold that system has as one.
        ("(S (NP (D a)) (VP (V c)))\n(S (NP (D x)) (VP (V y)))",
         "(S (S (NP (D a)) (VP (V c))) (S (NP (D x)) (VP (V y))))",
         {"recall": 100, "precision": 100 * 6 / 7}),
    ],
)  # fmt: skip
def test_parseval_by_hand(gold: str, system: str, expected: dict[str, float | None]) -> None:
    found = values(scored([gold], [system], PRESETS["default"]))
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_nothing_scores_nothing() -> None:
    found = scored([], [], PRESETS["default"])
    assert all(score.value is None for score in found.scores())
    assert len(found) == 0
    assert np.array_equal(found.total, np.zeros_like(found.total))
