"""Clients that speak of what is there, but strangely: each message is drawn from the record that
the server reads it as, about files that are open, and half of them are broken somewhere.
Meanwhile files become folders, pipes and links on disk.

What must hold: every request has one answer, what is refused is refused for what it is, the server
goes on, and it ends with its input.
"""

from __future__ import annotations

import copy
import enum
import os
import random
import re
import shutil
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import attrs
import msgspec
from hostile import LARGE, TEXTS, URIS, VALUES
from lsp_client import PULL, PUSH, Client
from lsprotocol.types import METHOD_TO_TYPES
from treelens_server import records

_TREE = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
_FILES = {
    "x.gold.mrg": _TREE * 2,
    "x.system.mrg": _TREE + "(S (NP (DT the)) (NN dog) (VP (VB barks)))\n",
    "y.gold.conllu": "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n",
    "y.system.conllu": "1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tY\t_\t_\t0\troot\t_\t_\n\n",
    "anna/z.mrg": "(S (NP (NN a)) (VP (VB b)))\n",
    "boris/z.mrg": "(S (NP (NNS a)) (VB b))\n",
    "settled/z.mrg": "(S (NP (NN a)) (VB b))\n",
    "treelens.toml": '[[adjudication]]\nfirst = "anna/*"\nsecond = "boris/*"\n'
    'adjudicated = "settled/*"\n',
}
"""A pair of brackets, one of tables, and two annotators' files."""
_URIS = [uri for uri in URIS if uri.strip("/") not in LARGE]
_WORDS = ("X", "NP", "", "the", "root", "score", "\0", "a b", "(", "1", "x" * 3000, "\ud800")
_NUMBERS = (0, 0, 1, 1, 2, 3, 5, 40, -1, 2**31 - 1, 2**31, 2**63, 2**64)
_DEEPEST = 6
_OWN = {
    message.method: message.params
    for message in vars(records).values()
    if isinstance(message, records.Message)
}
_COMMANDS = {
    command.name: command.argument
    for command in vars(records).values()
    if isinstance(command, records.Command)
}
_METHODS = {
    **{method: found[2] for method, found in METHOD_TO_TYPES.items() if found[2] is not None},
    **_OWN,
}
for _left_out in ("exit", "shutdown", "initialize"):
    _METHODS.pop(_left_out, None)
_OFTEN = ("textDocument/didChange", "textDocument/didOpen", "workspace/executeCommand")
_REFUSALS = "in decoded\n", "in structure_message\n", "JsonRpcInvalidParams"
"""In what is logged of a message that cannot be understood."""
_MOST_PLACES = 600


def prepare(folder: Path) -> list[str]:
    """Writes the files; their URIs."""
    for name, text in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [(folder / name).as_uri() for name in _FILES]


class Stranger:
    """Draws messages."""

    def __init__(self, draw: random.Random, uris: list[str]) -> None:
        self.draw = draw
        self.uris = uris

    def message(self) -> tuple[str, Any]:
        """A method and its parameters."""
        draw = self.draw
        method = draw.choice(_OFTEN) if draw.random() < 0.3 else draw.choice([*_METHODS])
        if method == "workspace/executeCommand":
            name = draw.choice([*_COMMANDS])
            argument = self._of(_COMMANDS[name], 0, "")
            params: Any = {"command": name, "arguments": [argument]}
        else:
            params = self._of(_METHODS[method], 0, "")
        if draw.random() < 0.5:
            params = self._broken(params)
        return method, params

    def _of(self, type_: Any, depth: int, name: str) -> Any:
        """A value of a type, of a field that is called so."""
        draw = self.draw
        origin, parts = typing.get_origin(type_), typing.get_args(type_)
        if origin in (typing.Union, types.UnionType):
            some = [part for part in parts if part is not type(None)]
            if len(some) < len(parts) and (depth > _DEEPEST or draw.random() < 0.3):
                return None
            return self._of(draw.choice(some), depth, name)
        if origin is Literal:
            return draw.choice(parts)
        if isinstance(type_, type) and issubclass(type_, enum.Enum):
            return draw.choice([*type_]).value
        if origin is dict or type_ is dict:
            return {self._word(): self._odd()}
        if origin is not None:  # (a sequence)
            count = 0 if depth > _DEEPEST else draw.randrange(3)
            return [self._of(parts[0] if parts else Any, depth + 1, name) for _ in range(count)]
        if type_ is bool:
            return draw.random() < 0.5
        if type_ is int:
            return draw.choice(_NUMBERS)
        if type_ is float:
            return draw.choice((0.5, 1e300, -1.0))
        if type_ is str:
            return self._named(name)
        return self._record(type_, depth)

    def _record(self, type_: Any, depth: int) -> Any:
        if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
            names = {one.name: one.encode_name for one in msgspec.structs.fields(type_)}
        elif attrs.has(type_):
            names = {one.name: _camel(one.name) for one in attrs.fields(type_)}
        else:
            return self._odd()
        hints = typing.get_type_hints(type_)
        return {told: self._of(hints[name], depth + 1, name) for name, told in names.items()}

    def _named(self, name: str) -> str:
        draw = self.draw
        if "uri" in name or name in ("gold", "system", "first", "second", "adjudicated", "old"):
            return draw.choice(self.uris) if draw.random() < 0.9 else draw.choice(_URIS)
        if name in ("text", "new_text"):
            return draw.choice((*TEXTS, *_FILES.values(), "x", ")"))
        return self._word()

    def _odd(self) -> Any:
        return copy.deepcopy(self.draw.choice(VALUES))

    def _word(self) -> str:
        return self.draw.choice(_WORDS)

    def _broken(self, params: Any) -> Any:
        """The same with one thing in it that is another."""
        draw = self.draw
        places = [*_places(params)]
        if not places:
            return self._odd()
        within, key = draw.choice(places)
        kind = draw.random()
        if kind < 0.6:
            within[key] = self._odd()
        elif kind < 0.75:
            del within[key]
        elif kind < 0.9:
            within[key] = [within[key]] * draw.choice((1, 2, 500))
        elif isinstance(within, dict):
            within[draw.choice(("x", "uri", "", "position"))] = self._odd()
        return params


