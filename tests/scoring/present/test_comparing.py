"""What is shown of a tree beside its counterpart: hovers, lenses, hints, ways to and fro."""

from __future__ import annotations

import pytest
from drawn import alone, cursor, plain, same, sitting, snapshot
from treelens.formats.table import MAPPING
from treelens.present.counterpart import counterparts
from treelens.present.hints import hints
from treelens.present.hovers import hover
from treelens.present.lenses import lenses, title
from treelens.present.names import isolated, told_apart
from treelens.present.navigate import next_mismatch, previous_mismatch
from treelens.present.status import status
from treelens.session.pair import Side
from treelens.trees.forest import encode

GOLD = "(S (NP (D the) (N cat)) (VP (V saw) (NP (N us))))\n"
SYSTEM = "(S (NP (D the) (N cat)) (VP (V saw) (PP (N us))))\n"


def check_counterpart(gold: str, system: str) -> None:
    """``‸`` in gold is where one asks; ``«»`` in system is what is to be selected."""
    gold, offset = cursor(gold)
    bare = system.replace("«", "").replace("»", "")
    for here, there, names in ((gold, bare, ("gold.mrg", "system.mrg")),):
        (place,) = counterparts(snapshot(sitting(here, there), names[0]), offset)
        source = encode(there)
        marked = b"%b\xc2\xab%b\xc2\xbb%b" % (
            source[: place.start],
            source[place.start : place.end],
            source[place.end :],
        )
        assert marked.decode() == system


def test_the_counterpart_of_a_bracket_is_its_opening() -> None:
    check_counterpart("(S (N‸P (N we)) (V go))", "(S «(NP» (N we)) (V go))")


def test_the_counterpart_of_a_bracket_with_another_label() -> None:
    check_counterpart("(S (N‸P (N we)) (V go))", "(S «(PP» (N we)) (V go))")


def test_the_counterpart_of_a_word_is_the_word() -> None:
    check_counterpart("(S (NP (N w‸e)) (V go))", "(S «(P we)» (V go))")


def test_a_bracket_that_is_not_there_leads_to_its_words() -> None:
    check_counterpart("(S (N‸P (D the) (N cat)) (V go))", "(S «(D the) (N cat)» (V go))")


def test_the_root_that_does_not_count_has_a_counterpart_all_the_same() -> None:
    check_counterpart("(T‸OP (S (N we)))", "«(TOP» (S (N we)))")
    check_counterpart("‸( (S (N we)))", "«(» (S (N we)))")


def test_a_word_that_is_written_as_two() -> None:
    check_counterpart("(S (V can‸not) (V go))", "(S «(V can) (R not)» (V go))")


def test_a_trace_leads_somewhere() -> None:
    session = sitting("(S (NP (-NONE- *)) (V go))\n", "(S (V go))\n")
    assert len(counterparts(snapshot(session), 12)) == 1


def test_without_a_partner_there_is_no_counterpart() -> None:
    assert counterparts(alone(GOLD), 5) == []
    assert counterparts(alone(""), 0) == []


def hovered(gold: str, system: str) -> str:
    gold, offset = cursor(gold)
    found = hover(snapshot(sitting(gold, system)), offset)
    assert found is not None
    return found.markdown


def test_hover_on_a_node_says_what_the_other_file_has() -> None:
    assert hovered("(S (N‸P (D the) (N cat)) (V sat))", "(S (NP (D the) (N cat)) (V sat))") == (
        "**NP** · words 1–2 of 3\n\n> the cat\n\n**system.mrg** has the same bracket"
    )
    assert hovered("(S (N‸P (D the) (N cat)) (V sat))", "(S (PP (D the) (N cat)) (V sat))") == (
        "**NP** · words 1–2 of 3\n\n> the cat\n\n**system.mrg** has **PP** here"
    )
    assert hovered("(S (N‸P (D the) (N cat)) (V sat))", "(S (D the) (N cat) (V sat))") == (
        "**NP** · words 1–2 of 3\n\n> the cat\n\n"
        "**system.mrg** has no such bracket; the smallest around its words is **S**\n\n"
        "> the cat sat"
    )


def test_hover_on_a_word() -> None:
    assert hovered("(S (N w‸e))", "(S (P we))") == (
        "**N** “we” · word 1 of 1\n\n**system.mrg** has **P** “we” here"
    )


def test_hover_on_a_word_of_a_lattice_says_its_morphology() -> None:
    gold = "0\t1\tso\tso\tD\tD\t_\t1\n1\t2\twe\tI\tP\tQ\tA=a\t2\n"
    for here, there, said in (
        ("\tI\t", "\tI\t", "has the same word and tag"),
        ("\tI\t", "\tus\t", "has **P** “we” here\n\nlemma us, not I"),
        ("Q\tA=a", "R\tA=a|B=b", "has **P** “we” here\n\nsecond tag R, not Q · B=b besides"),
    ):
        session = sitting(gold, gold.replace(here, there), format=MAPPING)
        found = hover(snapshot(session), gold.index("we"))
        assert found is not None
        assert found.markdown == f"**P** “we” · word 2 of 2\n\n**system.mrg** {said}"


