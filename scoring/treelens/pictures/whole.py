"""One analysis of a sentence drawn whole: by itself, or under another one for comparison."""

from __future__ import annotations

from treelens.pictures import arcs, trees
from treelens.pictures.drawing import Parts, Sketch
from treelens.pictures.views import DrawnSide
from treelens.pictures.words import tokens, unwritten


def whole(view: DrawnSide, heading: str = "") -> tuple[Sketch, Parts]:
    """A side as it is; what differs from the other side is marked."""
    parts = {part.id: part for part in (*view.node_parts, *view.arc_parts, *view.word_parts)}
    if view.tree is not None:
        return Sketch(trees.DrawnTree(view.tree.nodes, view.words), None, heading), parts
    words = [*view.words, *view.empty]
    half = arcs.DrawnArcs(view.arcs, words, tokens(view.side.forest, view.words))
    if not view.enhanced.arcs:
        return Sketch(half, None, heading), parts
    parts |= {part.id: part for part in view.enhanced.parts}
    return Sketch(
        half, arcs.DrawnArcs(view.enhanced.arcs, [*map(unwritten, words)]), heading
    ), parts
