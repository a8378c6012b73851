"""What a keystroke costs the server: from didChange to the last answer of the editor's burst.

Two servers run side by side, with a pair of 40 sentences and one of 40,000 trees, or of some
12,500 sentences in CoNLL-U, and get the same edits in turn: what is printed are medians, and the
ratio of both. Besides, how long opening the large pair takes until there are mismatches in view,
and the memory it needs.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.corpus import tables, trees

# The client is the tests' own: what is measured is what is tested.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from lsp_client import PULL, SERVER, Client, edit

CORPORA = ((trees, (40, 40_000)), (tables, (40, 12_500)))
KEYSTROKES = 60
VIEW = 30
"""Lines in view."""


class Sitting:
    """An editor with a pair open side by side, the middle in view."""

    def __init__(self, files: tuple[Path, Path], folder: Path) -> None:
        self.files = files
        self.bytes = sum(file.stat().st_size for file in self.files)
        self.gold, self.system = (file.as_uri() for file in self.files)
        self.lines = self.files[0].read_text(encoding="utf-8").splitlines()
        self.first = max(len(self.lines) // 2 - VIEW // 2, 0)
        self.version = 1
        self.results: dict[str, str | None] = {self.gold: None, self.system: None}
        self.client = Client(SERVER)
        self.client.start(folder, PULL)

    def base_memory(self) -> int:
        return _resident(self.client.process.pid)

    def open(self) -> float:
        """Seconds from didOpen to mismatches in view, both files having been read."""
        texts = [file.read_text(encoding="utf-8") for file in self.files]
        started = time.perf_counter()
        for uri, text in zip((self.gold, self.system), texts, strict=True):
            self.client.open(uri, text)
            self.client.notify("treelens/visible", {"uri": uri, "ranges": [self.view]})
        while {item["code"] for item in self.client.diagnostics(self.gold)} <= {"more-mismatches"}:
            time.sleep(0.01)
        return time.perf_counter() - started

    @property
    def view(self) -> dict[str, Any]:
        start, end = self.first, self.first + VIEW
        return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}

    @property
    def labels(self) -> list[tuple[int, int]]:
        """Lines and columns in view where a letter makes another label, or another relation."""
        found = []
        for line in range(self.first + 5, self.first + VIEW - 5):
            text = self.lines[line]
            if text.startswith("("):
                found.append((line, text.index("(", 1) + 2))
            elif text[:1].isdigit():
                found.append((line, len("\t".join(text.split("\t")[:7])) + 1))
        return found

    def look(self) -> None:
        for uri in (self.gold, self.system):
            self.client.notify("treelens/visible", {"uri": uri, "ranges": [self.view]})
        self.client.about("codeLens", self.gold)

    def keystroke(self, number: int) -> dict[str, float]:
        """Type a letter into a label, or take it back; milliseconds until each answer."""
        line, at = self.labels[number // 2 % len(self.labels)]
        change = edit(line, at, at, "X") if number % 2 == 0 else edit(line, at, at + 1, "")
        self.version += 1
        client, times = self.client, {}
        started = time.perf_counter()
        client.change(self.gold, self.version, change)
        asked = {}
        for uri, side in ((self.gold, "gold"), (self.system, "system")):
            about = {"textDocument": {"uri": uri}}
            for method, more in (
                ("diagnostic", {"previousResultId": self.results[uri]}),
                ("codeLens", {}),
                ("documentSymbol", {}),
                ("foldingRange", {}),
                ("inlayHint", {"range": self.view}),
                ("semanticTokens/range", {"range": self.view}),
            ):
                if side == "gold" or method in ("diagnostic", "codeLens", "inlayHint"):
                    number_asked = client.ask(f"textDocument/{method}", {**about, **more})
                    asked[f"{method} {side}"] = number_asked
        lenses = []
        for name, number_asked in asked.items():
            result = client.response(number_asked)["result"]
            times[name] = 1000 * (time.perf_counter() - started)
            if name.startswith("diagnostic"):
                self.results[self.gold if "gold" in name else self.system] = result["resultId"]
            elif name.startswith("codeLens"):
                lenses += [lens for lens in result if "data" in lens]
        seen = [lens for lens in lenses if self._in_view(lens)]
        for resolving in [client.ask("codeLens/resolve", lens) for lens in seen]:
            client.response(resolving)
        times["lenses resolved"] = 1000 * (time.perf_counter() - started)
        return times

    def _in_view(self, lens: dict[str, Any]) -> bool:
        return self.first <= lens["range"]["start"]["line"] < self.first + VIEW


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return 1024 * int(status.split("VmRSS:")[1].split()[0])


def main() -> int:
    for corpus, sizes in CORPORA:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _measure([Sitting(corpus(folder, size), folder) for size in sizes], sizes)
    return 0


def _measure(sittings: list[Sitting], sizes: tuple[int, int]) -> None:
    base = sittings[1].base_memory()
    opening = [sitting.open() for sitting in sittings]
    for sitting in sittings:
        sitting.look()
    times: list[list[dict[str, float]]] = [[], []]
    for number in range(KEYSTROKES):
        for sitting, mine in zip(sittings, times, strict=True):
            mine.append(sitting.keystroke(number))
    _report(times, sizes)
    kind = sittings[1].files[0].suffix
    print(f"\nopening {sizes[1]:,} sentences ({kind}) to mismatches in view: {opening[1]:.2f} s")
    memory, size = sittings[1].base_memory(), sittings[1].bytes
    print(
        f"memory with them open: {memory / 2**20:.0f} MB, {base / 2**20:.0f} MB of it before; "
        f"the rest is {(memory - base) / size:.1f} times the files' {size / 2**20:.1f} MB\n"
    )
    for sitting in sittings:
        sitting.client.stop()


def _report(times: list[list[dict[str, float]]], sizes: tuple[int, int]) -> None:
    """Medians of the time until each answer, the first two keystrokes left out."""
    small, large = (
        {name: statistics.median(one[name] for one in mine[2:]) for name in mine[0]}
        for mine in times
    )
    print(f"milliseconds from didChange until the answer to  {sizes[0]:>8,}  {sizes[1]:>8,}  ratio")
    for answer in small:
        ratio = large[answer] / small[answer]
        print(f"  {answer:<45}  {small[answer]:8.1f}  {large[answer]:8.1f}  {ratio:5.2f}")
    totals = (sorted(one["lenses resolved"] for one in mine[2:]) for mine in times)
    slowest = "  ".join(f"{mine[int(len(mine) * 0.95)]:8.1f}" for mine in totals)
    print(f"  {'95 of 100 bursts are done after':<45}  {slowest}")


if __name__ == "__main__":
    sys.exit(main())
