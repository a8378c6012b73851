"""Clients that rage: bursts of what no client should say so much of, or at all, between edits.

Each *storm* is one sort of it; what the client's texts are afterwards is known (:class:`Texts`
edits as LSP has it, outside of the text, the wrong way round, between the halves of a letter).
What must hold: the server goes on, says of these texts what a fresh one says, and ends with its
input.
"""

from __future__ import annotations

import copy
import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsp_client import PULL, PUSH, Client, Message

from fuzzing.blackbox import WAITS
from fuzzing.everything import Open, everything

_TREE = "(S (NP (DT the) (NN 𝔸𝔹)) (VP (VB barks)))\n"
_OTHER = "(S (NP (DT the)) (NN 𝔸𝔹) (VP (VB is)))\n"
_FILES = {"x.gold.mrg": _TREE * 3, "x.system.mrg": _TREE + _OTHER + _TREE}
_METHODS = ("hover", "codeLens", "diagnostic", "foldingRange", "documentSymbol", "inlayHint")
_MANY = 1000


class Rage:
    """A conversation about a pair of files, of which the client has one text each."""

    def __init__(self, client: Client, folder: Path, draw: random.Random) -> None:
        self.client = client
        self.folder = folder
        self.draw = draw
        self.texts = {(folder / name).as_uri(): _units(text) for name, text in _FILES.items()}
        self.versions = dict.fromkeys(self.texts, 1)
        for uri, text in self.texts.items():
            client.open(uri, _whole(text))

    @property
    def uri(self) -> str:
        return self.draw.choice([*self.texts])

    def cancellations(self) -> None:
        """Of requests that were answered, are under way, and never were."""
        for number in range(_MANY):
            if number % 10 == 0:
                method = f"textDocument/{self.draw.choice(_METHODS)}"
                self.client.ask(
                    method, {"textDocument": {"uri": self.uri}, "position": _place(0, 0)}
                )
            id_ = self.draw.choice((self.draw.randrange(_MANY), "x", None, -1, 1.5, 1 << 64))
            self.client.notify("$/cancelRequest", {"id": id_})

    def same_ids(self) -> None:
        for _ in range(_MANY // 5):
            params = {"textDocument": {"uri": self.uri}}
            self.client.send({"id": "again", "method": "textDocument/codeLens", "params": params})

    def events(self) -> None:
        """Of files that are there, and of those that are not."""
        folder = self.folder.as_uri()
        uris = [*self.texts, *(f"{folder}/{number}.gold.mrg" for number in range(_MANY * 10))]
        changes = [{"uri": uri, "type": self.draw.randrange(1, 4)} for uri in uris]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def strangers(self) -> None:
        """Changes of what is not open, and what is open opened again."""
        never = (self.folder / "never.mrg").as_uri()
        for _ in range(50):
            self.client.change(never, self.draw.randrange(9), {"text": "(S"})
            self.client.close(never)
        uri = self.uri
        if self.draw.random() < 0.5:
            self.client.close(uri)
            self.client.change(uri, 99, {"text": "(S"})
        self.texts[uri] = _units(self.draw.choice((_TREE, _TREE + _OTHER, "", "(S")))
        self.versions[uri] = self.draw.randrange(5)
        self.client.open(uri, _whole(self.texts[uri]), self.versions[uri])

    def edits(self) -> None:
        """Of places anywhere, versions in any order."""
        for _ in range(50):
            uri, draw = self.uri, self.draw
            ends = [
                _place(draw.choice((*range(5), 1 << 30)), draw.choice((*range(45), 1 << 30)))
                for _ in "12"
            ]
            new = draw.choice(("", "", "X", ")", "(", "\n", " ", "\0", "\ud835", "\udd38", _OTHER))
            self.replace(uri, ends, new)

    def replace(self, uri: str, ends: list[Message], new: str) -> None:
        text = self.texts[uri]
        start, end = sorted(_at(text, place) for place in ends)
        self.texts[uri] = text[:start] + _units(new) + text[end:]
        self.versions[uri] += self.draw.randrange(-1, 3)
        change = {"range": {"start": ends[0], "end": ends[1]}, "text": new}
        self.client.change(uri, self.versions[uri], change)

    def floods(self) -> None:
        """What is deep, long, and full of NULs, typed and taken back."""
        uri = self.uri
        for new in ("(" * 100_000, "\0" * 100_000, "w" * 2_000_000, "(N " * 30_000 + ")" * 30_000):
            length = len(self.texts[uri])
            self.replace(uri, [_place(0, 5)] * 2, new)
            assert len(self.texts[uri]) == length + len(new)
            self.replace(uri, [_place(0, 5), _place(0, 5 + len(new))], "")

    def folders(self) -> None:
        mine = {"uri": self.folder.as_uri(), "name": "x"}
        for number in range(60):
            event: dict[str, Any] = {"added": [], "removed": []}
            event["removed" if number % 2 == 0 else "added"].append(mine)
            self.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def settings(self) -> None:
        for number in range(_MANY):
            settings: Any = {"strict": number % 3 > 0, "hints": {"heads": number % 2 > 0}}
            if number % 7 == 0:
                settings = self.draw.choice((None, 1, [], {"hints": 3}, {"strict": "x"}))
            self.client.notify(
                "workspace/didChangeConfiguration", {"settings": {"treelens": settings}}
            )
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"treelens": {}}})

    def disk(self) -> None:
        """Files come, go, are folders, and may not be read, beside those that are open."""
        for _ in range(20):
            path = self.folder / self.draw.choice([*_FILES, "y.gold.mrg", "y.system.mrg"])
            _removed(path)
            kind = self.draw.randrange(4)
            if kind == 0:
                path.mkdir()
            elif kind > 1:
                path.write_text(_TREE, encoding="utf-8")
                path.chmod(0 if kind == 2 else 0o600)
            changes = [{"uri": path.as_uri(), "type": self.draw.randrange(1, 4)}]
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        for name in (*_FILES, "y.gold.mrg", "y.system.mrg"):
            _removed(self.folder / name)
            changes = [{"uri": (self.folder / name).as_uri(), "type": 3}]
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


