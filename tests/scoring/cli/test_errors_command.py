"""``treelens errors``: all its forms have the same counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from treelens.cli import main

GOLD = """\
(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes)))))
(S (NP (DT that)) (VP (VBZ is)))
"""
FIRST = """\
(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS eyes))))))
(S (DT that) (VP (NN is)))
"""
SECOND = """\
(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man))) (PP (IN with) (NP (NNS eyes))))
(S (NP (DT that)) (VP (VBZ is)))
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names = {"gold.mrg": GOLD, "first.mrg": FIRST, "second.mrg": SECOND}
    for name, text in names.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return list(names)


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["errors", *arguments]) == 0
    return capsys.readouterr().out


def test_a_table_with_directions_and_examples(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ran(capsys, *written[:2], "--examples", "1").splitlines()
    table = [line.split() for line in lines[3:]]
    assert table[:9] == [
        ["errors", "brackets", "words"],
        ["─" * len("Single Word Phrase" + 3 * 12 * " ")],
        ["PP", "Attachment", "1", "1", "·"],
        ["too", "low", "1", "1", "·"],
        ["Single", "Word", "Phrase", "1", "1", "·"],
        ["Tag", "1", "·", "1"],
        ["All", "3", "2", "1"],
        [],
        ["PP", "Attachment"],
    ]
    told = "PP “with eyes” is attached too low: to a needless NP, not to VP"
    assert f"  gold.mrg:1  {told}" in lines
    assert "  gold.mrg:2  system has NN for “is”, not VBZ" in lines


def test_a_column_a_system_and_none_for_what_nobody_has(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ran(capsys, *written, "--format", "markdown").splitlines()
    assert lines[0] == (
        "| gold: gold.mrg | first.mrg | brackets | words | second.mrg | brackets | words |"
    )
    assert lines[2:5] == [
        "| **PP Attachment** | 1 | 1 | · | 1 | 2 | · |",
        "| – too low | 1 | 1 | · | · | · | · |",
        "| – too high | · | · | · | 1 | 2 | · |",
    ]
    assert lines[7] == "| **All** | 3 | 2 | 1 | 1 | 2 | · |"


def test_json_and_csv_have_the_labels(
    written: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(ran(capsys, *written, "--format", "json", "--examples", "9"))
    first, second = found["systems"]
    assert [first[key] for key in ("sentences", "errors", "brackets", "words")] == [2, 3, 2, 1]
    assert second["classes"] == [
        {
            "class": "PP Attachment",
            "errors": 1,
            "brackets": 2,
            "words": 0,
            "too_low": 0,
            "too_high": 1,
            "labels": [
                {
                    "direction": "too high",
                    "gold_label": "VP",
                    "system_label": "S",
                    "errors": 1,
                    "brackets": 2,
                    "words": 0,
                }
            ],
            "examples": [
                {
                    "place": "gold.mrg:1",
                    "message": "PP “with eyes” is attached too high: to S, not to VP",
                }
            ],
        }
    ]
    rows = list(csv.DictReader(ran(capsys, *written, "--format", "csv").splitlines()))
    for system in (first, second):
        own = [row for row in rows if row["system"] == system["system"]]
        assert sum(int(row["errors"]) for row in own) == system["errors"]
        assert sum(int(row["brackets"]) for row in own) == system["brackets"]
    tag = next(row for row in rows if row["class"] == "Tag")
    assert (tag["gold_label"], tag["system_label"]) == ("VBZ", "NN")


def test_nothing_differs(written: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing differs" in ran(capsys, "gold.mrg", "gold.mrg")
    assert json.loads(ran(capsys, "gold.mrg", "gold.mrg", "--format", "json"))["systems"] == [
        {
            "system": "gold.mrg",
            "sentences": 0,
            "errors": 0,
            "brackets": 0,
            "words": 0,
            "classes": [],
        }
    ]


def test_what_cannot_be_compared_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", str(folder / "gold"), str(folder / "absent")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
