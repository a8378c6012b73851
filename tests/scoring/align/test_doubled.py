"""Blocks of sentences that one side has once and the other twice, elsewhere."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from laws import seeds
from noise import Text, shown
from test_gaps import aligned, numbered
from treelens.align import order, pins
from treelens.align.groups import UNCHANGED, GroupedBy, SentenceChange
from treelens.align.moves import Move, moves
from treelens.align.pins import same_texts
from treelens.align.sentences import realign


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("places", [(0, 700), (80, 1_200), (200, 1_290)])
def test_of_a_block_that_was_moved_and_doubled_the_most_stays(
    places: tuple[int, int], back: bool
) -> None:
    rest, block = numbered(1_300), [[f"block{k}", "of", "some"] for k in range(400)]
    block[100:140] = [["yes"]] * 40  # not known from one another, and in the block
    first, second = places
    gold = rest[:100] + block + rest[100:]
    system = rest[:first] + block + rest[first:second] + block + rest[second:]
    if back:
        gold, system = system, gold
    groups = aligned(gold, system).groups
    # (Either what is between the block's old place and one of its new ones is out of order, or
    # the block is.)
    between = min(abs(100 - first), abs(second - 100), len(block))
    assert sum(how == GroupedBy.SAME for how in groups.how) == 1_700 - between
    pairs = [group for group in shown(groups) if group[1] > group[0] and group[3] > group[2]]
    assert all(gold[one[0]] == system[one[2]] for one in pairs)


def test_a_block_without_a_place_in_order_was_moved_to_the_first_where_it_is_now() -> None:
    rest, block = numbered(900), [[f"block{k}", "of", "some"] for k in range(50)]
    gold = rest[:450] + block + rest[450:]
    system = rest[:100] + block + rest[100:800] + block + rest[800:]
    alignment = aligned(gold, system)
    found = moves([alignment.groups], (Text(gold), Text(system)))
    assert found == [Move(range(450, 500), range(100, 150))]
    mirrored = aligned(system, gold)
    found = moves([mirrored.groups], (Text(system), Text(gold)))
    assert found == [Move(range(100, 150), range(450, 500))]


@pytest.mark.parametrize("back", [False, True])
def test_a_copy_that_was_moved_of_what_both_sides_have_twice_is_said_to_be(back: bool) -> None:
    rest, block = numbered(600), [[f"block{k}", "of", "some"] for k in range(30)]
    block[10:12] = [["yes"]] * 2
    gold = rest[:100] + block + rest[100:400] + block + rest[400:]
    system = rest[:200] + block + rest[200:400] + block + rest[400:]
    if back:
        gold, system = system, gold
    alignment = aligned(gold, system)
    first, second = (200, 100) if back else (100, 200)
    assert moves([alignment.groups], (Text(gold), Text(system))) == [
        Move(range(first, first + 30), range(second, second + 30))
    ]


@pytest.mark.parametrize("back", [False, True])
def test_of_blocks_that_both_sides_have_twice_and_that_cross_the_most_stays(back: bool) -> None:
    """What is between them was moved, if that is less."""
    rest, block = numbered(340), [[f"block{k}", "of", "some"] for k in range(100)]
    block[10:12] = [["yes"]] * 2
    gold = [*rest[:100], *block, *rest[100:120], *block, *rest[120:]]
    system = [*rest[:100], *rest[100:120], *block, *block, *rest[120:]]
    if back:
        gold, system = system, gold
    alignment = aligned(gold, system)
    assert sum(how == GroupedBy.SAME for how in alignment.groups.how) == 520
    (move,) = moves([alignment.groups], (Text(gold), Text(system)))
    assert len(move.gold) == len(move.system) == 20


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("wrong", [[7], [0, 9], [2, 3, 4]])
@pytest.mark.parametrize("tail", [6, 12])
def test_words_that_are_wrong_where_a_block_was_are_compared_there_and_not_with_its_copy(
    tail: int, wrong: list[int], back: bool
) -> None:
    gold = [[f"{word}{k}" for word in ("some", "of", "its", "own")] for k in range(30 + tail)]
    system = gold + gold[20:30]
    for k in wrong:
        system[20 + k] = [*gold[20 + k][:3], f"wrong{k}"]
    sides = (system, gold) if back else (gold, system)
    found = shown(aligned(*sides).groups)
    assert found[: len(gold)] == [(k, k + 1, k, k + 1) for k in range(len(gold))]
    assert len(found) == len(gold) + 10


@pytest.mark.parametrize("seed", seeds(30))
def test_the_heaviest_selection_is_that_of_all_there_are(seed: int) -> None:
    """Of pairs that may share a sentence: no selection in order stands for more sentences."""
    draw = random.Random(seed)
    texts = [draw.randrange(1, 9) for _ in range(8)]
    sides = [np.array([[20, draw.choice(texts)] for _ in range(9)], np.uint64) for _ in range(2)]
    once = same_texts(*sides)
    chosen, sentences = order._heaviest(*sides, once) if len(once.gold) else ([], 0)
    pairs = [*zip(once.gold.tolist(), once.system.tolist(), strict=True)]
    kept = [pair for pair, is_kept in zip(pairs, chosen, strict=True) if is_kept]
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(kept))
    most = max(
        len(some)
        for size in range(len(pairs) + 1)
        for some in itertools.combinations(pairs, size)
        if all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(some))
    )
    assert most <= sentences <= 9


def test_an_edit_elsewhere_looks_for_nothing_that_is_doubled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = numbered(400)
    system = [one for k, one in enumerate(gold) for _ in range(2 if k % 18 == 0 else 1)]
    found = aligned(gold, system)
    for name in ("_places", "_partners", "_ordered"):
        monkeypatch.setattr(pins, name, None)
    for at in (5, 200, len(system) - 1):
        change = SentenceChange(at, at + 1, at + 1)
        system = [*system[:at], [f"other{at}", "than", "before"], *system[at + 1 :]]
        found, splices = realign(Text(gold), Text(system), found, UNCHANGED, change)
        assert len(splices) == 1
    monkeypatch.undo()
    assert found.pins.doubled_gold.tolist() == aligned(gold, system).pins.doubled_gold.tolist()


@pytest.mark.parametrize("seed", seeds(12))
@pytest.mark.parametrize("moved", [True, False, None])
def test_edits_beside_what_was_doubled_are_as_a_fresh_start(seed: int, moved: bool | None) -> None:
    """``moved`` None: both sides have a block twice."""
    draw = random.Random(seed)
    once = numbered(60)
    copies = once[:5] + once[20:40] if moved else [one for one in once[:25] for _ in range(2)]
    first = [*once] if moved is not None else once[:30] + once[20:40] + once[30:]
    sides = [first, copies + once[5:20] + once[40:50] + once[20:40] + once[50:]]
    found = aligned(*sides)
    for _ in range(40):
        side, at = draw.randrange(2), draw.randrange(55)
        other = draw.randrange(len(sides[1 - side]))
        wrong = [[*once[at][:-1], "wrong"]]
        some = sides[1 - side][other : other + 3]
        new = draw.choice(([], some, [["yes"]], [once[at], ["no"]], wrong, wrong))
        end = min(at + draw.choice((0, 1, 1, 2, 8)), len(sides[side]))
        changes = [UNCHANGED, UNCHANGED]
        changes[side] = SentenceChange(at, end, at + len(new))
        sides[side] = [*sides[side][:at], *new, *sides[side][end:]]
        found, _ = realign(*map(Text, sides), found, *changes)
        fresh = aligned(*sides)
        columns = zip((*found.groups, *found.pins), (*fresh.groups, *fresh.pins), strict=True)
        assert all(column.tolist() == its.tolist() for column, its in columns)
        if min(map(len, sides)) < 56:
            break
