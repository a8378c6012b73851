"""Completion of labels, tags, relations and heads, in the order of their use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.completions import completions

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(workbench: Workbench, params: types.CompletionParams) -> list[types.CompletionItem]:
    at = workbench.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    snapshot, offset = at
    found = completions(snapshot, offset)
    if not found:
        return []
    (place,) = ranges(snapshot.document, [found[0][2:4]], workbench.client.encoding)
    return [
        types.CompletionItem(
            one.text,
            kind=types.CompletionItemKind.EnumMember,
            detail=one.detail,
            sort_text=f"{number:04}",
            filter_text=one.found_by,
            text_edit=types.TextEdit(place, one.text),
        )
        for number, one in enumerate(found)
    ]


FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        answer,
        types.CompletionOptions(trigger_characters=["(", "\t"]),
        [],
    ),
)
