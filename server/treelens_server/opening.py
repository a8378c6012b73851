"""The first message, answered before the packages are there that all others need.

What the server can do is known beforehand, so that no editor has to wait for it until everything
is imported: ``capabilities.json`` is what the server itself says, written down by ``make
protocol``. It takes the message in all the same, and then says nothing. So nothing is imported
here that takes time.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from treelens import __version__

from treelens_server.framing import Output, read_message, value_at

KNOWN = Path(__file__).with_name("capabilities.json")
"""``capabilities`` for a client that can do everything; of one ``without`` something, what is
otherwise."""

_ENCODINGS = ("utf-8", "utf-16", "utf-32")


class Opened(NamedTuple):
    """Standard streams, and what has come of the first message."""

    stdin: BinaryIO
    stdout: Output
    first: bytes | None
    answered: bool


def opened() -> Opened:
    """Wait for the first message, and answer it if it is what it should be."""
    stdin, stdout = streams()
    first = read_message(stdin)
    said = answer(first) if first is not None else None
    if said is not None:
        stdout.write(b"Content-Length: %d\r\n\r\n%b" % (len(said), said))
    return Opened(stdin, stdout, first, said is not None)


def streams() -> tuple[BinaryIO, Output]:
    """Standard input and output. Anything else that is printed would be taken for a message: it
    goes to standard error."""
    try:
        stdin, stdout = open(0, "rb", closefd=False), Output(os.dup(1))  # noqa: SIM115 — until the end
    except OSError as error:
        print(f"treelens server: no standard streams: {error.strerror}", file=sys.stderr)
        os._exit(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout


def answer(body: bytes) -> bytes | None:
    """The answer to ``initialize``; None to whatever else it is, and to what may be refused."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError, MemoryError):
        return None
    client = _client(message)
    if client is None:
        return None
    known = json.loads(KNOWN.read_bytes())
    capabilities = {**known["capabilities"], "positionEncoding": _encoding(client)}
    for path, others in known["without"].items():
        if not value_at(client, path):
            capabilities |= others
    server = {"name": "treelens", "version": __version__}
    result = {"capabilities": capabilities, "serverInfo": server}
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()


def least(message: dict[str, Any]) -> dict[str, Any]:
    """The same message of a client of which nothing is known but what was agreed on here."""
    params = message["params"]
    general = {"positionEncodings": [_encoding(params["capabilities"])]}
    known = {"processId": params.get("processId"), "capabilities": {"general": general}}
    return {**message, "params": {**known, "rootUri": None}}


def _client(message: Any) -> dict[str, Any] | None:
    """The client's capabilities, of a message that is ``initialize`` and nothing out of the
    ordinary."""
    if not isinstance(message, dict) or message.get("method") != "initialize":
        return None
    number, params = message.get("id"), message.get("params")
    if message.get("jsonrpc") != "2.0" or type(number) not in (int, str):
        return None
    if not isinstance(params, dict) or type(params.get("processId")) not in (int, type(None)):
        return None
    client = params.get("capabilities")
    return client if isinstance(client, dict) else None


def _encoding(client: dict[str, Any]) -> str:
    """What characters of positions are: the first that the client has and we too."""
    offered = value_at(client, "general.positionEncodings")
    both = [one for one in offered if one in _ENCODINGS] if isinstance(offered, list) else []
    return both[0] if both else "utf-16"
