"""Pictures on pages: what is read out of them, with what the two sides are called."""

from __future__ import annotations

import re

import pytest
from treelens.differences.wording import SideNames
from treelens.pictures.sentence import sentence_picture
from treelens.session.document import document
from treelens.session.pair import pair
from treelens.trees.forest import Symbols

TREES = (
    "(S (NP (D a) (N b)) (VP (V c) (PP (P d) (N e))) (X (N f) (N g)))",
    "(S (NP (D a) (X b)) (V c) (PP (P d) (N e)) (Y (N f) (N g)) (ADVP (N z)))",
)
ARCS = (
    "1\ta\ta\tX\t_\t_\t2\tdet\t_\t_\n2\tb\tb\tX\t_\t_\t0\troot\t_\t_\n"
    "3\tc\tc\tX\t_\t_\t2\tobj\t_\t_\n",
    "1\ta\ta\tX\t_\t_\t3\tdet\t_\t_\n2\tb\tb\tX\t_\t_\t0\troot\t_\t_\n"
    "3\tc\tc\tX\t_\t_\t2\tiobj\t_\t_\n",
)


@pytest.mark.parametrize("texts", [TREES, ARCS], ids=["trees", "arcs"])
def test_the_sides_of_a_picture_are_called_by_their_names(texts: tuple[str, str]) -> None:
    symbols = Symbols()
    compared = pair(*(document(text.encode(), symbols) for text in texts)).comparison(0)
    drawn = sentence_picture(compared, "", SideNames("Anna", "Boris"))
    assert drawn is not None
    titles = re.findall("<title>([^<]+)</title>", drawn.content)
    assert any("Boris" in one for one in titles)
    assert any("Anna" in one for one in titles)
    assert not re.search(r"\b(gold|system|other side)\b", drawn.content)
