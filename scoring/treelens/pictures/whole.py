"""One analysis of a sentence drawn whole: by itself, or under another one for comparison."""

from __future__ import annotations

from treelens.pictures import arcs, trees
from treelens.pictures.drawing import Parts, Sketch
from treelens.pictures.views import View
from treelens.pictures.words import tokens


def whole(view: View, heading: str = "") -> tuple[Sketch, Parts]:
    """A side as it is; what differs from the other side is marked."""
    parts = {part.id: part for part in (*view.node_parts, *view.arc_parts, *view.word_parts)}
    if view.tree is not None:
        return Sketch(trees.Half(view.tree.nodes, view.words), None, heading), parts
    half = arcs.Half(view.arcs, [*view.words, *view.empty], tokens(view.side.forest, view.words))
    return Sketch(half, None, heading), parts
