"""What is kept is bounded by what it weighs, and stays while it is asked for."""

from __future__ import annotations

from treelens.session import kept
from treelens.session.kept import Kept

HALF = kept._LEAST // 2


def test_what_weighs_much_goes_where_nobody_asks_for_it_any_more() -> None:
    known = Kept[str]()
    for number in range(1_000):
        known.keep(number, f"said {number}", HALF)
        known.tidy()
        assert known.get(number) == f"said {number}"
    assert len(known) < 10


def test_what_is_asked_for_stays_though_it_weighs_more_than_the_least() -> None:
    known = Kept[str]()
    for number in range(100):
        known.keep(number, "said", HALF)
    for state in range(1_000):
        for number in range(100):
            assert known.get(number) == "said"
        known.keep(("edited", state), "said", HALF)
        known.tidy()
    assert len(known) < 300


def test_much_that_weighs_little_stays() -> None:
    known = Kept[int]()
    for number in range(10_000):
        known.keep(number, number, 10)
        known.tidy()
    assert len(known) == 10_000
