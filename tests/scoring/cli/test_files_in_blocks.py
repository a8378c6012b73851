"""What is read in blocks, of which few are in memory, is told as what was read at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from treelens.cli import files, main

EXAMPLES = Path(__file__).parents[3] / "examples"
PAIRS = [
    [str(EXAMPLES / f"{name}.{side}.{kind}") for side in ("gold", "system")]
    for name, kind in (("harbour", "mrg"), ("garden", "mrg"), ("marche", "conllu"))
]
COMMANDS = [
    "score --format json",
    "score --format html",
    "errors --examples 2 --format json",
    "compare",
    "compare --format json",
    "compare --order worst",
    "worklist",
    "worklist --by labels --find a --format csv",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("pair", PAIRS)
def test_blocks_of_any_size_give_the_same_bytes(
    pair: list[str],
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told() -> tuple[int, str, str]:
        return main([*command.split(), *pair]), *capsys.readouterr()

    whole = told()
    for size in (1, 700):
        monkeypatch.setattr(files, "STRETCH_BYTES", size)
        assert told() == whole
