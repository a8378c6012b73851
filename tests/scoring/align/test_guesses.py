"""Sentences that stand in one place and have little in common: when they are counterparts."""

from __future__ import annotations

import random

import pytest
from noise import Sentences, Text, added, damaged, misheard, real, shown
from test_reworded import drawn
from treelens.align.groups import GroupedBy, Groups
from treelens.align.sentences import align_sentences
from treelens.align.uncertain import uncertain

SIDES = "gold", "system"


def aligned(gold: Sentences, system: Sentences) -> Groups:
    return align_sentences(Text(gold), Text(system)).groups


def test_sentences_that_have_only_short_words_in_common_are_no_counterparts() -> None:
    """Where the text goes on as it is on the other side; else many words may be other ones."""
    one = "Prévenez votre médecin ou votre dentiste si vous présentez de tels symptômes ."
    other = "La dose de 5 mg d' acide doit être administrée pendant 15 minutes à le moins ."
    wrong = "Prévenez la médecin ou la dose si vous le de tels minutes ."
    around = [[f"word{k}", "and", f"another{7 * k}"] for k in range(20)]
    for there, goes_on, how in (
        (other, True, GroupedBy.ALONE),
        (other, False, GroupedBy.GUESSED),
        (wrong, True, GroupedBy.ALIKE),
    ):
        gold = [*around[:10], one.split(), *around[10:]]
        behind = around[10:] if goes_on else [[*words[:-1], "other"] for words in around[10:]]
        system = [*around[:10], there.split(), *behind]
        for sides in ((gold, system), (system, gold)):
            groups = aligned(*sides)
            assert groups.how[10] == how
            assert len(groups.how) == 21 + (how == GroupedBy.ALONE)


@pytest.mark.parametrize("kind", ["constituents", "dependencies"])
def test_few_sentences_that_stand_in_one_place_by_chance_are_guessed_to_be_counterparts(
    kind: str,
) -> None:
    texts = real(kind)
    if not texts:
        pytest.skip("no shared data")
    draw = random.Random(0)
    where = [draw.choice(["gold", "system", *["both"] * 3]) for _ in texts]
    kept = [[at for at, one in enumerate(where) if one in (side, "both")] for side in SIDES]
    groups = aligned(*([texts[at] for at in side] for side in kept))
    guesses = [
        (kept[0][one[0]], kept[1][one[2]])
        for one, how in zip(shown(groups), groups.how.tolist(), strict=True)
        if how == GroupedBy.GUESSED
    ]
    wrong = sum(gold != system for gold, system in guesses)
    assert wrong <= len(texts) / 500


@pytest.mark.parametrize("seed", range(10))
def test_gaps_and_guesses_are_the_same_whichever_side_is_gold(seed: int) -> None:
    """Also where sentences that the other side lacks stand beside a gap."""
    draw = random.Random(seed)
    gold = drawn(160, seed)
    at, size = draw.randrange(20, 60), draw.randrange(16, 60)
    kept = [*gold[:at], *gold[at + size :]]
    system = damaged(kept, 1.0, (misheard, added), seed).system
    found = uncertain([aligned(gold, system)], [])
    swapped = uncertain([aligned(system, gold)], [])
    mirrored = [one._replace(gold=one.system, system=one.gold) for one in swapped]
    assert any(one.kind == "gap" for one in found)
    # (Where in the other file a gap is is no stretch of it.)
    told, other = (
        {(one.kind, one.gold or None, one.system or None) for one in some}
        for some in (found, mirrored)
    )
    assert told == other
