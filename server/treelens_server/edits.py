"""Edits as the protocol has them: for the version of each document that they were made for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types
from treelens.edits.text import Edits
from treelens.session.document import Document
from treelens.trees.forest import decode

from treelens_server.positions import Encoding, ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


class Changed(NamedTuple):
    """Edits of a document, in text order; with a label, the client asks before it makes them."""

    name: str
    edits: Edits
    label: str | None = None


def text_edits(workbench: Workbench, document: Document, edits: Edits) -> list[types.TextEdit]:
    return encoded(document, edits, workbench.client.encoding)


def encoded(document: Document, edits: Edits, encoding: Encoding) -> list[types.TextEdit]:
    places = ranges(document, [edit[:2] for edit in edits], encoding)
    return [
        types.TextEdit(place, decode(edit.replacement))
        for place, edit in zip(places, edits, strict=True)
    ]


def version(workbench: Workbench, name: str) -> int | None:
    """The client's version of a document; None of a file that is not open."""
    opened = workbench.open.get(name)
    return opened.version if opened else None


def workspace_edit(workbench: Workbench, changes: Sequence[Changed]) -> types.WorkspaceEdit:
    """One undo step for each document; checked against its version where the client can."""
    plain: dict[str, Sequence[types.TextEdit]] = {}
    versioned = []
    annotations = {}
    for change in changes:
        document = workbench.document(change.name)
        if document is None or not change.edits:
            continue
        uri, made = workbench.uri(change.name), text_edits(workbench, document, change.edits)
        plain[uri] = made
        parts: list[types.TextEdit | types.AnnotatedTextEdit] = [*made]
        identifier = types.OptionalVersionedTextDocumentIdentifier(
            uri, version(workbench, change.name)
        )
        if change.label is not None:
            annotations[uri] = types.ChangeAnnotation(change.label, needs_confirmation=True)
            parts = [types.AnnotatedTextEdit(uri, one.range, one.new_text) for one in made]
        versioned.append(types.TextDocumentEdit(identifier, [*parts]))
    if not workbench.client.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(changes=plain)
    return types.WorkspaceEdit(
        document_changes=[*versioned], change_annotations=annotations or None
    )
