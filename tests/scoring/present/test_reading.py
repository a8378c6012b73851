"""What is shown of a tree by itself: outline, folds, selections, highlights, colours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from drawn import alone, cursor, plain, same, sitting, snapshot
from treelens.present.diagnostics import diagnostics
from treelens.present.folds import folds
from treelens.present.highlights import highlights
from treelens.present.selections import selections
from treelens.present.symbols import Symbol, symbols
from treelens.present.tokens import tokens
from treelens.session.view import View


def outline(found: Iterable[Symbol], depth: int = 0) -> str:
    return "".join(
        f"{'  ' * depth}{one.name} | {one.detail}\n{outline(one.children, depth + 1)}"
        for one in found
    )


def test_the_outline_has_sentences_and_their_constituents() -> None:
    text = "(S (NP (D the) (N cat)) (VP (V sat)))\n\n(S (N we))\n"
    assert outline(symbols(alone(text))) == (
        "1: the cat sat | 3 words\n"
        "  S | the cat sat\n"
        "    NP | the cat\n"
        "    VP | sat\n"
        "2: we | 1 word\n"
        "  S | we\n"
    )


def test_a_root_without_a_label_is_not_in_the_outline() -> None:
    assert outline(symbols(alone("( (S (N we)))"))) == "1: we | 1 word\n  S | we\n"


def test_the_outline_of_a_large_file_is_short() -> None:
    found = symbols(alone("(S (NP (N we)) (VP (V go)))\n" * 5000))
    assert len(found) < 100
    assert sum(bool(one.children) for one in found) > 20


def test_the_outline_of_a_small_file_is_of_all_of_it_wherever_one_was() -> None:
    here = alone("(S (NP (N we)) (VP (VP (V go)) (NP (N home)) (PP (P by) (NP (N bus)))))\n" * 40)
    last = replace(here, visible=View.of(range(39, 40)))
    assert outline(symbols(last)) == outline(symbols(here))
    assert all(one.children for one in symbols(here))


def test_a_very_deep_tree_has_an_outline_that_ends() -> None:
    deep = "(X " * 3000 + "(N we)" + ")" * 3000
    (one,) = symbols(alone(deep))
    depth = 0
    while one.children:
        (one,) = one.children
        depth += 1
    assert 10 < depth < 100


def fold_lines(text: str) -> list[tuple[int, int]]:
    lines = [(text[:a].count("\n"), text[:b].count("\n")) for a, b in folds(alone(text))]
    return sorted(lines)


def test_folds_are_constituents_over_several_lines() -> None:
    text = "(S\n  (NP (N we))\n  (VP\n    (V see)))\n(S (N one))\n"
    assert fold_lines(text) == [(0, 3), (2, 3)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_folds(newline: str) -> None:
    text = "(S (NP (N we))\n  (VP (V see)))".replace("\n", newline)
    assert len(folds(alone(text))) == 1


def test_a_tree_on_one_line_has_no_folds_whatever_is_around_it() -> None:
    assert fold_lines("# one\n\n\n(S (N we))\n\n# two\n(S (N we))\n\n\n") == []


def check_selections(text: str, *expected: str) -> None:
    text, offset = cursor(text)
    assert [text[a:b] for a, b in selections(alone(text), offset)] == [*expected]


def test_selections_grow_along_the_tree() -> None:
    check_selections("(S (NP (N w‸e)))", "we", "(N we)", "(NP (N we))", "(S (NP (N we)))")
    check_selections("(S (N‸P (N we)))", "NP", "(NP (N we))", "(S (NP (N we)))")
    check_selections("(S (NP (N we)‸))", "(N we)", "(NP (N we))", "(S (NP (N we)))")


def test_selections_outside_of_trees_are_none() -> None:
    check_selections("# com‸ment\n(S (N we))")
    check_selections("‸")


def check_highlights(drawing: str, at: str) -> None:
    text = plain(drawing)
    spans = highlights(alone(text), text.index(at))
    same(drawing, [(one.start, one.end, "") for one in spans])


def test_highlights_are_where_a_bracket_opens_and_closes() -> None:
    check_highlights(
        """
        (S (NP (D the) (N cat)) (V sat))
           ^^^
                              ^
        """,
        "NP",
    )
    check_highlights(
        """
        (S (NP (D the) (N cat)) (V sat))
               ^^^^^^^
        """,
        "the",
    )


def check_tokens(drawing: str) -> None:
    text = plain(drawing)
    found = tokens(alone(text), 0, len(text))
    same(drawing, [(one.start, one.end, one.kind) for one in found])


def test_tokens_say_what_is_the_matter_with_them() -> None:
    gold = """
        (S (NP-SBJ (N a) (N b)) (VP (V c) (NP (N d) (N e)) (PP (P f) (N g))))
            ^^ wrong
                          ^ wrong
                                 ^^ missing
                                           ^^ missing
                                               ^ wrong
                                                            ^^ missing crossing
        """
    system = """
        (S (NX (N a) (M b)) (VP (V c)) (QP (V d) (N e) (P f)) (N g))
            ^^ wrong
                      ^ wrong
                             ^^ extra
                                        ^^ crossing
                                            ^ wrong
        """
    gold, system = (drawing.replace("\n    ", "\n") for drawing in (gold, system))
    session = sitting(plain(gold), plain(system))
    for drawing, name in ((gold, "gold.mrg"), (system, "system.mrg")):
        found = tokens(snapshot(session, name), 0, len(plain(drawing)))
        marked = [one for one in found if one.modifiers]
        same(drawing, [(one.start, one.end, " ".join(one.modifiers)) for one in marked])


def test_fields_of_tables_say_what_is_the_matter_with_them() -> None:
    row = "1\tw\tw\t{}\tX\tA=b|C=d\t0\t{}\t_\t_\n\n"
    texts = row.format("N", "root"), row.format("V", "x:y")
    found = snapshot(sitting(*texts), "system.mrg")
    modified = [one for one in tokens(found, 0, found.document.length) if one.modifiers]
    assert [(texts[1][one.start : one.end], one.modifiers) for one in modified] == [
        ("V", ("wrong",)),
        ("x:y", ("wrong",)),
    ]


def test_tokens_are_labels_in_their_parts_tags_and_words() -> None:
    check_tokens(
        """
        (S (NP-SBJ=2 (D the)) (-NONE- *T*-1) (. .))
         ^ label
            ^^ label
               ^^^ function
                   ^ index
                      ^ tag
                        ^^^ word
                               ^^^^^^ tag
                                      ^^^^^ trace
                                              ^ tag
                                                ^ punctuation
        """
    )


def test_all_that_a_text_breaks_in_view_is_marked() -> None:
    text = "(S (A a) (B))\n" * 400
    in_view = replace(alone(text), visible=View.of(range(50, 350)))
    told = [(text.count("\n", 0, one.start), one.listed) for one in diagnostics(in_view, 100)]
    listed = [line for line, is_listed in told if is_listed]
    others = {line for line, is_listed in told if not is_listed}
    assert listed == [*range(100)]
    assert others >= {*range(100, 350)}
    assert len(told) == len(listed) + len(others), "nothing is told twice"
    elsewhere = diagnostics(replace(in_view, visible=View.of(range(399, 400))), 100)
    assert [one for one in elsewhere if one.listed] == [
        one for one in diagnostics(in_view, 100) if one.listed
    ], "the same is listed wherever one looks"
