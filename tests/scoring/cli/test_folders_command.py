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
    assert text[-1].startswith("2 files: ")
    assert text[-1].split("·")[1:] == whole[-2].split("·")[1:]
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
    rows = out(capsys, "suspects", "gold", "system", "system", "-f", "csv").splitlines()
    assert len(rows) == len(found) + 1
    few = out(capsys, "suspects", "gold", "system", "system", "-n", "3", "-f", "jsonl")
    assert lines(few) == found[:3]
    assert main(["suspects", "gold", "system", "system", "-f", "html"]) == 2
    capsys.readouterr()
    limit = ("--fail-over", str(len(found) - 1))
    out(capsys, "suspects", "gold", "system", "system", *limit, status=1)
