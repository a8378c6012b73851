"""Files that are written to while a command reads them: no number is of half of one and half of
another."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from treelens.cli import inputs, main

TREES = [f"(S (NP (DT the{k}) (NN dog)) (VP (VB barks)))\n" for k in range(60)]
GOLD = "".join(TREES)
SYSTEM = GOLD.replace("NP", "XP").replace(TREES[40].replace("NP", "XP"), "")

COMMANDS = (
    "score gold system",
    "score gold system --per-sentence",
    "score gold system --format json",
    "compare gold system",
    "compare gold system --order worst",
    "worklist gold system",
    "changes gold system gold",
    "agreement gold system",
    "consistency system",
)

CHANGES: dict[str, Callable[[Path], object]] = {
    "shorter": lambda file: os.truncate(file, len(SYSTEM) // 3),
    "longer": lambda file: file.write_text(TREES[0] + SYSTEM),
    "as long": lambda file: file.write_text(SYSTEM.replace("dog", "cat")),
    "gone": lambda file: file.unlink(),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_changes_while_it_is_read_is_not_read_on(
    command: str,
    change: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    real, opened = inputs.open_file, 0

    def counted(path: str) -> io.BufferedReader:
        nonlocal opened
        if Path(path).name == "system":
            opened += 1
            if opened == last:
                CHANGES[change](tmp_path / "system")
        return real(path)

    monkeypatch.setattr(inputs, "open_file", counted)
    for last in (0, 2):
        (tmp_path / "gold").write_text(GOLD)
        (tmp_path / "system").write_text(SYSTEM)
        os.utime(tmp_path / "system", (1, 1))
        opened = 0
        status, said = main(command.split()), capsys.readouterr().err
        if not last:
            assert status in (0, 1)
            if opened < 2:  # (It is read once, from one end to the other.)
                return
    assert status == 2
    name = command.split()[0]
    assert said.splitlines()[-1] == (
        f"treelens {name}: system was changed while it was being read: try again"
    )
