"""Of our own extension: which places stand side by side, for scrolling files together."""

from __future__ import annotations

from treelens.present.abreast import abreast as stops_of

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import offset_at, positions
from treelens_server.records import ABREAST, Abreast, AbreastParams, AbreastStop


def abreast(context: Context[None], params: AbreastParams) -> list[Abreast]:
    snapshot = context.snapshot(params.uri)
    if snapshot is None:
        return []
    encoding = context.encoding
    start, end = (
        offset_at(snapshot.document, end, encoding)
        for end in (params.range.start, params.range.end)
    )
    found = []
    for name, stops in stops_of(snapshot, start, end):
        document = context.document(name)
        assert document is not None, "what a snapshot is compared with is there"
        here = positions(snapshot.document, [stop.here for stop in stops], encoding)
        there = positions(document, [stop.there for stop in stops], encoding)
        found.append(Abreast(context.uri(name), [*map(AbreastStop, here, there)]))
    return found


FEATURE = Feature((Handler(ABREAST.method, abreast, empty=[], params=ABREAST.params),))
