"""What can be done about what varies: quick fixes, and what is right both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types
from treelens.consistency import agreed as agreed_file
from treelens.consistency.index import Key
from treelens.present.consistency import (
    CODE,
    Fix,
    IndexView,
    Variation,
    as_elsewhere,
    others_as_here,
    variations,
)
from treelens.present.fixed import is_fixed
from treelens.render.width import without_controls
from treelens.session.document import Document
from treelens.trees.forest import encode

from treelens_server import files
from treelens_server.edits import edit_beside, encoded
from treelens_server.files import path_of
from treelens_server.positions import end_of, ranges, span_of
from treelens_server.records import VARIES_RIGHTLY, VariationArgument, decoded
from treelens_server.varying import marks
from treelens_server.varying.folders import Context, Folder


def fixes(
    context: Context, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """Quick fixes at what varies in a stretch of text."""
    snapshot = context.snapshot(params.text_document.uri)
    view = context.memory.ready(snapshot.name, snapshot.document) if snapshot else None
    only = params.context.only
    if snapshot is None or view is None:
        return []
    if only is not None and not any(str(getattr(k, "value", k)) in ("", "quickfix") for k in only):
        return []
    start, end = span_of(snapshot.document, params.range, context.encoding)
    about = [one for one in params.context.diagnostics if one.code == CODE]
    return [
        action
        for sentence, one in _at(view, snapshot.name, start, end)
        for action in _actions(context, view, snapshot.name, sentence, one, about)
    ]


def _at(view: IndexView, name: str, start: int, end: int) -> Iterator[tuple[int, Variation]]:
    sentence = view.index.document(name).sentence_at(start)
    if sentence is not None:
        for one in variations(view, name, sentence):
            if one.start <= end and start <= one.end:
                yield sentence, one


def _actions(
    context: Context,
    view: IndexView,
    name: str,
    sentence: int,
    one: Variation,
    about: Sequence[types.Diagnostic],
) -> Iterator[types.CodeAction | types.Command]:
    argument = {"kind": one.group.kind, "identity": [str(part) for part in one.group.identity]}
    title = f"Both are right: remember it in {agreed_file.FILE_NAME}"
    if len(one.group.labels) > 2:
        title = f"All of them are right: remember it in {agreed_file.FILE_NAME}"
    remember = types.Command(title, VARIES_RIGHTLY.name, arguments=[argument])
    if not context.client.takes_literals:  # Nor edits, then.
        yield remember
        return
    made = [(fix, _edit(context, view, fix)) for fix in as_elsewhere(view, name, sentence, one)]
    others = others_as_here(view, one)
    if others is not None:
        made.append((others, _previewed(context, view, others, name, one.start)))
    for fix, edit in made:
        if edit is not None:
            yield types.CodeAction(
                without_controls(fix.title),
                types.CodeActionKind.QuickFix,
                diagnostics=[*about],
                edit=edit,
            )
    yield types.CodeAction(
        title, types.CodeActionKind.QuickFix, diagnostics=[*about], command=remember
    )


_HERE = "here"


def _previewed(
    context: Context, view: IndexView, fix: Fix, name: str, offset: int
) -> types.WorkspaceEdit | None:
    """The edits, to be shown before they are made: clients do that where something wants to be
    confirmed, and VS Code does not tick it. So that all that is to be changed is ticked, it is the
    place here, which the others become like, and where nothing changes."""
    made = _edit(context, view, Fix(fix.title, tuple({name: (), **dict(fix.edits)}.items())))
    if made is None or made.document_changes is None:
        return None
    (place,) = ranges(view.index.document(name), [(offset, offset)], context.encoding)
    for change in made.document_changes:
        assert isinstance(change, types.TextDocumentEdit), "no files are made here"
        if change.text_document.uri == context.uri(name):
            change.edits = [types.AnnotatedTextEdit(_HERE, place, ""), *change.edits]
    title = without_controls(fix.title)
    made.change_annotations = {_HERE: types.ChangeAnnotation(title, needs_confirmation=True)}
    return made


def _edit(context: Context, view: IndexView, fix: Fix) -> types.WorkspaceEdit | None:
    """The edits; None where a file cannot be edited, or is not open and was written since it was
    read."""
    changes = []
    for name, edits in fix.edits:
        read = view.index.document(name)
        if is_fixed(name) or (name not in context.opened and not _is_as_read(name, read)):
            return None
        uri = context.uri(name)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, context.version(name))
        made = encoded(read, edits, context.encoding)
        changes.append(types.TextDocumentEdit(identifier, [*made]))
    if not context.client.can("workspace.workspace_edit.document_changes"):
        plain = {
            context.uri(name): encoded(view.index.document(name), edits, context.encoding)
            for name, edits in fix.edits
        }
        return types.WorkspaceEdit(changes=plain)
    return types.WorkspaceEdit(document_changes=[*changes])


def _is_as_read(name: str, read: Document) -> bool:
    path = path_of(name)
    try:
        return path is not None and files.read(path, strict=True) == read.text()
    except (OSError, files.ReadError):
        return False


def varies_rightly(context: Context, argument: VariationArgument) -> None:
    """All labels of a group are right: written into the folder's file, as an edit to be undone."""
    key: Key = decoded((argument.kind, argument.identity), Key)
    memory = context.memory
    found = (
        (folder, view.index.groups[key])
        for folder in memory.folders
        for view in folder.views.values()
        if key in view.index.groups
    )
    folder, group = next(found, (None, None))
    if folder is None or group is None:
        context.client.tell("This does not vary any more")
        return
    if folder.root is None:
        context.client.tell("What is right both ways is kept in a folder: open one")
        return
    path = folder.root / agreed_file.FILE_NAME
    is_open = context.beside.text(folder.agreed_name) is not None
    there = is_open or files.stamp(path) is not None
    if there and not is_open:
        try:
            files.read(path, strict=True)
        except files.ReadError as problem:
            context.client.tell(f"{problem}: nothing is written there", types.MessageType.Warning)
            return
    text = folder.agreed
    new = agreed_file.line(group, digests=folder.wanted.digests) + "\n"
    if not text:
        new = f"{agreed_file.HEADING}\n{new}"
    elif not text.endswith("\n"):
        new = "\n" + new
    at = end_of(encode(text), context.encoding)
    uri = context.beside.uri(folder.agreed_name) or context.uri(folder.agreed_name)
    version = context.beside.version(folder.agreed_name)
    inserted = [types.TextEdit(types.Range(at, at), new)]
    edit = edit_beside(context, uri, version, inserted, there=there)
    context.client.edit(edit, lambda: _expect(context, folder, text + new))


def _expect(context: Context, folder: Folder, text: str) -> None:
    """Of a client that does not say what it has of the file."""
    if context.beside.text(folder.agreed_name) is None:
        folder.agree(text)
        marks.changed(context)
