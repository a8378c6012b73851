"""Which analyses of a sentence are drawn, and how: the pictures that the editor shows."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Literal, NamedTuple

from treelens.compare.comparison import Comparison
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.canvas import is_right_to_left
from treelens.pictures.columns import on_shared_columns
from treelens.pictures.drawing import Drawing, Parts, Sketch
from treelens.pictures.folding import alike
from treelens.pictures.folding import folded as fold
from treelens.pictures.overlaid import overlaid
from treelens.pictures.views import DrawnSide, views, with_words_compared
from treelens.pictures.walking import walkable
from treelens.pictures.whole import whole

PictureLayout = Literal["overlaid", "beside", "own"]


class ComparedSystem(NamedTuple):
    """Gold and one of its systems; the system's number in ids and places, both headings, what the
    sides are called, and whether what no score counts is told apart. words: of a side that is
    compared with itself, what its words are compared with, and which side it is there; ``names``
    are then in the order of what is written (its own tag first)."""

    comparison: Comparison
    number: int
    gold: str
    system: str
    names: SideNames = ROLES
    strict: bool = False
    words: tuple[Comparison, int] | None = None


def drawing(
    compared: Sequence[ComparedSystem],
    layout: PictureLayout,
    folded: Set[str] = frozenset(),
    *,
    own: int = 0,
    everything: bool = False,
) -> Drawing:
    """The picture of a group of sentences, whose words are not none.

    compared: gold and system; for ``beside`` several systems with the same of gold. own: the
    number of the side that ``own`` draws. folded: ids of what is folded; unless ``everything``
    is shown, of a long sentence what is alike on both sides is folded too.
    """
    seen = [views(one.comparison, one.number, one.names, strict=one.strict) for one in compared]
    gold, system = seen[0]
    if layout == "overlaid":
        drawn = [overlaid(gold, system)]
    elif layout == "own":
        shown, one = gold if own == 0 else system, compared[0]
        if one.words is not None:
            shown = with_words_compared(shown, *one.words, one.names.system, strict=one.strict)
        drawn = [whole(shown)]
    else:
        shared = on_shared_columns(seen)
        drawn = [whole(shared[0][0], compared[0].gold)]
        drawn += [whole(one, of.system) for (_, one), of in zip(shared, compared, strict=True)]
    made = _made(gold, drawn)
    return walkable(fold(made, folded if everything else folded | alike(made)))


def _made(gold: DrawnSide, drawn: Sequence[tuple[Sketch, Parts]]) -> Drawing:
    parts = {id: part for _, found in drawn for id, part in found.items()}
    right_to_left = is_right_to_left(line for word in gold.words for line in word.lines)
    kind: Literal["trees", "arcs"] = "arcs" if gold.tree is None else "trees"
    sketches = tuple(sketch for sketch, _ in drawn)
    return Drawing(kind, sketches, parts, right_to_left)
