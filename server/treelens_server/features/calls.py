"""Call hierarchy: the head of a word calls it, and it calls its dependents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.calls import dependents, head, words_at
from treelens.present.symbols import Symbol
from treelens.session.session import Snapshot

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def prepare(
    workbench: Workbench, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    uri, position = params.text_document.uri, params.position
    return _items(workbench, uri, position, words_at) or None


def incoming(
    workbench: Workbench, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    # Clients go to these ranges when a call is chosen: they are the head, not the number of it.
    found = _items(workbench, params.item.uri, params.item.selection_range.start, head)
    return [types.CallHierarchyIncomingCall(one, [one.selection_range]) for one in found]


def outgoing(
    workbench: Workbench, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    found = _items(workbench, params.item.uri, params.item.selection_range.start, dependents)
    return [types.CallHierarchyOutgoingCall(one, [one.selection_range]) for one in found]


def _items(
    workbench: Workbench,
    uri: str,
    position: types.Position,
    ask: Callable[[Snapshot, int], list[Symbol]],
) -> list[types.CallHierarchyItem]:
    at = workbench.locate(uri, position)
    found = ask(*at) if at else []
    if at is None or not found:
        return []
    spans = [
        span for one in found for span in ((one.start, one.end), (one.name_start, one.name_end))
    ]
    places = iter(ranges(at[0].document, spans, workbench.client.encoding))
    return [
        types.CallHierarchyItem(
            name=one.name,
            kind=types.SymbolKind.String,
            uri=workbench.uri(at[0].name),
            range=next(places),
            selection_range=next(places),
            detail=one.detail,
        )
        for one in found
    ]


FEATURES = (
    Feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, prepare),
    Feature(types.CALL_HIERARCHY_INCOMING_CALLS, incoming, empty=[]),
    Feature(types.CALL_HIERARCHY_OUTGOING_CALLS, outgoing, empty=[]),
)
