"""Trees as pictures: each node over its words, joined to its children by lines.

A pure layout (see :mod:`treelens.pictures.canvas`). A node stands one level above its highest
child, in the middle of its words, so that no two labels meet and no two lines cross. What has no
place in a tree, since it crosses its brackets, is drawn as braces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.pictures.canvas import GAP, Canvas, DrawnWord, Label, Layer, Outcome, Room
from treelens.render.markup import Markup, element


class DrawnNode(NamedTuple):
    """A constituent over the columns ``[first, last)``. ``parent``: an index, -1 for a root.

    id and title are as of words, other and inside as of labels.
    """

    label: str
    first: int
    last: int
    parent: int
    kind: Outcome = "matched"
    title: str = ""
    id: str = ""
    other: str = ""
    inside: int = 0


class DrawnTree(NamedTuple):
    """One tree (or several, side by side); parents stand before their children.

    A folded word is drawn under a triangle.
    """

    nodes: Sequence[DrawnNode]
    words: Sequence[DrawnWord]


def tree_layer(half: DrawnTree) -> Layer:
    """A tree over its words."""
    levels = node_levels(half)

    def draw(canvas: Canvas) -> Iterator[Markup]:
        yield from _lines(canvas, half, levels)
        for node, level in zip(half.nodes, levels, strict=True):
            yield canvas.label(_label(node), _x(canvas, node), canvas.y(level))

    return Layer(half.words, _wanted(half.nodes), max(levels, default=0), draw)


def node_levels(half: DrawnTree) -> list[int]:
    """How far above the words each node stands: one above its highest child."""
    levels = [1] * len(half.nodes)
    for index in reversed(range(len(levels))):
        parent = half.nodes[index].parent
        if parent >= 0:
            levels[parent] = max(levels[parent], levels[index] + 1)
    return levels


def _wanted(nodes: Sequence[DrawnNode]) -> list[Room]:
    return [Room(node.first, node.last, _label(node).width + GAP) for node in nodes]


def _label(node: DrawnNode) -> Label:
    return Label(node.label, node.kind, node.title, node.id, node.other, node.inside)


def _x(canvas: Canvas, one: DrawnNode | DrawnWord) -> float:
    return canvas.middle(one.first, one.last)


def _lines(canvas: Canvas, half: DrawnTree, levels: list[int]) -> Iterator[Markup]:
    """From each node to its children: along the node's level, and down."""
    below: list[list[tuple[float, float]]] = [[] for _ in half.nodes]
    for node, level in zip(half.nodes, levels, strict=True):
        if node.parent >= 0:
            below[node.parent].append((_x(canvas, node), canvas.y(level)))
    for word in half.words:
        if word.parent >= 0 and word.folded:
            yield _triangle(canvas, word, canvas.y(levels[word.parent]), half.nodes[word.parent])
        elif word.parent >= 0:
            below[word.parent].append((_x(canvas, word), canvas.foot(word)))
    for node, level, ends in zip(half.nodes, levels, below, strict=True):
        if ends:
            path = _comb(_x(canvas, node), canvas.y(level), ends)
            yield element("path", d=path, class_=f"line {node.kind}", data_node=node.id or None)


def _triangle(canvas: Canvas, word: DrawnWord, y: float, node: DrawnNode) -> Markup:
    low, high = canvas.extent(word.first, word.last)
    foot = canvas.base + canvas.way * 2.0
    corners = ((_x(canvas, word), y), (low + GAP / 2, foot), (high - GAP / 2, foot))
    points = " ".join(f"{x:.1f},{height:.1f}" for x, height in corners)
    return element("polygon", points=points, class_="fold", data_node=node.id or None)


def _comb(x: float, y: float, ends: list[tuple[float, float]]) -> str:
    xs = [x, *(end for end, _ in ends)]
    bar = f"M{min(xs):.1f} {y:.1f}H{max(xs):.1f}" if max(xs) - min(xs) > 0.5 else ""
    return bar + "".join(f"M{end:.1f} {y:.1f}V{foot:.1f}" for end, foot in ends)


# --- braces ----------------------------------------------------------------------------------

_INSET = 3.0
"""Between the ends of braces that begin or end with the same word."""


def brace_layer(half: DrawnTree) -> Layer:
    """Nodes as braces from the first to the last of their words, those inside others first."""
    levels = node_levels(half)
    deepest = max(levels, default=0)

    def draw(canvas: Canvas) -> Iterator[Markup]:
        for node, level in zip(half.nodes, levels, strict=True):
            low, high = canvas.extent(node.first, node.last)
            inset = GAP / 2 + min(_INSET * (deepest - level), (high - low) / 4)
            y, foot = canvas.y(level), canvas.y(0) - canvas.way * GAP
            path = f"M{low + inset:.1f} {foot:.1f}V{y:.1f}H{high - inset:.1f}V{foot:.1f}"
            yield element("path", d=path, class_=f"line {node.kind}", data_node=node.id or None)
        for node, level in zip(half.nodes, levels, strict=True):
            yield canvas.label(_label(node), _x(canvas, node), canvas.y(level))

    return Layer(half.words, _wanted(half.nodes), deepest, draw)
