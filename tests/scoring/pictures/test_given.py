"""What a new label, tag or relation of a picture's node replaces in the text."""

from __future__ import annotations

import pytest
from drawn import alone
from treelens.present.pictures import PictureChoice, picture
from treelens.trees.forest import encode

BRACKETS = "(S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBZ barks)))\n"
TABLE = """\
1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj:pass\t_\t_
3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\t_

"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BRACKETS, {"NP-SBJ-1": "NP-SBJ-1", "VP": "VP", "dog": "NN", "barks": "VBZ"}),
        (TABLE, {"det": "det", "nsubj:pass": "nsubj:pass", "root": "root", "dog": "NOUN"}),
    ],
)
def test_it_is_the_label_the_tag_or_the_relation(text: str, expected: dict[str, str]) -> None:
    shown = picture(alone(text), 1, PictureChoice("own"))
    assert shown is not None
    source = encode(text)
    given = {
        node.part.label: source[node.places[0].given_start : node.places[0].given_end].decode()
        for node in shown.nodes
    }
    assert expected.items() <= given.items()
