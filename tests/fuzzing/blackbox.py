"""A client that edits at random, and a fresh server with the same texts: both must say the same."""

from __future__ import annotations

import copy
import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from lsp_client import PULL, Client, Message

from fuzzing.configs import CONFIG, CONFIGS, PARAMETERS
from fuzzing.desk import Desk
from fuzzing.everything import Open, everything
from fuzzing.positions import outside, position
from fuzzing.rounds import Finding, Round

_FRESH_FOR = 25
"""Rounds that a server is asked for before another is started."""
_PLACES = 4
WAITS = 0.0, 0.0, 0.5, 2.0
"""Seconds: what is worked on in the background, or was written on disk, comes later."""


class Servers:
    """The one that is edited and the fresh one, each started anew every so many rounds."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._known: dict[str, tuple[Path, Client, Client, int]] = {}

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def pair(self, encoding: str) -> tuple[Path, Client, Client]:
        folder, one, other, used = self._known.get(encoding) or self._started(encoding)
        if used >= _FRESH_FOR or one.process.poll() is not None:
            self.stop(encoding)
            folder, one, other, used = self._started(encoding)
        self._known[encoding] = folder, one, other, used + 1
        return folder, one, other

    def stop(self, encoding: str) -> None:
        for client in self._known.pop(encoding)[1:3]:
            client.process.kill()

    def _started(self, encoding: str) -> tuple[Path, Client, Client, int]:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / CONFIG).write_text(CONFIGS[0])
        (folder / PARAMETERS[0]).write_text(PARAMETERS[1])
        declared = copy.deepcopy(PULL)
        declared["general"]["positionEncodings"] = [encoding]
        declared["textDocument"]["codeAction"] = {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        }
        able = {"documentChanges": True, "resourceOperations": ["create"]}
        declared["workspace"] |= {"workspaceEdit": able, "applyEdit": True}
        clients = [self._stack.enter_context(Client()) for _ in range(2)]
        for client in clients:
            client.start(folder, declared)
            settings = {"treelens": {"packed": True}}
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        return folder, clients[0], clients[1], 0


def run(servers: Servers, one: Round) -> Finding | None:
    """Make all edits in one server; after each burst, what differs from the fresh one."""
    folder, edited, fresh = servers.pair(one.encoding)
    draw = random.Random(one.places)
    found = None
    try:
        desk = Desk(edited, fresh, one.encoding, folder, one.files)
        for burst in one.bursts:
            for step in burst:
                desk.do(step)
            found = _compared(desk, draw, one)
            if found is not None:
                break
        desk.end()
        for client in (edited, fresh):
            assert b"Traceback" not in b"".join(client.errors), "said on standard error"
        if desk.varies:  # (Which goes on for as long as a server is there.)
            servers.stop(one.encoding)
    except Exception as problem:  # (An answer, too, that is not what was asked for.)
        said = b"".join([*edited.errors, *fresh.errors]).decode("utf-8", "replace")
        servers.stop(one.encoding)  # and with them all that was left of it
        found = found or Finding(f"an error: {problem!r}", said[-4000:], None, one)
    return found


def _compared(desk: Desk, draw: random.Random, of: Round) -> Finding | None:
    documents = [
        Open(each.uri, each.text, each.version, "", _places(each.text, draw, of.encoding))
        for each in desk.opened()
    ]
    desk.refreshed()
    try:
        for wait in WAITS:
            time.sleep(wait)
            sides = everything(desk.edited, documents), everything(desk.fresh, documents)
            if sides[0] == sides[1]:
                return None
    finally:
        desk.left()
    what = next(key for key in {**sides[0], **sides[1]} if sides[0].get(key) != sides[1].get(key))
    return Finding(what, sides[0].get(what), sides[1].get(what), of)


def _places(text: str, draw: random.Random, encoding: str) -> list[Message]:
    ats = [outside(text, draw.randrange(len(text) + 1)) for _ in range(_PLACES)]
    return [position(text, at, encoding) for at in ats]
