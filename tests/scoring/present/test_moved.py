"""What is said of sentences that stand elsewhere in the other file."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from drawn import sitting, snapshot
from treelens.present.alignment import sentences_together
from treelens.present.lenses import lenses, title
from treelens.rules.parameters import PRESETS


def test_lenses_say_what_was_moved_also_where_it_was_doubled_or_is_there_more_often() -> None:
    rest = [f"(S (N first{number}) (V second{number}))\n" for number in range(20)]
    block = ["(S (N block) (V sentence))\n", "(S (N yes))\n", "(S (N other) (V sentence))\n"]
    gold = [*rest[:10], *block, *rest[10:], "(S (N yes))\n"]
    system = [*rest[:4], *block, *rest[4:16], *block, *rest[16:], "(S (N yes))\n"]
    session = sitting("".join(gold), "".join(system))
    for name, places in (("gold.mrg", [10, 11, 12]), ("system.mrg", [4, 5, 6])):
        here = snapshot(session, name)
        titles = [title(here, one.sentence, one.other) for one in lenses(here)]
        assert [k for k, said in enumerate(titles) if "moved" in said] == places


@pytest.mark.parametrize("alignment", ["own", "moved"])
def test_what_was_moved_and_reworded_is_a_guess(alignment: Literal["own", "moved"]) -> None:
    rest = [f"(S (N first{number}) (V second{number}) (N third{number}))\n" for number in range(6)]
    block = [
        "(S (N gardener) (V watered) (N everything) (P before) (N breakfast))\n",
        "(S (N cat) (V slept) (P below) (N appletrees) (P after) (N lunch))\n",
    ]
    changed = [block[0].replace("everything", "nothing"), block[1]]
    parameters = replace(PRESETS["default"], alignment=alignment)
    session = sitting("".join([*block, *rest]), "".join([*rest, *changed]), parameters=parameters)
    session.look("system.mrg", range(8))
    here = snapshot(session, "system.mrg")
    titles = {one.sentence: title(here, one.sentence, one.other) for one in lenses(here)}
    said = sentences_together(here.marked[0], 6), sentences_together(here.marked[0], 7)
    assert "a guess: moved and reworded" in titles[6]
    if alignment == "own":
        assert " · moved · " in titles[7]
        assert said[0] == "moved: this may be sentence 1 of gold.mrg, reworded and out of order"
        assert said[1] == "moved: this is sentence 2 of gold.mrg, out of order"
    else:
        assert said[0] == "compared with sentence 1 of gold.mrg · a guess: moved and reworded"
        assert said[1] == "compared with sentence 2 of gold.mrg"
