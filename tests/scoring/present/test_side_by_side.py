"""Two files side by side: which places stand abreast, and what lights up for the cursor."""

from __future__ import annotations

import itertools

import pytest
from drawn import alone, cursor, sitting, snapshot
from hypothesis import given
from hypothesis import strategies as st
from treelens.present.abreast import abreast
from treelens.present.answering import answering

ONE = "(S (NP (D the) (N cat)) (VP (V saw)))\n"
INDENTED = "(S\n  (NP (D the) (N cat))\n  (VP (V saw)))\n\n"
OTHER = "(S (N it) (V rains))\n"


def lines(gold: str, system: str, name: str = "gold.mrg") -> list[tuple[int, int]]:
    """The stops as lines here and there."""
    here = snapshot(sitting(gold, system), name)
    (found,) = abreast(here, 0, here.document.length)
    there = snapshot(sitting(gold, system), found.name).document
    return [(here.document.line_at(a), there.line_at(b)) for a, b in found.stops]


def test_a_tree_on_a_line_stands_beside_one_on_several() -> None:
    assert lines(ONE * 3, INDENTED * 3) == [(0, 0), (0, 0), (1, 4), (2, 8), (3, 12)]
    back = lines(ONE * 3, INDENTED * 3, "system.mrg")
    assert back == [(0, 0), (0, 0), (4, 1), (8, 2), (12, 3)]


def test_a_sentence_begins_with_its_comments_and_not_with_blank_lines() -> None:
    assert lines(ONE + OTHER, ONE + "\n\n# two\n" + OTHER) == [(0, 0), (0, 0), (1, 3), (2, 5)]


def test_what_one_file_has_not_takes_no_room_in_it() -> None:
    assert lines(ONE + OTHER + ONE, ONE + ONE) == [(0, 0), (0, 0), (1, 1), (2, 1), (3, 2)]
    assert lines(ONE + ONE, ONE + OTHER + ONE) == [(0, 0), (0, 0), (1, 1), (1, 2), (2, 3)]


def test_sentences_that_were_taken_together_stand_beside_all_of_them() -> None:
    halves = "(S (NP (D the) (N cat)))\n(S (VP (V saw)))\n"
    assert lines(OTHER + ONE + OTHER, OTHER + halves + OTHER) == [
        *[(0, 0), (0, 0), (1, 1), (2, 3), (3, 4)]
    ]


def test_the_last_place_stands_beside_the_last() -> None:
    here = snapshot(sitting(ONE * 3, INDENTED * 3))
    (found,) = abreast(here, 0, 0)
    assert found.stops[-1] == (len(ONE) * 3, len(INDENTED) * 3)


@pytest.mark.parametrize(
    "halves",
    [
        "(S (NP (D the) (N dogs)))\n(S (VP (V saw)))\n",
        "(S (NP (D the)))\n(S (N dogs))\n(S (V saw))\n",
        "(S (NP (D th)))\n(S (N ecat) (-NONE- *T*) (V saw))\n",
    ],
)
def test_words_that_differ_light_up_across_a_sentence_that_is_cut(halves: str) -> None:
    for files, name in itertools.product([(ONE, halves), (halves, ONE)], ["gold", "system"]):
        here = snapshot(sitting(*files), f"{name}.mrg")
        for at in range(here.document.length + 1):
            for one in answering(here, at):
                assert one.whole_start <= one.start < one.end <= one.whole_end


def test_every_system_has_its_stops() -> None:
    found = abreast(snapshot(sitting(ONE, INDENTED, ONE)), 0, 0)
    assert [one.name for one in found] == ["system.mrg", "2.mrg"]


def test_of_a_large_file_only_the_surroundings_are_said() -> None:
    here = snapshot(sitting(ONE * 3000, INDENTED * 3000))
    middle = len(ONE) * 1500
    (found,) = abreast(here, middle, middle + 40 * len(ONE))
    assert len(found.stops) < 200
    assert found.stops[0].here < middle < middle + 40 * len(ONE) < found.stops[-1].here
    (whole,) = abreast(here, 0, here.document.length)
    assert len(whole.stops) < 500


def test_alone_nothing_stands_beside() -> None:
    assert abreast(alone(ONE), 0, 0) == []
    assert abreast(alone(""), 0, 0) == []
    assert abreast(snapshot(sitting("", ONE)), 0, 0) == []


@given(
    st.lists(st.sampled_from([ONE, INDENTED, OTHER, "\n", "# c\n"]), max_size=6).map("".join),
    st.lists(st.sampled_from([ONE, INDENTED, OTHER, "\n", "# c\n"]), max_size=6).map("".join),
)
def test_stops_ascend_on_both_sides_and_are_each_other_s(gold: str, system: str) -> None:
    session = sitting(gold, system)
    sides = [snapshot(session), snapshot(session, "system.mrg")]
    found = [abreast(one, 0, one.document.length) for one in sides]
    if all(len(one.document) for one in sides):
        (here,), (there,) = found
        assert [(b, a) for a, b in here.stops] == list(there.stops)
        for one, other in itertools.pairwise(here.stops):
            assert one.here <= other.here
            assert one.there <= other.there


def lit(gold: str, system: str) -> str:
    """``‸`` in gold is where the cursor is; of system, what lights up: ``«»`` itself, ``‹›``
    all that it stands for."""
    gold, offset = cursor(gold)
    (one,) = answering(snapshot(sitting(gold, system)), offset)
    signs = [(one.whole_start, 0, "‹"), (one.start, 1, "«"), (one.end, 1, "»")]
    if one.closing:
        signs += [(one.closing[0], 2, "«"), (one.closing[1], 2, "»")]
    signs.append((one.whole_end, 3, "›"))
    for place, _, sign in sorted(signs, reverse=True):
        system = system[:place] + sign + system[place:]
    return f"{one.kind}: {system}"


@pytest.mark.parametrize(
    ("gold", "there"),
    [
        ("(S (N‸P (N we)) (V go))", "same: (S ‹«(NP» (N we)«)»› (V go))"),
        ("(S (P‸P (N we)) (V go))", "other label: (S ‹«(NP» (N we)«)»› (V go))"),
        ("(S (NP (N w‸e)) (V go))", "same: (S (NP ‹(N «we»)›) (V go))"),
        ("(S (X‸P (NP (N we)) (V go)))", "nearest: (S (NP ‹«(N we)) (V go)»›)"),
    ],
)
def test_what_lights_up(gold: str, there: str) -> None:
    assert lit(gold, "(S (NP (N we)) (V go))") == there


def test_what_is_not_closed_lights_up_without_an_end() -> None:
    found = answering(snapshot(sitting("(S (NP (N we)))", "(S (NP (N we)")), 4)
    assert [(one.kind, one.closing) for one in found] == [("same", None)]


def test_nothing_lights_up_beside_nothing() -> None:
    assert answering(alone(ONE), 3) == []
    assert answering(alone(""), 0) == []
    assert answering(snapshot(sitting(ONE + OTHER, ONE)), len(ONE) + 3) == []
