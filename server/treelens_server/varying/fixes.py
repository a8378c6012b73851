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
from treelens_server.edits import ASKS, edit_beside, encoded
from treelens_server.files import name_of, path_of
from treelens_server.positions import end_of, offset_at, ranges, span_of
from treelens_server.records import (
    OTHERS_AS_HERE,
    VARIES_RIGHTLY,
    OthersArgument,
    VariationArgument,
    decoded,
)
from treelens_server.records import encoded as encoded_record
from treelens_server.varying import marks, reading
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
    seen = VariationArgument(*_identity(one), agreed_file.labels_of(one.group))
    title = f"Both are right: remember it in {agreed_file.FILE_NAME}"
    if one.group.kind == "rare":
        label = without_controls(one.here.label or "")
        title = f"{label} is right here: remember it in {agreed_file.FILE_NAME}"
    elif len(one.group.labels) > 2:
        title = f"All of them are right: remember it in {agreed_file.FILE_NAME}"
    remember = types.Command(title, VARIES_RIGHTLY.name, arguments=[encoded_record(seen)])
    if not context.client.takes_literals:  # Nor edits, then.
        yield remember
        return
    for fix in as_elsewhere(view, name, sentence, one):
        if _can_be_made(context, view, fix, name):
            action = _action(fix, about)
            action.edit = _edit(context, view, fix)
            yield action
    others = others_as_here(view, one)
    if others is not None and _can_be_made(context, view, others, name):
        yield from _others(context, view, name, one, others, about)
    yield types.CodeAction(
        title, types.CodeActionKind.QuickFix, diagnostics=[*about], command=remember
    )


def _action(fix: Fix, about: Sequence[types.Diagnostic]) -> types.CodeAction:
    title = without_controls(fix.title)
    return types.CodeAction(title, types.CodeActionKind.QuickFix, diagnostics=[*about])


def _others(
    context: Context,
    view: IndexView,
    name: str,
    one: Variation,
    fix: Fix,
    about: Sequence[types.Diagnostic],
) -> Iterator[types.CodeAction]:
    """Of several files, of which any may be another text by the time it is chosen: the edits are
    made then. Who can have them neither later nor by a command is given them now, of what has a
    version."""
    action = _action(fix, about)
    kind, identity = _identity(one)
    (at,) = ranges(view.index.document(name), [(one.start, one.end)], context.encoding)
    as_of = _states(context, view, name, fix)
    data = encoded_record(OthersArgument(context.uri(name), at.start, kind, identity, as_of))
    if context.client.lists("text_document.code_action.resolve_support.properties", "edit"):
        action.data = data
    elif context.client.can("workspace.apply_edit"):
        action.command = types.Command(action.title, OTHERS_AS_HERE.name, arguments=[data])
    elif all(other in context.opened for other, _ in fix.edits):
        action.edit = _previewed(context, view, fix, name, one.start)
    else:
        return
    yield action


def _identity(one: Variation) -> tuple[str, list[str]]:
    return one.group.kind, [*map(str, one.group.identity)]


def _states(context: Context, view: IndexView, name: str, fix: Fix) -> str:
    """The states of all that a fix is made of, and changes."""
    names = sorted({name, *(other for other, _ in fix.edits)})
    return " ".join(context.states.of(view.index.document(one)) for one in names)


_CHANGED = (
    "The text of one of the files has changed since this was offered, and nothing was done: "
    "ask again"
)


def resolved(context: Context, action: types.CodeAction) -> list[types.CodeAction]:
    """An action of these with its edits; none of another one."""
    if not isinstance(action.data, dict) or "identity" not in action.data:
        return []
    action.edit = _of_others(context, decoded(action.data, OthersArgument))
    return [action]


def annotate_others(context: Context, argument: OthersArgument) -> None:
    """Have the other places annotated as the one here."""
    edit = _of_others(context, argument)
    if edit is not None:
        context.client.edit(edit)