def test_hover_on_the_root_has_the_sentence_s_numbers() -> None:
    text = hovered("(S (N a))\n‸" + GOLD, "(S (N a))\n" + SYSTEM)
    assert text.startswith("**Sentence 2** of 2 · 4 words\n\n> the cat saw us\n\n")
    assert "against **system.mrg**: 1 label" in text
    assert "| labelled | **75.00** | 75.00 (3/4) | 75.00 (3/4) |" in text
    assert "| unlabelled | **100.00** |" in text
    assert "TedEval **85.71**, unlabelled 100.00 · tagging 100.00" in text
    assert "0 of 2 sentences have a lower F1" in text


def test_scores_of_what_there_is_nothing_of_are_left_out_where_there_are_others() -> None:
    gold = snapshot(sitting("( (N a))\n( (N b))\n", "( (N a))\n"), "gold.mrg")
    assert [title(gold, sentence, 0) for sentence in range(2)] == [
        "TedEval 100.00 · no mismatch",
        "TedEval 0.00 · 1 not in system",
    ]


def test_what_a_root_without_a_label_holds_stands_for_the_sentence() -> None:
    text = hovered("(S (N a))\n( (S‸ (N b)))\n", "(S (N a))\n( (S (N b)))\n")
    assert text.startswith("**Sentence 2** of 2")


def test_hover_on_the_first_sentence_has_the_totals_and_what_they_are_made_with() -> None:
    text = hovered("‸" + GOLD, SYSTEM)
    assert "**All sentences**" in text
    assert "parameters `default`" in text


def test_hover_quotes_what_could_be_taken_for_markup() -> None:
    assert r"“\*T\*-1”" in hovered("(S (-NONE- *T‸*-1) (N we))", "(S (N we))")


def test_a_right_to_left_word_does_not_turn_its_surroundings_around() -> None:
    assert "“\u2068שלום\u2069”" in hovered("(S (N ש‸לום))", "(S (N שלום))")
    assert isolated("של\u2069ום\u202e") == "\u2068של\ufffdום\ufffd\u2069"


@pytest.mark.parametrize("text", ["", "no tree", "# comment"])
def test_there_is_no_hover_where_there_is_no_sentence(text: str) -> None:
    assert hover(alone(text), 0) is None


def test_lenses_say_how_good_a_sentence_is_and_what_is_wrong() -> None:
    session = sitting(GOLD + "(S (N a))\n", SYSTEM + "(S (N a))\n")
    for name in ("gold.mrg", "system.mrg"):
        here = snapshot(session, name)
        found = lenses(here)
        assert [title(here, one.sentence, one.other) for one in found] == [
            "F1 75.00 · TedEval 85.71 · 1 label",
            "F1 100.00 · TedEval 100.00 · no mismatch",
        ]
        assert [one.mismatch for one in found] == [True, False]


def test_with_several_systems_each_has_its_lens() -> None:
    here = snapshot(sitting(GOLD, SYSTEM, GOLD))
    assert [title(here, one.sentence, one.other) for one in lenses(here)] == [
        "system.mrg · F1 75.00 · TedEval 85.71 · 1 label",
        "2.mrg · F1 100.00 · TedEval 100.00 · no mismatch",
    ]


def test_systems_of_one_name_are_told_apart() -> None:
    names = ["a/run-1/out.mrg", "a/run%202/out.mrg", "b/run-1/out.mrg", "c/other.mrg"]
    assert [told_apart(name, names) for name in names] == [
        "a/run-1/out.mrg",
        "run 2/out.mrg",
        "b/run-1/out.mrg",
        "other.mrg",
    ]
    assert told_apart("out.mrg", names) == "out.mrg"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["a/x.bikel.mrg", "a/x.col%20lins.mrg"], ["bikel", "col lins"]),
        (["x.1.system.mrg", "x.2.system.mrg", "x.3.system.mrg"], ["1", "2", "3"]),
        (["one.mrg", "two.mrg"], ["one.mrg", "two.mrg"]),
        (["x.bikel.mrg", "y.collins.mrg"], ["x.bikel.mrg", "y.collins.mrg"]),
        (["x.bikel.mrg", "x.mrg"], ["x.bikel.mrg", "x.mrg"]),
        (["x..mrg", "x.bikel.mrg"], ["x..mrg", "bikel"]),
        (["a/x.bikel.mrg", "b/x.bikel.mrg"], ["a/x.bikel.mrg", "b/x.bikel.mrg"]),
    ],
)
def test_of_names_that_are_alike_what_differs_is_said(names: list[str], told: list[str]) -> None:
    assert [told_apart(name, names) for name in names] == told


def test_the_way_to_the_next_mismatch_stands_before_all_lenses() -> None:
    here = snapshot(sitting(GOLD, GOLD, SYSTEM, GOLD))
    assert [one.mismatch for one in lenses(here)] == [True, False, False]


