"""Repairs of brackets: whatever the two sides are, every difference is of exactly one step."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from treelens.errors.transform import RepairSteps, Span, Step, repair

LABELS = ("S", "NP", "VP", "PP")


@st.composite
def nested(draw: st.DrawFn, cells: int) -> list[Span]:
    """Spans of which no two cross, parents first; equal ones are among them."""
    spans: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(0, 12))):
        start = draw(st.integers(0, cells - 1))
        end = draw(st.integers(start + 1, cells))
        if not any(a < start < b < end or start < a < end < b for a, b in spans):
            spans.append((start, end))
    spans.sort(key=lambda span: (span[0], -span[1]))
    labels = [draw(st.integers(0, len(LABELS) - 1)) for _ in spans]
    return [Span(*span, label, LABELS[label]) for span, label in zip(spans, labels, strict=True)]


@st.composite
def sides(draw: st.DrawFn) -> tuple[int, list[Span], list[Span]]:
    cells = draw(st.integers(1, 10))
    return cells, draw(nested(cells)), draw(nested(cells))


def keys(spans: list[Span]) -> Counter[tuple[int, int, int]]:
    return Counter(span[:3] for span in spans)


def repaired(cells: int, gold: list[Span], system: list[Span]) -> RepairSteps:
    return repair(["NN"] * cells, gold, system)


@given(sides())
def test_all_steps_together_make_gold_of_system(
    drawn: tuple[int, list[Span], list[Span]],
) -> None:
    cells, gold, system = drawn
    found = repaired(*drawn)
    now = keys(system)
    for step in found.steps:
        for key, change in step.changes:
            now[key] += change
            assert now[key] >= 0
        assert not any(
            a < start < b < end
            for (a, b, _), one in now.items()
            for (start, end, _), other in now.items()
            if one and other
        )
    assert +now == keys(gold)
    assert not found.missing
    assert not found.extra
    assert repair(["NN"] * cells, gold, gold).steps == ()


@given(sides())
def test_every_bracket_that_differs_is_of_one_step(
    drawn: tuple[int, list[Span], list[Span]],
) -> None:
    _, gold, system = drawn
    steps = repaired(*drawn).steps
    assert all(step.missing or step.extra for step in steps)
    for spans, others, places in (
        (gold, system, [place for step in steps for place in step.missing]),
        (system, gold, [place for step in steps for place in step.extra]),
    ):
        assert len(set(places)) == len(places)
        assert Counter(spans[place][:3] for place in places) == keys(spans) - keys(others)


@given(sides())
def test_a_step_breaks_nothing_and_repairs_no_less_than_it_says(
    drawn: tuple[int, list[Span], list[Span]],
) -> None:
    _, gold, system = drawn
    wanted, now = keys(gold), keys(system)
    wrong = sum(((wanted - now) + (now - wanted)).values())
    for step in repaired(*drawn).steps:
        missing = wanted - now
        now = Counter(now)
        for key, change in step.changes:
            now[key] += change
        assert not (wanted - now) - missing
        left = sum(((wanted - now) + (now - wanted)).values())
        assert left < wrong
        wrong = left


@given(sides())
def test_the_same_every_time(drawn: tuple[int, list[Span], list[Span]]) -> None:
    assert repaired(*drawn) == repaired(*drawn)


def span(start: int, end: int, label: str) -> Span:
    return Span(start, end, LABELS.index(label), label)


def steps_of(cells: int, gold: list[Span], system: list[Span]) -> list[Step]:
    return list(repaired(cells, gold, system).steps)


def test_one_move_repairs_all_brackets_on_the_way() -> None:
    # saw the man in the park with a telescope: the last PP from the lowest NP up to the VP.
    gold = [span(0, 9, "VP"), span(1, 6, "NP"), span(1, 3, "NP"), span(3, 6, "PP")]
    gold += [span(4, 6, "NP"), span(6, 9, "PP"), span(7, 9, "NP")]
    system = [span(0, 9, "VP"), span(1, 9, "NP"), span(1, 3, "NP"), span(3, 9, "PP")]
    system += [span(4, 9, "NP"), span(4, 6, "NP"), span(6, 9, "PP"), span(7, 9, "NP")]
    (step,) = steps_of(9, gold, system)
    assert (step.operation, step.place, step.parent, step.new_parent) == (
        "move",
        "above",
        "NP",
        "VP",
    )
    # Two NPs and the PP end too far; the lowest, left over the NP in it, goes with the run.
    assert (len(step.missing), len(step.extra)) == (2, 3)


def test_a_move_brings_the_node_that_gold_has_around_it() -> None:
    gold = [span(0, 6, "VP"), span(1, 6, "NP"), span(1, 3, "NP"), span(3, 6, "PP")]
    system = [span(0, 6, "VP"), span(1, 3, "NP"), span(3, 6, "PP")]
    (step,) = steps_of(6, gold, system)
    assert (step.operation, step.label, step.parent) == ("add", "NP", "VP")
    higher = [span(0, 6, "S"), span(0, 3, "VP"), span(1, 3, "NP"), span(3, 6, "PP")]
    lower = [span(0, 6, "S"), *gold]
    (step,) = steps_of(6, lower, higher)
    assert (step.operation, step.place, step.inside) == ("move", "before", True)
    assert (step.label, step.parent, step.new_parent) == ("NP", "S", "NP")
    assert (len(step.missing), len(step.extra)) == (2, 1)


def test_equal_gains_go_to_the_plainer_step() -> None:
    # One NP is gold's VP: relabelled, not taken out and put in.
    (step,) = steps_of(2, [span(0, 2, "VP")], [span(0, 2, "NP")])
    assert (step.operation, step.label, step.was) == ("relabel", "VP", "NP")


def test_what_is_too_much_to_search_is_left_and_said() -> None:
    words = 600
    gold = [span(start, words, "NP") for start in range(words - 1)]
    system = [span(0, end, "NP") for end in range(words, 1, -1)]
    found = repaired(words, gold, system)
    missing = [place for step in found.steps for place in step.missing]
    extra = [place for step in found.steps for place in step.extra]
    assert found.missing
    assert sorted([*missing, *found.missing]) == list(range(1, words - 1))
    assert sorted([*extra, *found.extra]) == list(range(1, words - 1))