def _of_others(context: Context, argument: OthersArgument) -> types.WorkspaceEdit | None:
    """What was offered, if all that it is about is as it was then; else the user is told."""
    name = name_of(argument.uri)
    view = context.memory.view(name)
    found = _offered(context, view, name, argument) if view else None
    if view is None or found is None:
        context.client.tell(_CHANGED, types.MessageType.Warning)
        return None
    one, fix = found
    return _previewed(context, view, fix, name, one.start)


def _offered(
    context: Context, view: IndexView, name: str, argument: OthersArgument
) -> tuple[Variation, Fix] | None:
    at = offset_at(view.index.document(name), argument.position, context.encoding)
    for _, one in _at(view, name, at, at):
        if (one.start, *_identity(one)) == (at, argument.kind, argument.identity):
            fix = others_as_here(view, one)
            if fix is not None and argument.as_of == _states(context, view, name, fix):
                return (one, fix) if _can_be_made(context, view, fix, name) else None
    return None


_HERE = "here"


def _previewed(
    context: Context, view: IndexView, fix: Fix, name: str, offset: int
) -> types.WorkspaceEdit:
    """The edits, to be shown before they are made: clients do that where something wants to be
    confirmed, and VS Code does not tick it. So that all that is to be changed is ticked, it is the
    place here, which the others become like, and where nothing changes."""
    if not context.client.can(ASKS):
        return _edit(context, view, fix)
    made = _edit(context, view, Fix(fix.title, tuple({name: (), **dict(fix.edits)}.items())))
    if made.document_changes is None:
        return made
    (place,) = ranges(view.index.document(name), [(offset, offset)], context.encoding)
    for change in made.document_changes:
        assert isinstance(change, types.TextDocumentEdit), "no files are made here"
        if change.text_document.uri == context.uri(name):
            change.edits = [types.AnnotatedTextEdit(_HERE, place, ""), *change.edits]
    title = without_controls(fix.title)
    made.change_annotations = {_HERE: types.ChangeAnnotation(title, needs_confirmation=True)}
    return made


def _edit(context: Context, view: IndexView, fix: Fix) -> types.WorkspaceEdit:
    texts = {
        name: encoded(view.index.document(name), edits, context.encoding)
        for name, edits in fix.edits
    }
    if not context.client.can("workspace.workspace_edit.document_changes"):
        plain = {context.uri(name): made for name, made in texts.items() if made}
        return types.WorkspaceEdit(changes=plain)
    changes = []
    for name, made in texts.items():
        uri, version = context.uri(name), context.version(name)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        changes.append(types.TextDocumentEdit(identifier, [*made]))
    return types.WorkspaceEdit(document_changes=[*changes])


def _can_be_made(context: Context, view: IndexView, fix: Fix, here: str) -> bool:
    """Whether nobody forbids the edits, and each file is the text that the index has of it: what is
    typed or opened is taken in later, and what is written besides need not be heard of."""
    return all(
        not is_fixed(name) and _is_current(context, name, view.index.document(name))
        for name in {here, *(other for other, _ in fix.edits)}
    )


def _is_current(context: Context, name: str, read: Document) -> bool:
    return context.document(name) is read if name in context.opened else _is_as_read(name, read)


def _is_as_read(name: str, read: Document) -> bool:
    path = path_of(name)
    try:
        return path is not None and files.read(path, strict=True) == read.text()
    except (OSError, files.ReadError):
        return False


def varies_rightly(context: Context, argument: VariationArgument) -> None:
    """All labels of a group that were seen are right, and no others that it may have by now:
    written into the folder's file, as an edit to be undone."""
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
    # (Else it may be written and not saved, by a client that does not say what it has of it.)
    if not is_open and files.stamp(path) != folder.agreed_stamp:
        reading.agree(context, folder)
        marks.changed(context)
    text = folder.agreed
    new = agreed_file.line(group, argument.labels, digests=folder.wanted.digests) + "\n"
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
