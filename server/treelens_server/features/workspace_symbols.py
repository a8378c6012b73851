"""Workspace symbols: sentences of the files that are open, and of those they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from treelens.present.names import short_name
from treelens.present.workspace_symbols import Index, Place, places

from treelens_server.features import Feature
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


def answer(
    workbench: Workbench, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    session = workbench.session
    linked = (name for link in session.links for name in link[:2])
    names = dict.fromkeys([*workbench.open, *linked])
    snapshots = [found for name in names if (found := session.snapshot(name)) is not None]
    # Kept for the next letter that is typed: the first one has all files read through.
    known = workbench.searched
    workbench.searched = {
        one.document: known.get(one.document) or Index(one.document) for one in snapshots
    }
    listed = places(snapshots, [*workbench.searched.values()], params.query)
    documents = {one.name: one.document for one in snapshots}
    by_name: dict[str, list[Place]] = {}
    for place in listed:
        by_name.setdefault(place.name, []).append(place)
    where = {
        name: iter(ranges(documents[name], [one[-2:] for one in of], workbench.client.encoding))
        for name, of in by_name.items()
    }
    return [
        types.WorkspaceSymbol(
            location=types.Location(workbench.uri(one.name), next(where[one.name])),
            name=one.title,
            kind=types.SymbolKind.Namespace,
            container_name=f"{short_name(one.name)} · {one.sentence}",
        )
        for one in listed
    ]


FEATURES = (Feature(types.WORKSPACE_SYMBOL, answer, empty=[]),)
