"""Which sentences correspond is as difflib says, whose tables are not made for all of them."""

from __future__ import annotations

import random
from array import array
from difflib import SequenceMatcher

import pytest
from treelens.dropin.ud import runs
from treelens.dropin.ud.parts import parts


def _changed(keys: list[int], draw: random.Random, most: int) -> list[int]:
    """Some with others left out, copied, moved and put in their place."""
    found = list(keys)
    for _ in range(draw.randrange(5) if found else 0):
        start = draw.randrange(len(found) + 1)
        some = found[start : start + draw.choice([1, 3, 9])]
        place = draw.randrange(len(found) + 1)
        match draw.choice(["lacking", "twice", "moved", "other"]):
            case "lacking":
                del found[start : start + len(some)]
            case "twice":
                found[place:place] = some
            case "moved":
                del found[start : start + len(some)]
                found[place:place] = some
            case "other":
                found[start : start + 1] = [draw.randrange(-most, most)]
    return found


@pytest.mark.parametrize("together", [1, 3, 1 << 12])
@pytest.mark.parametrize("most", [1, 3, 20, 1 << 62])
def test_runs_are_those_of_difflib(
    most: int, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_TOGETHER", together)
    draw = random.Random(most * together)
    for _ in range(300):
        # (Of keys that differ in nothing but the last bit one is as good as the other.)
        gold = [2 * draw.randrange(-most, most) for _ in range(draw.choice([0, 1, 5, 40]))]
        system = [key & ~1 for key in _changed(gold, draw, most)]
        matcher = SequenceMatcher(None, gold, system, autojunk=False)
        found = [*runs.same(array("q", gold), array("q", system))]
        assert found == [tuple(block) for block in matcher.get_matching_blocks()]


def test_long_runs_are_one_element_each(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = list[tuple[int, int]]()

    class Counted(runs._Weighted):
        def __init__(self, golds: runs._Elements, systems: runs._Elements) -> None:
            super().__init__(golds, systems)
            sizes.append((len(self.a), len(self.b)))

    monkeypatch.setattr(runs, "_Weighted", Counted)
    gold = array("q", range(0, 20_000, 2))
    system = gold[:5_000] + gold[5_001:]
    assert len([*parts(gold, system)]) == 10_000
    assert sizes == [(3, 2)]
