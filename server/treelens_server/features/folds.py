"""Folding ranges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
from lsprotocol import types
from treelens.present.folds import Span, parts

from treelens_server.answers import DocumentParams, json_list
from treelens_server.context import Context, Feature, Handler
from treelens_server.shares import DocumentNames, Shares, WireTemplate, located


def answer(context: Context[Shares[Span]], params: DocumentParams) -> msgspec.Raw:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return json_list([])
    names = context.names
    write = partial(_written, snapshot.name, names)
    items = [json for part in parts(snapshot) for json in context.memory.sent(part, names, write)]
    context.memory.tidy()
    # Of several that start on a line, the outermost, which comes first, is the one that an editor
    # can fold.
    widest = {one[: one.index(b",")]: one for one in reversed(items)}
    return json_list([*reversed(widest.values())])


def _written(name: str, names: DocumentNames, found: Sequence[Span]) -> list[WireTemplate]:
    return [
        WireTemplate(*span, b'{"startLine":%d,"endLine":%d}', (start, end))
        for span, (_, start, end) in zip(found, located(name, found, names), strict=True)
    ]


FEATURE = Feature(
    (Handler(types.TEXT_DOCUMENT_FOLDING_RANGE, answer, empty=[], params=DocumentParams),),
    memory=Shares,
)
