"""Trees as SVG: one above its words, and another one, upside down, below the same words.

Where the two are laid over the same columns, what differs stands out: a bracket of one tree
has nothing opposite it in the other. A pure layout: it knows neither how trees are compared
nor what it is put into. What a node is, is said by the shape of its label and its lines, by a
sign, and by colour (``picture.css``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from treelens.report.markup import Markup, element, joined
from treelens.report.width import shortened, width

Kind = Literal["same", "missing", "extra", "crossing", "renamed", "uncounted"]
"""What became of a node or a word: matched; in gold only; in system only; crossing a bracket of
the other side; there under another name; left out of the count."""

SIGNS: dict[Kind, str] = {
    "same": "",
    "missing": "−",
    "extra": "+",
    "crossing": "×",
    "renamed": "~",
    "uncounted": "",
}

MOST_COLUMNS = 120
MOST_LEVELS = 60
"""What is larger is no picture any more."""

_LETTER, _TAG_LETTER, _LABEL_LETTER = 7.3, 6.4, 7.2
_LEVEL, _LABEL_HEIGHT, _TAG_HEIGHT, _LINE = 27.0, 17.0, 15.0, 17.0
_GAP = 9.0
"""Between columns."""
_BETWEEN = 4.0
"""Between the words of two sides that have different ones."""
_UNBOXED = ("same", "uncounted")
_LONGEST = 32
"""Characters of a label or word that are written; the rest is in its tooltip."""


class Node(NamedTuple):
    """A constituent over the columns ``[first, last)``. ``parent``: an index, -1 for a root."""

    label: str
    first: int
    last: int
    parent: int
    kind: Kind = "same"
    title: str = ""


class Word(NamedTuple):
    """A word over the columns ``[first, last)``, or several that are drawn as one.

    lines: what is written, from the top. ``folded``: it stands for everything below its
    parent, and is drawn under a triangle.
    """

    lines: tuple[str, ...]
    tag: str
    first: int
    last: int
    parent: int
    kind: Kind = "same"
    tag_kind: Kind = "same"
    folded: bool = False
    title: str = ""


class Half(NamedTuple):
    """One tree (or several, side by side); parents stand before their children."""

    nodes: Sequence[Node]
    words: Sequence[Word]


def picture(
    title: str, upper: Half, lower: Half | None = None, *, right_to_left: bool = False
) -> Markup | None:
    """The trees as one SVG element; None if they are too large to be looked at.

    Where the words of both halves are the same they are written once.
    """
    halves = [half for half in (upper, lower) if half is not None]
    columns = max((word.last for half in halves for word in half.words), default=0)
    levels = [_levels(half) for half in halves]
    deepest = [max(of_half, default=0) for of_half in levels]
    if not 0 < columns <= MOST_COLUMNS or max(deepest) > MOST_LEVELS:
        return None
    edges = _edges(halves, columns, right_to_left)
    direction = "rtl" if right_to_left else None
    once = len(halves) == 1 or _texts(upper) == _texts(halves[1])
    rows = [max((len(word.lines) for word in half.words), default=1) * _LINE for half in halves]
    above = deepest[0] * _LEVEL + _TAG_HEIGHT
    below = above + (rows[0] if once else sum(rows) + _BETWEEN)
    drawn = [_Canvas(edges, above, -1, direction).drawn(upper, levels[0], rows[0])]
    if len(halves) > 1:
        canvas = _Canvas(edges, below, 1, direction)
        drawn.append(canvas.drawn(halves[1], levels[1], 0 if once else rows[1]))
    wide = max(max(edge) for edge in edges)
    high = below + (deepest[1] * _LEVEL + _TAG_HEIGHT if len(halves) > 1 else 0)
    return element(
        "svg",
        element("title", title),
        *drawn,
        class_="trees",
        viewBox=f"0 0 {wide:.0f} {high:.0f}",
        width=f"{wide:.0f}",
        height=f"{high:.0f}",
        role="img",
    )


def _texts(half: Half) -> list[tuple[tuple[str, ...], int, int, Kind]]:
    return [(word.lines, word.first, word.last, word.kind) for word in half.words]


def _levels(half: Half) -> list[int]:
    """How far above the words each node stands: one above its highest child."""
    levels = [1] * len(half.nodes)
    for index in reversed(range(len(levels))):
        parent = half.nodes[index].parent
        if parent >= 0:
            levels[parent] = max(levels[parent], levels[index] + 1)
    return levels


# --- columns ---------------------------------------------------------------------------------


def _edges(halves: Sequence[Half], columns: int, right_to_left: bool) -> list[tuple[float, float]]:
    """Left and right of each column: wide enough for whatever stands over it alone."""
    wanted: dict[tuple[int, int], float] = {}
    for half in halves:
        for word in half.words:
            text = max(map(_text_width, word.lines))
            tag = width(_short(word.tag)) * _TAG_LETTER + 14
            _want(wanted, word.first, word.last, max(text, tag))
        for node in half.nodes:
            _want(wanted, node.first, node.last, _label_width(node))
    sizes = [_GAP + 12.0] * columns
    # The narrowest stretches first: what they need may be all that a wider one does.
    for (first, last), needed in sorted(wanted.items(), key=lambda item: item[0][1] - item[0][0]):
        lacking = needed + _GAP - sum(sizes[first:last])
        if lacking > 0:
            for column in range(first, last):
                sizes[column] += lacking / (last - first)
    ends = list(itertools.accumulate(sizes))
    spans = [(end - size, end) for size, end in zip(sizes, ends, strict=True)]
    return [(ends[-1] - high, ends[-1] - low) for low, high in spans] if right_to_left else spans


def _want(wanted: dict[tuple[int, int], float], first: int, last: int, needed: float) -> None:
    wanted[first, last] = max(needed, wanted.get((first, last), 0))


def _text_width(text: str) -> float:
    return width(_short(text)) * _LETTER


def _label_width(node: Node) -> float:
    return width(_signed(node)) * _LABEL_LETTER + 9


def _signed(node: Node) -> str:
    sign, label = SIGNS[node.kind], _short(node.label)
    return f"{sign}\u2009{label}" if sign else label


def _short(text: str) -> str:
    return shortened(text, _LONGEST)


def _middle(edges: list[tuple[float, float]], first: int, last: int) -> float:
    low, high = _extent(edges, first, last)
    return (low + high) / 2


def _extent(edges: list[tuple[float, float]], first: int, last: int) -> tuple[float, float]:
    ends = (*edges[first], *edges[last - 1])
    return min(ends), max(ends)


# --- drawing ---------------------------------------------------------------------------------


class _Canvas:
    """One half's place: where its words end, and which way its tree grows from there."""

    def __init__(
        self, edges: list[tuple[float, float]], base: float, way: int, direction: str | None
    ) -> None:
        self.edges, self.base, self.way, self.direction = edges, base, way, direction

    def y(self, level: int) -> float:
        """The middle of a level; 0: where the tags end."""
        from_words = _TAG_HEIGHT + (level - 0.5) * _LEVEL if level else _TAG_HEIGHT
        return self.base + self.way * from_words

    def drawn(self, half: Half, levels: list[int], row: float) -> Markup:
        """The half; its words if they have a ``row``, whose height it is."""
        center = self.base - self.way * row / 2
        words = (self._written(word, center) for word in half.words) if row else ()
        return element(
            "g",
            joined(self.lines(half, levels)),
            joined(self.labels(half, levels)),
            joined(words),
            class_="upper" if self.way < 0 else "lower",
        )

    def lines(self, half: Half, levels: list[int]) -> Iterator[Markup]:
        """From each node to its children: along the node's level, and down."""
        below: list[list[tuple[float, float]]] = [[] for _ in half.nodes]
        for node, level in zip(half.nodes, levels, strict=True):
            if node.parent >= 0:
                below[node.parent].append((self._x(node), self.y(level)))
        for word in half.words:
            if word.parent < 0:
                continue
            if word.folded:
                yield self._triangle(word, self.y(levels[word.parent]))
            else:
                tagged = 0 if word.tag else -self.way * _TAG_HEIGHT
                below[word.parent].append((self._x(word), self.y(0) + tagged))
        for node, level, ends in zip(half.nodes, levels, below, strict=True):
            if ends:
                yield element(
                    "path", d=_comb(self._x(node), self.y(level), ends), class_=f"line {node.kind}"
                )

    def labels(self, half: Half, levels: list[int]) -> Iterator[Markup]:
        for node, level in zip(half.nodes, levels, strict=True):
            wide, kind = _label_width(node), f"label {node.kind}"
            yield _label(_signed(node), self._x(node), self.y(level), wide, kind, node.title)
        for word in half.words:
            if word.tag:
                text = SIGNS[word.tag_kind] + _short(word.tag)  # (no room for a space)
                y = self.base + self.way * _TAG_HEIGHT / 2
                wide = width(text) * _TAG_LETTER + 6
                yield _label(text, self._x(word), y, wide, f"tag {word.tag_kind}", "", 13)

    def _x(self, one: Node | Word) -> float:
        return _middle(self.edges, one.first, one.last)

    def _triangle(self, word: Word, y: float) -> Markup:
        low, high = _extent(self.edges, word.first, word.last)
        foot = self.base + self.way * 2.0
        corners = ((self._x(word), y), (low + _GAP / 2, foot), (high - _GAP / 2, foot))
        points = " ".join(f"{x:.1f},{height:.1f}" for x, height in corners)
        return element("polygon", points=points, class_="fold")

    def _written(self, word: Word, center: float) -> Markup:
        x = self._x(word)
        top = center - (len(word.lines) - 1) * _LINE / 2
        lines = [
            element("text", _short(line), x=x, y=top + at * _LINE, direction=self.direction)
            for at, line in enumerate(word.lines)
        ]
        parts = [element("title", word.title)] if word.title else []
        if word.kind in ("missing", "extra", "renamed"):
            low, high = _extent(self.edges, word.first, word.last)
            y = top + len(word.lines) * _LINE - 9.5
            path = f"M{low + _GAP / 2:.1f} {y:.1f}H{high - _GAP / 2:.1f}"
            parts.append(element("path", d=path, class_="under"))
        kind = f"word {word.kind}"
        return element("g", *parts, *lines, class_=kind)


def _comb(x: float, y: float, ends: list[tuple[float, float]]) -> str:
    xs = [x, *(end for end, _ in ends)]
    bar = f"M{min(xs):.1f} {y:.1f}H{max(xs):.1f}" if max(xs) - min(xs) > 0.5 else ""
    return bar + "".join(f"M{end:.1f} {y:.1f}V{foot:.1f}" for end, foot in ends)


def _label(
    text: str, x: float, y: float, wide: float, kind: str, title: str, high: float = _LABEL_HEIGHT
) -> Markup:
    """A label; in a box if there is something to say of it."""
    if kind.endswith(_UNBOXED):
        return element("text", text, x=x, y=y, class_=kind)
    return element(
        "g",
        element("title", title) if title else Markup(),
        element("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high),
        element("text", text, x=x, y=y),
        class_=kind,
    )
