"""A compared group of sentences as a picture: gold's analysis above the words, system's below."""

from __future__ import annotations

from treelens.compare import Comparison
from treelens.pictures.canvas import Picture, is_right_to_left
from treelens.pictures.compared_arcs import compared_arcs
from treelens.pictures.compared_trees import compared_trees
from treelens.pictures.words import compared_words

_MOST_WORDS, _MOST_NODES = 400, 2000
"""Past these not even what is left after folding could be looked at."""


def sentence_picture(comparison: Comparison, title: str) -> Picture | None:
    """The group's trees or arcs; None where they are too large, or a side has no words."""
    sides = comparison.gold, comparison.system
    for side in sides:
        if not 0 < len(side.forest.word) <= _MOST_WORDS or len(side.forest.label) > _MOST_NODES:
            return None
    words = compared_words(*sides)
    right_to_left = is_right_to_left(line for word in words[0] for line in word.lines)
    draw = compared_trees if comparison.gold.arcs is None else compared_arcs
    return draw(comparison, words, title, right_to_left)
