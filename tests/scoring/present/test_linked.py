"""What is typed in several places at once, each drawn under the text."""

from __future__ import annotations

import pytest
from drawn import alone, plain, same
from treelens.present.linked import linked
from treelens.trees.forest import encode


def check(drawing: str, at: int) -> None:
    """That the places linked with the offset ``at`` are those drawn."""
    same(drawing, [(start, end, "") for start, end in linked(alone(plain(drawing)), at)])


TRACES = """
(S (NP-TPC-11 (D that)) (NP-SBJ-1 (N we)) (VP (V see) (NP (-NONE- *T*-11)) (X=11 (-NONE- *))))
           ^^
                                                                      ^^
                                                                              ^^
"""


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_index_is_linked_with_all_that_have_it(place: int) -> None:
    text = plain(TRACES)
    spots = [at for at in range(len(text)) if text.startswith("11", at)]
    check(TRACES, spots[place])
    check(TRACES, spots[place] + 2)


def test_an_index_that_nothing_else_has_is_linked_with_nothing() -> None:
    text = "(S (NP-SBJ-1 (N we-1)) (VP (V go)))\n(S (NP-1 (N we)))\n"
    assert linked(alone(text), text.index("-1 ") + 1) == []
    assert linked(alone(text), text.index("SBJ")) == []


TABLE = """
1-2→del→_→_→_→_→_→_→_→_
1→de→_→X→_→_→2→a→2:a|2.1:b→_
2→el→_→X→_→_→0→b→0:c→_
2.1→x→_→_→_→_→_→_→1:obl:a-2→_
"""


def places(text: str, offset: int) -> list[str]:
    """What is linked, in its line."""
    source = encode(text)
    found = []
    for start, end in linked(alone(text), offset):
        line = source.rfind(b"\n", 0, start) + 1
        stop = source.find(b"\n", end)
        marked = source[line:start] + b"[" + source[start:end] + b"]" + source[end:stop]
        found.append(marked.decode().replace("\t", " ").replace(" _", ""))
    return found


def test_an_id_is_linked_with_all_that_means_its_word() -> None:
    text = TABLE.strip("\n").replace("→", "\t") + "\n"
    assert places(text, text.index("\n2\t") + 1) == [
        "1-[2] del",
        "1 de X [2] a 2:a|2.1:b",
        "1 de X 2 a [2]:a|2.1:b",
        "1 de X 2 a 2:a|[2].1:b",
        "[2] el X 0 b 0:c",
        "[2].1 x 1:obl:a-2",
    ]


def test_a_head_is_linked_with_nothing_and_no_id_that_two_words_have() -> None:
    text = TABLE.strip("\n").replace("→", "\t") + "\n"
    assert linked(alone(text), text.index("\t2\ta") + 1) == []
    twice = text + "2\tel\t_\tX\t_\t_\t0\tb\t_\t_\n"
    assert linked(alone(twice), twice.index("\n2\t") + 1) == []
