"""What varies in the folder: the same words in the same context, annotated differently.

Asked for by a command, or by ``[consistency]`` in ``treelens.toml``, the files of the workspace are
read in the background; from then on marks, fixes and the index follow what is typed. The marks are
published beside those that clients pull.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lsprotocol import types
from treelens.consistency import agreed as agreed_file
from treelens.consistency.agreed import Agreed
from treelens.consistency.groups import Group
from treelens.consistency.index import Index, Key
from treelens.consistency.options import KINDS, TIERS, Options, Tier
from treelens.formats.table import named
from treelens.present.consistency import (
    CODE,
    Fix,
    Variation,
    View,
    as_elsewhere,
    diagnostics,
    next_variation,
    others_as_here,
    variations,
)
from treelens.present.names import counted, short_name
from treelens.session.document import Document, document
from treelens.session.toml import FILE_NAME
from treelens.trees.forest import Symbols, decode

from treelens_server import corpus, files
from treelens_server.background import Progress, Task
from treelens_server.context import Context, Feature, Joined
from treelens_server.edits import encoded as text_edits
from treelens_server.files import path_of, uri_of
from treelens_server.positions import ranges, span_of
from treelens_server.records import (
    CONSISTENCY,
    NEXT_VARIATION,
    PREVIOUS_VARIATION,
    VARIES_RIGHTLY,
    Nothing,
    PlaceArgument,
)
from treelens_server.reports import encoded
from treelens_server.shares import Names

_LOG = logging.getLogger("treelens")

TITLE = "looking for what varies"
_BRACKETS = ("mrg", "ptb", "parse", "gld", "psd", "brackets", "bracket")


@dataclass(slots=True)
class _Memory:
    """The indices of the workspace: files of trees and files of tables are two corpora."""

    views: dict[bool, View] = field(default_factory=dict)
    """By whether they are tables."""
    seen: dict[str, Document] = field(default_factory=dict)
    """The state of each open document that is in an index, or waits to be."""
    waiting: set[str] = field(default_factory=set)
    published: dict[str, list[bytes]] = field(default_factory=dict)
    """The marks that the client was sent, as they were written."""
    shown: dict[str, range] = field(default_factory=dict)
    """What was in view of each document."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """``[consistency]`` of a folder."""

    root: Path
    files: tuple[str, ...]
    options: Options
    tier: Tier


def find(context: Context[_Memory], argument: Nothing) -> Coroutine[Any, Any, None]:
    """Read the workspace's files, and say what varies in them."""
    return _found(context)


async def _found(context: Context[_Memory]) -> None:
    roots = tuple(context.roots)
    if not roots:
        context.client.tell("There is no folder open: what varies is looked for in a folder")
        return
    wanted = _wanted(roots[0])
    task = Task(TITLE)
    own = {name: one for name in context.opened if (one := context.document(name)) is not None}
    symbols = next(iter(own.values())).symbols if own else Symbols()
    with context.background.shown(task):
        read = await context.background.run(
            task, lambda progress: _read(wanted, own, symbols, progress)
        )
        views = await context.background.run(task, lambda _: _views(wanted, read))
    memory = context.memory
    memory.views = views
    memory.seen = {name: one for name, one in read.items() if name in own}
    memory.waiting.clear()
    _announce(context)
    groups = [one for view in views.values() for one in _shown(view)]
    what = counted(len(groups), "group") if groups else "nothing"
    context.client.tell(f"{counted(len(read), 'file')} read: {what} of tier {wanted.tier} varies")


def _shown(view: View) -> list[Group]:
    tiers = TIERS[: TIERS.index(view.tier) + 1]
    return view.agreed.but(one for one in view.index.groups.values() if one.tier in tiers)


def _wanted(root: Path) -> _Wanted:
    """What ``[consistency]`` says; what it says wrongly is left out."""
    given = _table(root)
    kinds = tuple(kind for kind in KINDS if kind in _strings(given.get("kinds")))
    on = given.get("on")
    default = Options()
    options = Options(
        kinds=kinds or default.kinds, on=on if on in ("form", "lower", "lemma") else default.on
    )
    tier = given.get("tier")
    patterns = _strings(given.get("files"))
    return _Wanted(root, patterns, options, next((one for one in TIERS if one == tier), "A"))


def _table(root: Path) -> Mapping[str, Any]:
    text = files.read(root / FILE_NAME) if (root / FILE_NAME).is_file() else b""
    try:
        given = tomllib.loads(decode(text)).get("consistency", {})
    except tomllib.TOMLDecodeError:  # (said of the file itself)
        return {}
    return given if isinstance(given, dict) else {}


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(
        one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)
    )


