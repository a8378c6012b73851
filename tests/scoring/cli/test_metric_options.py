"""--metric, --heads and --list, on the command line and in the library."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import treelens
from treelens.cli import main
from treelens.metrics.table import METRICS
from treelens.present.numbers import short
from treelens.present.status import totals

GOLD = "(S (NP-SBJ (DT the) (NN dog)) (VP (VB barks)))\n"
TABLE = "1\tthe\t_\tDT\t_\t_\t2\tDT\t_\t_\n2\tdog\t_\tNN\t_\t_\t3\tNP\t_\t_\n"
TABLE += "3\tbarks\t_\tVB\t_\t_\t0\tS\t_\t_\n\n"


def run(
    capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> tuple[list[str], str]:
    assert main([*arguments]) == status
    said = capsys.readouterr()
    return said.out.splitlines(), said.err


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "gold": GOLD,
        "system": GOLD.replace("NP-SBJ", "NX"),
        "table": TABLE,
        "heads.txt": "S (l NP NX)\n*default* (r)\nNP r\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def values(lines: list[str]) -> dict[str, float | None]:
    found: dict[str, float | None] = json.loads("\n".join(lines))["systems"][0]["corpus"]["all"][
        "scores"
    ]
    return found


def test_the_list_has_every_metric_and_score(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = run(capsys, "score", "--list")
    text = "\n".join(lines)
    for metric in METRICS:
        assert f"{metric.name}: {metric.title}" in lines
        assert f"  source   {metric.source}" in lines
        for ratio in metric.ratios:
            assert any(line.split() == [ratio.name, *ratio.title.split()] for line in lines)
    assert text.count("on request") == sum(not metric.standard for metric in METRICS)
    assert text.count("brackets with --heads") == sum(metric.from_heads for metric in METRICS)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["score", "compare", "significance"])
def test_names_that_do_not_fit_are_one_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, name, message in (
        ("-m", "leafancestor", "“leafancestor” is no metric and no score; did you mean leaf-"),
        ("-m", "F1,,LAS", "“” is no metric and no score"),
        ("-m", "UAS", "“UAS” is not counted of brackets; with --heads it is"),
        ("-m", "CLAS", "“CLAS” is not counted of brackets ("),
        ("--heads", "magerman", "magerman: no such head table, nor one of ours (charniak, collins"),
    ):
        lines, said = run(capsys, command, option, name, "gold", "system", status=2)
        assert lines == []
        assert said.startswith(f"treelens {command}: {message}")
        assert said.count("\n") == 1


@pytest.mark.usefixtures("files")
def test_only_what_is_named_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = run(capsys, "score", "-f", "json", "-m", "recall", "-m", "TAGGING", "gold", "system")
    assert values(lines) == {"recall": pytest.approx(200 / 3), "tagging": 100}
    assert "|metrics:parseval+tagging|" in lines[1]
    lines, _ = run(capsys, "compare", "-m", "leaf-ancestor-plain", "gold", "system", status=1)
    assert "Leaf-ancestor, plain" in lines[0]


@pytest.mark.usefixtures("files")
def test_all_is_what_applies(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = run(capsys, "score", "-f", "json", "-m", "all", "gold", "system")
    assert {"F1", "leaf-ancestor-plain", "MWE"} <= values(lines).keys()
    assert "UAS" not in values(lines)
    lines, _ = run(capsys, "score", "-f", "json", "-m", "all", "table", "table")
    assert {"UAS", "CLAS", "NED", "MWE"} <= values(lines).keys()
    assert "F1" not in values(lines)


@pytest.mark.usefixtures("files")
def test_brackets_have_attachments_with_heads(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("score", "-f", "json", "-m", "UAS,LAS,LAS-subtypes", "--heads", "collins")
    lines, _ = run(capsys, *arguments, "gold", "system")
    assert values(lines) == {"LAS": pytest.approx(200 / 3), "UAS": 100,
                             "LAS-subtypes": pytest.approx(200 / 3)}  # fmt: skip
    lines, _ = run(capsys, *arguments, "gold", "table")
    assert values(lines) == {"LAS": 100, "UAS": 100, "LAS-subtypes": pytest.approx(200 / 3)}
    assert lines[1].endswith('|heads:collins",')


@pytest.mark.usefixtures("files")
def test_a_table_of_heads_is_read_and_its_faults_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("score", "-f", "json", "-m", "UAS", "--heads", "heads.txt", "gold", "table")
    lines, said = run(capsys, *arguments)
    # The noun phrase is the head of the sentence: two of three arcs are others.
    assert values(lines) == {"UAS": pytest.approx(100 / 3)}
    assert said.startswith("heads.txt:3: a rule such as (r NN) is expected")
    assert "|heads:heads.txt#" in lines[1]


@pytest.mark.usefixtures("files")
def test_it_is_said_what_files_of_two_kinds_have_no_numbers_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, said = run(capsys, "score", "gold", "table")
    asked = "note: brackets against CoNLL tables: "
    assert f"{asked}parseval, crossing, attachment, universal cannot be counted" in said
    _, said = run(capsys, "score", "--heads", "heads.txt", "gold", "table")
    assert f"{asked}parseval, crossing, universal cannot be counted" in said
    for arguments in (("gold", "gold"), ("table", "table"), ("-m", "tagging", "gold", "table")):
        _, said = run(capsys, "score", *arguments)
        assert "cannot be counted" not in said


def test_the_library_takes_the_same_names() -> None:
    result = treelens.score(GOLD, GOLD.replace("NP-SBJ", "NX"), metrics=["recall", "leaf-ancestor"])
    assert result.scores["recall"] == pytest.approx(200 / 3)
    assert [*result.counts] == ["parseval", "leaf-ancestor"]
    headed = replace(treelens.PRESETS["default"], heads=treelens.HEADS["charniak"])
    assert treelens.score(GOLD, TABLE, headed, metrics=["UAS"]).scores == {"UAS": 100}
    assert "UAS" in treelens.score(GOLD, GOLD, headed).scores
    with pytest.raises(ValueError, match="“LASS” is no metric and no score"):
        treelens.score(GOLD, GOLD, metrics=["LASS"])
    with pytest.raises(ValueError, match="“LAS” is not counted of brackets against conll"):
        treelens.score(GOLD, TABLE, metrics=["LAS"])


@pytest.mark.usefixtures("files")
def test_systems_of_other_formats_have_in_common_what_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, _ = run(capsys, "score", "-m", "all", "--heads", "collins", "gold", "system", "table")
    assert any(line.split()[:1] == ["UAS"] for line in lines)
    assert not any(line.split()[:2] == ["Bracketing", "F1"] for line in lines)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", [metric.name for metric in METRICS])
@pytest.mark.parametrize("form", ["table", "html", "json", "csv", "markdown", "latex"])
def test_every_metric_alone_has_every_report(
    name: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "table" if "dependencies" in _takes(name) else "gold"
    system = "table" if "dependencies" in _takes(name) else "system"
    lines, _ = run(capsys, "score", "-m", name, "-f", form, gold, system)
    assert lines


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "name", [metric.name for metric in METRICS if "constituents" in metric.takes]
)
def test_the_worst_sentence_comes_first_by_every_metric(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gold").write_text("(S (A-F (X a) (X b)) (X c))\n(S (MW+-F (X d) (X e)) (X f))\n")
    (tmp_path / "system").write_text("(S (A-F (X a) (X b)) (Y c))\n(S (Y d) (MW+-F (Y e) (X f)))\n")
    lines, _ = run(capsys, "compare", "-m", name, "-o", "worst", "gold", "system", status=1)
    assert lines[0].startswith("sentence 2 ")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", [ratio.name for metric in METRICS for ratio in metric.ratios])
def test_the_editor_shows_any_score(name: str) -> None:
    headed = replace(treelens.PRESETS["default"], heads=treelens.HEADS["collins"])
    texts = (GOLD, GOLD)
    try:
        found = treelens.score(*texts, headed, metrics=[name])._pair
    except ValueError:
        texts = (TABLE, TABLE)
        found = treelens.score(*texts, headed, metrics=[name])._pair
    assert short(found.scores())
    assert isinstance(totals(found), str)


def _takes(name: str) -> frozenset[str]:
    return next(frozenset(metric.takes) for metric in METRICS if metric.name == name)
