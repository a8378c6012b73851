"""A system that has few of gold's sentences, each as it is there: what is found is those."""

from __future__ import annotations

import pytest
from noise import Sentences, aligned, shown


def same(gold: Sentences, system: Sentences) -> list[tuple[int, int]]:
    """Which sentences are counterparts, one of each side, whichever side is gold."""
    found, turned = (shown(aligned(*sides).groups) for sides in ((gold, system), (system, gold)))
    pairs = [(one, its) for one, end, its, its_end in found if one < end and its < its_end]
    assert pairs == [(its, one) for one, end, its, its_end in turned if one < end and its < its_end]
    assert len(found) == len(turned) == len(gold) + len(system) - len(pairs)
    return pairs


@pytest.mark.parametrize("count", [8, 31, 32, 33, 64, 65, 300])
@pytest.mark.parametrize("kept", [(3,), (4, 7), (1, 2, 5, 7)])
def test_a_few_short_sentences_of_many_are_found(count: int, kept: tuple[int, ...]) -> None:
    gold = [["the", "same", f"x{k}", "."] if k % 3 else [f"a{k}", "b", "."] for k in range(count)]
    assert same(gold, [gold[at] for at in kept]) == [(at, k) for k, at in enumerate(kept)]


def test_what_is_farther_on_is_not_passed_by_for_a_copy_close_by() -> None:
    mail = [["Please", "approve", "Susan"], ["Thanks", "!"]]
    gold = [["DF"], *mail, ["01/12"], *mail]
    assert same(gold, mail[::-1]) == [(2, 0), (4, 1)]
    letter = [["Dear", f"name{k}"] for k in range(20)]
    gold = [*letter[:2], ["Debra", "P"], *letter[2:9], ["Debra", "P"], *letter[9:], ["Debra", "P"]]
    places = [5, 14, 22]
    assert same(gold, [gold[at] for at in places]) == [(at, k) for k, at in enumerate(places)]
