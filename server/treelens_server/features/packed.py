"""Of our own extension: the text of packed files, to be read; one that is damaged says where."""

from __future__ import annotations

from pathlib import Path

from treelens.corpus.folders import is_packed
from treelens.present.diagnostics import Diagnostic
from treelens.present.names import short_name
from treelens.trees.forest import decode

from treelens_server import files
from treelens_server.background import Later
from treelens_server.context import Context, Feature, Handler
from treelens_server.files import FileText, name_of, path_of
from treelens_server.records import UNPACK, PackedParams, Unpacked
from treelens_server.reports import encoded

_MOST = 50 << 20
"""Bytes that VS Code shows to extensions."""

_Damages = dict[str, tuple[int | None, str]]
"""By name, what is to be said of a document that was unpacked since it had some version."""

_Context = Context[_Damages]


def answer(context: _Context, params: PackedParams) -> Unpacked | Later:
    name = name_of(params.uri)
    path = path_of(name)
    if path is None or not is_packed(name):
        return Unpacked(refused=f"{short_name(name)} is no packed file")
    if not files.is_inside(path, context.roots):
        outside = "is outside of the workspace: open its folder to see what it holds"
        return Unpacked(refused=f"{short_name(name)} {outside}")

    def then(found: FileText | str) -> Unpacked:
        if isinstance(found, str):
            return Unpacked(refused=found)
        context.memory[name] = context.version(name), found.damage
        return Unpacked(decode(found.text))

    return Later(f"unpacking {short_name(name)}", frozenset(), lambda _: _read(path), then)


def _read(path: Path) -> FileText | str:
    """What it holds, or why that cannot be read."""
    try:
        return files.read_undamaged(path, _MOST)
    except files.ReadError as problem:
        return str(problem)


def announce(context: _Context) -> None:
    """Say of what was unpacked where it is damaged, once the document is there."""
    for name, (version, damage) in [*context.memory.items()]:
        document = context.document(name)
        if document is None or context.version(name) == version:
            continue
        del context.memory[name]
        end = document.length
        message = f"The packed file is damaged here, and what follows is lost: {damage}"
        found = [Diagnostic(end, end, "error", "damaged", message)] if damage else []
        context.report_besides(name, "packed", encoded(name, found, context.names))


FEATURE = Feature(
    (
        Handler(
            UNPACK.method,
            answer,
            empty=Unpacked(refused="That failed: see the log"),
            params=UNPACK.params,
        ),
    ),
    memory=dict,
    turned=announce,
)
