"""The library in one function."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest
import treelens
import treelens.api

GOLD = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
SYSTEM = "(S (NP (DT the)) (NN dog) (X (VB barks)))\n"


def test_the_examples_of_the_documentation() -> None:
    assert doctest.testmod(treelens.api).failed == 0


def test_scores_counts_and_findings() -> None:
    result = treelens.score(GOLD, SYSTEM.encode())
    assert result.scores["F1"] == pytest.approx(100 / 3)
    assert result.counts["parseval"]["matched"] == 1
    assert result.signature.startswith("treelens|v:")
    (sentence,) = result.sentences()
    assert (sentence.gold, sentence.system) == (range(1), range(1))
    assert sentence.scores == result.scores
    assert sentence.counts == result.counts
    codes = sorted(finding.code for finding in sentence.findings)
    assert codes == ["extra-bracket", "missing-bracket", "wrong-label"]


def test_nothing_in_a_text_raises() -> None:
    result = treelens.score("(S (X", "\ud800 )")
    assert result.scores["precision"] is None
    assert all(map(len, result.problems))
    assert treelens.score("", "").scores["F1"] is None


def test_parameters_by_name_or_as_they_are() -> None:
    named = treelens.score(GOLD, SYSTEM, "none")
    given = treelens.score(GOLD, SYSTEM, treelens.PRESETS["none"])
    assert (named.scores, named.signature) == (given.scores, given.signature)
    with pytest.raises(ValueError, match="'nothing' is no preset"):
        treelens.score(GOLD, SYSTEM, "nothing")


@pytest.mark.parametrize("names", ["all", "F1, tedeval", "recall"])
def test_names_of_metrics_may_be_one_text(names: str) -> None:
    apart = treelens.score(GOLD, SYSTEM, metrics=names.split(", "))
    result = treelens.score(GOLD, SYSTEM, metrics=names)
    assert (result.signature, result.scores) == (apart.signature, apart.scores)


def test_names_of_metrics_may_come_one_by_one() -> None:
    names = ["recall", "tedeval"]
    apart = treelens.score(GOLD, SYSTEM, metrics=names)
    result = treelens.score(GOLD, SYSTEM, metrics=iter(names))
    assert (result.signature, result.scores) == (apart.signature, apart.scores)
    edited = result.edited("gold", 0, len(GOLD), GOLD)
    assert edited.signature == apart.signature


def test_every_name_is_there_and_importing_them_waits() -> None:
    assert all(hasattr(treelens, name) for name in treelens.__all__)
    with pytest.raises(AttributeError):
        _ = treelens.nonsense  # type: ignore[attr-defined]
    program = "import sys, treelens; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_intervals_and_significance_are_the_command_lines() -> None:
    gold = "(S (NP (DT a)) (VP (VB b)))\n" * 20
    good, bad = gold.replace("(VP", "(X", 2), gold.replace("(VP", "(X", 15)
    first, second = treelens.score(gold, good), treelens.score(gold, bad)
    low, high = first.intervals(iterations=500)["F1"]
    assert low is not None
    assert high is not None
    assert low <= (first.scores["F1"] or 0) <= high
    assert low > (second.intervals(iterations=500)["F1"][1] or 0)
    apart = treelens.significance(first, second, iterations=500)
    assert apart["F1"] < 0.05
    assert treelens.significance(first, first, iterations=500)["F1"] == 1
    with pytest.raises(ValueError, match="same gold"):
        treelens.significance(first, treelens.score(bad, gold))
    with pytest.raises(ValueError, match="not counted alike"):
        treelens.significance(first, treelens.score(gold, bad, "collins"))


def test_a_score_that_either_system_lacks_has_no_p() -> None:
    gold, nothing = "(S (NP (A a)))\n(S (NP (A c)))\n", "(())\n(())\n"
    full, empty = treelens.score(gold, gold), treelens.score(gold, nothing)
    for first, second in ((empty, empty), (full, empty), (empty, full), (full, full)):
        found = treelens.significance(first, second, iterations=50)
        for name, p in found.items():
            lacking = None in (first.scores[name], second.scores[name])
            assert (p is None) == lacking, name
        assert (found["precision"] is None) == (empty in (first, second))
        assert found["recall"] is not None


@pytest.mark.parametrize(("iterations", "seed"), [(0, 0), (-1, 0), (10, -1)])
def test_what_cannot_be_drawn_is_refused(iterations: int, seed: int) -> None:
    result = treelens.score("(S (N a))", "(S (N b))")
    with pytest.raises(ValueError, match=f"not {iterations} and {seed}"):
        result.intervals(iterations, seed)
    with pytest.raises(ValueError, match=f"not {iterations} and {seed}"):
        treelens.significance(result, result, iterations, seed)


def test_an_edited_result_is_that_of_the_edited_text() -> None:
    result = treelens.score(GOLD, SYSTEM)
    start = SYSTEM.index("X")
    edited = result.edited("system", start, start + 1, "VP")
    assert edited.scores == treelens.score(GOLD, SYSTEM.replace("(X", "(VP")).scores
    assert edited.scores != result.scores == treelens.score(GOLD, SYSTEM).scores


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (5, 2), (0, 10**6), (10**6, 10**6 + 1)])
def test_an_edit_of_bytes_that_there_are_not_is_an_error(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"no bytes {start} to {end} in system's text of "):
        treelens.score(GOLD, SYSTEM).edited("system", start, end, "VP")
    whole = treelens.score(GOLD, SYSTEM).edited("system", 0, len(SYSTEM.encode()), GOLD)
    assert whole.scores["F1"] == 100


def test_errors_are_by_groups_of_sentences() -> None:
    right = "(S (NP (DT a)))\n"
    result = treelens.score(right + GOLD, right + GOLD.replace("(VP", "(X"))
    ((number, errors),) = result.errors()
    assert (number, [*result.sentences()][number].gold) == (1, range(1, 2))
    assert [(error.name, error.labels) for error in errors] == [("Single Word Phrase", "VP → X")]
    assert all(error.message() for error in errors)


def test_agreement_says_scores_and_kappas() -> None:
    found = treelens.agreement(GOLD, SYSTEM)
    assert found.scores == treelens.score(GOLD, SYSTEM).scores
    assert found.disagreements("labels") == [("VP", "X", 1)]
    assert {"labels", "tags"} <= {*found.kappas}


@pytest.mark.parametrize("key", ["nope", "", "LABELS"])
def test_what_there_is_to_disagree_on_is_named(key: str) -> None:
    found = treelens.agreement(GOLD, SYSTEM)
    with pytest.raises(ValueError, match=f"'{key}' is .*; there are labels, .*, comments"):
        found.disagreements(key)
    for known in (*found.kappas, *found.uncounted_kappas, "lemmas", "relations", "heads"):
        found.disagreements(known)
    assert found.disagreements("lemmas") == []


def test_marks_are_in_the_text() -> None:
    gold = "(S (NP (A é)))\n" + GOLD
    system = "(S (NP (A é)))\n\n" + GOLD.replace("(VP", "(X")
    result = treelens.score(gold, system)
    _, sentence = result.sentences()
    (finding,) = sentence.findings
    ((_, (error,)),) = result.errors()
    for marks in ((finding.gold, finding.system), (error.gold[0], error.system[0])):
        for mark, text, label in zip(marks, (gold, system), ("(VP", "(X"), strict=True):
            assert mark is not None
            assert mark.sentence == 1
            assert text.encode()[mark.start : mark.end] == label.encode()


@pytest.mark.parametrize("metrics", ["all", "standard", "tagging,standard"])
def test_an_edit_that_makes_a_text_another_kind_has_the_metrics_that_apply_then(
    metrics: str,
) -> None:
    row, tree = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n", "(S (NP (X a)))\n"
    for before, after in ((tree, row), (row, tree)):
        edited = treelens.score(before, row, metrics=metrics).edited("gold", 0, len(before), after)
        fresh = treelens.score(after, row, metrics=metrics)
        assert (edited.scores, edited.signature) == (fresh.scores, fresh.signature)
    headless = treelens.score(row, row, metrics="LAS").edited("gold", 0, len(row), tree)
    assert headless.scores == treelens.score(tree, row).scores
