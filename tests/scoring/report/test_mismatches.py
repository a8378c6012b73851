"""What ``treelens compare`` draws: the pair's findings, each under its words, none left out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.differences.wording import message
from treelens.present import lenses
from treelens.render.width import width
from treelens.report import mismatches
from treelens.report.content import counts, signature
from treelens.report.mismatches import Differing, PairFileNames, drawn, json_line, summary
from treelens.report.paint import plain
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.session.ranking import worst_first
from treelens.session.session import Counterpart
from treelens.trees.forest import Symbols, encode
from trees import hostile, pairs

NAMES = PairFileNames("gold.mrg", "system.mrg")
presets = st.sampled_from(list(PRESETS.values()))


def paired(gold: str, system: str, parameters: Parameters = PRESETS["default"]) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols) for text in (gold, system)), parameters)


def differing(found: Pair) -> list[int]:
    return np.flatnonzero(found.mismatching()).tolist()


def closing(found: Pair, shown: int) -> Iterator[str]:
    line = signature(found.parameters, found.metrics)
    numbers = len(found), found.mismatches, found.strict, found.is_mixed
    return mismatches.closing(Differing(*numbers, found.scores(), line), shown)


def check(
    gold: str, system: str, expected: str, parameters: Parameters = PRESETS["default"]
) -> None:
    """What is drawn of every group that differs; the places are left out."""
    found = paired(gold, system, parameters)
    lines: list[str] = []
    for group in differing(found):
        head, _, *rest = drawn(found, NAMES, group, 60, plain)
        lines += [head, *rest]
    assert "\n".join(lines) == expected.strip("\n")


def test_a_guessed_pairing_and_a_moved_sentence_are_said_to_be_so() -> None:
    words = [f"(S (N first{number}) (V second{number}) (N third{number}))" for number in range(4)]
    guessed = "(S (N one) (N and) (V three) (N four))"
    other = "(S (N one) (N xxxx) (V zzzz) (N qqqq))"
    stays = "(S (N it) (V stays) (R where) (N it) (V was))"
    gold = "\n".join([guessed, stays, *words])
    found = paired(gold, "\n".join([other, stays, *words[1:], words[0]]))
    heads = [next(drawn(found, NAMES, group, 60, plain)) for group in differing(found)]
    assert heads == [
        "sentence 1  F1 100.00 · a guess: little text in common · 3 words",
        "sentence 3 / –  F1 0.00 · moved: sentence 6 of system, not compared · 1 not in system",
        "sentence – / 6  F1 0.00 · moved: sentence 3 of gold, not compared · 1 not in gold",
    ]


@pytest.mark.parametrize(("alignment", "there"), [("own", "not compared"), ("moved", "compared")])
def test_a_moved_sentence_that_was_reworded_is_a_guess(
    alignment: Literal["own", "moved"], there: str
) -> None:
    rest = [f"(S (N first{number}) (V second{number}) (N third{number}))\n" for number in range(6)]
    moved = "(S (N gardener) (V watered) (N everything) (P before) (N breakfast))\n"
    changed = moved.replace("everything", "nothing")
    found = paired(
        "".join([moved, *rest]),
        "".join([*rest, changed]),
        replace(PRESETS["default"], alignment=alignment),
    )
    heads = [next(drawn(found, NAMES, group, 60, plain)) for group in differing(found)]
    assert f"moved: sentence 7 of system, reworded (a guess), {there}" in heads[0]


def test_a_block_that_was_moved_and_doubled_is_said_to_be_where_it_is_first() -> None:
    rest = [f"(S (N first{number}) (V second{number}))" for number in range(20)]
    block = [f"(S (N block{number}) (V sentence{number}))" for number in range(3)]
    block[1] = "(S (N yes))"
    found = paired(
        "\n".join([*rest[:10], *block, *rest[10:]]),
        "\n".join([*rest[:4], *block, *rest[4:16], *block, *rest[16:]]),
    )
    heads = [next(drawn(found, NAMES, group, 60, plain)) for group in differing(found)]
    places = [head.split(" · ")[1] if " · " in head else head for head in heads]
    assert places == [
        *[f"moved: sentence {number} of gold, not compared" for number in (11, 12, 13)],
        *[f"moved: sentence {number} of system, not compared" for number in (5, 6, 7)],
        *["1 not in gold"] * 3,
    ]


def test_sentences_of_other_words_are_drawn_without_a_comparison_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = ["".join(f"(S (N {word}{number}))\n" for number in range(50)) for word in "ab"]
    found = paired(*texts)
    found.look_at(range(50))
    monkeypatch.setattr(Pair, "comparison", None)
    lines = [line for group in range(50) for line in drawn(found, NAMES, group, 60, plain)]
    text = "\n".join(lines)
    assert "=== system: “b49”" in text
    assert "=== gold: “a49”" in text


def test_missing_extra_and_renamed_brackets() -> None:
    check(
        "(S (NP (DT the) (NN dog)) (VP (VB barks) (ADVP (RB now))))",
        "(S (DT the) (X (NN dog) (VB barks)) (NP (RB now)))",
        """