def _read(
    wanted: _Wanted, own: Mapping[str, Document], symbols: Symbols, progress: Progress
) -> dict[str, Document]:
    """The corpus, documents that are open as they are."""
    paths = [path for path in corpus.walk(wanted.root, progress) if _is_in(path, wanted.files)]
    found: dict[str, Document] = {}
    for number, path in enumerate(paths[: corpus.MOST_FILES]):
        progress(number / len(paths))
        name = uri_of(wanted.root / path)
        if name in own:
            found[name] = own[name]
            continue
        try:
            text = files.read(wanted.root / path)
        except files.ReadError:
            continue
        read = document(text, symbols, named(path))
        if len(read):
            found[name] = read
    return found


def _is_in(path: str, patterns: Sequence[str]) -> bool:
    if patterns:
        return any(
            fnmatchcase(path, one) or fnmatchcase(f"/{path}", f"*/{one}") for one in patterns
        )
    known = named(path)
    if known is not None:
        return known.annotation == "dependencies"
    return path.rsplit(".", 1)[-1].lower() in _BRACKETS


def _views(wanted: _Wanted, read: Mapping[str, Document]) -> dict[bool, View]:
    agreed = _agreed(wanted.root)
    return {
        tables: View(Index(wanted.options, part), wanted.tier, agreed)
        for tables in (True, False)
        if (part := {name: one for name, one in read.items() if _is_table(one) is tables})
    }


def _is_table(one: Document) -> bool:
    return one.format.annotation == "dependencies"


def _agreed(root: Path) -> Agreed:
    path = root / agreed_file.FILE_NAME
    return Agreed(decode(files.read(path)) if path.is_file() else "")


# --- following what is typed -------------------------------------------------------------------


def turned(context: Context[_Memory]) -> bool:
    """Documents that have changed are taken in once they have rested for a turn."""
    if not context.memory.views:
        return False
    try:
        return _taken_in(context)
    except Exception:
        # Our mistake, which must not silence the others: what varies has to be looked for again.
        _LOG.exception("following what varies failed")
        context.memory.views = {}
        return False


def _taken_in(context: Context[_Memory]) -> bool:
    memory = context.memory
    changed = False
    for name in context.opened:
        one = context.document(name)
        view = _view(memory, name)
        if one is None or view is None:
            continue
        if memory.seen.get(name) is not one:
            memory.seen[name] = one
            memory.waiting.add(name)
        elif name in memory.waiting:
            memory.waiting.discard(name)
            known = view.index.document(name)
            view.index.edited(name, one, one.since(known))
            changed = True
    if changed or _has_scrolled(context):
        _announce(context)
    return bool(memory.waiting)


def _view(memory: _Memory, name: str) -> View | None:
    return next((view for view in memory.views.values() if name in view.index), None)


def _has_scrolled(context: Context[_Memory]) -> bool:
    now = {}
    for name in context.opened:
        snapshot = context.snapshot_of(name)
        if snapshot is not None:
            now[name] = snapshot.visible
    changed = now != context.memory.shown
    context.memory.shown = now
    return changed


def _announce(context: Context[_Memory]) -> None:
    """Publish the marks of what is open, where they are others than were published."""
    memory = context.memory
    for name in context.opened:
        view, snapshot = _view(memory, name), context.snapshot_of(name)
        if view is None or snapshot is None or name in memory.waiting:
            continue
        found = [*diagnostics(view, name, snapshot.visible)]
        names = Names(view.index.document, context.uri, context.encoding)
        items = encoded(name, found, names)
        written = [bytes(one) for one in items]
        if written != memory.published.get(name, []):
            memory.published[name] = written
            context.client.publish(context.uri(name), items, context.version(name))


def closed(context: Context[_Memory], name: str) -> None:
    """What is closed has no marks; it stays in the index as it was last seen."""
    context.memory.seen.pop(name, None)
    context.memory.waiting.discard(name)
    if context.memory.published.pop(name, None):
        context.client.publish(context.uri(name), [])


# --- what can be done about it -----------------------------------------------------------------


def fixes(context: Context[_Memory], params: types.CodeActionParams) -> list[types.CodeAction]:
    """Quick fixes at what varies in a stretch of text."""
    snapshot = context.snapshot(params.text_document.uri)
    view = _view(context.memory, snapshot.name) if snapshot else None
    only = params.context.only
    if snapshot is None or view is None or snapshot.name in context.memory.waiting:
        return []
    if only is not None and not any(str(getattr(k, "value", k)) in ("", "quickfix") for k in only):
        return []
    if view.index.document(snapshot.name) is not snapshot.document:
        return []
    start, end = span_of(snapshot.document, params.range, context.encoding)
    about = [one for one in params.context.diagnostics if one.code == CODE]
    return [
        action
        for sentence, one in _at(view, snapshot.name, start, end)
        for action in _actions(context, view, snapshot.name, sentence, one, about)
    ]


def _at(view: View, name: str, start: int, end: int) -> Iterator[tuple[int, Variation]]:
    sentence = view.index.document(name).sentence_at(start)
    if sentence is not None:
        for one in variations(view, name, sentence):
            if one.start <= end and start <= one.end:
                yield sentence, one


