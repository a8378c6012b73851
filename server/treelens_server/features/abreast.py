"""Of our own extension: which places stand side by side, for scrolling files together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.abreast import abreast as stops_of

from treelens_server.features import Feature
from treelens_server.positions import offset_at, positions

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

ABREAST = "treelens/abreast"


def abreast(workbench: Workbench, params: Any) -> list[dict[str, Any]]:
    """``{uri, range}``: of each other file ``{uri, stops: [{here, there}]}``, positions."""
    snapshot = workbench.snapshot(params.uri)
    if snapshot is None:
        return []
    encoding = workbench.client.encoding
    start, end = (
        offset_at(snapshot.document, types.Position(end.line, end.character), encoding)
        for end in (params.range.start, params.range.end)
    )
    found = []
    for name, stops in stops_of(snapshot, start, end):
        document = workbench.document(name)
        assert document is not None, "what a snapshot is compared with is there"
        here = positions(snapshot.document, [stop.here for stop in stops], encoding)
        there = positions(document, [stop.there for stop in stops], encoding)
        pairs = [{"here": a, "there": b} for a, b in zip(here, there, strict=True)]
        found.append({"uri": workbench.uri(name), "stops": pairs})
    return found


FEATURES = (Feature(ABREAST, abreast, empty=[]),)
