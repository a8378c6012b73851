"""jp-evalb's alignment under our counts: its groups, whole; what it gets wrong, in figures."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import SHARED
from treelens.align.jp import align_words
from treelens.dropin.jp.words import align_words as positions
from treelens.rules.parameters import PRESETS
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols

OWN = PRESETS["none"]
JP = dataclasses.replace(OWN, alignment="jp")
VARIANTS = SHARED / "parseval" / "icepahc2400" / "variants"

texts = st.lists(st.sampled_from(["a", "b", "ab", "A", "dog", "n't", "not"]), max_size=8)
sentence = st.lists(st.sampled_from(["a", "b", "ab", "dog"]), min_size=1, max_size=5).map(
    lambda words: "(S " + " ".join(f"(X {word})" for word in words) + ")\n"
)
text = st.lists(sentence, max_size=6).map("".join)


def scored(gold: str, system: str, parameters: object = JP) -> Pair:
    symbols = Symbols()
    sides = [document(each.encode(), symbols) for each in (gold, system)]
    return pair(sides[0], sides[1], parameters)  # type: ignore[arg-type]


def values(gold: str, system: str, parameters: object = JP) -> dict[str, float | None]:
    return {score.ratio.name: score.value for score in scored(gold, system, parameters).scores()}


@given(texts, texts)
def test_words_of_one_position_are_together(gold: list[str], system: list[str]) -> None:
    axis = align_words([word.encode() for word in gold], [word.encode() for word in system])
    for side in axis[:2]:
        assert all(start < end for start, end in side)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(side))
    theirs = positions(system, gold)
    last = {}
    for side, numbers in ((axis.gold, theirs.gold), (axis.system, theirs.system)):
        for cells, number in zip(side, numbers, strict=True):
            last[number] = max(last.get(number, 0), cells[1])
    for side, numbers in ((axis.gold, theirs.gold), (axis.system, theirs.system)):
        for cells, number in zip(side, numbers, strict=True):
            assert last.get(number - 1, 0) <= cells[0] < cells[1] <= last[number]


@given(text, text, st.lists(st.tuples(st.sampled_from(Side), sentence), max_size=2))
def test_every_sentence_is_in_a_group_and_an_edit_aligns_anew(
    gold: str, system: str, edits: list[tuple[Side, str]]
) -> None:
    now = scored(gold, system)
    for side, new in edits:
        edited, change = now.document(side).edit(0, 0, new.encode())
        now = now.edit(side, edited, change)
    fresh = scored(now.gold.text().decode(), now.system.text().decode())
    groups = [now.group(k) for k in range(len(now))]
    assert groups == [fresh.group(k) for k in range(len(fresh))]
    assert now.total.tolist() == fresh.total.tolist()
    for side, whole in (("gold", now.gold), ("system", now.system)):
        assert [k for group in groups for k in getattr(group, side)] == [*range(len(whole))]


def test_its_groups_take_in_their_neighbours() -> None:
    rest = "(S (F (X the) (X end)))\n"
    gold = "(S (A aa) (B bb) (C cc))\n(S (D dd))\n(S (E ee))\n" + rest
    system = "(S (A aa))\n(S (B bb) (C cc))\n(S (D dd) (E ee))\n" + rest
    assert len(scored(gold, system)) == 1
    assert len(scored(gold, system, OWN)) == 3


def test_counts_are_ours() -> None:
    """What is wrong with the script's counting is not with its alignment."""
    chain = "(TOP (S (NP (NP (NN dog))) (VP (VBZ barks))))\n"
    assert values(chain, chain)["F1"] == 100
    gold, system = "(TOP (S (NP (NN a)) (VP (VB a))))\n", "(TOP (S (NP (VB a)) (VP (NN a))))\n"
    assert values(gold, system)["tagging"] == 0
    root = "(S1 (S (NP (NN dog)) (VP (VBZ barks))))\n"
    assert values(root, root)["F1"] == 100


def test_a_missing_word_takes_others_with_it() -> None:
    gold = "(S (A (X a)) (B (X b)) (C (X c)) (D (X d)) (E (X e)) (F (X f)))\n"
    system = "(S (A (X a)) (C (X c)) (D (X d)) (E (X e)) (F (X f)))\n"
    theirs, ours = values(gold, system), values(gold, system, OWN)
    assert ours["precision"] == 100
    assert (theirs["precision"] or 0) < 100


@pytest.mark.skipif(not VARIANTS.is_dir(), reason=f"no reference data: {VARIANTS}")
def test_the_groups_are_the_scripts() -> None:
    gold, system = (
        (VARIANTS / name).read_text(encoding="utf-8") for name in ("gold.txt", "sentmerge.sys.txt")
    )
    assert len(scored(gold, system)) == 1913
    assert len(scored(gold, system, OWN)) == 2204