sentence 1  F1 28.57 · 2 missing · 1 label · 1 crossing

    the dog barks now
    ------- NP missing
        xxxxxxxxx X crosses NP over “the dog”
            --------- VP missing
                  ~~~ ADVP → NP
""",
    )


def test_wrong_tags() -> None:
    check(
        "(S (NP (NN rain)) (VP (VB falls)))",
        "(S (NP (NN rain)) (VP (NNS##num=pl## falls)))",
        """
sentence 1  F1 100.00 · 1 tag

    rain falls
         ^^^^^ VB → NNS
""",
    )


def test_other_words_are_drawn_under_both_texts() -> None:
    check(
        "(S (NP (PRP we)) (VP (MD ca) (RB n't) (VB go)))",
        "(S (NP (PRP we)) (VP (MD can) (RB not) (VB go)))",
        """
sentence 1  F1 100.00 · 2 words

  gold    we ca n't go
             == system: “can”
                === system: “not”

  system  we can not go
             === gold: “ca”
                 === gold: “n't”
""",
    )


def test_a_trace_that_only_gold_has_is_no_other_word() -> None:
    check(
        "(S (NP-1 (NN rain)) (VP (VB wants) (S (NP (-NONE- *-1)) (VP (TO to) (VB fall)))))",
        "(S (NP (NN rain)) (VP (VB wants) (S (VP (TO to) (X (VB fall))))))",
        """
sentence 1  F1 90.91 · 1 extra

    rain wants *-1 to fall
                      ++++ X extra
""",
    )


def test_sentences_that_are_cut_otherwise() -> None:
    check(
        "(S (NP (NN rain)) (VP (VB falls)))",
        "(S (NP (NN rain)))\n(S (VP (VB falls)))",
        """
sentence 1 / 1-2  F1 57.14 · 1 missing · 2 extra

  gold    rain falls
          ---------- S missing

  system  rain
          ++++ S extra

  system  falls
          +++++ S extra
""",
    )


def test_missing_parses_and_sentences() -> None:
    check(
        "(S (NP (NN rain)) (VP (VB falls)))\n(S (X (Y here) (Y it) (Y is)))",
        "(())\n(S (X (Y here) (Y it) (Y is)))",
        """
sentence 1  F1 0.00 · 1 not in system

  gold    rain falls
          ---------- not in system
""",
    )
    check(
        "(S (X (Y here) (Y it) (Y is)))",
        "(S (X (Y here) (Y it) (Y is)))\n(S (X (Y more)))",
        """
sentence – / 2  F1 0.00 · 1 not in gold

  system  more
          ++++ not in gold
