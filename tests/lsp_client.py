"""A language client for tests and benchmarks: messages in and out, and a time-out on every wait."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from nursery import Born

Message = dict[str, Any]

PATIENCE = 60.0
"""Seconds until a wait is given up: far more than any of them takes, also on a busy machine."""

SERVER = (sys.executable, "-m", "treelens", "server", "--stdio")

IMPATIENT = (
    sys.executable,
    "-c",
    "from treelens_server import transport, turns; turns.PATIENCE = 0.2; transport.serve_stdio()",
)
"""A server that does not wait long for an edit that its client does not answer."""

# What VS Code declares, as far as it matters here.
PULL: Message = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "diagnostic": {"dynamicRegistration": True},
        "publishDiagnostics": {"relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "workspace": {
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}
PUSH: Message = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    }
}


def framed(message: Message) -> bytes:
    """A message as it goes over a stream."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Client:
    """One server process. Requests of the server are answered with null, as most are."""

    def __init__(self, command: tuple[str, ...] | None = None) -> None:
        """Without a command, a server that shares what was imported (:mod:`nursery`)."""
        if command is None and sys.platform == "linux":
            self.process: Born | subprocess.Popen[bytes] = Born()
        else:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command or SERVER, stdin=pipe, stdout=pipe, stderr=pipe)
        self.errors: list[bytes] = []
        self.seen: list[Message] = []
        """Every notification and request of the server so far."""
        self.edited: Message | None = {"result": {"applied": True}}
        """What is answered where the server wants text changed; None for what a test answers."""
        self.edits: list[Any] = []
        """The ids of the requests that a test is to answer."""
        self.answers: Counter[Any] = Counter()
        """How often each of our requests was answered."""
        self._ids = itertools.count(1)
        self._arrived: queue.Queue[Message | None] = queue.Queue()
        self._responses: dict[Any, Message] = {}
        self._pairs: dict[str, list[Message]] = {}
        self.adjudications: list[Message] = []
        """What the server has said of all adjudications by now."""
        self._taken = 0
        self._gate = threading.Event()
        self._gate.set()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    # --- saying ----------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        self.send_raw(framed(message))

    def send_raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and wait for nothing; its number."""
        number = next(self._ids)
        self.send({"id": number, "method": method, "params": params})
        return number

    def request(self, method: str, params: Any = None) -> Any:
        response = self.response(self.ask(method, params))
        assert "error" not in response, response
        return response["result"]

    # --- hearing ---------------------------------------------------------------------------

    def response(self, number: int) -> Message:
        self._until(lambda: number in self._responses, f"an answer to request {number}")
        return self._responses.pop(number)

    def wait_for(self, method: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        """The parameters of the next message of the server that fits, from the last one on."""
        found: list[Any] = []

        def there() -> bool:
            while self._taken < len(self.seen) and not found:
                message = self.seen[self._taken]
                self._taken += 1
                if message["method"] == method and fits(message.get("params")):
                    found.append(message.get("params"))
            return bool(found)

        self._until(there, method)
        return found[0]

    def count(self, method: str) -> int:
        """How often the server has sent something; everything that was sent has been seen
        when the answer to a later request is there."""
        return sum(message["method"] == method for message in self.seen)

    def pairs(self) -> list[Message]:
        """What the server has said of all pairs by now."""
        return [pair for pairs in self._pairs.values() for pair in pairs]

    def hold(self) -> threading.Event:
        """Read nothing more, but for what is being read just now, until the event is set."""
        self._gate.clear()
        return self._gate

    def expect_errors(self, *parts: str) -> None:
        """Waits until standard error has said all these, which is then no failure."""
        deadline = time.monotonic() + PATIENCE
        while not all(part in b"".join(self.errors).decode() for part in parts):
            assert time.monotonic() < deadline, (parts, self.errors)
            time.sleep(0.01)
        self.errors.clear()

    def _until(self, there: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not there():
            try:
                message = self._arrived.get(timeout=max(deadline - time.monotonic(), 0.001))
            except queue.Empty:
                message = None
            if message is None:
                raise AssertionError(f"no {what}; {b''.join(self.errors).decode()[-2000:]}")
            if "method" not in message:
                self.answers[message.get("id")] += 1
                self._responses[message.get("id")] = message
                continue
            self.seen.append(message)
            self._hear(message["method"], message.get("params"))
            if "id" in message:
                is_edit = message["method"] == "workspace/applyEdit"
                if is_edit and self.edited is None:
                    self.edits.append(message["id"])
                    continue
                answer = self.edited if is_edit and self.edited else {"result": None}
                self.send({"id": message["id"], **answer})

    def _hear(self, method: str, told: Any) -> None:
        """What the status bar has of it."""
        if method == "treelens/status":
            self._pairs |= {gold: [] for gold in told["golds"]}
            for pair in told["pairs"]:
                self._pairs[pair["gold"]].append(pair)
        elif method == "treelens/adjudications":
            self.adjudications = told["adjudications"]

    def _read(self) -> None:
        assert self.process.stdout is not None
        while (message := _message(self.process.stdout)) is not None:
            self._arrived.put(message)
            self._gate.wait()
        self._arrived.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    # --- what most conversations need --------------------------------------------------------

    def start(self, root: Path | None = None, capabilities: Message | None = None) -> Message:
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        result: Message = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri() if root else None,
                "workspaceFolders": folders,
                "capabilities": PULL if capabilities is None else capabilities,
            },
        )
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "penn-treebank", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def change(self, uri: str, version: int, *changes: Message) -> None:
        identity = {"uri": uri, "version": version}
        params = {"textDocument": identity, "contentChanges": list(changes)}
        self.notify("textDocument/didChange", params)

    def about(self, method: str, uri: str, **params: Any) -> Any:
        """The answer to a request about a document."""
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **params})

    def diagnostics(self, uri: str) -> list[Message]:
        items: list[Message] = self.about("diagnostic", uri)["items"]
        return items

    def stop(self) -> int:
        """Shut down in good order; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)


def edit(line: int, start: int, end: int, text: str) -> Message:
    """A change on one line."""
    places = [{"line": line, "character": character} for character in (start, end)]
    return {"range": {"start": places[0], "end": places[1]}, "text": text}


def without_states(answer: Any) -> Any:
    """What a server says without the names that it has for states: no other has the same."""
    if isinstance(answer, list):
        return [without_states(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    return {key: without_states(one) for key, one in answer.items() if key != "asOf"}


def _message(stream: IO[bytes]) -> Message | None:
    length = 0
    while (line := stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if not line:
        return None
    message: Message = json.loads(stream.read(length))
    return message
