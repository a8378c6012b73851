"""The CoNLL scorers print what the Perl programs printed on real treebanks.

The goldens' long reports were made with one order of Perl's hashes and ours with another, so
that these are compared with ties put aside; against a Perl that walks its hashes in our order
they are equal to the byte (``test_dependency_against_originals``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dependency_programs import DEPENDENCY, NO_DATA, run_conll
from treelens.dropin.conll.dialects import EVAL07, EVAL_CONLLX, EVAL_SPMRL

TOOLS = {"eval07": EVAL07, "eval_conllx": EVAL_CONLLX, "eval-spmrl": EVAL_SPMRL}


def goldens() -> Iterator[tuple[Path, str]]:
    for output in sorted(DEPENDENCY.glob("*/expected/eval*.out")):
        tool = max((name for name in TOOLS if output.stem.startswith(name)), key=len)
        yield output, tool


def printed(output: Path, tool: str) -> bytes:
    folder = output.parents[1]
    # What the report says of the files' names.
    name = f"data/conllx/{folder.name}"
    files = {
        f"{name}.gold.conllx".encode(): (folder / "gold.conllx").read_bytes(),
        f"{name}.udpipe.conllx".encode(): (folder / "system.conllx").read_bytes(),
    }
    options = [f"-{letter}" for letter in output.stem[len(tool) :].split("-") if letter]
    gold, system = files
    done = run_conll(TOOLS[tool], [*options, "-g", gold, "-s", system], files)
    assert (done.exit_status, done.err) == (0, b"")
    return done.out


SHORT = [case for case in goldens() if "-q" in case[0].stem]
LONG = [case for case in goldens() if "-q" not in case[0].stem]


def named(case: tuple[Path, str]) -> str:
    return f"{case[0].parents[1].name}/{case[0].stem}"


@pytest.mark.skipif(not SHORT, reason=NO_DATA)
@pytest.mark.parametrize("case", SHORT, ids=named)
def test_the_short_report_is_the_original_to_the_byte(case: tuple[Path, str]) -> None:
    assert printed(*case) == case[0].read_bytes()


def without_ties(report: bytes) -> list[bytes]:
    """The report up to the errors' local contexts, the two halves of a row apart, sorted within
    its tables; of the file names nothing."""
    head = report.split(b"  Specific errors,")[0]
    blocks = head.split(b"\n\n")
    kept = [block for block in blocks if b"Evaluation of the results" not in block]
    return [b"\n".join(sorted(block.replace(b"||", b"\n").split(b"\n"))) for block in kept]


def most_frequent(report: bytes) -> list[bytes]:
    """The kinds of errors and how often each occurs, without their ranks."""
    tail = report.split(b"  Specific errors,")[1].split(b"  Local contexts involved")[0]
    return sorted(
        line.partition(b". ")[2] for line in tail.split(b"\n") if line.endswith(b" times")
    )


@pytest.mark.skipif(not LONG, reason=NO_DATA)
@pytest.mark.parametrize("case", LONG, ids=named)
def test_the_long_report_is_the_original_up_to_ties(case: tuple[Path, str]) -> None:
    ours, original = printed(*case), case[0].read_bytes()
    assert without_ties(ours) == without_ties(original)
    assert most_frequent(ours) == most_frequent(original)
