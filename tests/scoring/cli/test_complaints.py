"""Drop-ins' standard error: the programs' bytes, and harmless on a terminal."""

from __future__ import annotations

import io
import sys

import pytest
from treelens.cli import main

ESCAPE = "\x1b[2J\udcff"
NAMED = [
    *([name, ESCAPE, ESCAPE] for name in ("evalb", "evalb-spmrl", "jp-evalb", "sparseval")),
    *([name, ESCAPE, ESCAPE] for name in ("conll18", "udeval")),
    *([name, "-g", ESCAPE, "-s", ESCAPE] for name in ("eval07", "eval-conllx", "eval-spmrl")),
]


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def said(of: type[io.TextIOWrapper], arguments: list[str], patch: pytest.MonkeyPatch) -> bytes:
    """What a command that cannot read its files says on a standard error of that kind."""
    kept = io.BytesIO()
    stream = of(kept, encoding="utf-8", errors="surrogateescape", write_through=True)
    patch.setattr(sys, "stderr", stream)
    assert main(arguments)
    stream.flush()
    return kept.getvalue()


@pytest.mark.parametrize("arguments", NAMED, ids=lambda one: one[0])
def test_a_terminal_gets_no_escapes(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(_Terminal, arguments, monkeypatch)
    assert b"\x1b" not in shown
    assert "␛[2J\ufffd" in shown.decode()


@pytest.mark.parametrize("name", ["evalb", "evalb-spmrl"])
def test_a_script_gets_the_programs_bytes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_ = said(io.TextIOWrapper, [name, ESCAPE, ESCAPE], monkeypatch)
    assert bytes_ == b"Can't open gold file (\x1b[2J\xff)\n"


def test_lines_and_columns_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = said(_Terminal, ["evalb", "a\tb\nc\r", "x"], monkeypatch)
    assert shown == "Can't open gold file (a\tb\nc␍)\n".encode()
