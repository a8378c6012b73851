"""What pictures of sentences share: words on columns, and one analysis above another.

Two analyses are laid over the same columns, gold's above the words, system's upside down below
them, so that what differs stands out: it has nothing opposite it. A pure layout: it knows
neither how sentences are compared nor what the picture is put into. What became of something
is said by a sign, by the shape of its label and its lines, and by colour (``picture.css``).
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from treelens.markup import Markup, element, joined
from treelens.width import shortened, width

Kind = Literal["same", "missing", "extra", "crossing", "renamed", "uncounted"]
"""What became of a bracket, arc or word: matched; in gold only; in system only; crossing a
bracket of the other side; there under another name; left out of the count."""

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

LEVEL = 27.0
"""Height of a level of the analysis."""
GAP = 9.0
"""Between columns."""

_LETTER, _TAG_LETTER, _LABEL_LETTER = 7.3, 6.4, 7.2
_LABEL_HEIGHT, _TAG_HEIGHT, _LINE = 17.0, 15.0, 17.0
_BETWEEN = 4.0
"""Between the words of two sides that have different ones."""
_OVERLAP = 60.0
"""What two strips of a picture have in common."""
_UNBOXED: tuple[Kind, ...] = ("same", "uncounted")
_LONGEST = 32
"""Characters of a label or word that are written."""


class Word(NamedTuple):
    """A word over the columns ``[first, last)``, or several that are drawn as one.

    lines: what is written, from the top. parent: an index of whatever the word hangs on, -1
    for nothing. folded: it stands for everything below its parent.
    """

    lines: tuple[str, ...]
    tag: str
    first: int
    last: int
    parent: int = -1
    kind: Kind = "same"
    tag_kind: Kind = "same"
    folded: bool = False

    @property
    def width(self) -> float:
        """Room that the word and its tag need."""
        text = max(width(_short(line)) for line in self.lines) * _LETTER
        return max(text, width(_short(self.tag)) * _TAG_LETTER + 14)


class Label(NamedTuple):
    """A label as it is written over some columns."""

    text: str
    kind: Kind
    title: str

    @property
    def written(self) -> str:
        sign, text = SIGNS[self.kind], _short(self.text)
        return f"{sign}\u2009{text}" if sign else text

    @property
    def width(self) -> float:
        return width(self.written) * _LABEL_LETTER + 9


class Picture(NamedTuple):
    """What is drawn, on a ground of ``width`` by ``height``; kind: ``trees`` or ``arcs``."""

    kind: str
    title: str
    content: Markup
    width: float
    height: float
    right_to_left: bool

    def svg(self, identifier: str | None = None) -> Markup:
        """The picture as an SVG element."""
        return element(
            "svg",
            element("title", self.title),
            self.content,
            id=identifier,
            class_=f"picture {self.kind}",
            viewBox=f"0 0 {self.width:.0f} {self.height:.0f}",
            width=f"{self.width:.0f}",
            height=f"{self.height:.0f}",
            role="img",
        )

    def strips(self, identifier: str, most: float) -> Iterator[Markup]:
        """The picture that has this identifier, again, in strips of at most some width.

        Each begins a little before the end of the one before it, so that every word is whole
        in one of them.
        """
        step = most - _OVERLAP
        for number in range(max(1, math.ceil((self.width - _OVERLAP) / step))):
            wide = min(most, self.width - number * step)
            left = self.width - number * step - wide if self.right_to_left else number * step
            yield element(
                "svg",
                element("use", href=f"#{identifier}"),
                class_="strip",
                viewBox=f"{left:.0f} 0 {wide:.0f} {self.height:.0f}",
                width=f"{wide:.0f}",
                height=f"{self.height:.0f}",
                aria_hidden="true",
            )


class Room(NamedTuple):
    """Room that the columns ``[first, last)`` must have: whole, or from middle to middle."""

    first: int
    last: int
    width: float
    between_middles: bool = False


class Layer(NamedTuple):
    """One analysis: its words, the room it wants, how to draw it."""

    words: Sequence[Word]
    wanted: Sequence[Room]
    levels: int
    draw: Callable[[Canvas], Iterator[Markup]]


def stacked(
    title: str, kind: str, layers: Sequence[Layer], *, right_to_left: bool
) -> Picture | None:
    """One analysis, or two above each other; None if they are too large.

    Where the words of both are the same they are written once.
    """
    columns = max((word.last for layer in layers for word in layer.words), default=0)
    levels = [layer.levels for layer in layers]
    if not 0 < columns <= MOST_COLUMNS or max(levels) > MOST_LEVELS:
        return None
    edges = _edges(layers, columns, right_to_left)
    rows = [max((len(word.lines) for word in layer.words), default=1) * _LINE for layer in layers]
    if len(layers) > 1 and _texts(layers[0]) == _texts(layers[1]):
        rows[1] = 0.0
    above = levels[0] * LEVEL + _TAG_HEIGHT
    below = above + sum(rows) + (_BETWEEN if all(rows[1:]) else 0)
    bases = ((above, -1), (below, 1))
    drawn = [
        Canvas(edges, base, way, right_to_left).drawn(layer, row)
        for layer, row, (base, way) in zip(layers, rows, bases, strict=False)
    ]
    wide = max(max(edge) for edge in edges)
    high = below + (levels[1] * LEVEL + _TAG_HEIGHT if len(layers) > 1 else 0)
    return Picture(kind, title, joined(drawn), wide, high, right_to_left)


def _texts(layer: Layer) -> list[tuple[tuple[str, ...], int, int, Kind]]:
    return [(word.lines, word.first, word.last, word.kind) for word in layer.words]


# --- columns ---------------------------------------------------------------------------------


Edges = list[tuple[float, float]]
"""Left and right of each column."""


def _edges(layers: Sequence[Layer], columns: int, right_to_left: bool) -> Edges:
    """Columns wide enough for whatever stands over them alone."""
    words = (
        Room(word.first, word.last, word.width + GAP) for layer in layers for word in layer.words
    )
    others = itertools.chain.from_iterable(layer.wanted for layer in layers)
    sizes = [GAP + 12.0] * columns
    # The narrowest stretches first: what they need may be all that a wider one does.
    for room in sorted({*words, *others}, key=lambda room: (room.last - room.first, room)):
        first, last, needed, between = room
        there, gains = sum(sizes[first:last]), last - first
        if between:
            there, gains = there - (sizes[first] + sizes[last - 1]) / 2, gains - 1
        if there < needed:
            for column in range(first, last):
                sizes[column] += (needed - there) / gains
    ends = list(itertools.accumulate(sizes))
    spans = [(end - size, end) for size, end in zip(sizes, ends, strict=True)]
    return [(ends[-1] - high, ends[-1] - low) for low, high in spans] if right_to_left else spans


def _short(text: str) -> str:
    return shortened(text, _LONGEST)


# --- drawing ---------------------------------------------------------------------------------


class Canvas:
    """One analysis's place: where its words end, and which way it grows from there."""

    def __init__(self, edges: Edges, base: float, way: int, right_to_left: bool) -> None:
        self.base, self.way = base, way
        self._edges = edges
        self._direction = "rtl" if right_to_left else None

    def y(self, level: float) -> float:
        """The middle of a level, from 1; 0: where the tags end."""
        from_words = _TAG_HEIGHT + (level - 0.5) * LEVEL if level else _TAG_HEIGHT
        return self.base + self.way * from_words

    def extent(self, first: int, last: int) -> tuple[float, float]:
        """Left and right of some columns."""
        ends = (*self._edges[first], *self._edges[last - 1])
        return min(ends), max(ends)

    def middle(self, first: int, last: int) -> float:
        low, high = self.extent(first, last)
        return (low + high) / 2

    def foot(self, word: Word) -> float:
        """Where what is drawn to a word ends: at its tag, or where that would be."""
        return self.y(0) - (0 if word.tag else self.way * _TAG_HEIGHT)

    def label(self, label: Label, x: float, y: float) -> Markup:
        kind = f"label {label.kind}"
        return _boxed(label.written, x, y, label.width, _LABEL_HEIGHT, kind, label.title)

    def drawn(self, layer: Layer, row: float) -> Markup:
        """The analysis; its words if they have a ``row``, whose height it is."""
        center = self.base - self.way * row / 2
        return element(
            "g",
            joined(layer.draw(self)),
            joined(self._tag(word) for word in layer.words if word.tag),
            joined(self._written(word, center) for word in layer.words) if row else Markup(),
            class_="upper" if self.way < 0 else "lower",
        )

    def _tag(self, word: Word) -> Markup:
        text = SIGNS[word.tag_kind] + _short(word.tag)  # (no room for a space)
        y = self.base + self.way * _TAG_HEIGHT / 2
        x, wide = self.middle(word.first, word.last), width(text) * _TAG_LETTER + 6
        return _boxed(text, x, y, wide, 13.0, f"tag {word.tag_kind}", "")

    def _written(self, word: Word, center: float) -> Markup:
        x = self.middle(word.first, word.last)
        top = center - (len(word.lines) - 1) * _LINE / 2
        parts = [
            element("text", _short(line), x=x, y=top + at * _LINE, direction=self._direction)
            for at, line in enumerate(word.lines)
        ]
        if word.kind not in _UNBOXED:
            low, high = self.extent(word.first, word.last)
            y = top + len(word.lines) * _LINE - 9.5
            line = f"M{low + GAP / 2:.1f} {y:.1f}H{high - GAP / 2:.1f}"
            parts.append(element("path", d=line, class_="under"))
        return element("g", *parts, class_=f"word {word.kind}")


def _boxed(
    text: str, x: float, y: float, wide: float, high: float, kind: str, title: str
) -> Markup:
    """A text; in a box if there is something to say of it."""
    if kind.endswith(_UNBOXED):
        return element("text", text, x=x, y=y, class_=kind)
    return element(
        "g",
        element("title", title) if title else Markup(),
        element("rect", x=x - wide / 2, y=y - high / 2, width=wide, height=high),
        element("text", text, x=x, y=y),
        class_=kind,
    )


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters are of a script that is written from the right."""
    kinds = [unicodedata.bidirectional(letter) for word in words for letter in word]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
