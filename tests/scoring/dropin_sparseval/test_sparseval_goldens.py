"""The C program's own output, byte for byte.

The expected output lives with the shared reference data, which a plain clone does not have.
"""

from __future__ import annotations

import shlex

import pytest
from sparseval_runs import DATA, run_files

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="no shared data")

_SETTINGS = "-p SPEECHPAR.prm -h headInfo.txt"
_WITHOUT_COMMAND = {
    "ed": f"-v {_SETTINGS} ed.gold ed.test",
    "ed-u": f"-v -u {_SETTINGS} ed.gold ed.test",
    "ed-b": f"-v -b {_SETTINGS} ed.gold ed.test",
    "ed-b-u": f"-v -b -u {_SETTINGS} ed.gold ed.test",
    "order.b.c": f"-b -c {_SETTINGS} order.gold order.test",
}


def cases() -> dict[str, tuple[int, str]]:
    """By name: the exit status and the arguments."""
    found = {name: (0, arguments) for name, arguments in _WITHOUT_COMMAND.items()}
    for file in sorted((DATA / "expected").glob("*.cmd")):
        status, _, command = file.read_text(encoding="utf-8").strip().partition(" : ")
        program, _, arguments = command.partition(" ")
        if program == "sparseval":
            found[file.stem] = int(status.removeprefix("rc=")), arguments
    return found


@pytest.mark.parametrize("name", cases())
def test_prints_what_the_program_prints(name: str) -> None:
    status, arguments = cases()[name]
    files = {file.name: file.read_bytes() for file in DATA.iterdir() if file.is_file()}
    found = run_files(shlex.split(arguments), files)
    assert found.exit_status == status
    assert found.out == (DATA / "expected" / f"{name}.out").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", cases())
def test_says_what_the_program_says_but_for_names_and_for_lines_of_our_own(name: str) -> None:
    expected = DATA / "expected" / f"{name}.err"
    if not expected.exists():
        assert name in _WITHOUT_COMMAND or "-v" not in shlex.split(cases()[name][1])
        return
    files = {file.name: file.read_bytes() for file in DATA.iterdir() if file.is_file()}
    found = run_files(shlex.split(cases()[name][1]), files)
    assert said(found.err) == said(expected.read_text(encoding="utf-8"))


def said(text: str) -> list[str]:
    """Without our own lines; names of files without their folders, and none of the program."""
    lines = [line for line in text.splitlines() if not line.startswith("treelens")]
    kept = [line for line in lines if not line.startswith("  command:")]
    return [
        line.split(":")[0] + ":" + line.rpartition("/")[2] if ".." in line else _spaceless(line)
        for line in kept
    ]


def _spaceless(line: str) -> str:
    """``  arg1: x`` as ``  arg1:x``, as above."""
    key, colon, value = line.partition(":")
    return key + colon + value.strip() if line.startswith("  ") else line
