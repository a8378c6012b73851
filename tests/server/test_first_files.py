"""What `make demo FOLDER=…` opens first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "vscode-extension" / "scripts" / "first-files.py"
TREE = "(S (NP (N we)) (VP (V see)))\n"
ADJUDICATION = """[[adjudication]]
first = "*.anna.mrg"
second = "*.boris.mrg"
adjudicated = "*.settled.mrg"
"""


@pytest.mark.parametrize(
    ("files", "first"),
    [
        (["a.gold.mrg", "a.system.mrg", "b.gold.mrg"], ["a.gold.mrg", "a.system.mrg"]),
        # No pair has a name of its own, and the toml says who adjudicates what.
        (
            ["a.anna.mrg", "a.boris.mrg", "a.settled.mrg"],
            ["a.anna.mrg", "a.settled.mrg", "a.boris.mrg"],
        ),
        (["a.anna.mrg", "a.boris.mrg"], ["a.anna.mrg", "a.boris.mrg"]),
        (["a.boris.mrg"], []),
    ],
)
def test_files_that_belong_together_come_first(
    files: list[str], first: list[str], tmp_path: Path
) -> None:
    (tmp_path / "treelens.toml").write_text(ADJUDICATION)
    for file in files:
        (tmp_path / file).write_text(TREE)
    done = subprocess.run(
        [sys.executable, SCRIPT, tmp_path], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n") == (first or [""])
    assert done.stderr == ""
