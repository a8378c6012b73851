"""Formatting while somebody types; numbering a sentence anew when asked to."""

from __future__ import annotations

from lsprotocol import types
from treelens.edits.repair import numbered_anew
from treelens.present.on_type import on_type

from treelens_server.context import Context, Feature, Handler
from treelens_server.edits import Changed, text_edits, workspace_edit
from treelens_server.records import RENUMBER, PlaceArgument


def answer(
    context: Context[None], params: types.DocumentOnTypeFormattingParams
) -> list[types.TextEdit]:
    at = context.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    snapshot, offset = at
    return text_edits(context, snapshot.document, on_type(snapshot, offset, params.ch))


def renumber(context: Context[None], argument: PlaceArgument) -> None:
    """Number the words of the sentence from 1 on, and what names them."""
    at = context.locate(argument.uri, argument.position)
    sentence = at[0].document.sentence_at(at[1]) if at else None
    if at is None or sentence is None or at[0].document.format.layout != "rows":
        context.client.tell("Words are numbered in tables only (CoNLL-U, CoNLL-X)")
        return
    edits = numbered_anew(at[0].document, sentence)
    if edits is None:
        context.client.tell(
            "Not numbered anew: it is not clear which words a multiword token is of. "
            "Put each range directly above its first word.",
            types.MessageType.Warning,
        )
    elif not edits:
        context.client.tell("The words of this sentence are numbered in order")
    else:
        context.client.edit(workspace_edit(context, [Changed(at[0].name, edits)]))


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
            answer,
            types.DocumentOnTypeFormattingOptions("\n", [")"]),
            [],
        ),
    ),
    ((RENUMBER, renumber),),
)
