"""Actions: whatever the text, each that is offered can be made or says that it cannot."""

from __future__ import annotations

from drawn import sitting, snapshot
from hypothesis import given
from hypothesis import strategies as st
from treelens.edits.text import applied, inverse
from treelens.present.actions import MOST, actions, prepared
from trees import hostile

TREES = "( (S (NP (N we)) (VP (V go))))\n(S (NP (N we)))\n"


@given(hostile, hostile, st.integers(0, 200), st.booleans())
def test_any_text_has_actions_whose_edits_fit(
    gold: str, system: str, offset: int, asked: bool
) -> None:
    session = sitting(TREES + gold, TREES + system)
    known = snapshot(session, "system.mrg")
    offset = min(offset, known.document.length)
    found = actions(known, offset, offset, asked=asked)
    assert len(found) <= MOST
    for action in found:
        made = prepared(known, action.recipe)
        if made is not None:
            of = session.document(made.name)
            assert of is not None
            text = of.text()
            after = applied(text, made.edits)
            assert after != text
            assert applied(after, inverse(text, made.edits)) == text


def test_each_of_several_systems_is_named() -> None:
    session = sitting("(S (NP (N a)))\n", "(S (NX (N a)))\n", "(S (NY (N a)))\n")
    found = actions(snapshot(session, "gold.mrg"), 4, 4)
    titles = [one.title for one in found if one.recipe.what == "finding"]
    assert titles == [
        "Take gold’s label NP (system.mrg)",
        "Accept label NX into gold (system.mrg)",
        "Take gold’s label NP (2.mrg)",
        "Accept label NY into gold (2.mrg)",
    ]
