"""``treelens sparseval`` as a process: what it prints, what it leaves behind, what it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sparseval_runs import HEADS, PARAMETERS, run_files

DOG = "(S1 (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP it)))))\n"
FILES = {"gold": DOG + DOG, "test": DOG + DOG.replace("NP", "VP"), "p": PARAMETERS, "h": HEADS}
ARGUMENTS = ["-v", "-p", "p", "-h", "h", "gold", "test"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def started(folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, *command]
    return subprocess.run(line, cwd=folder, capture_output=True, check=False, timeout=60)


def test_prints_the_report_and_says_what_was_asked_for(folder: Path) -> None:
    done = started(folder, "-m", "treelens", "sparseval", *ARGUMENTS)
    expected = run_files(ARGUMENTS, FILES)
    assert (done.returncode, done.stdout.decode()) == (0, expected.out)
    assert done.stderr.decode() == expected.err
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_writes_the_report_to_a_file(folder: Path) -> None:
    done = started(folder, "-m", "treelens", "sparseval", "-F", "out", *ARGUMENTS[1:])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (folder / "out").read_text() == run_files(ARGUMENTS[1:], FILES).out


@pytest.mark.parametrize("name", ["none", "none*"])
def test_a_file_that_cannot_be_read_is_told(folder: Path, name: str) -> None:
    done = started(folder, "-m", "treelens", "sparseval", "gold", name)
    assert done.returncode == 1
    message = f"treelens sparseval: {name}: No such file or directory"
    assert done.stderr.decode().splitlines()[-1] == message


@pytest.mark.parametrize("options", [[], ["-b"], ["-b", "-c"]])
def test_loads_neither_numpy_nor_rapidfuzz(folder: Path, options: list[str]) -> None:
    program = (
        f"import sys; from treelens.cli import main; main({['sparseval', *options, *ARGUMENTS]});"
        "sys.exit(bool({'nltk', 'numpy', 'rapidfuzz'} & set(sys.modules)))"
    )
    assert started(folder, "-c", program).returncode == 0
