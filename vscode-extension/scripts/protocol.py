"""Write what the extension knows of the server's messages from the server's records of them, and
what the server is able to do from what it says when it is asked.

``make protocol`` runs this; with ``--check`` it only says whether anything would be written.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import re
import sys
import types
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from treelens_server import opening, records, server
from treelens_server.records import Command, Message, Record

SOURCES = Path(__file__).parent.parent / "src"

_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
_EDITORS = {"Position", "Range", "WorkspaceEdit"}
"""Types of LSP, from the client's library."""
_DRAWN = {"Position": "Point", "Range": "Stretch"}
"""What the page of a picture, which knows no editor, calls them."""

_HEAD = """\
// Written by `make protocol` from server/treelens_server/records.py: change it there.
"""
_PICTURE = {"PictureLayout", "Operation", "NodeKind", "NodeSide", "Place", "PictureNode", "Partner"}
_PICTURE |= {"Picture", "Choice"}
"""Records that the page of a picture shares."""

_ASIDE = (Record, records.Nothing)

_POINTS = """
/** A place in a text as LSP has it: lines from 0, characters in UTF-16. */
export interface Point {
  line: number;
  character: number;
}

export interface Stretch {
  start: Point;
  end: Point;
}
"""
_COMMANDS_ASIDE = """
export type ServerCommand = (typeof serverCommand)[keyof typeof serverCommand];

export function commandParams(command: ServerCommand, argument: object): ExecuteCommandParams {
  return { command, arguments: [argument] };
}
"""


def main() -> int:
    wrong = [path for path, text in written().items() if _text(path) != text]
    for path in wrong:
        print(f"{path.relative_to(SOURCES.parent.parent)} is not what the server says")
        if "--check" not in sys.argv:
            path.write_text(written()[path], encoding="utf-8")
    return int(bool(wrong) and "--check" in sys.argv)


def known() -> str:
    """What the server can do, as :mod:`opening` has it."""
    paths = "textDocument.semanticTokens.requests.range", "textDocument.rename.prepareSupport"
    capabilities = asked({*paths})
    without = {}
    for path in paths:
        other = asked({*paths} - {path})
        without[path] = {key: one for key, one in other.items() if capabilities.get(key) != one}
    found = {"capabilities": capabilities, "without": without}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def asked(able: set[str]) -> dict[str, Any]:
    """What the server says to a client that is able to do some things."""
    tokens = {
        "requests": {"range": "textDocument.semanticTokens.requests.range" in able},
        **dict.fromkeys(("tokenTypes", "tokenModifiers", "formats"), ()),
    }
    renaming = {"prepareSupport": "textDocument.rename.prepareSupport" in able}
    client = {"textDocument": {"semanticTokens": tokens, "rename": renaming}}
    found, sitting = server.build()
    output = _Output()
    found.protocol.set_writer(output)
    params = {"processId": None, "rootUri": None, "capabilities": client}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    found.protocol.receive([json.dumps(message).encode()])
    sitting.stop()
    capabilities: dict[str, Any] = json.loads(output.body)["result"]["capabilities"]
    return capabilities


class _Output:
    """The last message."""

    body = b""

    def write(self, data: bytes) -> None:
        self.body = data.split(b"\r\n\r\n", 1)[1]

    def close(self) -> None:
        """There is nothing to close."""


def written() -> dict[Path, str]:
    """The text of each file."""
    named = {name: one for name, one in vars(records).items() if not name.startswith("_")}
    literals = {name: one for name, one in named.items() if typing.get_origin(one) is Literal}
    structs = {
        name: one
        for name, one in named.items()
        if isinstance(one, type)
        and issubclass(one, Record)
        and one not in (Record, records.Nothing)
    }
    drawn = _Writer(literals, _DRAWN)
    picture = [drawn.literal(name) for name in literals if name in _PICTURE]
    picture += [drawn.record(one) for name, one in structs.items() if name in _PICTURE]
    writer = _Writer(literals, {})
    rest = [writer.literal(name) for name in literals if name not in _PICTURE]
    rest += [writer.record(one) for name, one in structs.items() if name not in _PICTURE]
    rest += [writer.message(one) for one in named.values() if isinstance(one, Message)]
    commands = [one for one in named.values() if isinstance(one, Command) and one.constant]
    rest.append(_commands(commands))
    body = "\n".join(rest) + _COMMANDS_ASIDE
    used = sorted(name for name in _PICTURE if re.search(rf"\b{name}\b", body))
    editors = [
        "ExecuteCommandParams",
        *sorted(name for name in _EDITORS if re.search(rf"\b{name}\b", body)),
    ]
    imported = "".join(f"  type {name},\n" for name in editors)
    imports = (
        f"import {{\n  NotificationType,\n  RequestType,\n{imported}"
        "} from 'vscode-languageclient/node';\n"
        f"import type {{ {', '.join(used)} }} from './picture/records';\n\n"
    )
    return {
        SOURCES / "protocol.ts": _HEAD + imports + body,
        SOURCES / "picture" / "records.ts": _HEAD + _POINTS + "\n" + "\n".join(picture),
        opening.KNOWN: known(),
    }


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


