"""One sentence drawn by itself, with some of its words in view and the rest lighter."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np

from treelens.compare.comparison import compare
from treelens.pictures.canvas import Outcome, Picture, is_right_to_left
from treelens.pictures.drawing import Drawing
from treelens.pictures.views import DrawnSide, views
from treelens.pictures.whole import whole
from treelens.rules.parameters import PRESETS
from treelens.trees.forest import Forest

_MOST_WORDS, _MOST_NODES = 60, 400
"""What is larger is no picture beside another one."""


def sentence_alone(forest: Forest, title: str, words: Collection[int]) -> Picture | None:
    """The picture of a forest of one sentence; None where it is too large or has no words.

    words: rows of the forest; brackets inside them and arcs at them, are in
    full colour.
    """
    if not 0 < len(forest.word) <= _MOST_WORDS or len(forest.label) > _MOST_NODES:
        return None
    group = np.zeros(1, np.int32)
    view, _ = views(compare(forest, group, forest, group, 1, PRESETS["none"]), 1)
    sketch, parts = whole(lit(view, words))
    right_to_left = is_right_to_left(line for word in view.words for line in word.lines)
    kind: Literal["trees", "arcs"] = "arcs" if view.tree is None else "trees"
    return Drawing(kind, (sketch,), parts, right_to_left).picture(title)


def lit(view: DrawnSide, words: Collection[int]) -> DrawnSide:
    """Brackets inside some words (rows) and arcs at them as they are, all others lighter."""
    if view.tree is None:
        shown = [
            arc._replace(kind=_kind(arc.dependent in words or arc.head in words))
            for arc in view.arcs
        ]
        return view._replace(arcs=shown)
    low, high = min(words, default=0), max(words, default=-1) + 1
    nodes = [
        node._replace(kind=_kind(_in_view(first, last, low, high)))
        for node, (first, last) in zip(view.tree.nodes, view.tree.spans, strict=True)
    ]
    return view._replace(tree=view.tree._replace(nodes=nodes))


def _in_view(first: int, last: int, low: int, high: int) -> bool:
    return low <= first and last <= high


def _kind(lit: bool) -> Outcome:
    return "matched" if lit else "uncounted"
