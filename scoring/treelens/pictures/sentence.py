"""A compared group of sentences as a picture: gold's analysis above the words, system's below."""

from __future__ import annotations

from treelens.compare.comparison import Comparison
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.canvas import Band, Picture, is_right_to_left, stacked
from treelens.pictures.compared_arcs import compared_arcs
from treelens.pictures.compared_trees import compared_trees
from treelens.pictures.words import compared_words

_MOST_WORDS, _MOST_NODES = 400, 2000
"""Past these not even what is left after folding could be looked at."""
_MOST_COLUMNS, _MOST_LEVELS = 120, 60
"""What is larger is no picture for a page."""


def sentence_picture(
    comparison: Comparison, title: str, names: SideNames = ROLES
) -> Picture | None:
    """The group's trees or arcs; None where they are too large, or a side has no words.

    names: what the sides are called.
    """
    sides = comparison.gold, comparison.system
    for side in sides:
        if not 0 < len(side.forest.word) <= _MOST_WORDS or len(side.forest.label) > _MOST_NODES:
            return None
    words = compared_words(*sides)
    dependencies = comparison.gold.arcs is not None
    if dependencies and max(len(side.words) for side in words) > _MOST_COLUMNS:
        return None
    band = (compared_arcs if dependencies else compared_trees)(comparison, words, names)
    if not _fits(band):
        return None
    right_to_left = is_right_to_left(line for word in words[0].words for line in word.lines)
    kind = "arcs" if dependencies else "trees"
    return stacked(title, kind, [band], right_to_left=right_to_left)


def _fits(band: Band) -> bool:
    columns = max(word.last for layer in band.layers for word in layer.words)
    return columns <= _MOST_COLUMNS and max(one.levels for one in band.layers) <= _MOST_LEVELS
