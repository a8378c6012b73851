"""Cohen's κ of what no score counts: the textbook's formula, and cases by hand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kappas import paired, textbook
from treelens.formats.table import MAPPING
from treelens.rules.parameters import PRESETS
from treelens.session.agreement import Agreement
from trees import sentences


@given(sentences(["the", "dog", "barks"], traces=False), st.data())
def test_function_tags_are_the_textbooks(tree: str, data: st.DataObject) -> None:
    tags, sides = st.sampled_from(["", "-SBJ", "-OB1", "-SBJ-TMP"]), []
    plain = re.sub(r"\(([A-Z]+)[^ ()]* (?=\()", r"(\1 ", tree)
    count = len(re.findall(r"\([A-Z]+ (?=\()", plain))
    for _ in range(2):
        drawn = data.draw(st.lists(tags, min_size=count, max_size=count))
        rest = iter(drawn)
        text = re.sub(r"\(([A-Z]+) (?=\()", lambda one, rest=rest: f"({one[1]}{next(rest)} ", plain)  # type: ignore[misc]
        sides.append((text, drawn))
    kappas = Agreement(paired([sides[0][0]], [sides[1][0]])).uncounted_kappas
    items: list[tuple[object, object]] = [*zip(sides[0][1], sides[1][1], strict=True)]
    expected = textbook(items)
    assert ("functions" in kappas) == bool(items)
    if items:
        assert kappas["functions"].items == len(items)
        assert kappas["functions"].value == (
            None if expected is None else pytest.approx(expected, abs=1e-12)
        )


def test_what_is_left_out_of_brackets_by_hand() -> None:
    first = [
        "(TOP (S (NP-1 (N a)) (NP (-NONE- *)) (VP (V b)) (. .)))",
        "(TOP (S (NP (N c)) (VP (V d) (NP (-NONE- *))) (. .)))",
    ]
    second = [
        "(ROOT (S (NP-1 (N a)) (NP (-NONE- 0)) (VP (V b) (. .))))",
        "(TOP (S (NP-2 (N c)) (VP (V d)) (, .)))",
    ]
    found = Agreement(paired(first, second, PRESETS["default"]))
    by_hand: dict[str, list[tuple[object, object]]] = {
        "indices": [("-1", "-1"), ("", "-2")],
        "roots": [("TOP", "ROOT"), ("TOP", "TOP")],
        "empty-elements": [("*", "0"), ("*", None)],
        "uncounted-tags": [(".", "."), (".", ",")],
        # In the first sentence below S, two words before it, and below VP, one word before it.
        "uncounted-words": [("S 2 0", "VP 1 0"), ("S 2 0", "S 2 0")],
    }
    for key, items in by_hand.items():
        one = found.uncounted_kappas[key]
        assert (one.items, one.agreed) == (2, sum(a == b for a, b in items)), key
        assert one.value == textbook(items), key
    assert [tuple(row) for row in found.disagreements("empty-elements")] == [
        ("*", "0", 1),
        ("*", "–", 1),
    ]
    assert found.disagreements("uncounted-words") == []


def test_what_no_attachment_score_counts_by_hand() -> None:
    rows = [
        "# s_type = {}\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t{}\n"
        "1\ta\tA\tX\tP\tB=1|A=2\t2\tdep\t2:{}\tM=1\n"
        "2\tb\tB\tX\tQ\tC=1\t0\troot\t0:root{}\t_\n\n".format(*said)
        for said in (("qu", "_", "dep", ""), ("fm", "_", "obj", "|1:dep"))
    ]
    rows[1] = rows[1].replace("B=1|A=2", "A=2|B=1").replace("\tQ\t", "\tR\t")
    found = Agreement(paired(rows[:1], rows[1:])).uncounted_kappas
    by_hand: dict[str, list[tuple[object, object]]] = {
        "lemmas": [("A", "A"), ("B", "B")],
        "xpos": [("P", "P"), ("Q", "R")],
        "features": [("AB", "AB"), ("C", "C")],
        "misc": [("M", "M"), ("_", "_")],
        "enhanced": [("dep", "obj"), ("root", "root"), (None, "dep")],
        "comments": [("qu", "fm")],
        "tokens": [("ab", "ab")],
    }
    assert found.keys() == by_hand.keys()
    for key, items in by_hand.items():
        assert (found[key].items, found[key].agreed) == (
            len(items),
            sum(one == other for one, other in items),
        ), key
        assert found[key].value == textbook(items), key


def test_what_lattices_say_by_hand() -> None:
    arcs = ["0\t1\ta\tA\tN\tP\tB=1|A=2\t1", "1\t2\tb\tB\tN\tQ\t_\t2"]
    others = [arcs[0].replace("B=1|A=2", "A=2|B=1"), arcs[1].replace("\tQ\t_", "\tR\tC=1")]
    found = Agreement(paired(arcs, others, format=MAPPING)).uncounted_kappas
    by_hand: dict[str, list[tuple[object, object]]] = {
        "lemmas": [("A", "A"), ("B", "B")],
        "xpos": [("P", "P"), ("Q", "R")],
        "features": [("AB", "AB"), ("_", "C")],
    }
    assert {key: one.value for key, one in found.items()} == {
        key: textbook(items) for key, items in by_hand.items()
    }


def test_empty_nodes_by_hand() -> None:
    word = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
    node = "{}\t{}\t_\tVERB" + "\t_" * 6 + "\n"

    def table(*empties: tuple[str, str]) -> str:
        lines = [(str(at), word.format(at, form, at - 1)) for at, form in enumerate("ab", 1)]
        lines += [(number, node.format(number, form)) for number, form in empties]
        return "".join(line for _, line in sorted(lines)) + "\n"

    first = table(("0.1", "so"), ("1.1", "go"), ("1.2", "be"), ("2.1", "do"))
    second = table(("0.1", "so"), ("1.1", "be"), ("1.2", "say"))
    found = Agreement(paired([first], [second])).uncounted_kappas["empty-nodes"]
    # Behind one word the same go together, wherever they stand; what is left, in order.
    items: list[tuple[object, object]] = [
        ("so", "so"), ("be", "be"), ("go", "say"), ("do", None)
    ]  # fmt: skip
    assert (found.items, found.agreed) == (4, 2)
    assert found.value == textbook(items)
