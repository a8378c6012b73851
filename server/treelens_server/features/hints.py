"""Inlay hints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from lsprotocol import types
from treelens.present.hints import Hint, parts

from treelens_server.answers import RangeParams, json_list
from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import places, span_of
from treelens_server.shares import DocumentNames, Hole, Shares, WireTemplate, shown


def answer(context: Context[Shares[Hint]], params: RangeParams) -> msgspec.Raw:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return json_list([])
    start, end = span_of(snapshot.document, params.range, context.encoding)
    found = parts(snapshot, start, end, heads=context.shows_heads)
    names = context.names
    write = partial(_written, snapshot.name, names)
    items = {item for part in found for item in context.memory.of(part, names, write)}
    context.memory.tidy()
    return json_list([one.json for one in sorted(items) if start <= one.start <= end])


def _written(name: str, names: DocumentNames, found: Sequence[Hint]) -> list[WireTemplate]:
    document = names.document(name)
    assert document is not None
    where = places(document, [hint.offset for hint in found], names.encoding)
    return [
        WireTemplate(
            hint.offset,
            hint.offset,
            b'{"position":{"line":%%d,"character":%d},"label":%b,"kind":1,"tooltip":%b,'
            b'"paddingLeft":true}' % (character, shown(hint.text), shown(hint.tooltip)),
            (Hole(name, line),),
        )
        for hint, (line, character) in zip(found, where, strict=True)
    ]


FEATURE = Feature(
    (Handler(types.TEXT_DOCUMENT_INLAY_HINT, answer, empty=[], params=RangeParams),),
    memory=Shares,
)