def test_a_lens_says_what_is_broken() -> None:
    broken = "(S (N a)))\n(S (VP (V go))\n(S (N it))\n"
    here = snapshot(sitting(broken, broken), "gold.mrg")
    said = [title(here, one.sentence, one.other).partition(" · F1")[0] for one in lenses(here)]
    assert said == [
        "broken: this bracket closes nothing",
        "broken: (S is not closed before the next tree",
        "F1 100.00 · TedEval 100.00 · no mismatch",
    ]


def test_a_tree_and_a_table_have_no_score_and_are_the_same_in_what_both_have() -> None:
    rows = [f"1\t{word}\t_\tA\t_\t_\t0\troot\t_\t_\n\n" for word in ("one", "two", "six")]
    session = sitting("(S (A one))\n(S (A two))\n(S (B six))\n", "".join(rows))
    (link,) = session.links
    pair = session.pair(link)
    assert pair is not None
    said = status(link, pair, pair.scores())
    assert said.score == "2 of 3 the same in words and tags"
    assert "3 sentences, 2 without a mismatch in words and tags;" in said.detail
    assert "at first" not in said.detail
    assert "–" not in said.detail
    here = snapshot(session, "gold.mrg")
    assert [title(here, one.sentence, one.other) for one in lenses(here)] == [
        *2 * ["no mismatch in words and tags"],
        "1 tag",
    ]


def test_the_status_says_what_has_moved() -> None:
    session = sitting(GOLD, SYSTEM)
    (link,) = session.links
    pair = session.pair(link)
    assert pair is not None
    before = pair.scores()
    unmoved = status(link, pair, before)
    assert unmoved.score == "F1 75.00 · TedEval 85.71"
    assert "at first" not in unmoved.detail
    start = pair.system.text().index(b"PP")
    now = pair.edit(Side.SYSTEM, *pair.system.edit(start, start + 2, b"NP"))
    moved = status(link, now, before)
    assert moved.score == "F1 100.00, +25.00 · TedEval 100.00"
    assert "at first: F1 75.00 · TedEval 85.71" in moved.detail


def test_a_lens_of_a_sentence_that_is_gone_is_empty() -> None:
    assert title(snapshot(sitting(GOLD, SYSTEM)), 7, 0) == ""
    assert title(alone(GOLD), 0, 0) == ""


def test_lenses_of_a_large_file_are_few() -> None:
    assert len(lenses(snapshot(sitting(GOLD * 500, SYSTEM * 500)))) < 100


def test_hints_have_the_other_label_behind_this_one() -> None:
    drawing = """
        (S (NP (D the) (N cat)) (VP (V saw) (NP (N us))))
                                               ^ ≠PP
        """
    found = hints(snapshot(sitting(plain(drawing), SYSTEM)), 0, 100)
    same(drawing, [(one.offset, one.offset, one.text) for one in found])


def ways(gold: str, system: str) -> tuple[list[str], list[str]]:
    """The mismatches on the way forth and back, as gold writes them, once round the file."""
    here = snapshot(sitting(gold, system))
    forth, offset = [], 0
    for _ in range(4):
        mark = next_mismatch(here, offset)
        assert mark is not None
        forth.append(gold[mark.start : mark.end])
        offset = mark.end
    back, offset = [], len(gold)
    for _ in range(4):
        mark = previous_mismatch(here, offset)
        assert mark is not None
        back.append(gold[mark.start : mark.end])
        offset = mark.end
    return forth, back


def test_the_way_from_mismatch_to_mismatch_goes_round() -> None:
    gold = "(S (A (N a)) (B (N b)))\n(S (N x))\n(S (C (N c)))\n(S (N y))\n"
    system = "(S (X (N a)) (Y (N b)))\n(S (N x))\n(S (Z (N c)))\n(S (N y))\n"
    forth, back = ways(gold, system)
    assert forth == ["(A", "(B", "(C", "(A"]
    assert back == ["(C", "(B", "(A", "(C"]


def test_the_way_with_one_mismatch_comes_back_to_it() -> None:
    forth, back = ways("(S (N x))\n(S (A (N a)))\n", "(S (N x))\n(S (X (N a)))\n")
    assert forth == back == ["(A"] * 4


def test_there_is_no_way_without_a_mismatch() -> None:
    for here in (snapshot(sitting(GOLD, GOLD)), alone(GOLD), alone("")):
        assert next_mismatch(here, 0) is None
        assert previous_mismatch(here, 0) is None


def test_the_status_is_the_corpus_score() -> None:
    session = sitting(GOLD * 3, SYSTEM * 3)
    (link,) = session.links
    pair = session.pair(link)
    assert pair is not None
    found = status(link, pair)
    assert (found.score, found.sentences, found.mismatches) == ("F1 75.00 · TedEval 85.71", 3, 3)
    assert "**gold.mrg** ↔ **system.mrg**" in found.detail
