"""Sentences drawn on a page, and what their signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from treelens.pictures.canvas import Picture
from treelens.render.markup import Markup, element, joined
from treelens.report.page.tables import scrolling

_PAGE = 680.0
"""What fits the width of a printed page."""

_TREES = (
    ("missing", "−\u2009NP", "in gold only"),
    ("extra", "+\u2009NP", "in {} only"),
    ("crossing", "×\u2009NP", "crosses a bracket of the other side"),
    ("mislabelled", "≠\u2009NP", "another label or tag on the other side"),
    ("matched", "NP", "matched"),
)
_ARCS = (
    ("missing", "−\u2009obj", "gold’s, where {} has another head"),
    ("extra", "+\u2009obj", "{}’s, where gold has another head"),
    ("mislabelled", "≠\u2009obj", "another relation or tag on the other side"),
    ("matched", "obj", "the same on both sides"),
)


def how_drawn(arcs: bool, system: str = "system") -> str:
    """Where gold and system, which is called so, stand in a picture: in a sentence."""
    if arcs:
        return f"Gold’s arcs run above the words, {system}’s below them."
    return (
        f"Gold’s tree stands above the words, {system}’s below them; what lies under a "
        "triangle is alike on both sides, but for what F1 does not count."
    )


def legend(arcs: bool, system: str = "system") -> Markup:
    """The signs of such pictures."""
    keys = (
        element("li", element("span", sign, class_=f"node {kind}"), f" {text.format(system)}")
        for kind, sign, text in (_ARCS if arcs else _TREES)
    )
    return element("ul", *keys, class_="legend picture")


def pictured(drawn: Picture, identifier: str) -> Markup:
    """The picture; for paper, one that is wider than a page in strips below each other."""
    return joined(_pictured(drawn, identifier))


def _pictured(drawn: Picture, identifier: str) -> Iterator[Markup]:
    scrolled = scrolling(drawn.title, drawn.svg(identifier))
    if drawn.width <= _PAGE:
        yield scrolled
        return
    yield element("div", scrolled, class_="wide")
    yield element("div", *drawn.strips(identifier, _PAGE), class_="strips")
