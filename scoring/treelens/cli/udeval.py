"""``treelens udeval``: conll18 with the enhanced scores of the Universal Dependencies tools."""

from __future__ import annotations

from treelens.cli.conll18 import run_program


def run(arguments: list[str]) -> int:
    return run_program(arguments, "udeval")
