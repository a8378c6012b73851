"""What a keystroke costs the server while ever more pairs are open: milliseconds of processor time.

The server is in this process, and is told and asked what an editor tells and asks of one file: the
change, then what is marked, shown above sentences and outlined.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "server"))

from test_shares import Wire

PAIRS = 10, 100, 300, 1000
KEYSTROKES = 60
SIDES = "gold", "system"
TEXT = "(S (N a))\n(S (N b))\n"
ASKED = "diagnostic", "codeLens", "documentSymbol"


def main() -> int:
    for pairs in PAIRS:
        with tempfile.TemporaryDirectory() as folder:
            measure(pairs, Path(folder))
    return 0


def measure(pairs: int, folder: Path) -> None:
    files = [folder / f"x{number}.{side}.mrg" for number in range(pairs) for side in SIDES]
    for file in files:
        file.write_text(TEXT)
    wire = Wire()
    started = time.process_time()
    for file in files:
        wire.open(file.as_uri(), TEXT)
    opened = time.process_time()
    for number in range(KEYSTROKES):
        keystroke(wire, files[-1].as_uri(), number)
    ended = time.process_time()
    each, opening = 1000 * (ended - opened) / KEYSTROKES, 1000 * (opened - started) / pairs
    print(f"{pairs:>5} pairs: {each:6.2f} a keystroke, {opening:6.2f} to open one")


def keystroke(wire: Wire, uri: str, number: int) -> None:
    place = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 5}}
    change = {"range": place, "text": "NV"[number % 2]}
    identity = {"uri": uri, "version": number + 2}
    wire.tell("textDocument/didChange", {"textDocument": identity, "contentChanges": [change]})
    for method in ASKED:
        wire.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}})


if __name__ == "__main__":
    sys.exit(main())
