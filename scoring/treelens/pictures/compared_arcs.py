"""The dependencies of a compared group of sentences as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.compare.comparison import Comparison
from treelens.differences.wording import ROLES, SideNames
from treelens.pictures.analysis import arcs
from treelens.pictures.arcs import DrawnArc, DrawnArcs, arc_layer
from treelens.pictures.canvas import Band, Outcome
from treelens.pictures.words import SideWords

_TITLES: dict[Outcome, str] = {
    "missing": "has another head",
    "extra": "has another head",
    "mislabelled": "has another relation",
}


def compared_arcs(
    comparison: Comparison, words: tuple[SideWords, SideWords], names: SideNames = ROLES
) -> Band:
    """Gold's arcs above the words, system's below; ``names``: what they are called."""
    gold = _titled(arcs(comparison.gold, "missing"), names.system)
    system = _titled(arcs(comparison.system, "extra"), names.gold)
    return Band(
        arc_layer(DrawnArcs(gold, [*words[0].words, *words[0].empty])),
        arc_layer(DrawnArcs(system, [*words[1].words, *words[1].empty])),
    )


def _titled(found: Sequence[DrawnArc], there: str) -> list[DrawnArc]:
    """With what is read out; ``there``: what the other side is called."""
    said = {kind: f"{there} {title}" for kind, title in _TITLES.items()}
    return [arc._replace(title=said.get(arc.kind, "")) for arc in found]
