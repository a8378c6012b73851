"""Workspace symbols: sentences of the files that are open, and of those they are compared with."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from treelens.present.names import short_name
from treelens.present.workspace_symbols import SymbolIndex, SymbolPlace, symbols_named
from treelens.render.width import without_controls
from treelens.session.document import Document
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


class _Memory:
    """Kept for the next letter that is typed: the first one has all files read through."""

    def __init__(self) -> None:
        self._known: dict[Document, SymbolIndex] = {}

    def of(self, snapshots: Sequence[Snapshot]) -> list[SymbolIndex]:
        documents = [one.document for one in snapshots]
        self._known = {one: self._known.get(one) or SymbolIndex(one) for one in documents}
        return [*self._known.values()]


def answer(
    context: Context[_Memory], params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    linked = (name for link in context.links for name in link[:2])
    names = dict.fromkeys([*context.opened, *linked])
    snapshots = [found for name in names if (found := context.snapshot_of(name)) is not None]
    listed = symbols_named(snapshots, context.memory.of(snapshots), params.query)
    documents = {one.name: one.document for one in snapshots}
    by_name: dict[str, list[SymbolPlace]] = {}
    for place in listed:
        by_name.setdefault(place.name, []).append(place)
    where = {
        name: iter(ranges(documents[name], [one[-2:] for one in of], context.encoding))
        for name, of in by_name.items()
    }
    return [
        types.WorkspaceSymbol(
            location=types.Location(context.uri(one.name), next(where[one.name])),
            name=without_controls(one.title),
            kind=types.SymbolKind.Namespace,
            container_name=f"{short_name(one.name)} · {one.sentence}",
        )
        for one in listed
    ]


FEATURE = Feature((Handler(types.WORKSPACE_SYMBOL, answer, empty=[]),), memory=_Memory)
