"""What VS Code asks after a keystroke, beside the time its answers take to be encoded as JSON.

A pair without repeated sentences is open side by side, all of a screen in view. After each letter
the editor's requests go out together, and are over when the last answer's last byte is there; the
answers are taken apart when nobody waits. ``encoded`` is the time that the standard library's
``json`` takes to write the same answers, measured after each burst in this process: both share the
machine's noise, so that their ratio says more than either. "tree and worklist" is with both views.

At last the same bursts of two servers in turns, of which one has an index of what varies in a
corpus of 40,000 sentences that the gold file is a part of; ``ratio`` is its time to the other's.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpus import tables, trees

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from lsp_client import PULL, SERVER, edit

CORPORA = ((trees, 2_000), (tables, 1_900))
KEYSTROKES = 60
INDEXED = 40_000
"""Sentences of the corpus that is indexed."""
REST = 0.2
"""Seconds between two keystrokes of one server, as between those of a quick typist."""
VIEW = 40
"""Lines in view."""

Message = dict[str, Any]


class Editor:
    """The other end of the pipe, which looks into nothing while it waits."""

    def __init__(self, files: tuple[Path, Path], folder: Path) -> None:
        self._process = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0
        self.gold, self.system = (file.as_uri() for file in files)
        self._lines = files[0].read_text(encoding="utf-8").splitlines()
        self._first = len(self._lines) // 2
        self._version = 1
        self._results: dict[str, str] = {}
        started = time.perf_counter()
        root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": PULL}
        self.exchange([("initialize", root)])
        self.start_up = 1000 * (time.perf_counter() - started)
        self._tell("initialized", {})
        for uri, file in zip((self.gold, self.system), files, strict=True):
            text = file.read_text(encoding="utf-8")
            item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
            self._tell("textDocument/didOpen", {"textDocument": item})
            self._tell("treelens/visible", {"uri": uri, "ranges": [self._view]})
        self.exchange(self._questions())

    @property
    def _view(self) -> Message:
        start, end = self._first, self._first + VIEW
        return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}

    @property
    def _places(self) -> list[tuple[int, int]]:
        """Lines and columns in view where a letter makes another label, or another relation."""
        found = []
        for line in range(self._first + 2, self._first + VIEW - 2):
            text = self._lines[line]
            if text.startswith("("):
                found.append((line, text.index("(", 1) + 2))
            elif text.split("\t")[0].isdigit():
                found.append((line, len("\t".join(text.split("\t")[:7])) + 1))
        return found

    def index(self) -> None:
        """Have looked for what varies in the folder, and wait until it is known."""
        command = {"command": "treelens.consistency", "arguments": [{}]}
        self.exchange([("workspace/executeCommand", command)])
        (found,) = self.exchange([("treelens/variations", {"limit": 0})])
        files = json.loads(found)["result"]["files"]
        assert files == 2, f"{files} files were read: the large one and the one that is edited"

    def keystroke(self, number: int, *, views: bool) -> tuple[float, float, int]:
        """Milliseconds of a burst and of writing its answers, and how many bytes these are."""
        line, at = self._places[number // 2 % len(self._places)]
        change = edit(line, at, at, "X") if number % 2 == 0 else edit(line, at, at + 1, "")
        self._version += 1
        identity = {"uri": self.gold, "version": self._version}
        params = {"textDocument": identity, "contentChanges": [change]}
        questions = self._questions()
        if views:
            about = {
                "textDocument": {"uri": self.gold},
                "position": {"line": line, "character": at},
            }
            questions.append(("treelens/picture", {**about, "layout": "overlaid"}))
            questions.append(("treelens/worklist", {"uri": self.gold, "limit": 100}))
        started = time.perf_counter()
        self._tell("textDocument/didChange", params)
        bodies = self.exchange(questions)
        took = 1000 * (time.perf_counter() - started)
        answers = [json.loads(body) for body in bodies]
        for (method, asked), answer in zip(questions, answers, strict=True):
            if method == "textDocument/diagnostic":
                self._results[asked["textDocument"]["uri"]] = answer["result"]["resultId"]
        started = time.perf_counter()
        for answer in answers:
            json.dumps(answer).encode()
        return took, 1000 * (time.perf_counter() - started), sum(map(len, bodies))

    def _questions(self) -> list[tuple[str, Message]]:
        """What an editor with the pair side by side asks about both files."""
        found = []
        for uri in (self.gold, self.system):
            about = {"textDocument": {"uri": uri}}
            before = self._results.get(uri)
            found.append(("textDocument/diagnostic", {**about, "previousResultId": before}))
            found.append(("textDocument/codeLens", about))
            found.append(("textDocument/inlayHint", {**about, "range": self._view}))
            if uri == self.gold:
                found.append(("textDocument/documentSymbol", about))
                found.append(("textDocument/foldingRange", about))
                found.append(("textDocument/semanticTokens/range", {**about, "range": self._view}))
        return found

    def exchange(self, questions: list[tuple[str, Message]]) -> list[bytes]:
        """Ask all at once; the answers' bodies in the order of the questions."""
        first = self._number + 1
        for method, params in questions:
            self._number += 1
            self._send({"id": self._number, "method": method, "params": params})
        found: dict[int, bytes] = {}
        while len(found) < len(questions):
            found.update(self._heard())
        return [found[number] for number in range(first, self._number + 1)]

    def _heard(self) -> Iterator[tuple[int, bytes]]:
        """The next message, if it is an answer; requests of the server are answered with null."""
        stream, length = self._process.stdout, 0
        assert stream is not None
        while (line := stream.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = stream.read(length)
        if b'"method"' not in body[:200] and b'"method":' not in body[-200:]:
            head = body[:80] if b'"id"' in body[:80] else body[-80:]
            yield int(head.split(b'"id":')[1].strip().split(b",")[0].strip(b" }")), body
            return
        message = json.loads(body)
        if "id" in message:
            self._send({"id": message["id"], "result": None})

    def _tell(self, method: str, params: Message) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def stop(self) -> None:
        self.exchange([("shutdown", {})])
        self._tell("exit", {})
        self._process.wait(10)


def main() -> int:
    for corpus, size in CORPORA:
        with tempfile.TemporaryDirectory() as name:
            editor = Editor(corpus(Path(name), size), Path(name))
            print(f"{corpus.__name__}: initialize answered after {editor.start_up:.0f} ms")
            for views in (False, True):
                _report([editor.keystroke(k, views=views) for k in range(KEYSTROKES)], views=views)
            editor.stop()
    for corpus, size in CORPORA:
        with tempfile.TemporaryDirectory() as name:
            _compare(corpus(Path(name), size), corpus(Path(name), INDEXED)[0], corpus.__name__)
    return 0


def _compare(files: tuple[Path, Path], large: Path, what: str) -> None:
    """Bursts with and without the large file in an index; its partner is not looked at."""
    editors = [Editor(files, large.parent) for _ in range(2)]
    editors[1].index()
    bursts: list[list[float]] = [[], []]
    for number in range(KEYSTROKES):
        # (Whoever comes second finds the machine warmer: they take turns in that, too.)
        for one in (0, 1) if number // 2 % 2 else (1, 0):
            bursts[one].append(editors[one].keystroke(number, views=False)[0])
            time.sleep(REST / 2)
    plain, indexed = bursts[0][2:], bursts[1][2:]
    ratio = statistics.median(b / a for a, b in zip(plain, indexed, strict=True))
    print(
        f"{what}: burst {statistics.median(plain):6.1f} ms (least {min(plain):5.1f}), with "
        f"{INDEXED:,} sentences indexed {statistics.median(indexed):6.1f} ms "
        f"(least {min(indexed):5.1f})  ratio {ratio:4.2f}"
    )
    for editor in editors:
        editor.stop()


def _report(bursts: list[tuple[float, float, int]], *, views: bool) -> None:
    """The first two, which find nothing made before, are left out."""
    took, encoded, sizes = zip(*bursts[2:], strict=True)
    ratio = statistics.median(a / b for a, b in zip(took, encoded, strict=True))
    what = "tree and worklist" if views else "both files"
    print(
        f"  {what:<18} burst {statistics.median(took):6.1f} ms (least {min(took):5.1f})  "
        f"encoded {statistics.median(encoded):5.1f} ms (least {min(encoded):4.1f})  "
        f"ratio {ratio:4.1f}  {statistics.median(sizes) / 1000:4.0f} kB"
    )


if __name__ == "__main__":
    sys.exit(main())
