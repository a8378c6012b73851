"""Where keys go from each thing in a picture: up, down and to its neighbours in reading order.

Up from a word is what it hangs on, down from a constituent the first thing in it; sideways, the
next thing in the same constituent, and from the last one what stands behind that. What is drawn
below the words is below them for the keys too. From everything one gets everywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from treelens.pictures import arcs, trees
from treelens.pictures.canvas import DrawnWord
from treelens.pictures.drawing import Drawing, Parts, Sketch


class _Links:
    """Neighbours by id, to be put into the parts."""

    def __init__(self) -> None:
        self.up: dict[str, str] = {}
        self.down: dict[str, str] = {}
        self.next: dict[str, str] = {}

    def row(self, ids: Sequence[str]) -> None:
        for one, other in itertools.pairwise(ids):
            self.next.setdefault(one, other)

    def into(self, parts: Parts) -> Parts:
        previous = {there: here for here, there in reversed(self.next.items())}
        return {
            id: part._replace(
                up=self.up.get(id),
                down=self.down.get(id),
                next=self.next.get(id),
                previous=previous.get(id),
            )
            for id, part in parts.items()
        }


def walkable(drawing: Drawing) -> Drawing:
    """The drawing with the neighbours of all its parts."""
    links = _Links()
    words = [_row(sketch) for sketch in drawing.sketches]
    tops = [
        _linked(sketch, row, links) for sketch, row in zip(drawing.sketches, words, strict=True)
    ]
    # From the last row of a band to the top of the next one, and back.
    for at, top in enumerate(tops[1:]):
        lowest = words[at] or [tops[at]]
        for id in lowest:
            links.down.setdefault(id, top)
        for id in (top, *words[at + 1]):
            links.up.setdefault(id, lowest[0])
    return drawing._replace(parts=links.into(drawing.parts))


def _row(sketch: Sketch) -> list[str]:
    """The words of a band in reading order, those of both sides."""
    found = [*sketch.above.words, *(sketch.below.words if sketch.below else ())]
    found = [word for word in found if word.id and word.written]
    return [word.id for word in sorted(found, key=lambda word: word.first)]


def _linked(sketch: Sketch, row: list[str], links: _Links) -> str:
    """Link what is in a band; its top."""
    links.row(row)
    if isinstance(sketch.above, arcs.DrawnArcs):
        _arcs(sketch.above, links)
        if isinstance(sketch.below, arcs.DrawnArcs):
            _arcs_below(sketch.below, sketch.above.words, links)
        return _highest(sketch.above, row, links)
    top = _tree(sketch.above, links)
    if isinstance(sketch.below, trees.DrawnTree):
        _braces(sketch.below, sketch.above.words, links)
    return top


def _highest(half: arcs.DrawnArcs, row: Sequence[str], links: _Links) -> str:
    """What nothing is above; where heads go round in circles, a circle is opened."""
    every = [*row, *(arc.id for arc in half.arcs)]
    top = next((id for id in every if id not in links.up), every[-1])
    links.up.pop(top, None)
    return top


def _tree(half: trees.DrawnTree, links: _Links) -> str:
    ids = [node.id for node in half.nodes]
    children: list[list[tuple[int, str]]] = [[] for _ in [*ids, ""]]
    for node in half.nodes:
        children[node.parent].append((node.first, node.id))
    for word in half.words:
        if word.id and not word.folded:
            children[word.parent].append((word.first, word.id))
    for id, found in zip(ids, children, strict=False):
        links.up.update((child, id) for _, child in found)
    rows = [[id for _, id in sorted(found, key=lambda each: each[0])] for found in children]
    links.row(rows[-1])
    for id, row in zip(ids, rows, strict=False):  # (the last one is of what hangs on nothing)
        if row:
            links.row(row)
            links.down[id] = row[0]
            if id in links.next:
                links.next.setdefault(row[-1], links.next[id])
    return rows[-1][0]


def _braces(half: trees.DrawnTree, words: Sequence[DrawnWord], links: _Links) -> None:
    """Braces below the words: down from a word is the narrowest under it, and on to wider ones."""
    links.row([node.id for node in half.nodes if node.parent < 0])
    for node in half.nodes:
        over = [word for word in words if node.first <= word.first < node.last]
        inside = [one for one in half.nodes if one.parent >= 0 and half.nodes[one.parent] == node]
        links.row([one.id for one in inside])
        if inside:
            links.up[node.id] = inside[0].id
        elif over:
            links.up[node.id] = over[0].id
        if node.parent >= 0:
            links.down[node.id] = half.nodes[node.parent].id
        # (Parents stand before their children, so that the narrowest brace comes last.)
        links.down.update((word.id, node.id) for word in over if word.id)


def _arcs(half: arcs.DrawnArcs, links: _Links) -> None:
    """An arc is above the word that it goes to, and below the arc that goes to its head."""
    to = {arc.dependent: arc.id for arc in half.arcs}
    for arc in half.arcs:
        word = half.words[arc.dependent].id
        links.down[arc.id] = word
        links.up[word] = arc.id
        if arc.head in to:
            links.up[arc.id] = to[arc.head]
    _siblings(half, links)


def _arcs_below(half: arcs.DrawnArcs, above: Sequence[DrawnWord], links: _Links) -> None:
    """Below the words that they go to, which may be written above only."""
    known = {word.first: word.id for word in above}
    lowest: dict[str, str] = {}
    for arc in half.arcs:
        word = half.words[arc.dependent]
        id = word.id or known.get(word.first) or above[0].id
        # (A word may have several: each is below the one before it.)
        above_it = lowest.get(id, id)
        links.up[arc.id] = above_it
        links.down.setdefault(above_it, arc.id)
        lowest[id] = arc.id
    _siblings(half, links)


def _siblings(half: arcs.DrawnArcs, links: _Links) -> None:
    """Beside an arc are those of the same head."""
    by_head = sorted(
        half.arcs, key=lambda arc: (-1 if arc.head is None else arc.head, arc.dependent)
    )
    for _, siblings in itertools.groupby(by_head, key=lambda arc: arc.head):
        links.row([arc.id for arc in siblings])
