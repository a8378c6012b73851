"""The UD evaluators print what the originals printed on real treebanks and on bad files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dependency_programs import DEPENDENCY, NO_DATA, run_ud

PROGRAMS = {"conll18": "conll18", "udtools": "udeval"}


def goldens() -> Iterator[Path]:
    yield from sorted(DEPENDENCY.glob("*-dev/expected/*.conll18*.out"))
    yield from sorted(DEPENDENCY.glob("*-dev/expected/*.udtools*.out"))


def named(output: Path) -> str:
    return f"{output.parents[1].name}/{output.stem}"


CASES = list(goldens())
BAD = sorted(DEPENDENCY.glob("bad_input/expected/*.out"))


@pytest.mark.skipif(not CASES, reason=NO_DATA)
@pytest.mark.parametrize("output", CASES, ids=named)
def test_real_treebanks(output: Path) -> None:
    folder = output.parents[1]
    kind, tool = output.stem.split(".")
    name, _, option = tool.partition("-")
    files = {
        "gold": (folder / "gold.conllu").read_text(encoding="utf-8"),
        "system": (folder / f"system.{kind}.conllu").read_text(encoding="utf-8"),
    }
    arguments = [f"-{option}"] if option else []
    done = run_ud(PROGRAMS[name], [*arguments, "gold", "system"], files)
    assert done == (0, output.read_bytes(), b"")


@pytest.mark.skipif(not BAD, reason=NO_DATA)
@pytest.mark.parametrize("output", BAD, ids=named)
def test_bad_files_end_as_with_the_originals_and_are_told_better(output: Path) -> None:
    folder = output.parents[1]
    kind, tool = output.stem.split(".")
    files = {
        name: (folder / f"{name}.conllu").read_text(encoding="utf-8") for name in ("gold", kind)
    }
    done = run_ud(PROGRAMS[tool], ["-v", "gold", kind], files)
    status = int(output.with_suffix(".err").read_text(encoding="utf-8").partition("rc=")[2][0])
    assert (done.exit_status, done.out) == (status, output.read_bytes())
    assert bool(done.err) == bool(status)
    for line in done.err.decode().splitlines():
        assert "sentence 1" in line
        assert line.split(":")[1].isdigit()
