from __future__ import annotations

from pathlib import Path

import pytest
from dropin_programs import Outcome, Score, c_program, run_c_program, run_dropin
from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL, Dialect


def _scorer(dialect: Dialect, folder: Path) -> Score:
    def score(gold: str, test: str, *options: str, prm: str | None = None) -> Outcome:
        """Score two texts; one pair a line. What the C program says must be the same."""
        files = {b"gold": gold.encode("latin-1"), b"test": test.encode("latin-1")}
        arguments = [option.encode() for option in options]
        if prm is not None:
            files[b"prm"] = prm.encode("latin-1")
            arguments = [b"-p", b"prm", *arguments]
        arguments += [b"gold", b"test"]
        outcome = run_dropin(dialect, arguments, files)
        program = c_program(dialect)
        if program:
            assert outcome == run_c_program(program, arguments, files, folder)
        return outcome

    return score


@pytest.fixture
def evalb(tmp_path: Path) -> Score:
    return _scorer(EVALB, tmp_path)


@pytest.fixture
def spmrl(tmp_path: Path) -> Score:
    return _scorer(EVALB_SPMRL, tmp_path)