STORMS: tuple[Callable[[Rage], None], ...] = (
    Rage.cancellations,
    Rage.same_ids,
    Rage.events,
    Rage.strangers,
    Rage.edits,
    Rage.floods,
    Rage.folders,
    Rage.settings,
    Rage.disk,
)
_LONGEST = 6


def some(seed: str) -> list[str]:
    """Storms, one after the other; every second one only edits."""
    draw = random.Random(seed)
    drawn = draw.choices(STORMS, k=draw.randrange(1, _LONGEST))
    return [name for storm in drawn for name in (storm.__name__, Rage.edits.__name__)]


def finding(seed: str, names: list[str], folder: Path) -> str | None:
    """What is wrong after these storms, if anything."""
    draw = random.Random(seed)
    declared = copy.deepcopy(draw.choice((PULL, PUSH)))
    encodings: Any = draw.choice((["utf-16"], [], ["x"], ["x", 7, "utf-16"], "utf-16", None))
    declared.setdefault("general", {})["positionEncodings"] = encodings
    with Client() as client, Client() as fresh:
        try:
            client.start(folder, declared)
            fresh.start(folder, declared)
            rage = Rage(client, folder, draw)
            for name in names:
                getattr(rage, name)()
            if found := _compared(rage, fresh):
                return found
            assert client.process.stdin is not None
            if draw.random() < 0.5:
                client.ask("shutdown")
            rage.edits()
            if draw.random() < 0.5:
                client.notify("exit")
            else:
                client.process.stdin.close()
            client.process.wait(60)
        except (AssertionError, OSError) as problem:
            return repr(problem)
        said = b"".join(client.errors).decode("utf-8", "replace")
        return said[-3000:] if "Traceback" in said else None


def _compared(rage: Rage, fresh: Client) -> str | None:
    documents = []
    for uri, units in rage.texts.items():
        fresh.open(uri, _whole(units), rage.versions[uri])
        places = [_place(rage.draw.randrange(4), rage.draw.randrange(30)) for _ in range(2)]
        documents.append(Open(uri, _whole(units), rage.versions[uri], "", places))
    for wait in WAITS:
        time.sleep(wait)
        sides = [everything(client, documents) for client in (rage.client, fresh)]
        if sides[0] == sides[1]:
            return None
    what = next(key for key in sides[1] if sides[0].get(key) != sides[1][key])
    return f"{what}:\n{sides[0].get(what)}\n{sides[1][what]}\n{rage.texts}"


def _place(line: int, character: int) -> Message:
    return {"line": line, "character": character}


def _at(text: str, place: Message) -> int:
    """Where a place is in units, as near as there is one."""
    lines = text.split("\n")
    if place["line"] >= len(lines):
        return len(text)
    before = sum(len(line) + 1 for line in lines[: place["line"]])
    return before + min(place["character"], len(lines[place["line"]]))


def _units(text: str) -> str:
    """A text with each unit of UTF-16 as a character of Python's, as clients have it."""
    units = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(units[at] + 256 * units[at + 1]) for at in range(0, len(units), 2))


def _whole(units: str) -> str:
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    elif os.path.lexists(path):
        path.unlink()
