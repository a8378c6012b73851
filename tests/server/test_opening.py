"""What is said before the packages are there is what would be said with them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from lsp_client import PULL, PUSH, Client, Message
from treelens_server import opening, server

TOKENS: Message = {"tokenTypes": [], "tokenModifiers": [], "formats": []}
RANGE = {"semanticTokens": {"requests": {"range": True}, **TOKENS}}
PREPARE = {"rename": {"prepareSupport": True}}


class Output:
    """What is written."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.bodies.append(data.split(b"\r\n\r\n", 1)[1])

    def close(self) -> None:
        """There is nothing to close."""


def initialize(client: Any, **others: Any) -> bytes:
    params = {"processId": None, "rootUri": None, "capabilities": client}
    message = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params, **others}
    return json.dumps(message).encode()


def said(body: bytes) -> Message:
    """What the server itself answers."""
    found, sitting = server.build()
    output = Output()
    found.protocol.set_writer(output)  # type: ignore[arg-type]
    found.protocol.receive([body])
    sitting.stop()
    answer: Message = json.loads(output.bodies[-1])
    return answer


def sensible(answer: Message) -> Message:
    """Without what says no by being there."""
    sync = answer["result"]["capabilities"]["textDocumentSync"]
    for key in ("willSave", "willSaveWaitUntil"):
        assert not sync.pop(key, None)
    return answer


@pytest.mark.parametrize(
    "client",
    [
        {},
        PULL,
        PUSH,
        {"textDocument": RANGE},
        {"textDocument": PREPARE},
        {"textDocument": {**RANGE, **PREPARE}},
        {"textDocument": {"semanticTokens": {"requests": {"range": {}}, **TOKENS}}},
        {
            "textDocument": {
                "semanticTokens": {"requests": {"range": False}, **TOKENS},
                "rename": {},
            }
        },
        {"textDocument": {"synchronization": {"willSave": True, "willSaveWaitUntil": True}}},
        {"general": {"positionEncodings": ["utf-32", "utf-16"]}},
        {"general": {"positionEncodings": ["utf-7", "utf-8"]}},
        {"general": {"positionEncodings": []}, "textDocument": None, "workspace": None},
        {"workspace": {"fileOperations": {"didRename": True}}, "notebookDocument": None},
    ],
)
def test_what_is_said_at_once_is_what_the_server_says(client: Message) -> None:
    found = opening.answer(initialize(client))
    assert found is not None
    assert sensible(json.loads(found)) == sensible(said(initialize(client)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 100_000,
        initialize({}, jsonrpc="1.0"),
        initialize({}, id=True),
        initialize({}, id=None),
        initialize({}, method="shutdown"),
        initialize({}, params=None),
        initialize({}, params={"processId": "x", "capabilities": {}}),
        initialize([]),
    ],
)
def test_what_may_be_refused_is_left_to_the_server(body: bytes) -> None:
    assert opening.answer(body) is None


def test_nothing_is_imported_for_it_that_takes_time() -> None:
    code = "import sys, treelens_server.opening; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "treelens_server.framing" in run.stdout.split()
    assert {"numpy", "pygls", "lsprotocol", "attrs", "asyncio"}.isdisjoint(run.stdout.split())


def test_what_cannot_be_read_of_a_client_is_taken_for_nothing() -> None:
    with Client() as client:
        able = {"general": {"positionEncodings": ["utf-8"]}, "window": 3}
        params = {"processId": None, "rootUri": None, "capabilities": able}
        found = client.request("initialize", params)
        assert found["capabilities"]["positionEncoding"] == "utf-8"
        client.notify("initialized", {})
        client.open("file:///a.mrg", "((S (NP (N é)) (V b)\n")
        (problem, *_) = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
        assert problem["source"] == "treelens"


def test_the_first_message_is_answered_once_and_taken_in() -> None:
    with Client() as client:
        first = client.request("initialize", json.loads(initialize({}))["params"])
        assert first["serverInfo"]["name"] == "treelens"
        again = client.ask("initialize", json.loads(initialize({}))["params"])
        assert client.response(again)["error"]["message"] == "already initialized"
        client.request("shutdown")
        assert not client.errors
