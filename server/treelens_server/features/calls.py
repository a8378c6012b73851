"""Call hierarchy: the head of a word calls it, and it calls its dependents."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types
from treelens.present.calls import dependents, head, words_at
from treelens.present.symbols import Symbol
from treelens.render.width import without_controls
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


def prepare(
    context: Context[None], params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    uri, position = params.text_document.uri, params.position
    return _items(context, uri, position, words_at) or None


def incoming(
    context: Context[None], params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    # Clients go to these ranges when a call is chosen: they are the head, not the number of it.
    found = _of_item(context, params.item, head)
    return [types.CallHierarchyIncomingCall(one, [one.selection_range]) for one in found]


def outgoing(
    context: Context[None], params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    found = _of_item(context, params.item, dependents)
    return [types.CallHierarchyOutgoingCall(one, [one.selection_range]) for one in found]


def _of_item(
    context: Context[None],
    item: types.CallHierarchyItem,
    ask: Callable[[Snapshot, int], list[Symbol]],
) -> list[types.CallHierarchyItem]:
    """Nothing of one that is another word by now: clients keep them while the text is edited."""
    uri, position = item.uri, item.selection_range.start
    now = _items(context, uri, position, words_at)
    return _items(context, uri, position, ask) if item.name in [one.name for one in now] else []


def _items(
    context: Context[None],
    uri: str,
    position: types.Position,
    ask: Callable[[Snapshot, int], list[Symbol]],
) -> list[types.CallHierarchyItem]:
    at = context.locate(uri, position)
    found = ask(*at) if at else []
    if at is None or not found:
        return []
    spans = [
        span for one in found for span in ((one.start, one.end), (one.name_start, one.name_end))
    ]
    places = iter(ranges(at[0].document, spans, context.encoding))
    return [
        types.CallHierarchyItem(
            name=without_controls(one.name),
            kind=types.SymbolKind.String,
            uri=context.uri(at[0].name),
            range=next(places),
            selection_range=next(places),
            detail=without_controls(one.detail),
        )
        for one in found
    ]


FEATURE = Feature(
    (
        Handler(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, prepare),
        Handler(types.CALL_HIERARCHY_INCOMING_CALLS, incoming, empty=[]),
        Handler(types.CALL_HIERARCHY_OUTGOING_CALLS, outgoing, empty=[]),
    )
)
