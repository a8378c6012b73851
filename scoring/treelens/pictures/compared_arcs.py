"""The dependencies of a compared group of sentences as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from treelens.compare.comparison import Comparison
from treelens.pictures.analysis import arcs
from treelens.pictures.arcs import DrawnArc, DrawnArcs, arc_layer
from treelens.pictures.canvas import Band, Kind
from treelens.pictures.words import SideWords

_TITLES: dict[Kind, str] = {
    "missing": "system has another head",
    "extra": "gold has another head",
    "mislabelled": "the other side has another relation",
}


def compared_arcs(comparison: Comparison, words: tuple[SideWords, SideWords]) -> Band:
    """Gold's arcs above the words, system's below."""
    gold = DrawnArcs(_titled(arcs(comparison.gold, "missing")), [*words[0].words, *words[0].empty])
    system = DrawnArcs(
        _titled(arcs(comparison.system, "extra")), [*words[1].words, *words[1].empty]
    )
    return Band(arc_layer(gold), arc_layer(system))


def _titled(found: Sequence[DrawnArc]) -> list[DrawnArc]:
    return [arc._replace(title=_TITLES.get(arc.kind, "")) for arc in found]
