"""An empty element that both files have with another index is the same place in both."""

from __future__ import annotations

from drawn import cursor, sitting, snapshot
from treelens.present.answering import answering
from treelens.present.counterpart import counterparts
from treelens.present.hovers import hover


def hovered(gold: str, system: str) -> str:
    gold, offset = cursor(gold)
    found = hover(snapshot(sitting(gold, system)), offset)
    assert found is not None
    return found.markdown


def test_the_hover_has_the_other_index() -> None:
    here = "(S (NP-1 (N cats)) (VP (V seen) (NP (-NONE- *T‸*-1))))"
    for index, said in (("1", "the same word and tag"), ("2", r"**-NONE-** “\*T\*-2” here")):
        there = here.replace("‸", "").replace("*-1", f"*-{index}")
        assert hovered(here, there).endswith(f"**system.mrg** has {said}")
        # In any sentence, with another number of them before it.
        assert hovered("(S (N a))\n" + here, there).endswith(f"**system.mrg** has {said}")


def test_of_two_at_one_place_it_is_the_one_whose_turn_it_is() -> None:
    there = "(S (N we) (-NONE- *T*-3) (-NONE- *T*-2))"
    said = hovered("(S (N we) (-NONE- *T‸*-1) (-NONE- *T*-2))", there)
    assert said.endswith(r"has **-NONE-** “\*T\*-3” here")


def test_it_is_gone_to() -> None:
    session = sitting("(S (N we) (-NONE- *T*-1))\n", "(S (N we) (-NONE- *T*-2))\n")
    places = counterparts(snapshot(session), 14)
    assert [(one.start, one.end) for one in places] == [(10, 24)]


def test_it_lights_up() -> None:
    session = sitting("(S (N we) (-NONE- *T*-1))\n", "(S (N we) (-NONE- *T*-2))\n")
    (one,) = answering(snapshot(session), 20)
    assert (one.start, one.end, one.whole_start, one.whole_end) == (18, 23, 10, 24)
    assert one.kind == "same"
