"""Dependencies as pictures: an arc from each head to its dependent, with the relation on it.

A pure layout (see :mod:`treelens.pictures.canvas`). An arc stands above those inside it, and
never on the level of one that it crosses, so that labels stay apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.pictures.canvas import Canvas, DrawnToken, DrawnWord, Label, Layer, Outcome, Room
from treelens.render.markup import Markup, filled

_START, _STEP = 5.0, 4.0
"""From the middle of a word to the first of the arcs that start there, and to the next one."""
_CORNER = 7.0
_ARROW = 3.4
_BESIDE = 10.0
"""Room that the corners of an arc take beside its label."""


class DrawnArc(NamedTuple):
    """A dependency between words, by their indices; ``head`` is None for the root's."""

    head: int | None
    dependent: int
    label: str
    kind: Outcome = "matched"
    title: str = ""
    id: str = ""
    other: str = ""


class DrawnArcs(NamedTuple):
    """One analysis of some words."""

    arcs: Sequence[DrawnArc]
    words: Sequence[DrawnWord]
    tokens: Sequence[DrawnToken] = ()


def arc_layer(half: DrawnArcs) -> Layer:
    """Arcs over their words."""
    spans = [_span(half, arc) for arc in half.arcs]
    asides = _asides(half, spans)
    levels = arc_levels(half)
    labels = [Label(arc.label, arc.kind, arc.title, arc.id, arc.other) for arc in half.arcs]

    def draw(canvas: Canvas) -> Iterator[Markup]:
        ends = list(_ends(canvas, half, asides))
        for arc, level, (start, end) in zip(half.arcs, levels, ends, strict=True):
            foot = canvas.foot(half.words[arc.dependent])
            node = filled(_NODE, arc.id) if arc.id else Markup()
            line = _line(start, end, canvas.y(level), foot, canvas.way)
            arrow = _arrow(end, foot, canvas.way)
            yield filled(_LINE, line, arc.kind, node, arrow, arc.kind, node)
        for label, level, (start, end) in zip(labels, levels, ends, strict=True):
            yield canvas.label(label, (start + end) / 2, canvas.y(level))

    wanted = [
        Room(*span, label.width + _BESIDE + aside, between_middles=span[1] - span[0] > 1)
        for label, span, aside in zip(labels, spans, asides, strict=True)
    ]
    return Layer(half.words, wanted, max(levels, default=0), draw, half.tokens)


_NODE = Markup(' data-node="%s"')
_LINE = Markup('<path d="%s" class="line %s"%s/><path d="%s" class="arrow %s"%s/>')


def _span(half: DrawnArcs, arc: DrawnArc) -> tuple[int, int]:
    """The columns from one end of an arc to the other; a root's are its word's."""
    ends = [half.words[at] for at in (arc.head, arc.dependent) if at is not None]
    return min(word.first for word in ends), max(word.last for word in ends)


def arc_levels(half: DrawnArcs) -> list[int]:
    """How far above the words each arc runs: the shortest first, each above what it overlaps,
    roots above all that is at them."""
    roots = [arc.head is None for arc in half.arcs]
    spans = [_span(half, arc) for arc in half.arcs]
    levels = [0] * len(spans)
    # Of each column, and of each gap behind one, the highest arc so far that is there.
    heights = [0] * (2 * max((last for _, last in spans), default=0))
    for at in sorted(
        range(len(spans)), key=lambda at: (roots[at], spans[at][1] - spans[at][0], at)
    ):
        first, last = 2 * spans[at][0], 2 * (spans[at][1] - 1)
        # (Arcs that meet at a word do not overlap.)
        over = slice(first, last + 1) if roots[at] else slice(first + 1, last)
        level = levels[at] = max(heights[over], default=0) + 1
        heights[over] = [level] * len(heights[over])
        heights[first], heights[last] = max(heights[first], level), max(heights[last], level)
    return levels


def _asides(half: DrawnArcs, spans: Sequence[tuple[int, int]]) -> list[float]:
    """How far from its head's middle each arc starts: long ones inside, so that none cross."""
    leaving: dict[tuple[int, bool], list[int]] = {}
    for at, arc in enumerate(half.arcs):
        if arc.head is not None:
            leaving.setdefault((arc.head, arc.dependent > arc.head), []).append(at)
    asides = [0.0] * len(spans)
    for arcs in leaving.values():
        arcs.sort(key=lambda at: spans[at][0] - spans[at][1])
        for place, at in enumerate(arcs):
            asides[at] = _START + place * _STEP
    return asides


def _ends(
    canvas: Canvas, half: DrawnArcs, asides: Sequence[float]
) -> Iterator[tuple[float, float]]:
    """Where each arc starts and ends."""
    for arc, aside in zip(half.arcs, asides, strict=True):
        word = half.words[arc.dependent]
        end = canvas.middle(word.first, word.last)
        if arc.head is None:
            yield end, end
            continue
        head = half.words[arc.head]
        low, high = canvas.extent(head.first, head.last)
        start, most = (low + high) / 2, (high - low) / 2 - 2
        yield (start + min(aside, most) if end > start else start - min(aside, most)), end


def _line(start: float, end: float, y: float, foot: float, way: int) -> str:
    """From the head, around two corners, to the dependent; a root's comes straight."""
    if start == end:
        return f"M{end:.1f} {y:.1f}V{foot:.1f}"
    side = 1 if end > start else -1
    corner = side * min(_CORNER, abs(end - start) / 2)
    before = y - way * _CORNER
    there = f"M{start:.1f} {foot:.1f}V{before:.1f}Q{start:.1f} {y:.1f} {start + corner:.1f} {y:.1f}"
    return f"{there}H{end - corner:.1f}Q{end:.1f} {y:.1f} {end:.1f} {before:.1f}V{foot:.1f}"


def _arrow(x: float, foot: float, way: int) -> str:
    back = foot + way * 2 * _ARROW
    return f"M{x:.1f} {foot:.1f}L{x - _ARROW:.1f} {back:.1f}h{2 * _ARROW}z"
