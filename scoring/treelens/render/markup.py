"""HTML and SVG as text that is safe: a plain ``str`` is escaped wherever it is put.

What a treebank or a file's name holds arrives as ``str``, and only what is built here is
:class:`Markup`, so that nothing a user wrote can be taken for markup by forgetting something.
"""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable

from treelens.render.width import clean

_NO_XML = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd"})


class Markup(str):
    """Text that is well-formed markup already."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """A text as content or as an attribute's value, without what steers direction or terminals."""
    if isinstance(text, Markup):
        return text
    return _known(text) if len(text) <= _SHORT else _escaped(text)


def _escaped(text: str) -> Markup:
    return Markup(html.escape(clean(text).translate(_NO_XML)))


_SHORT = 128
"""Characters of what is written again and again: labels, classes, a picture's lines and titles."""
_known = functools.lru_cache(maxsize=1 << 13)(_escaped)


def element(
    name: str, /, *content: str, attributes: Iterable[tuple[str, object]] = (), **more: object
) -> Markup:
    """An element; attributes that are None are left out.

    In names of attributes ``_`` stands for ``-``, and one at the end for nothing (``class_``).
    """
    written = ""
    for key, value in (*attributes, *more.items()):
        if value is not None:
            text = number(value) if isinstance(value, float) else escaped(str(value))
            written += f' {_attribute(key)}="{text}"'
    inside = "".join(map(escaped, content))
    if name in _VOID or (not content and name in _SVG_SHAPES):
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{inside}</{name}>")


def filled(template: Markup, *values: str | float) -> Markup:
    """Markup with ``%s`` for each value: what is written hundreds of times in each picture."""
    return Markup(
        template % tuple([escaped(one) if isinstance(one, str) else number(one) for one in values])
    )


def joined(parts: Iterable[str], separator: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(escaped(separator).join(map(escaped, parts)))


def isolated(text: str) -> Markup:
    """A user's text in a line: its direction is its own and scrambles nothing around it."""
    return element("bdi", text)


def number(value: float) -> str:
    """A coordinate: one decimal, none where it is a whole number."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


@functools.cache
def _attribute(name: str) -> str:
    """An attribute's name as it is written; there are few."""
    return name.rstrip("_").replace("_", "-")


_VOID = frozenset(("meta", "br", "wbr"))
_SVG_SHAPES = frozenset(("line", "path", "rect", "circle", "polygon", "polyline"))
