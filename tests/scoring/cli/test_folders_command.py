"""Folders, patterns and packed files, by commands that look at one file after the other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from treelens.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("harbour", "garden")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files a side, one of them packed and in a folder of its own, and one of gold alone."""
    monkeypatch.chdir(tmp_path)
    for side in ("gold", "system"):
        texts = [(EXAMPLES / f"{name}.{side}.mrg").read_bytes() for name in NAMES]
        (tmp_path / side / "b").mkdir(parents=True)
        (tmp_path / side / "a.mrg").write_bytes(texts[0])
        (tmp_path / side / "b" / "c.mrg.gz").write_bytes(gzip.compress(texts[1]))
        (tmp_path / f"{side}.mrg").write_bytes(b"\n".join(texts))
    (tmp_path / "gold" / "alone.mrg").write_bytes(b"(S (N x))\n")
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main([*arguments]) == status
    return capsys.readouterr().out


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_compare_looks_at_one_file_after_the_other(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "gold", "system", "--format", "json"]) == 1
    shown = capsys.readouterr()
    assert "gold/alone.mrg has no partner and is left out" in shown.err
    found, apart = lines(shown.out), []
    for name in ("a.mrg", "b/c.mrg.gz"):
        one = out(capsys, "compare", f"gold/{name}", f"system/{name}", "-f", "json", status=1)
        apart += lines(one)
    assert found == apart
    assert {one["gold"]["file"] for one in found} == {"gold/a.mrg", "gold/b/c.mrg.gz"}
    # What it all comes to is what one file of both would.
    text = out(capsys, "compare", "gold", "system", status=1).splitlines()
    whole = out(capsys, "compare", "gold.mrg", "system.mrg", status=1).splitlines()
    assert text[-2].startswith("2 files: ")
    assert text[-2].split("·")[1:] == whole[-2].split("·")[1:]
    # Which of them each line is of is said, and what the numbers depend on once.
    assert [line.split(": ")[0] for line in text if " sentences differ" in line] == [
        *("system/a.mrg", "system/b/c.mrg.gz"),
        "2 files",
    ]
    assert [line for line in text if line.startswith("treelens|")] == [text[-1]] == [whole[-1]]
    assert (
        len(lines(out(capsys, "compare", "gold", "system", "-f", "json", "-n", "3", status=1))) == 3
    )
    assert main(["compare", "gold", "system", "--fail-under", "1"]) == 0
    assert main(["compare", "gold", "system", "--fail-under", "99"]) == 1


