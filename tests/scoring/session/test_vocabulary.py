"""How often names are used, kept up edit by edit."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from treelens.session.vocabulary import NameCounts

names = st.lists(st.sampled_from("abcdef"), max_size=8).map(Counter)


def twice(_: str, count: int) -> bool:
    return count >= 2


@given(names, st.lists(st.tuples(names, names), max_size=8))
def test_what_is_noted_is_what_is_counted(
    start: Counter[str], edits: list[tuple[Counter[str], Counter[str]]]
) -> None:
    known, plain = NameCounts.of(start), start
    for gone, new in edits:
        taken = gone & plain
        known, plain = known.edited(taken, new), plain - taken + new
        assert known.all() == plain
        assert known.total == plain.total()
        assert {name: known[name] for name in "abcdef"} == {name: plain[name] for name in "abcdef"}
        assert known.chosen(twice) == {name: n for name, n in plain.items() if n >= 2}


def test_an_edit_with_a_new_name_does_not_look_at_all_there_are() -> None:
    """At about their root: sixteen times the names, four times the cost."""
    looked: list[int] = []

    def wanted(_: str, count: int) -> bool:
        looked[-1] += 1
        return count >= 2

    for size in (1_000, 16_000):
        known = NameCounts.of(Counter(map(str, range(size))))
        looked.append(0)
        for number in range(500):
            known = known.edited(Counter(), Counter([f"new{number}"]))
            known.chosen(wanted)
    assert looked[1] < 6 * looked[0]
