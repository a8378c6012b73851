"""Pictures of sentences, and what is done to the text in them: requests of our own."""

from __future__ import annotations

from msgspec import UNSET
from treelens.edits.attach import Refusal
from treelens.present.fixed import why_fixed
from treelens.present.names import short_name
from treelens.present.node_edits import node_edits
from treelens.present.pictures import picture
from treelens.session.document import Document

from treelens_server.context import Context, Feature, Handler
from treelens_server.drawn import choice_of, encoded
from treelens_server.edits import Changed, workspace_edit
from treelens_server.files import name_of
from treelens_server.meant import is_version
from treelens_server.positions import span_of
from treelens_server.records import (
    EDIT_NODE,
    PICTURE,
    EditMade,
    EditNodeParams,
    Picture,
    PictureParams,
    Refused,
    VersionedDocument,
)


def answer(context: Context[None], params: PictureParams) -> Picture | None:
    """The sentence there drawn."""
    at = context.locate(params.text_document.uri, params.position)
    shown = picture(*at, choice_of(params)) if at else None
    if at is None or shown is None:
        return None
    return encoded(context, at[0].name, shown, context.document, tex=params.latex)


# --- edits -------------------------------------------------------------------------------------


def edit(context: Context[None], params: EditNodeParams) -> EditMade | Refused:
    """What is to be done to the node that is written there, as edits; or why it cannot be."""
    name, encoding = name_of(params.text_document.uri), context.encoding
    context.look_at(name)
    document = context.document(name)
    if document is None:
        return Refused(f"{short_name(name)} is not open: open it first")
    if why := why_fixed(name):
        return Refused(why)
    if why := _why_stale(context, name, document, params.text_document):
        return Refused(why)
    made = node_edits(
        document,
        span_of(document, params.range, encoding),
        params.operation,
        params.argument or "",
        span_of(document, params.target, encoding) if params.target else None,
    )
    if isinstance(made, Refusal):
        return Refused(made.reason)
    return EditMade(context.client.plain(workspace_edit(context, [Changed(name, made)])))


def _why_stale(
    context: Context[None], name: str, document: Document, drawn: VersionedDocument
) -> str:
    """Why places in a text that was drawn say nothing of it as it is now; empty if they do."""
    changed = "the text has changed since this was drawn; the picture is drawn anew"
    if drawn.as_of is not None:
        return "" if drawn.as_of == context.states.of(document) else changed
    if drawn.version is None and context.version(name) is None:
        return "which state of a file that is not open was drawn is not said"
    said = drawn.version is None or (drawn.version is not UNSET and is_version(drawn.version))
    return changed if said and drawn.version != context.version(name) else ""


FEATURE = Feature(
    (
        Handler(PICTURE.method, answer, params=PICTURE.params),
        Handler(
            EDIT_NODE.method,
            edit,
            empty=Refused("this could not be done: see the log"),
            params=EDIT_NODE.params,
        ),
    )
)