""",
    )


def test_places_are_file_and_line_of_the_trees() -> None:
    found = paired("# a comment\n\n(S (X a))\n", "(S\n (Y a))\n")
    assert list(drawn(found, NAMES, 0, 80, plain))[1] == "  gold.mrg:3  system.mrg:1"
    assert list(drawn(found, NAMES, 0, 20, plain))[1:3] == ["  gold.mrg:3", "  system.mrg:1"]


def test_what_is_said_at_the_end() -> None:
    found = paired("(S (X (Y a)))\n(S (X (Y b)))\n", "(S (Z (Y a)))\n(S (X (Y b)))\n")
    assert next(closing(found, 1)) == "1 of 2 sentences differs · F1 75.00"
    assert next(closing(found, 0)) == "1 of 2 sentences differs (0 shown) · F1 75.00"
    same = paired("(S (X (Y a)))", "(S (X (Y a)))")
    assert next(closing(same.strictly(), 0)) == "nothing differs · F1 100.00"
    assert next(closing(same, 0)) == "nothing that F1 or LAS counts differs · F1 100.00"


def test_a_score_that_there_is_nothing_of_is_not_the_one_that_is_told() -> None:
    words = paired("(A a)\n", "(B a)\n")
    assert "F1 –" not in next(drawn(words, NAMES, 0, 80, plain))


def test_what_was_compared_is_said_where_one_side_has_no_dependencies() -> None:
    table = "1\ta\ta\tA\tA\t_\t0\troot\t_\t_\n\n"
    said = "nothing differs in words and tags, all that can be compared here"
    # (Nor is a score told that there is nothing of.)
    assert next(closing(paired("(S (A a))\n", table).strictly(), 0)) == said


# --- laws ------------------------------------------------------------------------------------


_SHOWN_AS = {
    "missing-bracket": " missing",
    "extra-bracket": " extra",
    "crossing-bracket": " crosses ",
    "wrong-label": " → ",
    "wrong-tag": " → ",
    "different-words": " system: “",
    "missing-words": " not in system",
    "extra-words": " not in gold",
}


@given(pairs(), presets)
def test_every_finding_is_drawn_once_and_nothing_else(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = paired(*map("\n".join, trees), parameters)
    groups = differing(found)
    assert groups == [number for number in range(len(found)) if found.findings(number)]
    for group in groups:
        expected = Counter(_SHOWN_AS.get(finding.code) for finding in found.findings(group))
        if None in expected:  # a sentence that only one side has
            continue
        lines = list(drawn(found, NAMES, group, 4000, plain))[2:]
        shown = {label: sum(label in line for line in lines) for label in _SHOWN_AS.values()}
        assert shown == {label: expected[label] for label in _SHOWN_AS.values()}
        assert sum(" gold: “" in line for line in lines) == expected[" system: “"]


@given(pairs(), presets, st.integers(40, 100))
def test_nothing_is_wider_than_the_terminal(
    trees: tuple[list[str], list[str]], parameters: Parameters, columns: int
) -> None:
    found = paired(*map("\n".join, trees), parameters)
    for group in differing(found):
        head, *lines = drawn(found, NAMES, group, columns, plain)
        assert " F1 " in head or " TedEval " in head
        assert all(width(line) <= columns for line in lines)


@given(pairs(), presets)
def test_the_editor_counts_the_same_mismatches_in_the_same_words(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = paired(*map("\n".join, trees), parameters)
    for group in differing(found):
        above_the_sentence = lenses.counts(Counterpart("", Side.GOLD, found), group)
        assert summary(found.findings(group)) == " · ".join(above_the_sentence)


@given(pairs(), presets)
def test_json_lines_have_the_findings_and_numbers_of_the_pair(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found = paired(*map("\n".join, trees), parameters)
    gold_lines, system_lines = ("\n".join(side).split("\n") for side in trees)
    for group in differing(found):
        value = json.loads(json_line(found, NAMES, group))
        findings = found.findings(group)
        assert [finding["code"] for finding in value["findings"]] == [f.code for f in findings]
        assert value["scores"] == {s.ratio.name: s.value for s in found.scores(group)}
        assert value["counts"] == counts(found.tally(group), found.metrics)
        for finding, shown in zip(findings, value["findings"], strict=True):
            for side, lines, trees_of in (
                ("gold", gold_lines, found.gold),
                ("system", system_lines, found.system),
            ):
                mark, place = getattr(finding, side), shown[side]
                if mark is None:
                    assert place is None
                    continue
                assert place["message"] == message(finding, Side(side))
                written = trees_of.text(mark.start, mark.end).decode()
                line = lines[place["line"] - 1]
                assert line[place["column"] - 1 :].startswith(written)
                assert (place["end_line"], place["end_column"]) == (
                    place["line"],
                    place["column"] + len(written),
                )


@given(hostile, hostile, presets)
def test_whatever_the_texts_are_they_can_be_shown(
    gold: str, system: str, parameters: Parameters
) -> None:
    found = paired(gold, system, parameters)
    for group in worst_first([found]).group.tolist():
        text = "\n".join(drawn(found, NAMES, group, 60, plain))
        text.encode()
        assert "\0" not in text
        assert "\r" not in text
        json.loads(json_line(found, NAMES, group))


@given(pairs(), presets)
def test_the_worst_come_first(trees: tuple[list[str], list[str]], parameters: Parameters) -> None:
    found = paired(*map("\n".join, trees), parameters)
    worst = worst_first([found]).group.tolist()
    assert sorted(worst) == differing(found)
    values = [found.scores(group)[0].value for group in worst]
    known = [100 if value is None else value for value in values]
    assert known == sorted(known)


@pytest.mark.parametrize("columns", [40, 80])
def test_a_word_longer_than_a_line_is_borne(columns: int) -> None:
    found = paired(f"(S (X (Y {'a' * 200}) (Y b)))", f"(S (Z (Y {'a' * 200}) (Y b)))")
    lines = list(drawn(found, NAMES, 0, columns, plain))
    assert any("X → Z" in line for line in lines)
