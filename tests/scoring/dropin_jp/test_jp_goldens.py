"""The drop-in prints what the script printed, byte for byte, less the lines with the time.

The expected output lives with the shared reference data, which a plain clone does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from jp_runs import run_files
from shared import SHARED

PARSEVAL = SHARED / "parseval"
COLLINS = PARSEVAL / "samples" / "COLLINS.prm"
ICEPAHC = PARSEVAL / "icepahc2400"


class Case(NamedTuple):
    arguments: list[str | Path]
    expected: Path
    """The expected output; a file beside it with its exit status tells that the script failed."""

    @property
    def failed(self) -> bool:
        return self.expected.with_suffix(".rc").exists()


def both_ways(gold: Path, system: Path, expected: Path, prefix: str) -> Iterator[Case]:
    yield Case([gold, system], expected / f"{prefix}align.out")
    yield Case([gold, system, "-evalb", COLLINS], expected / f"{prefix}legacy.out")


def cases() -> Iterator[Case]:
    edge = PARSEVAL / "jp_edge"
    for gold in sorted(edge.glob("*.gld")):
        yield from both_ways(gold, gold.with_suffix(".tst"), edge / "expected", f"{gold.stem}.")
    samples = PARSEVAL / "samples"
    sample = samples / "sample.gld", samples / "sample.tst"
    yield from both_ways(*sample, samples / "expected", "sample.jp-evalb.")
    gold, system, expected = ICEPAHC / "gold.txt", ICEPAHC / "sys.txt", ICEPAHC / "expected"
    yield from both_ways(gold, system, expected, "jp-evalb.")
    yield Case([gold, system, COLLINS], expected / "jp-evalb.align-COLLINS.out")
    split = ICEPAHC / "gold_split.txt"
    yield Case([split, system], expected / "goldsplit.jp-evalb.align.out")
    variants = ICEPAHC / "variants"
    for name in ("empty", "ident", "sentmerge", "tokmerge"):
        pair = variants / "gold.txt", variants / f"{name}.sys.txt"
        yield from both_ways(*pair, variants / "expected", f"{name}.jp-evalb.")


CASES = list(cases()) if PARSEVAL.is_dir() else []
SKIPPED = [pytest.param(None, marks=pytest.mark.skip(reason=f"no reference data: {PARSEVAL}"))]


@pytest.mark.parametrize(
    "case",
    CASES or SKIPPED,
    ids=lambda case: str(case.expected.relative_to(PARSEVAL)) if case else "all",
)
def test_prints_what_the_script_printed(case: Case) -> None:
    outcome = run_files(case.arguments)
    assert outcome.exit_status == 0
    if case.failed:  # there is nothing to copy: a table is printed, of every sentence
        assert outcome.summary("Number of sentence") == str(len(outcome.rows))
    else:
        assert outcome.out == case.expected.read_text(encoding="utf-8")


@pytest.mark.skipif(not PARSEVAL.is_dir(), reason=f"no reference data: {PARSEVAL}")
def test_the_cases_that_the_script_fails_at() -> None:
    edge = PARSEVAL / "jp_edge"

    def counts(name: str) -> list[tuple[int, int, int]]:
        return run_files([edge / f"{name}.gld", edge / f"{name}.tst"]).counts

    assert counts("only_near") == [(4, 4, 4)]
    assert counts("last_near") == [(3, 3, 3), (4, 4, 4)]
    assert counts("first_near_all") == [(4, 4, 4)] * 3
    assert counts("merge_last") == [(3, 3, 3), (8, 8, 8)]
