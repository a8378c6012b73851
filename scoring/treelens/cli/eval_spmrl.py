"""``treelens eval-spmrl``: the same bytes as the SPMRL shared task's ``eval07.pl``."""

from __future__ import annotations

from treelens.cli.eval07 import run_dialect
from treelens.dropin.conll.dialects import EVAL_SPMRL


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVAL_SPMRL)
