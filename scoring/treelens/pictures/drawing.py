"""A picture that can be pointed at: what is to be drawn, and what each thing in it stands for.

Made of compared sentences (:mod:`treelens.pictures.overlaid`, :mod:`treelens.pictures.whole`),
folded (:mod:`treelens.pictures.folding`), then laid out as SVG or written as LaTeX. Ids are made
of a side and numbers of words, so that they stay what they are while other sentences are edited.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from treelens.pictures import arcs, trees
from treelens.pictures.canvas import Band, DrawnWord, Layer, Picture, stacked

MOST_WORDS, MOST_NODES, MOST_LEVELS = 1500, 6000, 250
"""What is larger is no picture: nobody could find anything in it."""

PartKind = Literal["constituent", "word", "arc", "enhanced"]
State = Literal[
    "matched",
    "missing",
    "extra",
    "crossing",
    "mislabelled",
    "wrong-head",
    "wrong-relation",
    "wrong-tag",
    "wrong-morphology",
    "different-words",
    "uncounted",
    "otherwise",
]
AS_IT_SHOULD_BE: tuple[State, ...] = ("matched", "uncounted")


class RowPlace(NamedTuple):
    """A row of a side's forest: of its constituents, of its words, or which of its enhanced
    dependencies. Side 0 is gold, the others are systems."""

    side: int
    row: int


class DrawnPart(NamedTuple):
    """Something drawn that can be pointed at.

    places: where it is written, the side first that it is drawn for. twins: ids of the same
    thing in other analyses of the picture. up, down, previous, next: where keys go from it.
    """

    id: str
    kind: PartKind
    label: str
    state: State
    title: str
    places: tuple[RowPlace, ...]
    twins: tuple[str, ...] = ()
    foldable: bool = False
    folded: bool = False
    up: str | None = None
    down: str | None = None
    previous: str | None = None
    next: str | None = None

    @property
    def side(self) -> Literal["gold", "system", "both"]:
        sides = {place.side > 0 for place in self.places}
        return "both" if len(sides) > 1 else "system" if True in sides else "gold"


Parts = dict[str, DrawnPart]


class Sketch(NamedTuple):
    """A band before it is laid out: an analysis above its words, and what is drawn below them."""

    above: trees.DrawnTree | arcs.DrawnArcs
    below: trees.DrawnTree | arcs.DrawnArcs | None = None
    heading: str = ""


class Drawing(NamedTuple):
    """What is drawn. kind: ``trees`` or ``arcs``."""

    kind: Literal["trees", "arcs"]
    sketches: tuple[Sketch, ...]
    parts: Parts
    right_to_left: bool

    def picture(self, title: str) -> Picture | None:
        """The drawing laid out; None where it is nested too deeply to be looked at."""
        bands = [_band(sketch) for sketch in self.sketches]
        layers = [layer for band in bands for layer in band.layers]
        if max(layer.levels for layer in layers) > MOST_LEVELS:
            return None
        return stacked(title, self.kind, bands, right_to_left=self.right_to_left)


def _band(sketch: Sketch) -> Band:
    below = None if sketch.below is None else _layer(sketch.below, below=True)
    return Band(_layer(sketch.above, below=False), below, sketch.heading)


def _layer(half: trees.DrawnTree | arcs.DrawnArcs, *, below: bool) -> Layer:
    if isinstance(half, arcs.DrawnArcs):
        return arcs.arc_layer(half)
    return (trees.brace_layer if below else trees.tree_layer)(half)


def letter(side: int) -> str:
    """What ids of a side begin with."""
    return "g" if side == 0 else "s" if side == 1 else f"s{side}"


def identified(words: list[DrawnWord], side: int) -> list[DrawnWord]:
    """Words with their ids."""
    name = letter(side)
    return [word._replace(id=f"{name}:w{row}") for row, word in enumerate(words)]