class _Writer:
    """What is written of records; ``names`` are what some types are called instead."""

    def __init__(self, literals: dict[str, Any], names: dict[str, str]) -> None:
        self._literals = literals
        self._names = names

    def literal(self, name: str) -> str:
        return _statement(f"export type {name} =", _values(self._literals[name]))

    def record(self, one: type[Record]) -> str:
        base = one.__mro__[1]
        extends = "" if base is Record else f" extends {base.__name__}"
        inherited = set() if base is Record else set(base.__struct_fields__)
        notes = _notes(one)
        lines = [f"export interface {one.__name__}{extends} {{"]
        for field in msgspec.structs.fields(one):
            if field.name in inherited:
                continue
            if field.name in notes:
                lines.append(f"  /** {notes[field.name]} */")
            lines.append(f"  {field.encode_name}{self._type_of(field)};")
        return _documented(_doc(one)) + "\n".join([*lines, "}"]) + "\n"

    def message(self, one: Message) -> str:
        params = "object" if one.params is records.Nothing else self.type(one.params)
        note = _documented(_notes(records)[_constant(one)])
        kind, types_ = "Notification", params
        if one.result is not None:
            kind, types_ = "Request", f"{params}, {self.type(one.result)}, void"
        name = f"{one.constant}{kind}"
        return note + _call(f"export const {name} = new {kind}Type", types_, one.method)

    def _type_of(self, field: Any) -> str:
        """``?: T`` where it may be left out, ``: T`` else."""
        parts = [one for one in _parts(field.type) if one is not msgspec.UnsetType]
        optional = len(parts) < len(_parts(field.type))
        if field.default is None:
            optional, parts = True, [one for one in parts if one is not type(None)]
        return f"{'?' if optional else ''}: {' | '.join(map(self.type, parts))}"

    def type(self, value: Any) -> str:
        if value in _PLAIN:
            return _PLAIN[value]
        for name, literal in self._literals.items():
            if literal == value:
                return name
        if typing.get_origin(value) is Literal:
            return " | ".join(_values(value))
        if typing.get_origin(value) is Annotated:
            return self.type(typing.get_args(value)[0])
        parts = [one for one in _parts(value) if one is not msgspec.Raw]
        if len(_parts(value)) > 1:
            return " | ".join(map(self.type, parts))
        if value == records.WorkspaceEdit:
            return "WorkspaceEdit"
        if typing.get_origin(value) in (list, tuple, Sequence):
            inner = self.type(typing.get_args(value)[0])
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        if typing.get_origin(value) is dict:
            return f"Record<{', '.join(map(self.type, typing.get_args(value)))}>"
        if value is Any:
            return "unknown"
        name = value.__name__
        return self._names.get(name, name)


def _parts(value: Any) -> tuple[Any, ...]:
    union = isinstance(value, types.UnionType) or typing.get_origin(value) is typing.Union
    return typing.get_args(value) if union else (value,)


def _values(literal: Any) -> list[str]:
    return [f"'{one}'" for one in typing.get_args(literal)]


# --- the text as prettier would lay it out --------------------------------------------------------

_WIDTH = 100


def _documented(text: str) -> str:
    return f"/** {text} */\n" if text else ""


def _statement(head: str, values: Sequence[str]) -> str:
    line = f"{head} {' | '.join(values)};"
    if len(line) <= _WIDTH:
        return line + "\n"
    together = f"  {' | '.join(values)};"
    if len(together) <= _WIDTH:
        return f"{head}\n{together}\n"
    return head + "".join(f"\n  | {one}" for one in values) + ";\n"


def _call(head: str, types_: str, method: str) -> str:
    line = f"{head}<{types_}>('{method}');"
    if len(line) <= _WIDTH:
        return line + "\n"
    if len(f"{head}<{types_}>(") <= _WIDTH:
        return f"{head}<{types_}>(\n  '{method}',\n);\n"
    inner = "".join(f"\n  {one}," for one in types_.split(", "))[:-1]
    return f"{head}<{inner}\n>('{method}');\n"


def _commands(commands: Sequence[Command]) -> str:
    lines = [f"  {one.constant}: '{one.name}',\n" for one in commands]
    note = "Commands of the server: the language client registers them under these ids itself."
    return f"{_documented(note)}export const serverCommand = {{\n{''.join(lines)}}} as const;\n"


# --- what the records' own docstrings say ---------------------------------------------------------


def _doc(one: type) -> str:
    return " ".join((one.__doc__ or "").split())


def _constant(message: Message) -> str:
    return next(name for name, one in vars(records).items() if one is message)


def _notes(where: Any) -> dict[str, str]:
    """The strings that stand below fields of a class, or constants of a module."""
    tree = ast.parse(inspect.getsource(where))
    body = tree.body if inspect.ismodule(where) else tree.body[0].body  # type: ignore[attr-defined]
    found = dict.fromkeys((name for one in body for name in _names(one)), "")
    for before, one in itertools.pairwise(body):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            found.update(dict.fromkeys(_names(before), " ".join(str(one.value.value).split())))
    return {name: note for name, note in found.items() if note or inspect.ismodule(where)}


def _names(one: ast.stmt) -> Iterator[str]:
    targets = [one.target] if isinstance(one, ast.AnnAssign) else getattr(one, "targets", [])
    yield from (target.id for target in targets if isinstance(target, ast.Name))


if __name__ == "__main__":
    sys.exit(main())
