"""The dependencies of a compared group of sentences as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.compare import Comparison, Side
from treelens.forest import NOWHERE, ROOT
from treelens.pictures.arcs import Arc, Half, arc_picture
from treelens.pictures.canvas import MOST_COLUMNS, Kind, Picture, Word

_TITLES: dict[Kind, str] = {
    "missing": "system has another head",
    "extra": "gold has another head",
    "renamed": "the other side has another relation",
}


def compared_arcs(
    comparison: Comparison,
    words: tuple[Sequence[Word], Sequence[Word]],
    title: str,
    right_to_left: bool,
) -> Picture | None:
    """Gold's arcs above the words, system's below; None where they are too many."""
    if max(map(len, words)) > MOST_COLUMNS:
        return None
    gold = Half(list(_arcs(comparison.gold, "missing")), words[0])
    system = Half(list(_arcs(comparison.system, "extra")), words[1])
    return arc_picture(title, gold, system, right_to_left=right_to_left)


def _arcs(side: Side, alone: Kind) -> Iterator[Arc]:
    """A side's arcs; words without a head have none."""
    arcs = side.arcs
    assert arcs is not None
    assert side.forest.rows is not None
    relations = side.forest.rows.relation.tolist()
    for word, head in enumerate(arcs.head.tolist()):
        if head == NOWHERE:
            continue
        kind: Kind = alone
        if arcs.attached[word]:
            kind = "same" if arcs.subtyped[word] else "renamed"
        at = None if head in (ROOT, word) else head
        label = side.forest.symbols.label(relations[word])
        yield Arc(at, word, label, kind, _TITLES.get(kind, ""))
