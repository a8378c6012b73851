"""Document symbols: with what is below them, or for older clients one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
from lsprotocol import types
from treelens.present.symbols import Symbol, parts

from treelens_server.answers import DocumentParams, json_list
from treelens_server.context import Context, Feature, Handler
from treelens_server.shares import (
    DocumentNames,
    Hole,
    Shares,
    WireTemplate,
    literal,
    located,
    shown,
)

_KINDS = {
    "sentence": int(types.SymbolKind.Namespace),
    "constituent": int(types.SymbolKind.Field),
    "word": int(types.SymbolKind.String),
}


_NESTED = "text_document.document_symbol.hierarchical_document_symbol_support"


def answer(context: Context[Shares[Symbol]], params: DocumentParams) -> msgspec.Raw:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return json_list([])
    names = context.names
    nested = context.client.can(_NESTED)
    write = partial(_written if nested else _listed, snapshot.name, names)
    found = [json for part in parts(snapshot) for json in context.memory.sent(part, names, write)]
    context.memory.tidy()
    return json_list(found)


def _written(name: str, names: DocumentNames, found: Sequence[Symbol]) -> list[WireTemplate]:
    spans = [span for symbol in found for span in _spans(symbol)]
    where = iter(located(name, spans, names))
    written = []
    for symbol in found:
        title, holes = _title(name, symbol)
        json = _json(symbol, title, where, holes)
        written.append(WireTemplate(symbol.start, symbol.end, json, tuple(holes)))
    return written


def _title(name: str, symbol: Symbol) -> tuple[bytes, list[Hole]]:
    """A symbol's name, a sentence's with a hole for its number."""
    if symbol.kind != "sentence":
        return shown(symbol.name), []
    number, _, text = symbol.name.partition(":")
    return b'"%d:' + shown(text)[1:], [Hole(name, int(number), sentence=True)]


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


# --- one after the other ---------------------------------------------------------------------


def _listed(name: str, names: DocumentNames, found: Sequence[Symbol]) -> list[WireTemplate]:
    every = [both for symbol in found for both in _below(symbol, None)]
    where = located(name, [(one.start, one.end) for one, _ in every], names)
    uri = literal(names.uri(name))
    written = []
    for (symbol, above), (place, *ends) in zip(every, where, strict=True):
        title, holes = _title(name, symbol)
        json = b'{"name":%b,"kind":%d,"location":{"uri":%b,"range":%b}' % (
            title,
            _KINDS[symbol.kind],
            uri,
            place,
        )
        holes += ends
        if above is not None:
            container, number = _title(name, above)
            json += b',"containerName":%b' % container
            holes += number
        written.append(WireTemplate(symbol.start, symbol.end, json + b"}", tuple(holes)))
    return written


def _below(symbol: Symbol, above: Symbol | None) -> Iterator[tuple[Symbol, Symbol | None]]:
    """A symbol and all below it, each with what it is directly below (an outline is not deep)."""
    yield symbol, above
    for child in symbol.children:
        yield from _below(child, symbol)


FEATURE = Feature(
    (Handler(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answer, empty=[], params=DocumentParams),),
    memory=Shares,
)
