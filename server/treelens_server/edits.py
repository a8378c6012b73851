"""Edits as the protocol has them: for the version of each document that they were made for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from lsprotocol import types
from treelens.edits.text import Edits
from treelens.present.fixed import why_fixed
from treelens.session.document import Document
from treelens.trees.forest import decode

from treelens_server.client import WrittenEdit
from treelens_server.context import Context
from treelens_server.positions import Encoding, places, ranges
from treelens_server.records import as_json
from treelens_server.turns import UnderWay

UNANSWERED = "The editor has not answered"
"""Of an edit that it was asked for, long ago."""
HELD_UP = f"{UNANSWERED} an edit that it was asked for before"
"""Why another one of the same file is not asked for."""

ASKS = "workspace.workspace_edit.change_annotation_support"
"""Of a client that can show edits before they are made, and asks for them to be confirmed."""


class Changed(NamedTuple):
    """Edits of a document, in text order; with a label, the client asks before it makes them."""

    name: str
    edits: Edits
    label: str | None = None


def text_edits(context: Context[Any], document: Document, edits: Edits) -> list[types.TextEdit]:
    return encoded(document, edits, context.encoding)


def encoded(document: Document, edits: Edits, encoding: Encoding) -> list[types.TextEdit]:
    found = ranges(document, [edit[:2] for edit in edits], encoding)
    return [
        types.TextEdit(place, decode(edit.replacement))
        for place, edit in zip(found, edits, strict=True)
    ]


def workspace_edit(context: Context[Any], changes: Sequence[Changed]) -> types.WorkspaceEdit:
    """One undo step for each document; checked against its version where the client can. Those
    that nobody can edit are left out, and the user is told."""
    plain: dict[str, Sequence[types.TextEdit]] = {}
    versioned = []
    annotations = {}
    for change in changes:
        document = context.document(change.name)
        if document is None or not change.edits:
            continue
        if why := why_fixed(change.name):
            context.client.tell(why)
            continue
        uri, made = context.uri(change.name), text_edits(context, document, change.edits)
        plain[uri] = made
        parts: list[types.TextEdit | types.AnnotatedTextEdit] = [*made]
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri, context.version(change.name)
        )
        if change.label is not None:
            annotations[uri] = types.ChangeAnnotation(change.label, needs_confirmation=True)
            parts = [types.AnnotatedTextEdit(uri, one.range, one.new_text) for one in made]
        versioned.append(types.TextDocumentEdit(identifier, [*parts]))
    if not context.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes=plain)
    return types.WorkspaceEdit(
        document_changes=[*versioned], change_annotations=annotations or None
    )


def edit_beside(
    context: Context[Any],
    uri: str,
    version: int | None,
    edits: Sequence[types.TextEdit],
    *,
    there: bool,
) -> types.WorkspaceEdit:
    """An edit of a text that says something of treebanks, which may not be ``there`` yet."""
    if not context.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes={uri: edits})
    changes: list[Any] = []
    if not there and context.client.lists("workspace.workspace_edit.resource_operations", "create"):
        options = types.CreateFileOptions(ignore_if_exists=True)
        changes.append(types.CreateFile(uri=uri, options=options))
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    changes.append(types.TextDocumentEdit(identifier, [*edits]))
    return types.WorkspaceEdit(document_changes=changes)


class FileEdit(NamedTuple):
    """Edits of one of very many files as JSON; with a label, the client asks before it makes
    them."""

    uri: str
    version: int | None
    edits: msgspec.Raw
    label: str | None


def file_edit(
    document: Document,
    edits: Edits,
    encoding: Encoding,
    uri: str,
    version: int | None,
    label: str | None,
) -> FileEdit:
    """From any thread, in plain data: objects of lsprotocol would have to be converted yet."""
    found = places(document, [offset for edit in edits for offset in edit[:2]], encoding)
    ends = iter([{"line": line, "character": character} for line, character in found])
    asked = {} if label is None else {"annotationId": uri}
    made = [
        {"range": {"start": start, "end": end}, "newText": decode(edit.replacement), **asked}
        for start, end, edit in zip(ends, ends, edits, strict=True)
    ]
    return FileEdit(uri, version, msgspec.Raw(as_json(made)), label)


def of_files(edits: Iterable[FileEdit], *, versioned: bool) -> WrittenEdit:
    """From any thread: one edit of them all; ``versioned``, where the client can have it so."""
    edits = [*edits]
    uris = [one.uri for one in edits]
    whole: dict[str, Any] = {"changes": {one.uri: one.edits for one in edits}}
    if versioned:
        changes = [
            {"textDocument": {"uri": one.uri, "version": one.version}, "edits": one.edits}
            for one in edits
        ]
        whole = {"documentChanges": changes}
    notes = {
        one.uri: {"label": one.label, "needsConfirmation": True}
        for one in edits
        if one.label is not None
    }
    if versioned and notes:
        whole["changeAnnotations"] = notes
    return WrittenEdit(uris, msgspec.Raw(as_json(whole)))


def begun(
    context: Context[Any],
    edit: types.WorkspaceEdit,
    is_heard: Callable[[], bool],
    made: Callable[[], object],
    refused: Callable[[str], object],
    unanswered: Callable[[], object],
) -> UnderWay:
    """Have the client make an edit whose turn it is (:mod:`treelens_server.turns`); it may still
    answer when it has been found ``unanswered``."""
    under_way = UnderWay(is_heard, unanswered)

    def answered(why: str | None = None) -> None:
        under_way.answered(made=why is None)
        made() if why is None else refused(why)

    context.client.edit(edit, answered, answered)
    return under_way