def test_errors_of_files_add_up(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, whole = (
        json.loads(out(capsys, "errors", *sides, "--format", "json", "--examples", "2"))
        for sides in (("gold/*/*.gz", "system/*/*.gz"), ("gold/b", "system/b"))
    )
    assert [one.pop("system") for one in found["systems"]] == ["system/*/*.gz"]
    assert [one.pop("system") for one in whole["systems"]] == ["system/b"]
    assert found["systems"] == whole["systems"]
    both = out(capsys, "errors", "gold", "system", "system", "--format", "csv").splitlines()
    one = out(capsys, "errors", "gold.mrg", "system.mrg", "system.mrg", "-f", "csv").splitlines()
    assert sorted(line.replace("system,", "system.mrg,") for line in both[1:]) == sorted(one[1:])


def test_significance_of_a_folder_is_of_all_its_stretches(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--format", "json", "--iterations", "50")
    found = json.loads(out(capsys, "significance", "gold", "system", "gold", *arguments))
    whole = json.loads(
        out(capsys, "significance", "gold.mrg", "system.mrg", "gold.mrg", *arguments)
    )
    for one in (found, whole):
        for part in (*one["systems"], *one["comparisons"]):
            for key in ("name", "first", "second"):
                part.pop(key, None)
    # (The file that has no partner is in neither.)
    assert found["units"] == whole["units"]
    assert found["systems"] == whole["systems"]
    assert found["comparisons"] == whole["comparisons"]


@pytest.mark.parametrize("command", ["compare", "errors", "significance"])
def test_a_folder_and_a_file_do_not_go_together(
    command: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "gold", "system.mrg"]) == 2
    assert "name two folders" in capsys.readouterr().err


def test_suspects_of_a_folder_are_those_of_its_files(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lines(out(capsys, "suspects", "gold", "system", "system", "-f", "jsonl"))
    apart = []
    for name in ("a.mrg", "b/c.mrg.gz"):
        names = (f"gold/{name}", f"system/{name}", f"system/{name}")
        apart += lines(out(capsys, "suspects", *names, "-f", "jsonl"))
    assert found == apart
    text = out(capsys, "suspects", "gold", "system", "system").splitlines()
    assert [one for one in text if one in ("gold/a.mrg", "gold/b/c.mrg.gz")] == [
        *("gold/a.mrg", "gold/b/c.mrg.gz")
    ]
    assert text[-1] == f"2 files: {len(found)} places where systems agree against gold"
    rows = out(capsys, "suspects", "gold", "system", "system", "-f", "csv").splitlines()
    assert len(rows) == len(found) + 1
    few = out(capsys, "suspects", "gold", "system", "system", "-n", "3", "-f", "jsonl")
    assert lines(few) == found[:3]
    assert main(["suspects", "gold", "system", "system", "-f", "html"]) == 2
    capsys.readouterr()
    limit = ("--fail-over", str(len(found) - 1))
    out(capsys, "suspects", "gold", "system", "system", *limit, status=1)


@pytest.mark.parametrize("annotators", [("gold", "system"), ("gold", "system", "system")])
def test_agreement_of_a_folder_is_that_of_its_files_together(
    annotators: tuple[str, ...], corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, whole = (
        json.loads(out(capsys, "agreement", *names, "--format", "json"))
        for names in (annotators, [f"{name}.mrg" for name in annotators])
    )
    of_files = found.pop("files")
    assert [one["file"] for one in of_files] == ["a.mrg", "b/c.mrg.gz"]
    for key in ("scores", "kappa", "disagreements", "uncounted", "agreement", "categories"):
        assert found.get(key) == whole.get(key)
    apart = out(capsys, "agreement", *(f"{name}/a.mrg" for name in annotators), "-f", "json")
    numbers = json.loads(apart)
    if len(annotators) == 2:
        assert of_files[0]["kappa"] == numbers["kappa"]
    else:
        alphas = {row["key"]: row["alpha"]["value"] for row in numbers["agreement"]}
        assert of_files[0]["alpha"] == alphas
        assert [pair["kappa"] for pair in found["pairs"]] == [
            pair["kappa"] for pair in whole["pairs"]
        ]
    for form in ("text", "markdown", "csv", "html"):
        shown = out(capsys, "agreement", *annotators, "--format", form)
        assert "b/c.mrg.gz" in shown.replace("\\", "")


def test_changes_of_a_folder_are_those_of_its_files(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.mrg", "b/c.mrg.gz"):
        (corpus / "new" / name).parent.mkdir(parents=True, exist_ok=True)
    (corpus / "new" / "a.mrg").write_bytes((corpus / "gold" / "a.mrg").read_bytes())
    garden = (corpus / "system" / "b" / "c.mrg.gz").read_bytes()
    (corpus / "new" / "b" / "c.mrg.gz").write_bytes(garden)
    texts = [(corpus / "new" / "a.mrg").read_bytes(), gzip.decompress(garden)]
    (corpus / "new.mrg").write_bytes(b"\n".join(texts))
    found, whole = (
        lines(out(capsys, "changes", *names, "-f", "jsonl", "--iterations", "50"))
        for names in (("gold", "system", "new"), ("gold.mrg", "system.mrg", "new.mrg"))
    )
    of_files = found[0].pop("by_file")
    assert list(of_files) == ["a.mrg", "b/c.mrg.gz"]
    assert of_files["a.mrg"]["mended"] == found[0]["differences"]["mended"] > 0
    assert of_files["b/c.mrg.gz"]["mended"] == 0
    assert found[0].pop("files") != whole[0].pop("files")
    assert found[0] == whole[0]
    for one, other in zip(found[1:], whole[1:], strict=True):
        assert one.pop("files")["gold"] == "gold/a.mrg"
        assert one == other
    for form in ("text", "html"):
        assert "b/c.mrg.gz" in out(capsys, "changes", "gold", "system", "new", "-f", form)


def test_errors_are_told_of_each_file(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(out(capsys, "errors", "gold", "system", "-f", "json"))
    assert [one["file"] for one in found["files"]] == ["a.mrg", "b/c.mrg.gz"]
    for one in found["files"]:
        sides = [f"{side}/{one['file']}" for side in ("gold", "system")]
        apart = json.loads(out(capsys, "errors", *sides, "-f", "json"))
        for field in ("errors", "brackets"):
            assert one["systems"][0][field] == apart["systems"][0][field] > 0
    for form in ("text", "markdown"):
        shown = out(capsys, "errors", "gold", "system", "-f", form).replace("\\", "")
        assert f"{found['files'][1]['systems'][0]['errors']}" in next(
            line for line in shown.splitlines() if "b/c.mrg.gz" in line
        )


@pytest.mark.parametrize(
    "options", [(), ("--by", "labels"), ("--by", "state"), ("--sort", "file"), ("--find", "NP")]
)
def test_the_worklist_of_a_folder_has_all_its_sentences_in_order(
    options: tuple[str, ...], corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "system" / "a.mrg.review").write_text("question\t1\tx\t\twhy?\n")
    found, whole = (
        lines(out(capsys, "worklist", *sides, "-f", "json", *options))
        for sides in (("gold", "system"), ("gold.mrg", "system.mrg"))
    )
    assert {one["place"].split(":")[0] for one in found} == {
        "system/a.mrg",
        "system/b/c.mrg.gz",
    }
    for one in (*found, *whole):
        for key in ("place", "sentence"):
            one.pop(key)
    assert found == whole
    text = out(capsys, "worklist", "gold", "system", *options).splitlines()
    assert text[0] == out(capsys, "worklist", "gold.mrg", "system.mrg", *options).splitlines()[0]


def test_a_sentence_is_found_and_drawn_in_a_folder(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "gold" / "alone.mrg").unlink()
    first = (corpus / "gold" / "a.mrg").read_text(encoding="utf-8").count("\n(") + 1
    shown = out(capsys, "picture", "gold", "system", "-s", str(first + 2))
    sides = [f"{side}/b/c.mrg.gz" for side in ("gold", "system")]
    assert shown == out(capsys, "picture", *sides, "-s", "2")
    assert shown != out(capsys, "picture", "gold", "-s", str(first + 2))
    assert main(["picture", "gold", "system", "-s", "100000"]) == 2
    assert "gold has no sentence “100000”" in capsys.readouterr().err


def test_tedeval_of_a_folder_is_that_of_its_files_one_behind_the_other(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "gold" / "alone.mrg").unlink()
    names = ("-g", "gold", "-p", "system", "-o", "folder")
    found = out(capsys, "tedeval", *names).splitlines()
    whole = out(capsys, "tedeval", "-g", "gold.mrg", "-p", "system.mrg", "-o", "whole").splitlines()
    assert [line.split()[2] for line in found[:2]] == ["system/a.mrg", "system/b/c.mrg.gz"]
    assert found[5:] == whole[2:]
    assert (corpus / "folder.ted").read_text() == (corpus / "whole.ted").read_text()
    apart = out(capsys, "tedeval", "-g", "gold/b/c.mrg.gz", "-p", "system/b/c.mrg.gz")
    assert found[1].split()[0] in apart
    (corpus / "arcs.lattices").write_text("")
    assert main(["tedeval", *names, "--version", "2012b", "--lattice", "arcs.lattices"]) == 2
    assert "--lattice is of one file, not of many" in capsys.readouterr().err


def test_tedeval_of_a_pattern_that_one_file_fits_is_that_of_the_file(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = out(capsys, "tedeval", "-g", "gold/a.mrg", "-p", "system/a.mrg", "-o", "file")
    assert file == out(capsys, "tedeval", "-g", "gold/a.*", "-p", "system/a.*", "-o", "pattern")
    assert (corpus / "file.ted").read_text() == (corpus / "pattern.ted").read_text()
