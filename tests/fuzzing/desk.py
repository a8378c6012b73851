"""The files of a round as a client has them: what is done to each, in its server and on disk, and
what a fresh server has to be told to be in the same place.

A file is open, or only on disk, or packed on disk and open as what it holds. Its text changes by
typing, by edits that the server itself makes (actions, nodes of pictures, notes, states), and by
other programs that write it. Longer than other modules are: a method a deed, all of one table.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from lsp_client import Client, Message
from treelens_server.files import path_of

from fuzzing.configs import CONFIG, CONFIGS
from fuzzing.positions import joined, offset, outside, position

LONGEST = 4000
"""Characters of a file, after which what is typed takes the place of the rest."""
_SCHEME = "treelens-packed:"
_OPERATIONS = ("relabel", "delete", "raise", "lower", "wrap", "attach", "relation", "head")
_STATES = ("todo", "checked", "question")
_CREATED, _CHANGED, _DELETED = 1, 2, 3
_TOP: Message = {end: {"line": 0, "character": 0} for end in ("start", "end")}


class Step(NamedTuple):
    """Something done at a place of a file: where, and how long what goes is, as shares of its
    length."""

    file: int
    where: float
    length: float
    new: str
    deed: str = "type"
    """One of :data:`DEEDS`."""


class File:
    """One file: its text as the client has it, and where that is."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.version = 0
        self.state = "open"
        self.view: list[Message] | None = None
        """Lines that the client said are in view; None if it said nothing."""

    @property
    def uri(self) -> str:
        uri = self.path.as_uri()
        return uri.replace("file:", _SCHEME) if self.state == "packed" else uri


Files = Iterable[tuple[str, str]]
"""Paths in the folder and texts."""


