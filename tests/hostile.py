"""Messages that no client should send, drawn from a seed: for the tests, and for longer hunts.

What must hold, whatever is drawn: every request with an id that is one gets one answer, the
server goes on answering sensible requests, and it ends with its input.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

URIS = (
    "file://[",
    "http://[::1",
    "file:///\ud800",
    "file:///",
    "file://",
    "file:",
    "",
    ":",
    "//",
    "file:///a%00b.mrg",
    "file:///%ff%fe.mrg",
    "file:///" + "x" * 300 + ".mrg",
    "file:///" + "d/" * 3000 + "x.mrg",
    "file:///c%3A/x.mrg",
    "file://server/share/x.mrg",
    "file:////server/share/x.mrg",
    "file:///proc/self/mem",
    "file:///dev/zero",
    "file:///dev/stdin",
    "file:///tmp",
    "untitled:Untitled-1",
    "git:/x.mrg?%7B%22ref%22%3A%22HEAD%22%7D",
    "git://[",
    "treelens.toml",
    "file:///treelens.toml",
    "file:///x.review",
    "\0",
    "file:///x.gold.mrg#" + "y" * 100,
    "file:///\u202e\u2028.mrg",
)

DEEP = b"[" * 100_000
_DEEPISH: Any = None
for _ in range(300):
    _DEEPISH = [_DEEPISH]

VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    2**31,
    2**63,
    10**400,
    "",
    "x",
    "\ud800",
    "\0",
    "\x1b[31m",
    [],
    {},
    [[]],
    {"uri": None},
    {"line": 2**70, "character": -5},
    {"start": {"line": 5, "character": 0}, "end": {"line": 0, "character": 9}},
    _DEEPISH,
    [0] * 2000,
    "(" * 5000,
)

METHODS = (
    "initialize",
    "initialized",
    "shutdown ",
    "$/cancelRequest",
    "$/setTrace",
    "$/unknown",
    "no/such",
    "",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/diagnostic",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/inlayHint",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/range",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting",
    "textDocument/rename",
    "textDocument/prepareRename",
    "textDocument/linkedEditingRange",
    "textDocument/documentHighlight",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "codeLens/resolve",
    "codeAction/resolve",
    "workspace/symbol",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
    "notebookDocument/didOpen",
    "treelens/visible",
    "treelens/byHand",
    "treelens/answering",
    "treelens/worklist",
    "treelens/picture",
)

COMMANDS = (
    "pair",
    "unpair",
    "adjudicate",
    "showCounterpart",
    "nextMismatch",
    "previousMismatch",
    "checkCorpus",
    "takeGold",
    "rename",
)

TEXTS = (
    "",
    "(",
    "(" * 3000,
    ")" * 3000,
    "(S (N a)\n",
    "(S (N a))\n" * 50,
    "1\ta\n\n1\tb\n",
    "\ufeff(S (N a))",
    "\0\0\0",
    "\r\r\n\n\u2028\x85",
    "(\ud800 x)",
    "((((S" * 200,
)

LARGE = ("file:///tmp", "file:", "")
"""Folders, without slashes at their ends, that take long to look through."""

_KEYS = ("uri", "textDocument", "position", "range", "ranges", "context", "query", "settings")


def bodies(seed: int, count: int) -> Iterator[tuple[Any, bytes]]:
    """``count`` hostile bodies, each with its id if it is a request that must be answered with
    that id; ids are strings that begin with ``h``."""
    draw = random.Random(seed)
    for number in range(count):
        kind = draw.random()
        if kind < 0.1:
            yield None, _no_message(draw)
        else:
            message = _message(draw, f"h{number}")
            body = json.dumps(message).encode()
            yield message.get("id") if isinstance(message.get("id"), str) else None, body


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def misframed(seed: int, count: int) -> Iterator[bytes]:
    """Bytes that are no message, after which the next message is to be understood."""
    draw = random.Random(seed)
    lengths = (
        b"1000000000000000000",
        b"-5",
        b"x",
        b"9" * 39,
        b"9" * 5000,
        b"",
        b"1e3",
        b"0x10",
        b"\xd9\xa3",
    )
    for _ in range(count):
        yield draw.choice(
            (
                b"Content-Length: %b\r\n\r\n{}" % draw.choice(lengths),
                b"Content-Length: %b\r\n\r\n" % draw.choice(lengths),
                b"\r\n" * draw.randrange(5),
                b"Content-Type: x\r\n" * draw.randrange(50),
                bytes(draw.randrange(256) for _ in range(draw.randrange(200))),
                b"x" * draw.randrange(200_000),
                b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"Content-Length: 0\r\n\r\n",
                b"Content-Length: 2\r\n\r\n{}{}{}",
            )
        )


def _no_message(draw: random.Random) -> bytes:
    return draw.choice(
        (
            b"",
            b"\xff\xfe\x00",
            DEEP,
            b'{"a":' * 50_000,
            b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 5000 + b"]" * 5000 + b"}",
            b"9" * 10_000,
            b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"x"}',
            b"[]",
            b"[" + b'{"jsonrpc":"2.0","method":"x"},' * 20 + b"0]",
            b"null",
            b'"x"',
            b"NaN",
            b'{"jsonrpc":"2.0","id":{"a":1},"method":"textDocument/hover"}',
            b'{"jsonrpc":"2.0","id":[1],"method":"textDocument/hover"}',
            b'{"jsonrpc":"2.0","id":null,"method":"textDocument/hover"}',
            b'{"jsonrpc":"2.0","id":true,"method":"textDocument/hover"}',
            b'{"jsonrpc":"2.0","id":1e400,"method":"textDocument/hover"}',
            b'{"jsonrpc":"2.0","id":{"a":1},"result":null}',
            b'{"jsonrpc":"2.0","id":"nobody","error":{"code":[],"message":{}}}',
            bytes(draw.randrange(256) for _ in range(draw.randrange(100))),
        )
    )


def _message(draw: random.Random, number: str) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": draw.choice(METHODS)}
    if draw.random() < 0.7:
        message["id"] = number
    if draw.random() < 0.02:
        message["method"] = draw.choice(VALUES)
    if draw.random() < 0.95:
        message["params"] = _params(draw, message["method"])
    return message


def _params(draw: random.Random, method: object) -> Any:
    if draw.random() < 0.15:
        return draw.choice(VALUES)
    makers: dict[str, Callable[[random.Random], Any]] = {
        "workspace/executeCommand": _command,
        "textDocument/didOpen": _opened,
        "textDocument/didChange": _changed,
        "$/cancelRequest": lambda draw: {"id": draw.choice(VALUES)},
        "workspace/didChangeWorkspaceFolders": _folders,
        "workspace/didChangeWatchedFiles": _files,
    }
    params = makers.get(str(method), _about)(draw)
    if isinstance(params, dict) and draw.random() < 0.3:
        params[draw.choice((*params, *_KEYS))] = draw.choice(VALUES)
    return params


def _uri(draw: random.Random) -> str:
    return draw.choice(URIS)


def _place(draw: random.Random) -> dict[str, Any]:
    return {key: draw.choice((0, 0, 1, 3, 2**31 - 1)) for key in ("line", "character")}


def _range(draw: random.Random) -> dict[str, Any]:
    return {"start": _place(draw), "end": _place(draw)}


def _about(draw: random.Random) -> dict[str, Any]:
    uri = _uri(draw)
    return {
        "textDocument": {"uri": uri},
        "uri": uri,
        "position": _place(draw),
        "positions": [_place(draw)],
        "range": _range(draw),
        "ranges": [_range(draw)],
        "context": {"includeDeclaration": True, "diagnostics": []},
        "options": {"tabSize": 2, "insertSpaces": True},
        "newName": draw.choice(("X", "", "(", "\0", "a b")),
        "ch": draw.choice((")", "\n", "", "xyz")),
        "query": draw.choice(("a", "", "(", "*" * 500)),
        "previousResultIds": [{"uri": uri, "value": "1"}],
        "token": draw.choice(VALUES),
    }


def _opened(draw: random.Random) -> dict[str, Any]:
    language = draw.choice(("penn-treebank", "conllu", "lattice", "", "x" * 1000))
    return {
        "textDocument": {
            "uri": _uri(draw),
            "languageId": language,
            "version": draw.choice((0, 1, -1, 2**31 - 1)),
            "text": draw.choice(TEXTS),
        }
    }


def _changed(draw: random.Random) -> dict[str, Any]:
    changes: list[dict[str, Any]] = [
        {"text": draw.choice(TEXTS)}
        if draw.random() < 0.3
        else {"range": _range(draw), "text": draw.choice(TEXTS)}
        for _ in range(draw.randrange(4))
    ]
    identity = {"uri": _uri(draw), "version": draw.choice((0, 2, -7))}
    return {"textDocument": identity, "contentChanges": changes}


def _command(draw: random.Random) -> dict[str, Any]:
    uris = {key: _uri(draw) for key in ("uri", "gold", "system", "first", "second")}
    arguments = draw.choice(([], None, [uris], [uris], [uris], [_uri(draw)], list(VALUES)))
    return {"command": f"treelens.{draw.choice(COMMANDS)}", "arguments": arguments}


def _folders(draw: random.Random) -> dict[str, Any]:
    # (To check all files of the machine is no fault, but takes its time.)
    uris = [uri for uri in draw.sample(URIS, 2) if uri.strip("/") not in LARGE]
    folders = [{"uri": uri, "name": "x"} for uri in uris]
    return {"event": {"added": folders, "removed": folders if draw.random() < 0.9 else []}}


def _files(draw: random.Random) -> dict[str, Any]:
    return {"changes": [{"uri": _uri(draw), "type": draw.choice((1, 2, 3))}]}
