"""Reports of scores: what they print is what the pair counted, in every form."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import BAD, GOLD, GOOD, reported
from treelens.metrics.table import METRICS, metrics_of
from treelens.report.as_csv import comma_separated
from treelens.report.as_json import json_text
from treelens.report.as_markdown import markdown
from treelens.report.as_table import Look, table
from treelens.report.content import counts, short_names, signature
from treelens.rules.parameters import PRESETS, Parameters
from trees import pairs

presets = st.sampled_from(list(PRESETS.values()))

BRACKETS = metrics_of("constituents")
"""The metrics of two files of bracketed trees."""


def test_one_system_in_a_table() -> None:
    found, _ = reported(GOLD, GOOD)
    drawn = list(table(found, Look()))
    lines = [" ".join(line.split()) for line in drawn]
    head = lines.index("Pairing of sentences")
    assert lines[:7] == [
        "gold gold.mrg",
        "system out/system1.mrg",
        "",
        "all up to 40 words counts",
        "─" * len(drawn[4]),
        "Sentences 3 3",
        "Bracketing F1 66.67 66.67 10 of 15",
    ]
    assert lines[head:-2] == [
        "Pairing of sentences",
        "in gold 3",
        "in system 3",
        "paired one to one 2",
        "split or merged 0",
        "missing in system 1",
        "extra in system 0",
        "with counted differences 2",
        "",
    ]
    assert lines[-1] == found.signature
    assert len(drawn[3]) == len(drawn[4]) == len(drawn[6])


def test_what_is_uncertain_in_how_sentences_were_paired_has_lines() -> None:
    known = [f"(S (N w{number}) (V does) (N this{number}))\n" for number in range(60)]
    guessed = ["(S (N one) (N and) (V three) (N four))\n", "(S (N yes) (. .))\n"]
    others = ["(S (N one) (N xxxx) (V zzzz) (N qqqq))\n", "(S (N so) (. .))\n"]
    gold = "".join([*known[:10], guessed[0], *known[10:15], guessed[1], *known[15:]])
    shown = [*known[:10], others[0], *known[10:15], others[1], *known[15:20]]
    system = "".join([*shown, *known[40:], *known[20:22]])
    found, _ = reported(gold, system)
    said = ["  in gaps of one side", "  moved to another place", "  paired by a guess"]
    lines = {line[:28].rstrip(): line[28:].strip() for line in table(found, Look())}
    assert [lines[title] for title in said] == ["18", "2", "2"]
    assert all(title.strip() in "".join(markdown(found, Look())) for title in said)


def test_several_systems_stand_side_by_side_as_far_as_there_is_room() -> None:
    found, _ = reported(GOLD, GOOD, BAD, GOLD)
    wide = list(table(found, Look(columns=80)))
    assert [line.split() for line in wide if line.startswith("  Bracketing F1")] == [
        ["Bracketing", "F1", "66.67", "82.35", "100.00"]
    ] * 2
    assert all(len(line) <= 80 for line in wide[:-2])
    narrow = list(table(found, Look(columns=60)))
    assert [line.split()[2:] for line in narrow if line.startswith("  Bracketing F1")] == [
        ["66.67", "82.35"],
        ["66.67", "82.35"],
        ["100.00"],
        ["100.00"],
    ]


def test_the_best_system_is_bold_in_markdown() -> None:
    found, _ = reported(GOLD, GOOD, BAD)
    lines = list(markdown(found, Look()))
    assert lines[:4] == [
        "| gold: gold.mrg | system1.mrg | system2.mrg |",
        "| :-- | --: | --: |",
        "| **All sentences** | 3 | 3 |",
        "| Bracketing F1 | 66.67 | **82.35** |",
    ]
    assert "| Average crossing | **0.00** | 0.33 |" in lines
    assert lines[-1] == f"`{found.signature}`"


def test_sentence_by_sentence() -> None:
    found, _ = reported(GOLD, GOOD)
    lines = list(table(found, Look(per_sentence=True)))
    at = next(k for k, line in enumerate(lines) if line.split()[:3] == ["gold", "system", "words"])
    assert [line.split()[:6] for line in lines[at + 2 : at + 5]] == [
        ["1", "1", "3", "100.00", "100.00", "100.00"],
        ["2", "2", "3", "66.67", "66.67", "66.67"],
        ["3", "3", "2", "0.00", "0.00", "–"],
    ]


def test_a_split_sentence_has_a_line_of_its_own() -> None:
    split = "(S (NP (NN rain)))\n(S (VP (VB falls)))\n"
    found, _ = reported("(S (NP (NN rain)) (VP (VB falls)))\n", split)
    (system,) = found.systems
    assert (system.pairing.regrouped_gold, system.pairing.regrouped_system) == (1, 2)
    assert ["split", "or", "merged", "1", "→", "2"] in map(str.split, table(found, Look()))
    rows = list(csv.DictReader(io.StringIO("\n".join(comma_separated(found)))))
    assert (rows[2]["gold_sentence"], rows[2]["system_sentence"]) == ("1", "1-2")


# --- laws ------------------------------------------------------------------------------------


@given(pairs(), presets)
def test_json_has_the_numbers_of_the_pair(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found, (scored,) = reported(*map("\n".join, trees), parameters=parameters)
    value = json.loads("\n".join(json_text(found)))
    (system,) = value["systems"]
    corpus, groups = system["corpus"], system["groups"]
    assert corpus["all"]["scores"] == {s.ratio.name: s.value for s in scored.scores()}
    assert corpus["all"]["counts"] == counts(scored.total, scored.metrics)
    assert len(groups) == len(scored)
    for number, group in enumerate(groups):
        assert group["scores"] == {s.ratio.name: s.value for s in scored.scores(number)}
        assert group["counts"] == counts(scored.tally(number), scored.metrics)
        assert group["different"] == bool(scored.findings(number))
    for block, chosen in (
        ("all", groups),
        ("cutoff", [group for group in groups if group["length"] <= parameters.cutoff]),
    ):
        total: Counter[tuple[str, str]] = Counter()
        for group in chosen:
            for metric, names in group["counts"].items():
                total.update({(metric, name): count for name, count in names.items()})
        assert {
            (metric, name): count
            for metric, names in corpus[block]["counts"].items()
            for name, count in names.items()
            if count
        } == {key: count for key, count in total.items() if count}
    assert value["signature"] == signature(parameters, scored.metrics)


@given(pairs(), presets)
def test_the_other_forms_say_the_same(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found, (scored,) = reported(*map("\n".join, trees), parameters=parameters)
    printed = {s.ratio.title: "–" if s.value is None else f"{s.value:.2f}" for s in scored.scores()}
    lines = list(table(found, Look()))
    shown = {line[: len(title)].strip(): line for title in printed for line in lines[6:]}
    for title, value in printed.items():
        assert shown[title][len(title) :].split()[0] == value
        assert f"| {title} | {value} |" in list(markdown(found, Look()))
    rows = list(csv.DictReader(io.StringIO("\n".join(comma_separated(found)))))
    assert [row["scope"] for row in rows] == ["all", "cutoff", *["sentence"] * len(scored)]
    names = [ratio.name for metric in BRACKETS for ratio in metric.ratios]
    assert [rows[0][name] or "–" for name in names] == list(printed.values())
    counted = [f"{metric.name}.{count}" for metric in BRACKETS for count in metric.counts]
    assert [[int(row[name]) for name in counted] for row in rows[2:]] == scored.tallies().tolist()


@given(pairs(), presets)
def test_every_sentence_is_paired_in_one_way(
    trees: tuple[list[str], list[str]], parameters: Parameters
) -> None:
    found, (scored,) = reported(*map("\n".join, trees), parameters=parameters)
    pairing = found.systems[0].pairing
    wordless = {"gold": 0, "system": 0}
    for number in range(len(scored)):
        comparison = scored.comparison(number)
        golds, systems = len(comparison.gold.forest.word), len(comparison.system.forest.word)
        wordless["gold"] += 0 if golds else len(scored.group(number).gold)
        wordless["system"] += 0 if systems else len(scored.group(number).system)
    golds = pairing.one_to_one + pairing.regrouped_gold + pairing.missing
    systems = pairing.one_to_one + pairing.regrouped_system + pairing.extra
    assert golds + wordless["gold"] == len(scored.gold)
    assert systems + wordless["system"] == len(scored.system)
    assert pairing.different == scored.mismatches


def test_names_of_counts_and_scores_are_unique() -> None:
    names = [ratio.name for metric in METRICS for ratio in metric.ratios]
    assert len(set(names)) == len(names)
    columns = [f"{metric.name}.{count}" for metric in METRICS for count in metric.counts]
    assert len(set(columns)) == len(columns)


def test_signatures_tell_what_differs() -> None:
    plain = signature(PRESETS["default"], BRACKETS)
    assert plain.startswith("treelens|v:")
    assert "|metrics:parseval+tedeval+crossing+tagging" in plain
    assert "|parameters:default|brackets:labelled|cutoff:40|" in plain
    assert "|parameters:spmrl|brackets:labelled|cutoff:70|" in signature(PRESETS["spmrl"], BRACKETS)
    named = Parameters("a|b", cutoff=10)
    assert "|parameters:a_b#" in signature(named, BRACKETS)
    assert "|cutoff:10|" in signature(named, BRACKETS)


def test_the_documentation_has_every_score_and_the_signature() -> None:
    text = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text(encoding="utf-8")
    unversioned = signature(PRESETS["default"], BRACKETS).split("|", 2)[2]
    assert unversioned in text
    titles = [ratio.title for metric in METRICS for ratio in metric.ratios]
    assert [title for title in titles if f"{title}," not in text and f"{title} |" not in text] == []
    for name in PRESETS:
        assert f"| `{name}` |" in text


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["a/x.mrg", "b/y.mrg"], ["x.mrg", "y.mrg"]),
        (["runs/a/out.mrg", "runs/b/out.mrg"], ["a/out.mrg", "b/out.mrg"]),
        (["x", "x"], ["x", "x"]),
        (["out.mrg", "a/out.mrg"], ["out.mrg", "a/out.mrg"]),
    ],
)
def test_short_names_tell_files_apart(names: list[str], short: list[str]) -> None:
    assert short_names(names) == short
