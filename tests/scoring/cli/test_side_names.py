"""Two annotators are called by their names, or by their files', wherever a command uses words."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from treelens.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"
TEXTS = ("garden", "harbour", "ferry", "marche", "hebrew")
GAP = "".join(f"(S (N only) (V number{at}))\n" for at in range(20))
"""Sentences that one of them has alone, and that are told besides."""


@pytest.fixture(params=TEXTS)
def annotated(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    names = []
    for who, role in (("anna", "gold"), ("boris", "system")):
        (found,) = EXAMPLES.glob(f"{request.param}.{role}.*")
        names.append(f"{who}{found.suffix}")
        shutil.copy(found, tmp_path / names[-1])
        if who == "boris" and found.suffix == ".mrg":
            with (tmp_path / names[-1]).open("a", encoding="utf-8") as file:
                file.write(GAP)
    monkeypatch.chdir(tmp_path)
    return names


def _texts(value: object) -> Iterator[str]:
    """What an object says, but for what its fields are called."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
    else:
        yield str(value)


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) in (0, 1)
    out, err = capsys.readouterr()
    if "json" in arguments and arguments[0] != "compare":
        out = "\n".join(_texts(json.loads(out)))
    elif "json" in arguments:
        out = "\n".join(text for line in out.splitlines() for text in _texts(json.loads(line)))
    return re.sub(r"<style>.*?</style>", "", out + err, flags=re.DOTALL)


@pytest.mark.parametrize(
    "command",
    [
        ("compare", "--names", "Anna", "Boris"),
        ("compare", "--names", "Anna", "Boris", "--format", "json"),
        ("errors", "--names", "Anna", "Boris", "--examples", "99"),
        ("errors", "--names", "Anna", "Boris", "--examples", "99", "--format", "markdown"),
        ("errors", "--names", "Anna", "Boris", "--examples", "99", "--format", "json"),
        ("agreement",),
        ("agreement", "--format", "markdown"),
        ("agreement", "--format", "html"),
        ("agreement", "--format", "json"),
    ],
    ids=" ".join,
)
def test_nobody_is_gold_or_system_who_has_a_name(
    command: tuple[str, ...], annotated: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = _said(capsys, command[0], *annotated, *command[1:])
    assert re.search("boris", said, re.IGNORECASE)
    assert not re.search(r"\b(gold|system)\b(?!-ui)", said, re.IGNORECASE), said
    if annotated[0].endswith(".mrg"):
        assert "of boris.mrg: without counterpart" in said
