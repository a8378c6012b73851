"""Diagnostics, drawn under both files."""

# ruff: noqa: E501 — a message stands where it is drawn

from __future__ import annotations

import pytest
from drawn import alone, plain, same, sitting, snapshot
from treelens.present.diagnostics import MOST, Diagnostic, diagnostics
from treelens.trees import forest


def check(gold: str, system: str) -> None:
    session = sitting(plain(gold), plain(system))
    for name, drawing in (("gold.mrg", gold), ("system.mrg", system)):
        same(drawing, [mark(one) for one in diagnostics(snapshot(session, name))])


def mark(one: Diagnostic) -> tuple[int, int, str]:
    return one.start, one.end, f"{one.severity} {one.code}: {one.message}"


def test_equal_files_have_nothing_to_say() -> None:
    check("(S (NP (N we)) (VP (V see)))", "(S (NP (N we)) (VP (V see)))")


def test_a_missing_bracket_is_marked_in_both_files() -> None:
    check(
        """
        (S (NP (N we)) (VP (V see) (NP (D the) (N sea))))
                                   ^^^ warning missing-bracket: system has no NP over “the sea”
        """,
        """
        (S (NP (N we)) (VP (V see) (D the) (N sea)))
                                      ^^^ warning missing-bracket: gold has NP over “the sea”, missing here
        """,
    )


def test_another_label_and_another_tag() -> None:
    check(
        """
        (S (NP (N we)) (VP (V see)))
           ^^^ warning wrong-label: system has PP here, not NP
                           ^^ information wrong-tag: system has N for “see”, not V
        """,
        """
        (S (PP (N we)) (VP (N see)))
           ^^^ warning wrong-label: gold has NP here, not PP, over “we”
                           ^^ information wrong-tag: gold has V for “see”, not N
        """,
    )


def test_a_broken_bracket_is_one_sentence_s_trouble() -> None:
    check(
        """
        (S (N we))
        (S (N they)
        ^^ error unclosed: (S is not closed before the next tree: 1 closing bracket missing; taken to stand after the last word
        (S (N you))
        """,
        """
        (S (N we))
        (S (N they))
        (S (N you))
        """,
    )


def test_related_information_is_the_counterpart() -> None:
    session = sitting("(S (NP (N we)) (V see))\n", "(S (PP (N we)) (V see))\n")
    (one,) = diagnostics(snapshot(session))
    (related,) = one.related
    assert related[:3] == ("system.mrg", 3, 6)
    assert related.message == "gold has NP here, not PP, over “we”"


def test_a_guessed_pairing_is_marked_with_its_reason() -> None:
    gold = "(S (N one) (N and) (V three) (N four))\n(S (N they) (V sleep) (R well))\n"
    system = "(S (N one) (N xxxx) (V zzzz) (N qqqq))\n(S (N they) (V sleep) (R ill))\n"
    session = sitting(gold, system)
    for name, other in (("gold.mrg", "system.mrg"), ("system.mrg", "gold.mrg")):
        found = diagnostics(snapshot(session, name))
        (one,) = [each for each in found if each.code == "guessed-pairing"]
        assert one[:3] == (0, 2, "information")
        assert one.message == "the pairing of this sentence is a guess: little text in common"
        assert one.related == ((other, 0, 2, "the sentence that it is compared with"),)


def test_with_several_systems_each_message_says_whose_it_is() -> None:
    session = sitting("(S (NP (N we)))\n", "(S (PP (N we)))\n", "(S (XP (N we)))\n")
    assert [one.message for one in diagnostics(snapshot(session))] == [
        "system.mrg: system has PP here, not NP",
        "2.mrg: system has XP here, not NP",
    ]


def test_a_large_file_shows_what_is_in_view_and_says_how_much_it_leaves_out() -> None:
    session = sitting("(S (NP (N we)))\n" * 1000, "(S (PP (N we)))\n" * 1000)
    said = []
    for view in (range(500, 530), range(10), range(990, 1000)):
        session.look("gold.mrg", view)
        found = diagnostics(snapshot(session))
        said.append([one for one in found if one.listed])
        near = [one.start // 16 for one in found if not one.listed]
        assert {*view} - {*range(MOST)} <= {*near} <= {*range(view.start - 40, view.stop + 40)}
        lines = [one.start // 16 for one in found if one.listed and one.code == "wrong-label"]
        assert lines == [*range(MOST)]
        (left_out,) = [one for one in found if one.code == "more-mismatches"]
        assert left_out.severity == "information"
        assert f"{1000 - MOST} more sentences with mismatches are not listed" in left_out.message
    assert said[0] == said[1] == said[2], "what is listed does not change with the view"


def test_mismatches_far_away_are_shown_when_they_are_few() -> None:
    same_lines = "(S (NP (N we)))\n" * 1000
    session = sitting(same_lines + "(S (NP (N you)))\n", same_lines + "(S (PP (N you)))\n")
    assert [one.code for one in diagnostics(snapshot(session))] == ["wrong-label"]


def test_there_is_an_end_to_what_one_file_shows() -> None:
    many = "(S " + " ".join(f"(X (N w{number}))" for number in range(20)) + ")\n"
    session = sitting(many * 100, many.replace("X", "Y") * 100)
    found = [one.listed for one in diagnostics(snapshot(session))]
    assert MOST <= found.count(True) <= MOST + 20 + 1
    assert MOST <= found.count(False) <= MOST + 20


def test_problems_without_any_partner_and_without_any_tree() -> None:
    assert [one.code for one in diagnostics(alone("(S (N a)\n(S (N b)\n"))] == ["unclosed"] * 2
    assert [one.code for one in diagnostics(alone("no tree\n"))] == ["stray"]
    assert diagnostics(alone("")) == []


def test_each_word_of_a_long_sentence_is_explained_without_reading_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bytes] = []
    decode = forest.decode

    def reading(source: bytes) -> str:
        read.append(source)
        return decode(source)

    monkeypatch.setattr(forest, "decode", reading)
    counts = []
    for size in (100, 200):
        sides = ["(S " + " ".join(f"(N {c}{k})" for k in range(size)) + ")\n" for c in "xy"]
        session = sitting(*sides)
        read.clear()
        found = diagnostics(snapshot(session))
        assert sum("other letters in the same place" in one.message for one in found) == size
        counts.append(len(read))
    assert counts[1] < 3 * counts[0]
