"""The dependency scorers as commands: real files, real streams."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_conll_scores import GOLD, SYSTEM
from test_ud_faults import GOOD


def treelens(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "treelens", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize("name", ["eval07", "eval-conllx", "eval-spmrl"])
def test_the_conll_scorers_read_and_write_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "gold").write_text(GOLD, encoding="utf-8")
    (tmp_path / "system").write_text(SYSTEM, encoding="utf-8")
    done = treelens(tmp_path, name, "-q", "-g", "gold", "-s", "system")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"  Labeled   attachment score: 2 / ")
    options = ("-q", "-g", "gold", "-s", "system", "-o", "report")
    assert treelens(tmp_path, name, *options).stdout == b""
    assert (tmp_path / "report").read_bytes() == done.stdout
    assert treelens(tmp_path, name, "-q", "-g", "gold", "-s", "none").returncode == 2


@pytest.mark.parametrize("name", ["conll18", "udeval"])
def test_the_ud_evaluators_read_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "gold").write_text(GOOD, encoding="utf-8")
    done = treelens(tmp_path, name, "gold", "gold")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"LAS F1 Score: 100.00\nMLAS Score: 100.00\n")
    done = treelens(tmp_path, name, "gold", "none")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"none: cannot be read: ")
