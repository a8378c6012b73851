"""Formatting while somebody types; numbering a sentence anew when asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.edits.repair import numbered_anew
from treelens.present.on_type import on_type

from treelens_server.edits import Changed, text_edits, workspace_edit
from treelens_server.features import Feature

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

RENUMBER = "treelens.renumber"


def answer(
    workbench: Workbench, params: types.DocumentOnTypeFormattingParams
) -> list[types.TextEdit]:
    at = workbench.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    snapshot, offset = at
    return text_edits(workbench, snapshot.document, on_type(snapshot, offset, params.ch))


def renumber(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: number the words of the sentence from 1 on, and what names them."""
    place = argument["position"]
    position = types.Position(int(place["line"]), int(place["character"]))
    at = workbench.locate(argument["uri"], position)
    sentence = at[0].document.sentence_at(at[1]) if at else None
    if at is None or sentence is None or at[0].document.format.layout != "rows":
        workbench.client.tell("Words are numbered in tables only (CoNLL-U, CoNLL-X)")
        return
    edits = numbered_anew(at[0].document, sentence)
    if edits is None:
        workbench.client.tell(
            "Not numbered anew: it is not clear which words a multiword token is of. "
            "Put each range directly above its first word.",
            types.MessageType.Warning,
        )
    elif not edits:
        workbench.client.tell("The words of this sentence are numbered in order")
    else:
        workbench.client.edit(workspace_edit(workbench, [Changed(at[0].name, edits)]))


COMMANDS = {RENUMBER: renumber}

FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        answer,
        types.DocumentOnTypeFormattingOptions("\n", [")"]),
        [],
    ),
)
