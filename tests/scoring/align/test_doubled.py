"""Blocks of sentences that one side has once and the other twice, elsewhere."""

from __future__ import annotations

import random

import pytest
from noise import Text, shown
from test_gaps import aligned, numbered
from treelens.align.groups import UNCHANGED, GroupedBy, SentenceChange
from treelens.align.moves import Move, moves
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
    found = moves([alignment.groups], alignment.pins, alignment.numbers)
    assert found == [Move(range(450, 500), range(100, 150))]
    mirrored = aligned(system, gold)
    found = moves([mirrored.groups], mirrored.pins, mirrored.numbers)
    assert found == [Move(range(100, 150), range(450, 500))]


@pytest.mark.parametrize("seed", range(12))
def test_edits_beside_what_was_moved_and_doubled_are_as_a_fresh_start(seed: int) -> None:
    draw = random.Random(seed)
    once = numbered(60)
    sides = [[*once], once[:5] + once[20:40] + once[5:20] + once[40:50] + once[20:40] + once[50:]]
    found = aligned(*sides)
    for _ in range(40):
        side, at = draw.randrange(2), draw.randrange(55)
        other = draw.randrange(len(sides[1 - side]))
        new = draw.choice(([], sides[1 - side][other : other + 3], [["yes"]], [once[at], ["no"]]))
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
