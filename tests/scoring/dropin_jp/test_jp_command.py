"""``treelens jp-evalb`` as a process: what it prints, what it leaves behind, what it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from jp_runs import run

DOG = "(TOP (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)))\n"
CAT = "(TOP (S (NP (DT a) (NN kitten)) (VP (VBZ sleeps))))\n"
NEAR = CAT.replace("kitten", "kitteh")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold").write_text(DOG + CAT)
    (tmp_path / "system").write_text(DOG + NEAR)
    return tmp_path


def started(folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, *command]
    return subprocess.run(line, cwd=folder, capture_output=True, check=False, timeout=60)


def test_prints_the_table_and_writes_no_file(folder: Path) -> None:
    done = started(folder, "-m", "treelens", "jp-evalb", "gold", "system")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == run(DOG + CAT, DOG + NEAR).out
    assert sorted(path.name for path in folder.iterdir()) == ["gold", "system"]


def test_loads_neither_nltk_nor_numpy(folder: Path) -> None:
    program = (
        "import sys; from treelens.cli import main; main(['jp-evalb', 'gold', 'system']);"
        "sys.exit(bool({'nltk', 'numpy'} & set(sys.modules)))"
    )
    assert started(folder, "-c", program).returncode == 0


def test_what_it_cannot_read_is_one_line(folder: Path) -> None:
    done = started(folder, "-m", "treelens", "jp-evalb", "gold", "nothing")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == ["treelens jp-evalb: cannot read 'nothing'"]
