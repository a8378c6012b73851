"""Document symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types
from treelens.present.symbols import Symbol, symbols

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges

_KINDS = {
    "sentence": types.SymbolKind.Namespace,
    "constituent": types.SymbolKind.Field,
    "word": types.SymbolKind.String,
}


def answer(
    context: Context[None], params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    snapshot = context.snapshot(params.text_document.uri)
    if snapshot is None:
        return []
    found = symbols(snapshot)
    spans = [span for symbol in found for span in _spans(symbol)]
    return _encoded(found, iter(ranges(snapshot.document, spans, context.encoding)))


def _spans(symbol: Symbol) -> Iterator[tuple[int, int]]:
    yield symbol.start, symbol.end
    yield symbol.name_start, symbol.name_end
    for child in symbol.children:
        yield from _spans(child)


def _encoded(found: Sequence[Symbol], places: Iterator[types.Range]) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            name=symbol.name,
            kind=_KINDS[symbol.kind],
            range=next(places),
            selection_range=next(places),
            detail=symbol.detail,
            children=_encoded(symbol.children, places),
        )
        for symbol in found
    ]


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, answer, empty=[]),))
