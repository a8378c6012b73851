"""Where jp-evalb's alignment or counting goes wrong, and our own does not: case by case."""

from __future__ import annotations

import pytest
from jp_runs import run
from test_jp_goldens import ICEPAHC
from treelens.rules.parameters import PRESETS
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols, encode

VARIANTS = ICEPAHC / "variants"


def scored(gold: str, system: str) -> Pair:
    symbols = Symbols()
    sides = (document(encode(text), symbols) for text in (gold, system))
    return pair(*sides, PRESETS["none"])


def values(gold: str, system: str) -> dict[str, float | None]:
    return {score.ratio.name: score.value for score in scored(gold, system).scores()}


def test_identical_trees_with_a_same_label_unary_chain_are_perfect() -> None:
    tree = "(TOP (S (NP (NP (NN dog))) (VP (VBZ barks))))\n"
    assert run(tree, tree).summary("Bracketing FMeasure") == "75.00"
    assert values(tree, tree)["F1"] == 100


def test_swapped_tags_are_wrong() -> None:
    gold, system = "(TOP (S (NP (NN a)) (VP (VB a))))\n", "(TOP (S (NP (VB a)) (VP (NN a))))\n"
    assert run(gold, system).summary("Tagging accuracy") == "100.00"
    assert values(gold, system)["tagging"] == 0


def test_s1_counts_on_both_sides_or_on_none() -> None:
    tree = "(S1 (S (NP (NN dog)) (VP (VBZ barks))))\n"
    assert run(tree, tree).summary("Bracketing FMeasure") == "85.71"
    assert values(tree, tree)["F1"] == 100


def test_a_missing_word_does_not_shift_those_that_follow() -> None:
    gold = "(S (A (X a)) (B (X b)) (C (X c)) (D (X d)) (E (X e)) (F (X f)))\n"
    system = "(S (A (X a)) (C (X c)) (D (X d)) (E (X e)) (F (X f)))\n"
    theirs = run(gold, system).counts[0]
    found = {score.ratio.name: score for score in scored(gold, system).scores()}
    assert found["precision"].value == 100
    assert (found["recall"].numerator, found["recall"].denominator) == (6, 7)
    assert theirs[0] <= 6


def test_the_last_sentences_are_scored_where_the_script_loses_them() -> None:
    words = "abcdef"
    gold = f"(S {' '.join(f'(NN {word})' for word in words)})\n(S (NN end))\n"
    system = "".join(f"(S (NN {word}))\n" for word in words) + "(S (NN end))\n"
    assert len(run(gold, system).rows) == 1
    assert len(scored(gold, system)) == 2


def test_groups_do_not_take_in_their_neighbours() -> None:
    system = "".join(f"(S {words})\n" for words in ("(A aa)", "(B bb) (C cc)", "(D dd) (E ee)"))
    gold = "".join(f"(S {words})\n" for words in ("(A aa) (B bb) (C cc)", "(D dd)", "(E ee)"))
    rest = "(S (F (X the) (X end)))\n"
    assert len(run(gold + rest, system + rest).rows) == 1
    assert len(scored(gold + rest, system + rest)) == 3


@pytest.mark.skipif(not VARIANTS.is_dir(), reason=f"no reference data: {VARIANTS}")
def test_merged_sentences_make_the_smallest_groups() -> None:
    gold, system = (
        (VARIANTS / name).read_text(encoding="utf-8") for name in ("gold.txt", "sentmerge.sys.txt")
    )
    assert run(gold, system).summary("Number of sentence") == "1913"
    assert len(scored(gold, system)) == 2204
