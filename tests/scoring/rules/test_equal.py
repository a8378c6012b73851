"""Which things are equal where pairs of them are: against a plain search, and of long lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from treelens.rules.equal import standing_for

things = st.integers(0, 12)


@given(st.lists(st.tuples(things, things)))
def test_those_stand_for_each_other_that_pairs_lead_to(pairs: list[tuple[int, int]]) -> None:
    standing = standing_for(pairs)
    beside: dict[int, set[int]] = {}
    for one, other in pairs:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    for start in range(13):
        reached, waiting = {start}, [start]
        while waiting:
            new = beside.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        same = {one for one in range(13) if standing.get(one, one) == standing.get(start, start)}
        assert same == reached


@given(st.lists(st.tuples(things, things), min_size=1))
def test_the_second_of_a_pair_stands_for_both(pairs: list[tuple[int, int]]) -> None:
    one, other = pairs[-1]
    before, now = standing_for(pairs[:-1]), standing_for(pairs)
    assert now.get(one, one) == now.get(other, other) == before.get(other, other)


def test_many_that_are_equal_to_one_are_no_chain() -> None:
    # (One step further for each would be five thousand million steps.)
    many = 100_000
    standing = standing_for((0, one) for one in range(1, many))
    assert {standing.get(one, one) for one in range(many)} == {many - 1}
