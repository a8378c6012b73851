"""``treelens worklist``: the same list as in the editor, with the states from the files."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from treelens.cli import main
from treelens.compare.comparison import Comparison
from treelens.differences.difference import Finding
from treelens.session import pair

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n(S (NP (N you)))\n(S (NP (N it)))\n"
SYSTEM = "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n(S (XP (N you)))\n(S (NP (N it)))\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.mrg").write_text(GOLD)
    (tmp_path / "system.mrg").write_text(SYSTEM)
    (tmp_path / "system.mrg.review").write_text(
        "question\t1\tyou\t\twhy, then?\nchecked\t1\tit\nnonsense\n"
    )
    return tmp_path


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["worklist", "gold.mrg", "system.mrg", "--format", "json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_worst_comes_first_with_its_state(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *others = listed(capsys)
    assert (first["sentence"], first["place"], first["errors"]) == (2, "system.mrg:2", 1)
    assert (first["state"], first["note"]) == ("question", "why, then?")
    assert [one["state"] for one in others] == ["todo", "checked"]
    assert [one["sentence"] for one in listed(capsys, "--sort", "file")] == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--state", "todo"), [1]),
        (("--state", "checked"), [3]),
        (("--find", "XP"), [2]),
        (("--errors", "1"), [2, 1]),
        (("--errors", "2"), []),
        (("--limit", "1"), [2]),
        (("--review", "gold", "--state", "todo"), [2, 1, 3]),
    ],
)
def test_filters(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    expected: list[int],
) -> None:
    assert [one["sentence"] for one in listed(capsys, *arguments)] == expected


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("labels", [("NP missing", 1), ("NP→XP", 2)]),
        ("kind", [("Labels", 2), ("Missing Brackets", 1)]),
        ("class", [("Missing Node", 1), ("Single Word Phrase", 2)]),
        ("state", [("In Question", 2), ("To Do", 1), ("Checked", 3)]),
    ],
)
def test_groups(
    folder: Path, capsys: pytest.CaptureFixture[str], by: str, expected: list[tuple[str, int]]
) -> None:
    found = [(one["group"], one["sentence"]) for one in listed(capsys, "--by", by)]
    assert found == expected


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("pipe", "is no file that can be read"),
        ("folder", "is no file that can be read"),
        ("link nowhere", "is no file that can be read"),
        ("link out", "is a link that leads out of its folder"),
    ],
)
def test_what_is_no_sidecar_is_not_read(
    what: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "inside").mkdir()
    for name in ("gold.mrg", "system.mrg"):
        (folder / name).rename(folder / "inside" / name)
    there = folder / "inside" / "system.mrg.review"
    if what == "pipe":
        os.mkfifo(there)
    elif what == "folder":
        there.mkdir()
    else:
        there.symlink_to("../system.mrg.review" if what == "link out" else "gone")
    assert main(["worklist", "inside/gold.mrg", "inside/system.mrg"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("0 of 3 checked, 3 to do")
    assert said.err == (
        f"inside/system.mrg.review {why}: what it says of sentences is not listed\n"
    )


def test_a_sidecar_may_be_a_link_within_its_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = listed(capsys)
    (folder / "system.mrg.review").rename(folder / "states")
    (folder / "system.mrg.review").symlink_to("states")
    assert listed(capsys) == before


def test_as_csv_and_as_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worklist", "gold.mrg", "system.mrg", "--format", "csv"]) == 0
    said = capsys.readouterr()
    rows = [*csv.DictReader(io.StringIO(said.out))]
    assert [row["note"] for row in rows] == ["why, then?", "", ""]
    assert "system.mrg.review:3: “nonsense” is no state" in said.err
    assert main(["worklist", "gold.mrg", "system.mrg"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("1 of 3 checked, 1 to do, 1 in question\n")
    assert "system.mrg:2  you  (why, then?)" in text


def test_what_no_score_counts_is_listed_unless_only_the_counted_is_wanted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "system.mrg").write_text(GOLD.replace("(NP (N you))", "(NP-VOC (N you))"))
    (found,) = listed(capsys, "--errors", "1")
    assert (found["sentence"], found["mismatches"]) == (2, "1 not counted: function tag")
    assert listed(capsys, "--errors", "1", "--counted") == []


def test_what_several_systems_agree_on_comes_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.mrg").write_text(SYSTEM.replace("XP", "YP"))
    names = ["gold.mrg", "system.mrg", "other.mrg"]
    assert main(["worklist", *names, "--sort", "suspects", "--format", "json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["sentence"] for one in found] == [1, 2, 3]
    assert found[0]["mismatches"].startswith("1 place where 2 systems agree against gold")
    assert main(["worklist", "gold.mrg", "system.mrg", "--sort", "suspects"]) == 2
    assert "name more than one" in capsys.readouterr().err


def test_what_differs_is_found_for_many_sentences_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []
    find = pair.find

    def counting(comparison: Comparison, *strict: bool) -> tuple[Finding, ...]:
        compared.append(comparison.groups)
        return find(comparison, *strict)

    monkeypatch.setattr(pair, "find", counting)
    (folder / "gold.mrg").write_text(GOLD * 400)
    (folder / "system.mrg").write_text(SYSTEM * 400)
    assert len(listed(capsys)) == sum(compared) == 1200
    assert len(compared) == 3
