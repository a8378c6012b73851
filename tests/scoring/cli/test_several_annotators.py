"""``treelens agreement`` with more than two files, and ``treelens suspects``."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from treelens.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
GOLD, SYSTEM = (str(EXAMPLES / f"harbour.{side}.mrg") for side in ("gold", "system"))
TABLES = [str(EXAMPLES / f"marche.{side}.conllu") for side in ("gold", "system")]


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def test_three_annotators_have_alpha_kappa_and_each_pair(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = out(capsys, "agreement", *TABLES, TABLES[0]).splitlines()
    assert shown[0].startswith("3 annotators: ")
    assert any(line.strip().startswith("Heads and relations") for line in shown)
    assert sum(" ↔ " in line for line in shown) == 3
    assert "Relations, by category" in shown


def test_a_file_agrees_with_itself_wholly(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(out(capsys, "agreement", GOLD, GOLD, GOLD, "--format", "json"))
    assert {row["alpha"]["value"] for row in found["agreement"]} == {1.0}
    assert {row["fleiss_kappa"]["value"] for row in found["agreement"]} == {1.0}


def test_two_annotators_can_have_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = out(capsys, "agreement", *TABLES, "--format", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<table") >= 3
    assert "Fleiss’ κ" in page
    assert "<script" not in page


@pytest.mark.parametrize("format", ["csv", "markdown"])
def test_other_forms_have_the_same_numbers(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [GOLD, SYSTEM, GOLD]
    found = json.loads(out(capsys, "agreement", *files, "--format", "json"))
    shown = out(capsys, "agreement", *files, "--format", format)
    alpha = found["agreement"][0]["alpha"]["value"]
    assert (f"{alpha:.3f}" if format == "markdown" else str(alpha)) in shown
    if format == "csv":
        rows = list(csv.reader(shown.splitlines()))
        assert len(rows) == 1 + len(found["agreement"]) + len(found["categories"])


def test_a_report_says_what_parameters_are_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / name) for name in ("a.mrg", "b.mrg", "c.mrg")]
    for name, label in zip(names, ("PRT", "ADVP", "ADVP"), strict=True):
        Path(name).write_text(f"(S (VP (VB go) ({label} (RP out))) (NP (NN now)))\n")
    found = {}
    for parameters in ("default", "none"):
        chosen = ("agreement", *names, "-p", parameters)
        found[parameters] = json.loads(out(capsys, *chosen, "--format", "json"))
        line = found[parameters]["signature"]
        assert f"|parameters:{parameters}|" in line
        assert out(capsys, *chosen).splitlines()[-1] == line
        assert out(capsys, *chosen, "--format", "markdown").splitlines()[-1] == f"`{line}`"
        page = out(capsys, *chosen, "--format", "html")
        said = ("All together, labels and tags as written", "By pair, as the parameters have it")
        assert all(one in page for one in (line, *said))
    default, none = found.values()
    assert default["agreement"] == none["agreement"]
    (brackets,) = (one for one in none["agreement"] if one["key"] == "brackets")
    assert brackets["alpha"]["value"] < 1
    assert [found["pairs"][0]["kappa"]["labels"] for found in (default, none)] == [1, 9 / 13]


def test_what_only_others_than_the_first_have_is_left_out_which_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / name) for name in ("a*.mrg", "b.mrg", "c.mrg")]
    sentences = [f"(S (NP (N n{at})) (VP (V v{at})))\n" for at in range(4)]
    for name, chosen in zip(names, (sentences[:2], sentences[:3], sentences), strict=True):
        Path(name).write_text("".join(chosen))
    said = [
        "left out of α and Fleiss’ κ: 1 sentence that b.mrg has and a*.mrg lacks",
        "left out of α and Fleiss’ κ: 2 sentences that c.mrg has and a*.mrg lacks",
    ]
    assert out(capsys, "agreement", *names).splitlines()[-3:-1] == said
    shown = out(capsys, "agreement", *names, "--format", "markdown")
    page = out(capsys, "agreement", *names, "--format", "html")
    for line in said:
        assert line.replace("*", "\\*") in shown.splitlines()
        assert line in page
    found = json.loads(out(capsys, "agreement", *names, "--format", "json"))
    assert (found["sentences"], found["left_out"]) == (2, [0, 1, 2])
    names.reverse()
    assert "left out" not in out(capsys, "agreement", *names)
    found = json.loads(out(capsys, "agreement", *names, "--format", "json"))
    assert (found["sentences"], found["left_out"]) == (4, [0, 0, 0])


def test_suspects_of_a_long_sentence_are_drawn_under_what_is_around_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"(N w{number})" for number in range(400)]
    gold = "".join([f"(S (VP {' '.join(words[:300])})", *words[300:], ")"])
    system = gold.replace("VP", "NP").replace("(N w350)", "(V w350)")
    for name, text in (("gold.mrg", gold), ("system.mrg", system)):
        (tmp_path / name).write_text(text)
    names = [str(tmp_path / name) for name in ("gold.mrg", "system.mrg", "system.mrg")]
    _, *drawn = out(capsys, "suspects", *names).rstrip("\n").split("\n\n")
    heads, (bracket, tag) = zip(*(one.split("\n", 1) for one in drawn), strict=True)
    assert heads[1].startswith("2 of 2 systems say V here")
    assert bracket.endswith("^ gold VP")
    assert re.findall("w[0-9]+|…", bracket) == [*[f"w{number}" for number in range(160)], "…"]
    around = ["…", *[f"w{number}" for number in range(310, 391)], "…"]
    assert re.findall("w[0-9]+|…", tag) == around
    under = next(line for line in tag.splitlines() if "^" in line)
    above = tag.splitlines()[tag.splitlines().index(under) - 1]
    assert above[under.index("^") : under.rindex("^") + 1] == "w350"


def test_suspects_are_drawn_under_golds_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = out(capsys, "suspects", GOLD, SYSTEM, SYSTEM).splitlines()
    assert shown[0].endswith("places where systems agree against gold")
    assert shown[2].startswith("2 of 2 systems say ")
    assert f"{GOLD}:" in shown[2]
    assert any("^" in line and "gold " in line for line in shown)
    found = [
        json.loads(line)
        for line in out(capsys, "suspects", GOLD, SYSTEM, SYSTEM, "-f", "jsonl").splitlines()
    ]
    assert shown[0].startswith(f"{len(found)} ")
    text = Path(GOLD).read_text(encoding="utf-8").splitlines()
    assert all(1 <= one["line"] <= len(text) for one in found)
    assert main(["suspects", GOLD, SYSTEM, SYSTEM, "--fail-over", "0"]) == 1
    capsys.readouterr()
    rows = list(
        csv.DictReader(out(capsys, "suspects", GOLD, SYSTEM, SYSTEM, "-f", "csv").splitlines())
    )
    assert len(rows) == len(found)
    assert out(capsys, "suspects", GOLD, GOLD, SYSTEM).startswith("0 places")


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        ([SYSTEM], "no 2 systems can agree where there are 1"),
        ([SYSTEM, SYSTEM, "--least", "3"], "no 3 systems can agree where there are 2"),
    ],
)
def test_fewer_systems_than_have_to_agree_are_said(
    systems: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suspects", GOLD, *systems]) == 2
    assert said in capsys.readouterr().err
    assert main(["suspects", GOLD, SYSTEM, "--least", "1"]) == 0, "what one says may be asked for"


def test_reports_of_several_systems_have_what_these_agree_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = [
        json.loads(line)
        for line in out(capsys, "suspects", GOLD, SYSTEM, SYSTEM, "-f", "jsonl").splitlines()
    ]
    report = json.loads(out(capsys, "score", GOLD, SYSTEM, SYSTEM, "-f", "json"))
    assert report["suspects"] == found
    assert "suspects" not in json.loads(out(capsys, "score", GOLD, SYSTEM, "-f", "json"))
    shown = out(capsys, "score", GOLD, SYSTEM, SYSTEM, "--per-sentence").splitlines()
    drawn = out(capsys, "suspects", GOLD, SYSTEM, SYSTEM).splitlines()
    assert drawn[0] in shown
    assert sum(line.startswith("2 of 2 systems say ") for line in shown) == len(found)
    page = out(capsys, "score", GOLD, SYSTEM, SYSTEM, "-f", "html")
    own = out(capsys, "suspects", GOLD, SYSTEM, SYSTEM, "-f", "html")
    section = own[own.index('<section id="suspects"') : own.index("</section>")]
    assert section.count("<tr>") == len(found) + 1
    assert section in page
    assert "suspects" not in out(capsys, "score", GOLD, SYSTEM, "-f", "html")