def disturb(folder: Path, draw: random.Random) -> None:
    """One of the files becomes something else on disk."""
    path = folder / draw.choice([*_FILES])
    kind = draw.choice(("folder", "pipe", "link", "loop", "gone", "bytes", "sealed", "text"))
    if path.is_dir() and not path.is_symlink():
        path.chmod(0o700)
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(draw.choice(("/dev/zero", "/etc/passwd", "/proc/self/mem", folder)))
    elif kind == "loop":
        path.symlink_to(path)
    elif kind in ("bytes", "sealed"):
        path.write_bytes(draw.randbytes(300))
        path.chmod(0o600 if kind == "bytes" else 0)
    elif kind == "text":
        path.write_text(draw.choice((*_FILES.values(),)))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where something stands in a message: what it is in, and its key or number there."""
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = [*value]
    elif isinstance(value, list) and len(value) <= _MOST_PLACES:
        keys = [*range(len(value))]
    for key in keys:
        yield value, key
        if value[key] not in VALUES:
            yield from _places(value[key])


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name.rstrip("_"))


def finding(seed: str, count: int, folder: Path) -> str | None:
    """What is wrong with the answers to so many messages about files in a folder, if anything."""
    draw = random.Random(seed)
    uris = prepare(folder)
    with Client() as client:
        try:
            client.start(folder, _capabilities(draw))
            _hold(client, Stranger(draw, uris), folder, count)
        except (AssertionError, OSError) as problem:
            return repr(problem)
        finally:
            _tidy(folder)
        faults = _faults(b"".join(client.errors).decode("utf-8", "replace"))
    return "\n".join(faults) or None


def _capabilities(draw: random.Random) -> Any:
    declared = copy.deepcopy(draw.choice((PULL, PUSH)))
    encodings = (["utf-16"], ["utf-8"], ["utf-32"], ["x", "utf-8"], [])
    declared.setdefault("general", {})["positionEncodings"] = draw.choice(encodings)
    return declared


def _hold(client: Client, stranger: Stranger, folder: Path, count: int) -> None:
    """A conversation of so many messages."""
    draw, uris, asked = stranger.draw, stranger.uris, []
    for _ in range(count):
        if draw.random() < 0.05:
            uri = draw.choice(uris)
            client.close(uri)
            client.open(uri, draw.choice([*_FILES.values()]))
        if draw.random() < 0.03:
            disturb(folder, draw)
            changes = [{"uri": uri, "type": draw.choice((1, 2, 3))} for uri in uris]
            client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        method, params = stranger.message()
        if "/did" in method or draw.random() < 0.1:
            client.notify(method, params)
        else:
            asked.append(client.ask(method, params))
        if asked and draw.random() < 0.02:
            client.notify("$/cancelRequest", {"id": draw.choice(asked)})
    for number in asked:
        client.response(number)
    client.request("treelens/worklist", {"uri": uris[0]})
    assert {client.answers[number] for number in asked} <= {1}, "there are two answers"
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(60) == 1, "it ended otherwise"


def _faults(said: str) -> list[str]:
    """What failed and was not a message's own fault."""
    parts = [part for part in re.split(r"\n(?=ERROR|WARNING)", said) if "Traceback" in part]
    return [part for part in parts if not any(refusal in part for refusal in _REFUSALS)]


def _tidy(folder: Path) -> None:
    for name in _FILES:
        path = folder / name
        if not path.is_symlink() and path.exists():
            path.chmod(0o700)