def _actions(
    context: Context[_Memory],
    view: View,
    name: str,
    sentence: int,
    one: Variation,
    about: Sequence[types.Diagnostic],
) -> Iterator[types.CodeAction]:
    found = [(fix, None) for fix in as_elsewhere(view, name, sentence, one)]
    others = others_as_here(view, one)
    made: list[tuple[Fix, str | None]] = [*found]
    if others is not None:
        made.append((others, others.title))
    for fix, label in made:
        edit = _edit(context, view, fix, label)
        if edit is not None:
            yield types.CodeAction(
                fix.title, types.CodeActionKind.QuickFix, diagnostics=[*about], edit=edit
            )
    argument = {"kind": one.group.kind, "identity": [str(part) for part in one.group.identity]}
    title = f"Both are right: remember it in {agreed_file.FILE_NAME}"
    if len(one.group.labels) > 2:
        title = f"All of them are right: remember it in {agreed_file.FILE_NAME}"
    yield types.CodeAction(
        title,
        types.CodeActionKind.QuickFix,
        diagnostics=[*about],
        command=types.Command(title, VARIES_RIGHTLY.name, arguments=[argument]),
    )


def _edit(
    context: Context[_Memory], view: View, fix: Fix, label: str | None
) -> types.WorkspaceEdit | None:
    """The edits; None where a file that is not open has been written since it was read."""
    changes = []
    annotations = {}
    for name, edits in fix.edits:
        read = view.index.document(name)
        if name not in context.opened and not _is_as_read(name, read):
            return None
        uri = context.uri(name)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, context.version(name))
        made = text_edits(read, edits, context.encoding)
        parts: list[Any] = [*made]
        if label is not None:
            annotations[uri] = types.ChangeAnnotation(label, needs_confirmation=True)
            parts = [types.AnnotatedTextEdit(uri, one.range, one.new_text) for one in made]
        changes.append(types.TextDocumentEdit(identifier, parts))
    if not context.client.can("workspace.workspace_edit.document_changes"):
        plain = {
            context.uri(name): text_edits(view.index.document(name), edits, context.encoding)
            for name, edits in fix.edits
        }
        return types.WorkspaceEdit(changes=plain) if label is None else None
    return types.WorkspaceEdit(document_changes=changes, change_annotations=annotations or None)


def _is_as_read(name: str, read: Document) -> bool:
    path = path_of(name)
    try:
        return path is not None and files.read(path) == read.text()
    except (OSError, files.ReadError):
        return False


def varies_rightly(context: Context[_Memory], argument: Any) -> None:
    """All labels of a group are right: written into the folder's file, as an edit to be undone."""
    key: Key = argument.kind, tuple(map(int, argument.identity))
    view = next((v for v in context.memory.views.values() if key in v.index.groups), None)
    if view is None or not context.roots:
        context.client.tell("This does not vary any more")
        return
    line = agreed_file.line(view.index.groups[key])
    path = context.roots[0] / agreed_file.FILE_NAME
    text = decode(files.read(path)) if path.is_file() else ""
    new = line + "\n"
    if not text:
        new = f"{agreed_file.HEADING}\n{new}"
    elif not text.endswith("\n"):
        new = "\n" + new
    uri = uri_of(path)
    lines = text.split("\n")
    at = types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, None)
    create = types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))
    insert = types.TextDocumentEdit(identifier, [types.TextEdit(types.Range(at, at), new)])
    context.client.edit(types.WorkspaceEdit(document_changes=[create, insert]))
    agreed = Agreed(f"{text}\n{line}")
    for tables, one in context.memory.views.items():
        context.memory.views[tables] = View(one.index, one.tier, agreed)
    _announce(context)


def _go(context: Context[_Memory], argument: PlaceArgument, *, back: bool) -> None:
    at = context.locate(argument.uri, argument.position)
    view = _view(context.memory, at[0].name) if at else None
    if at is None or view is None:
        context.client.tell("Nothing is known of what varies: have it looked for first")
        return
    name = at[0].name
    found = next_variation(view, name, at[1], back=back)
    if found is None:
        context.client.tell(f"Nothing varies in {short_name(name)}")
        return
    (place,) = ranges(view.index.document(name), [(found.start, found.end)], context.encoding)
    context.client.show(context.uri(name), place)


def to_next(context: Context[_Memory], argument: PlaceArgument) -> None:
    """Go to the next place that is annotated otherwise than most places of its kind."""
    _go(context, argument, back=False)


def to_previous(context: Context[_Memory], argument: PlaceArgument) -> None:
    _go(context, argument, back=True)


FEATURE = Feature(
    commands=(
        (CONSISTENCY, find),
        (NEXT_VARIATION, to_next),
        (PREVIOUS_VARIATION, to_previous),
        (VARIES_RIGHTLY, varies_rightly),
    ),
    joins=(Joined(types.TEXT_DOCUMENT_CODE_ACTION, fixes),),
    memory=_Memory,
    turned=turned,
    closed=closed,
)
