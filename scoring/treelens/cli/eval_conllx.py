"""``treelens eval-conllx``: the same bytes as CoNLL-X's ``eval.pl``, for scripts that call it."""

from __future__ import annotations

from treelens.cli.eval07 import run_dialect
from treelens.dropin.conll.dialects import EVAL_CONLLX


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVAL_CONLLX)
