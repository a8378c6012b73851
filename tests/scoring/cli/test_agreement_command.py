"""``treelens agreement``: its forms say the same, undefined is said, errors are one line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import treelens
from treelens.cli import main

FIRST = "(S (NP (D a) (N b)) (VP (V c)))\n(S (NP (N d)) (VP (V e)))\n"
SECOND = "(S (NP (D a) (N b)) (PP (P c)))\n(S (NP (N d)) (VP (V e)))\n"


@pytest.fixture
def written(tmp_path: Path) -> list[str]:
    names = []
    for name, text in (("anna.mrg", FIRST), ("boris.mrg", SECOND)):
        (tmp_path / name).write_text(text)
        names.append(str(tmp_path / name))
    return names


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["agreement", *arguments]) == 0
    return capsys.readouterr().out


def test_all_forms_say_the_same(written: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    # Labels S S NP NP VP VP against S S NP NP PP VP: Pe (4 + 4 + 2) / 36, Po 5/6.
    kappa = (5 / 6 - 10 / 36) / (1 - 10 / 36)
    found = json.loads(ran(capsys, *written, "--format", "json"))
    assert found["kappa"]["labels"]["value"] == pytest.approx(kappa)
    assert found["disagreements"]["labels"] == [{"first": "VP", "second": "PP", "times": 1}]
    assert found["scores"]["F1"] == {"value": pytest.approx(1000 / 12), "agreed": 10, "items": 12}
    assert treelens.agreement(FIRST, SECOND).kappas["labels"].value == pytest.approx(kappa)
    rows = list(csv.DictReader(ran(capsys, *written, "--format", "csv").splitlines()))
    by_name = {(row["what"], row["name"]): row for row in rows}
    assert float(by_name["kappa", "labels"]["value"]) == pytest.approx(kappa, abs=1e-6)
    assert by_name["disagreement", "labels"]["second"] == "PP"
    for form in ("text", "markdown"):
        shown = ran(capsys, *written, "--format", form)
        assert f"{kappa:.3f}" in shown
        assert "83.33" in shown


def test_all_forms_know_empty_elements_from_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / name) for name in ("a.mrg", "b.mrg", "c.mrg")]
    for name in names:
        Path(name).write_text("(S (NP (-NONE- *)) (VP (VB go)) (. .))\n")
    found = json.loads(ran(capsys, *names[:2], "--format", "json"))["uncounted_kappa"]
    for key in ("empty-elements", "uncounted-tags", "uncounted-words"):
        assert (found[key]["agreed"], found[key]["items"]) == (1, 1), key
        assert f"kappa,{key},,,,1,1" in ran(capsys, *names[:2], "--format", "csv").splitlines()
    for form in ("text", "markdown"):
        rows = ran(capsys, *names[:2], "--format", form).splitlines()
        for title in ("Empty elements", "Tags of words that do not count"):
            assert any(title in row and "1 of 1" in row for row in rows), title
    # α is of words, too.
    units = {row["key"]: row["units"] for row in json.loads(
        ran(capsys, *names, "--format", "json"))["agreement"]}  # fmt: skip
    assert units["tags"] == 2


def test_tables_of_words_have_attachment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(row)
    shown = ran(capsys, *[str(tmp_path / "a.conllu")] * 2)
    assert "LAS" in shown
    assert "–" in shown.split("Heads and relations")[1].split("\n")[0]  # one category: undefined


def test_few_pairs_are_shown_and_the_rest_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, labels in (("a.mrg", "ABC"), ("b.mrg", "XYZ")):
        trees = (f"({label} (N w{at}) (N v{at}))\n" for at, label in enumerate(labels))
        (tmp_path / name).write_text("".join(trees))
    shown = ran(capsys, str(tmp_path / "a.mrg"), str(tmp_path / "b.mrg"), "--limit", "1")
    assert "3 differ, the most frequent 1 of 3 pairs" in shown


def test_what_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", "nowhere.mrg", "nowhere.mrg"]) == 2
    assert capsys.readouterr().err == "treelens agreement: nowhere.mrg: no such file\n"
