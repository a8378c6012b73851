"""Pairs whose words may be written differently: an edited one is the one made afresh."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.rules.contractions import contractions
from treelens.rules.parameters import PRESETS
from treelens.rules.spelling import Spelling
from treelens.session.document import document
from treelens.session.pair import Side, pair
from treelens.trees.forest import Symbols

SPELLING = Spelling(
    unicode="nfc",
    quotes=True,
    ignore_case=True,
    equivalences=(("go", "walk"),),
    contractions=contractions("en"),
)
PARAMETERS = dataclasses.replace(PRESETS["none"], spelling=SPELLING)

word = st.sampled_from(
    ["ca", "n't", "N’T", "cannot", "can", "not", "go", "Walk", "-LRB-", "``", "“"]
)
sentence = st.lists(word, min_size=1, max_size=5).map(
    lambda found: "(S " + " ".join(f"(X {each})" for each in found) + ")\n"
)
text = st.lists(sentence, max_size=6).map("".join)
edits = st.lists(
    st.tuples(st.sampled_from(Side), st.floats(0, 1), st.integers(0, 20), sentence), max_size=4
)


@examples(20)
@given(text, text, edits)
def test_an_edited_pair_is_the_one_made_afresh(
    gold: str, system: str, changes: list[tuple[Side, float, int, str]]
) -> None:
    symbols = Symbols()
    now = pair(*(document(each.encode(), symbols) for each in (gold, system)), PARAMETERS)
    for side, where, length, new in changes:
        old = now.document(side)
        start = int(where * old.length)
        edited, change = old.edit(start, min(start + length, old.length), new.encode())
        now = now.edit(side, edited, change)
        others = Symbols()
        fresh = pair(
            *(document(each.text(), others, each.format) for each in (now.gold, now.system)),
            PARAMETERS,
        )
        assert now.total.tolist() == fresh.total.tolist()
        assert [now.group(k) for k in range(len(now))] == [
            fresh.group(k) for k in range(len(fresh))
        ]


@given(text)
def test_what_is_written_otherwise_is_the_same(gold: str) -> None:
    symbols = Symbols()
    system = gold.replace("n't", "n’t").replace("``", "“").replace("go", "Walk").upper()
    found = pair(*(document(each.encode(), symbols) for each in (gold, system)), PARAMETERS)
    assert found.mismatches == 0


WORDS = "1\t{0}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
BRACKETS = "(S (X {0}))\n"


@pytest.mark.parametrize("kinds", [*itertools.product((WORDS, BRACKETS, ""), repeat=3)])
def test_what_an_edit_makes_of_a_file_decides_whether_escapes_are_escapes(
    kinds: tuple[str, ...],
) -> None:
    texts = [kind.format("-LRB-") for kind in kinds[:2]]
    others = [kind.format("(") for kind in kinds[1:]]
    symbols = Symbols()
    now = pair(*(document(each.encode(), symbols) for each in texts), PARAMETERS)
    for side, text in zip((Side.SYSTEM, Side.GOLD), others, strict=True):
        edited, change = now.document(side).edit(0, now.document(side).length, text.encode())
        now = now.edit(side, edited, change)
        fresh = pair(now.gold, now.system, PARAMETERS)
        assert now.parameters == fresh.parameters
        assert now.metrics == fresh.metrics
        assert now.total.tolist() == fresh.total.tolist()
