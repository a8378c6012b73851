"""Hover."""

from __future__ import annotations

from lsprotocol import types
from treelens.present.hovers import hover

from treelens_server.context import Context, Feature, Handler
from treelens_server.positions import ranges


def answer(context: Context[None], params: types.HoverParams) -> types.Hover | None:
    at = context.locate(params.text_document.uri, params.position)
    found = hover(*at) if at else None
    if at is None or found is None:
        return None
    (place,) = ranges(at[0].document, [(found.start, found.end)], context.encoding)
    return types.Hover(context.client.markup(found.markdown), place)


def together(found: types.Hover | None, more: list[types.Hover]) -> types.Hover | None:
    """What is said of a place, with what other features say of it below."""
    every = [found, *more] if found else more
    if len(every) < 2:
        return next(iter(every), None)
    texts = [one.contents for one in every if isinstance(one.contents, types.MarkupContent)]
    content = "\n\n---\n\n".join(text.value for text in texts)
    return types.Hover(types.MarkupContent(texts[0].kind, content), every[0].range)


FEATURE = Feature((Handler(types.TEXT_DOCUMENT_HOVER, answer, join=together),))
