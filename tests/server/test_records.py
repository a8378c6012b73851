"""The messages of our own: what the extension knows of them is what the server's records say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from treelens_server import records
from treelens_server.records import decoded

ROOT = Path(__file__).parent.parent.parent
WRITER = ROOT / "vscode-extension" / "scripts" / "protocol.py"
PLACE = {"uri": "file:///a", "position": {"line": 1, "character": 2}}


def test_the_extensions_half_is_written_from_the_servers() -> None:
    found = subprocess.run([sys.executable, WRITER, "--check"], capture_output=True, text=True)
    assert found.returncode == 0, f"{found.stdout}{found.stderr}: run `make protocol`"


def test_what_a_client_leaves_out_has_a_default() -> None:
    found = decoded({"textDocument": {"uri": "a"}, **PLACE}, records.PictureParams)
    assert (found.layout, found.partner, found.folded, found.all) == ("overlaid", None, (), False)
    assert decoded({"filter": {"show": "todo"}}, records.WorklistParams).filter.least == 0


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (None, "object"),
        ({"uri": "a"}, "position"),
        ({**PLACE, "position": {"line": "x", "character": 0}}, "position.line"),
        ({**PLACE, "uri": 3}, "uri"),
    ],
)
def test_what_fits_no_record_is_refused_with_its_place(value: object, where: str) -> None:
    with pytest.raises(ValueError, match=where):
        decoded(value, records.PlaceArgument)
