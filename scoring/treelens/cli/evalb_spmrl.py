"""``treelens evalb-spmrl``: the same bytes as ``evalb_spmrl``, for scripts that call it."""

from __future__ import annotations

from treelens.cli.evalb import run_dialect
from treelens.dropin.evalb.dialects import EVALB_SPMRL


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVALB_SPMRL)
