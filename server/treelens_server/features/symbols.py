"""Document symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
from lsprotocol import types
from treelens.present.symbols import Symbol, parts

from treelens_server.answers import DocumentParams, json_list
from treelens_server.context import Context, Feature, Handler
from treelens_server.shares import DocumentNames, Hole, Shares, WireTemplate, located, shown

_KINDS = {
    "sentence": int(types.SymbolKind.Namespace),
    "constituent": int(types.SymbolKind.Field),
    "word": int(types.SymbolKind.String),
}


def answer(context: Context[Shares[Symbol]], params: DocumentParams) -> msgspec.Raw:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return json_list([])
    names = context.names
    write = partial(_written, snapshot.name, names)
    found = [json for part in parts(snapshot) for json in context.memory.sent(part, names, write)]
    context.memory.tidy()
    return json_list(found)


def _written(name: str, names: DocumentNames, found: Sequence[Symbol]) -> list[WireTemplate]:
    spans = [span for symbol in found for span in _spans(symbol)]
    where = iter(located(name, spans, names))
    written = []
    for symbol in found:
        number, _, text = symbol.name.partition(":")
        holes = [Hole(name, int(number), sentence=True)]
        json = _json(symbol, b'"%d:' + shown(text)[1:], where, holes)
        written.append(WireTemplate(symbol.start, symbol.end, json, tuple(holes)))
    return written


def _spans(symbol: Symbol) -> Iterator[tuple[int, int]]:
    yield symbol.start, symbol.end
    yield symbol.name_start, symbol.name_end
    for child in symbol.children:
        yield from _spans(child)


def _json(
    symbol: Symbol, name: bytes, where: Iterator[tuple[bytes, Hole, Hole]], holes: list[Hole]
) -> bytes:
    """A symbol with its children, whose places come after its own; their holes go to ``holes``."""
    (whole, *first), (selected, *second) = next(where), next(where)
    holes += [*first, *second]
    children = [_json(one, shown(one.name), where, holes) for one in symbol.children]
    return b'{"name":%b,"kind":%d,"range":%b,"selectionRange":%b,"detail":%b,"children":[%b]}' % (
        name,
        _KINDS[symbol.kind],
        whole,
        selected,
        shown(symbol.detail),
        b",".join(children),
    )


FEATURE = Feature(
    (Handler(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answer, empty=[], params=DocumentParams),),
    memory=Shares,
)