class Desk:
    def __init__(
        self, edited: Client, fresh: Client, encoding: str, folder: Path, files: Files
    ) -> None:
        self.edited = edited
        self.fresh = fresh
        self.encoding = encoding
        self.files = [File(folder / name, text) for name, text in files]
        self._config = folder / CONFIG
        self._paired: list[tuple[str, str]] = []
        self.varies = False
        """Whether it has been looked for what varies."""
        self._sidecars: dict[str, str] = {}
        self._since: dict[tuple[str, str], Message] = {}
        for file in self.files:
            self._open(file)

    # --- what is done ------------------------------------------------------------------------

    def do(self, step: Step) -> None:
        if not self.varies or step.deed not in _OF_FILES:
            DEEDS[step.deed](self, self.files[step.file], step)

    def type(self, file: File, step: Step) -> None:
        start = outside(file.text, int(step.where * len(file.text)))
        end = start + round(step.length * len(file.text) + 0.49 * (step.length > 0))
        full = len(file.text) > LONGEST
        end = len(file.text) if full else max(start, outside(file.text, end))
        self._replace(file, start, end, step.new)

    def act(self, file: File, step: Step) -> None:
        """Take what an action at a place offers."""
        if file.state != "open":
            return
        place = self._at(file, step)
        context = {"diagnostics": [], "triggerKind": 2}
        asked = {**self._of(file), "range": {"start": place, "end": place}, "context": context}
        found = self.edited.request("textDocument/codeAction", asked) or []
        actions = [one for one in found if "edit" in one or "data" in one]
        if actions:
            action = actions[int(step.length * 1000) % len(actions)]
            if "edit" not in action:
                action = self.edited.request("codeAction/resolve", action)
            self._apply(action.get("edit"))

    def node(self, file: File, step: Step) -> None:
        """Change what is drawn of a sentence: a bracket, a word, an arc, an enhanced one."""
        if file.state != "open":
            return
        asked = {**self._of(file), "position": self._at(file, step)}
        drawn = self.edited.request("treelens/picture", asked)
        places = [
            place
            for one in (drawn or {}).get("nodes") or ()
            for place in one["places"]
            if place["uri"] == file.uri
        ]
        if places:
            number = int(step.length * 1000)
            place = places[number % len(places)]
            params = {
                "textDocument": {"uri": file.uri, "asOf": place["asOf"]},
                "range": place["range"],
                "operation": _OPERATIONS[number % len(_OPERATIONS)],
                "argument": step.new.strip() or "X",
                "target": places[number * 7 % len(places)]["range"],
            }
            self._apply(self.edited.request("treelens/editNode", params).get("edit"))

    def note(self, file: File, step: Step) -> None:
        if file.state == "open":
            at = {"uri": file.uri, "position": self._at(file, step)}
            made = self.edited.request("treelens/note", {"at": at, "note": step.new})
            self._apply(made.get("edit"))

    def review(self, file: File, step: Step) -> None:
        if file.state == "open":
            at = {"uri": file.uri, "position": self._at(file, step)}
            state = _STATES[int(step.length * 1000) % len(_STATES)]
            made = self.edited.request("treelens/review", {"at": at, "state": state})
            self._apply((made or {}).get("edit"))

    def say(self, file: File, step: Step) -> None:
        """The same of some sentences in a row, in edits that the server asks for; where the client
        makes one, what it says comes before or behind its answer, and some it does not make."""
        if file.state != "open":
            return
        edited, draw = self.edited, random.Random(step.where + step.length)
        edited.edited = None  # (None is answered by itself.)
        for _ in range(draw.randrange(1, 5)):
            state, place = draw.choice(_STATES), step._replace(where=draw.random())
            at = {"uri": file.uri, "position": self._at(file, place)}
            self._command(edited, "review", {**at, "state": state, "note": step.new.strip()})
        while edited.edits:
            number = edited.edits.pop(0)
            asked = next(one for one in reversed(edited.seen) if one.get("id") == number)
            is_made, is_late = draw.random() < 0.8, draw.random() < 0.5
            made = partial(self._apply, asked["params"]["edit"]) if is_made else bool
            if not is_late:
                made()
            edited.send({"id": number, "result": {"applied": is_made}})
            if is_late:
                made()
            for _ in range(2):  # What was waited for is asked for behind the first answer.
                edited.request("workspace/symbol", {"query": "-"})
        edited.edited = {"result": {"applied": True}}

    def view(self, file: File, step: Step) -> None:
        """Scroll: these lines are in view from now on."""
        if file.state != "disk":
            first = int(step.where * (file.text.count("\n") + 2))
            start, end = ({"line": line, "character": 0} for line in (first, first + len(step.new)))
            file.view = [{"start": start, "end": end}]
            self._look(self.edited, file)

    def settings(self, _: File, step: Step) -> None:
        strict, heads = step.where < 0.5, step.length > 0
        self._settings({"strict": strict, "hints": {"heads": heads}, "packed": True})

    def since(self, _: File, step: Step) -> None:
        """Hold the system file against what it is, or against a text that it never was."""
        if len(self.files) == 2 and self.files[1].state == "open":
            text = step.new or self.files[1].text
            called = "before" if step.where < 0.8 else ""
            names = self.files[0].uri, self.files[1].uri
            held = {"gold": names[0], "system": names[1], "called": called, "text": text}
            self._since[names] = held
            self._hold(self.edited)

    def config(self, _: File, step: Step) -> None:
        """Another program writes what the folder says."""
        self._configure(CONFIGS[int(step.where * 0.99 * len(CONFIGS))])

    def pair(self, file: File, step: Step) -> None:
        """Compare it by hand with another one, or no more."""
        other = self.files[int(step.length * 1000) % len(self.files)]
        two = file.uri, other.uri
        if other is file and any(file.uri in pair for pair in self._paired):
            self._paired = [pair for pair in self._paired if file.uri not in pair]
            self._since = {pair: held for pair, held in self._since.items() if file.uri not in pair}
            self._command(self.edited, "unpair", {"uri": file.uri})
        elif other is not file and {file.state, other.state} == {"open"}:
            self._paired = [pair for pair in self._paired if {*pair} != {*two}]
            self._paired.append(two)
            self._pair(self.edited, two)

    def vary(self, *_: object) -> None:
        """Look for what varies in all that is on disk, which is then followed."""
        if not all(file.text.strip() for file in self.files):
            return
        for file in self.opened():
            self._save(file)
        self.varies = True
        self._command(self.edited, "consistency")

    def disk(self, file: File, _: Step) -> None:
        """Close it and have it on disk, or open what is there."""
        if file.state == "open":
            self._save(file)
            self._close(file)
            file.state = "disk"
        elif file.state == "disk":
            file.state = "open"
            self._open(file)

    def pack(self, file: File, _: Step) -> None:
        if file.state == "open":
            self._leave(file)
            file.path, file.state = file.path.with_name(file.path.name + ".gz"), "packed"
            self._save(file)
            self._open(file)
        elif file.state == "packed":
            self._leave(file)
            file.path, file.state = file.path.with_suffix(""), "open"
            self._open(file)

    def rename(self, file: File, _: Step) -> None:
        """Another name on disk, and later its own again."""
        if file.state == "disk":
            old, name = file.path, file.path.name
            away = name[5:] if name.startswith("away.") else f"away.{name}"
            file.path = old.rename(old.with_name(away))
            self._tell((old, _DELETED), (file.path, _CREATED))

    # --- a fresh server ------------------------------------------------------------------------

    def opened(self) -> list[File]:
        return [file for file in self.files if file.state != "disk"]

    def refreshed(self) -> None:
        """Tell the fresh server all."""
        for file in self.opened():
            self.fresh.open(file.uri, file.text, file.version)
            # (One of them may take where it was edited for the view, while there was more text.)
            file.view = file.view or [_TOP]
            for client in (self.edited, self.fresh):  # (In one, lines may have moved since.)
                self._look(client, file)
        for two in self._paired:
            self._pair(self.fresh, two)
        self._hold(self.fresh)
        if self.varies:
            self._command(self.fresh, "consistency")

    def left(self) -> None:
        """Have the fresh one forget it."""
        self._hold(self.fresh, called="")
        for file in self.opened():
            self.fresh.close(file.uri)

    def end(self) -> None:
        """Nothing is left of it, in the server or on disk."""
        if self.edited.process.poll() is None:
            self._hold(self.edited, called="")
            self._settings({"packed": True})
        self._configure(CONFIGS[0])
        for file in self.files:
            self._leave(file)
        for uri in self._sidecars:
            self._remove(_path(uri))

    # --- how -------------------------------------------------------------------------------------

    def _of(self, file: File) -> Message:
        return {"textDocument": {"uri": file.uri}}

    def _at(self, file: File, step: Step) -> Message:
        at = outside(file.text, int(step.where * len(file.text)))
        return position(file.text, at, self.encoding)

    def _open(self, file: File) -> None:
        file.version += 1
        self.edited.open(file.uri, file.text, file.version)

    def _look(self, client: Client, file: File) -> None:
        if file.view is not None:
            client.notify("treelens/visible", {"uri": file.uri, "ranges": file.view})

    def _replace(self, file: File, start: int, end: int, new: str) -> None:
        """One change, where the file is."""
        places = [position(file.text, at, self.encoding) for at in (start, end)]
        file.text = joined(file.text[:start] + new + file.text[end:])
        if file.state != "open":
            self._save(file)
        if file.state != "disk":
            file.version += 1
            whole = {"text": file.text}
            change = {"range": dict(zip(("start", "end"), places, strict=True)), "text": new}
            change = whole if file.state == "packed" else change
            self.edited.change(file.uri, file.version, change)

    def _save(self, file: File) -> None:
        _written(file.path, file.text)
        self._tell((file.path, _CHANGED))

    def _leave(self, file: File) -> None:
        if file.state != "disk" and self.edited.process.poll() is None:
            self._close(file)
        self._remove(file.path)

    def _close(self, file: File) -> None:
        self.edited.close(file.uri)
        others = {one.uri for one in self.opened() if one is not file}
        self._paired = [pair for pair in self._paired if others.intersection(pair)]

    def _configure(self, text: str) -> None:
        _written(self._config, text)
        self._tell((self._config, _CHANGED))

    def _remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._tell((path, _DELETED))

    def _tell(self, *changes: tuple[Path, int]) -> None:
        told = {"changes": [{"uri": path.as_uri(), "type": kind} for path, kind in changes]}
        self._both("workspace/didChangeWatchedFiles", told)

    def _settings(self, settings: Message) -> None:
        self._both("workspace/didChangeConfiguration", {"settings": {"treelens": settings}})

    def _both(self, method: str, params: Message) -> None:
        for client in (self.edited, self.fresh):
            if client.process.poll() is None:
                client.notify(method, params)

    def _hold(self, client: Client, **more: str) -> None:
        """Each pair that was held against something: a file has another name while it is packed."""
        for held in self._since.values():
            self._command(client, "since", {**held, **more})

    def _pair(self, client: Client, two: tuple[str, str]) -> None:
        self._command(client, "pair", dict(zip(("gold", "system"), two, strict=True)))

    def _command(self, client: Client, command: str, *arguments: Message) -> None:
        params = {"command": f"treelens.{command}", "arguments": [*arguments]}
        client.request("workspace/executeCommand", params)

    def _apply(self, edit: Any) -> None:
        """An edit of the server's: what is open changes, all else is written."""
        for change in (edit or {}).get("documentChanges") or ():
            if "edits" not in change:
                continue
            uri = change["textDocument"]["uri"]
            known = next((one for one in self.files if one.uri == uri), None)
            text = known.text if known else self._sidecars.get(uri, "")
            parts = [
                (*(offset(text, one["range"][end], self.encoding) for end in ("start", "end")), one)
                for one in change["edits"]
            ]
            for start, end, one in sorted(parts, key=lambda part: part[:2], reverse=True):
                if known:
                    self._replace(known, start, end, one["newText"])
                text = joined(text[:start] + one["newText"] + text[end:])
            if not known:
                self._sidecars[uri] = text
                _written(_path(uri), text)
                self._tell((_path(uri), _CHANGED))


DEEDS: dict[str, Callable[[Desk, File, Step], None]] = {
    "type": Desk.type,
    "act": Desk.act,
    "node": Desk.node,
    "note": Desk.note,
    "review": Desk.review,
    "say": Desk.say,
    "view": Desk.view,
    "settings": Desk.settings,
    "since": Desk.since,
    "config": Desk.config,
    "vary": Desk.vary,
    "pair": Desk.pair,
    "disk": Desk.disk,
    "pack": Desk.pack,
    "rename": Desk.rename,
}
"""What can be done to a file. In a round most of it is typing."""
_OF_FILES = ("config", "pair", "disk", "pack", "rename")
"""What says which files make up a folder's corpus, which is asked when it is looked for."""


def _path(uri: str) -> Path:
    found = path_of(uri)
    assert found is not None, uri
    return found


def _written(path: Path, text: str) -> None:
    """As another program does it: all at once."""
    path.parent.mkdir(exist_ok=True)
    data = text.encode("utf-8", "surrogatepass")
    beside = path.with_name(path.name + "~")
    beside.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    beside.replace(path)
