"""Completion of labels, tags, relations and heads, in the order of their use."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.completions import Completion, completions
from treelens.render.width import without_controls

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


def answer(context: Context[None], params: types.CompletionParams) -> types.CompletionList:
    """Asked again with every letter: what is nearest to a slip depends on all of it."""
    return types.CompletionList(True, _items(context, params))


def _items(context: Context[None], params: types.CompletionParams) -> list[types.CompletionItem]:
    at = context.locate(params.text_document.uri, params.position)
    if at is None:
        return []
    snapshot, offset = at
    found = completions(snapshot, offset)
    if not found:
        return []
    (place,) = ranges(snapshot.document, [found[0][2:4]], context.encoding)
    beside = context.client.can("text_document.completion.completion_item.label_details_support")
    return [
        types.CompletionItem(
            without_controls(one.text),
            label_details=_beside(one) if beside else None,
            kind=types.CompletionItemKind.EnumMember,
            detail=without_controls(" · ".join(filter(None, (one.form, one.detail)))),
            sort_text=f"{number:04}",
            filter_text=one.found_by,
            text_edit=types.TextEdit(place, one.text),
        )
        for number, one in enumerate(found)
    ]


def _beside(one: Completion) -> types.CompletionItemLabelDetails:
    """What every line of a list shows, not only the one that is chosen."""
    form = f" {without_controls(one.form)}" if one.form else None
    return types.CompletionItemLabelDetails(form, without_controls(one.detail))


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_COMPLETION,
            answer,
            types.CompletionOptions(trigger_characters=["(", "\t", "|"]),
            [],
        ),
    )
)
