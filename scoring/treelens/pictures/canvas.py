"""What pictures of sentences share: words on columns, and analyses above and below them.

A picture is one band or several, one under the other, all over the same columns. A band has an
analysis above its words and may have another one upside down below them, so that what differs
stands out: it has nothing opposite it. A pure layout: it knows neither how sentences are
compared nor what the picture is put into. What became of something is said by a sign, by the
shape of its label and its lines, and by colour (``picture.css``). Longer than other modules are:
all shapes of all pictures are here, so that trees and arcs cannot come apart.
"""

from __future__ import annotations

import functools
import itertools
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from treelens.pictures.letters import letters_width
from treelens.render.markup import Markup, element, filled, joined
from treelens.render.width import shortened

Outcome = Literal[
    "matched", "missing", "extra", "crossing", "mislabelled", "uncounted", "otherwise"
]
"""What became of a bracket, arc or word: matched; in gold only; in system only; crossing a
bracket of the other side; there under another name; left out of the count, and the same or not
looked at; different in a way that no score counts."""

SIGNS: dict[Outcome, str] = {
    "matched": "",
    "missing": "−",
    "extra": "+",
    "crossing": "×",
    "mislabelled": "≠",
    "uncounted": "",
    "otherwise": "≠",
}

LEVEL = 27.0
"""Height of a level of the analysis."""
GAP = 9.0
"""Between columns."""
WORD, TAG, LABEL = 13.0, 10.5, 12.0
"""Sizes of letters, as ``picture.css`` has them."""

_LABEL_HEIGHT, _TAG_HEIGHT, _LINE = 17.0, 15.0, 17.0
_TOKEN = 19.0
"""Height of the row of the tokens that words are parts of."""
_BETWEEN = 4.0
"""Between the words of two sides that have different ones."""
_BANDS = 18.0
"""Between two bands."""
_HEADING = 22.0
_OVERLAP = 60.0
"""What two strips of a picture have in common."""
_ROUND: dict[Outcome, float] = {"mislabelled": 8.0, "otherwise": 8.0, "crossing": 0.0}
"""How round the corners of a label's box are, where they are not as usual."""
_UNBOXED: tuple[Outcome, ...] = ("matched", "uncounted")
_LONGEST = 32
"""Characters of a label or word that are written."""


class DrawnWord(NamedTuple):
    """A word over the columns ``[first, last)``, or several that are drawn as one.

    lines: what is written, from the top. parent: an index of whatever the word hangs on, -1
    for nothing. folded: it stands for everything below its parent. written: False for a word
    that another analysis of the band has written already. id: what the picture calls it, title:
    what is read out of it; without an id it cannot be pointed at.
    """

    lines: tuple[str, ...]
    tag: str
    first: int
    last: int
    parent: int = -1
    kind: Outcome = "matched"
    tag_kind: Outcome = "matched"
    folded: bool = False
    written: bool = True
    id: str = ""
    title: str = ""
    tag_other: str = ""
    """The other side's tag, where it is written too."""

    @property
    def texts(self) -> list[str]:
        """The lines as they are drawn: a folded text whole, a word of its own cut if it is long."""
        return [*self.lines] if self.folded else [_short(line) for line in self.lines]

    @property
    def tag_text(self) -> str:
        sign, tag = SIGNS[self.tag_kind], _short(self.tag)
        if self.tag_other:
            return f"{tag}\u00a0{sign}\u00a0{_short(self.tag_other)}"
        return sign + tag

    @property
    def width(self) -> float:
        """Room that the word and its tag need."""
        text = max(letters_width(line, WORD) for line in self.texts)
        return max(text, letters_width(self.tag_text, TAG) + 8 if self.tag else 0.0)


class DrawnToken(NamedTuple):
    """A token of the running text over the columns of the words that are its parts."""

    text: str
    first: int
    last: int


class Label(NamedTuple):
    """A label as it is written over some columns.

    other: the other side's, where both are written. inside: how many things that differ are
    folded under it.
    """

    text: str
    kind: Outcome
    title: str
    id: str = ""
    other: str = ""
    inside: int = 0

    @property
    def written(self) -> str:
        sign, text = SIGNS[self.kind], _short(self.text)
        if self.other:
            text = f"{text}\u00a0{sign}\u00a0{_short(self.other)}"
        elif sign:
            text = f"{sign}\u2009{text}"
        return f"{text} ({self.inside}\u00a0≠)" if self.inside else text

    @property
    def width(self) -> float:
        return letters_width(self.written, LABEL, bold=True) + 10


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
    """One analysis: its words, the room it wants, how many levels it has, how to draw it."""

    words: Sequence[DrawnWord]
    wanted: Sequence[Room]
    levels: int
    draw: Callable[[Canvas], Iterator[Markup]]
    tokens: Sequence[DrawnToken] = ()


class Band(NamedTuple):
    """An analysis above its words, and perhaps one below them; a heading over all of it.

    Where the words of both are the same they are written once.
    """

    above: Layer
    below: Layer | None = None
    heading: str = ""

    @property
    def layers(self) -> list[Layer]:
        return [self.above] if self.below is None else [self.above, self.below]


class _Heights(NamedTuple):
    """From the top of a band: where its upper words begin and its lower words end, and its end."""

    upper: float
    lower: float
    rows: tuple[float, ...]
    end: float


def stacked(title: str, kind: str, bands: Sequence[Band], *, right_to_left: bool) -> Picture:
    """Bands one under the other; at least one word must be there."""
    edges = _edges([layer for band in bands for layer in band.layers], right_to_left)
    wide = max(max(edge) for edge in edges)
    top, drawn = 0.0, []
    for band in bands:
        if band.heading:
            drawn.append(_heading(band.heading, top, wide, right_to_left))
            top += _HEADING
        heights = _heights(band)
        bases = ((top + heights.upper, -1), (top + heights.lower, 1))
        alone = band.below is None
        drawn += [
            Canvas(edges, base, way, right_to_left).drawn(layer, row, centred=not alone)
            for layer, row, (base, way) in zip(band.layers, heights.rows, bases, strict=False)
        ]
        top += heights.end + _BANDS
    return Picture(kind, title, joined(drawn), wide, top - _BANDS, right_to_left)


def _heights(band: Band) -> _Heights:
    rows = [_row(layer) for layer in band.layers]
    if band.below is not None and _texts(band.above) == _texts(band.below):
        rows[1] = 0.0
    above = band.above.levels * LEVEL + _TAG_HEIGHT
    below = above + sum(rows) + (_BETWEEN if all(rows[1:]) else 0)
    end = below + (band.below.levels * LEVEL + _TAG_HEIGHT if band.below is not None else 0)
    return _Heights(above, below, tuple(rows), end)


def _row(layer: Layer) -> float:
    lines = max((len(word.lines) for word in layer.words if word.written), default=0)
    return lines * _LINE + (_TOKEN if layer.tokens else 0.0)


def _texts(layer: Layer) -> list[tuple[tuple[str, ...], int, int, Outcome]]:
    return [(word.lines, word.first, word.last, word.kind) for word in layer.words]


def _heading(text: str, top: float, wide: float, right_to_left: bool) -> Markup:
    place, anchor = (wide - 2, "end") if right_to_left else (2.0, "start")
    return element("text", text, x=place, y=top + 9, class_="heading", text_anchor=anchor)


# --- columns ---------------------------------------------------------------------------------


Edges = list[tuple[float, float]]
"""Left and right of each column."""


def _edges(layers: Sequence[Layer], right_to_left: bool) -> Edges:
    """Columns wide enough for whatever stands over them alone."""
    reached = [word.last for layer in layers for word in layer.words]
    columns = max(reached + [room.last for layer in layers for room in layer.wanted])
    words = (
        Room(word.first, word.last, word.width + GAP)
        for layer in layers
        for word in layer.words
        if word.written
    )
    tokens = (
        Room(token.first, token.last, letters_width(_short(token.text), TAG) + GAP)
        for layer in layers
        for token in layer.tokens
    )
    others = itertools.chain.from_iterable(layer.wanted for layer in layers)
    sizes = [GAP + 12.0] * columns
    # The narrowest stretches first: what they need may be all that a wider one does.
    for room in sorted({*words, *tokens, *others}, key=lambda room: (room.last - room.first, room)):
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
    # (What is long would be kept for long, too.)
    return _known_short(text, _LONGEST) if len(text) <= 4 * _LONGEST else shortened(text, _LONGEST)


_known_short = functools.lru_cache(maxsize=1 << 12)(shortened)


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

    def foot(self, word: DrawnWord) -> float:
        """Where what is drawn to a word ends: at its tag, or where that would be."""
        return self.y(0) - (0 if word.tag else self.way * _TAG_HEIGHT)

    def label(self, label: Label, x: float, y: float) -> Markup:
        wide = label.width
        return _boxed(label, label.written, x, y, wide, _LABEL_HEIGHT, f"label {label.kind}")

    def drawn(self, layer: Layer, row: float, *, centred: bool) -> Markup:
        """The analysis; its words if they have a ``row``, whose height it is: in its middle, or
        right under the analysis."""
        row -= _TOKEN if layer.tokens else 0.0
        words = [word for word in layer.words if word.written]
        return element(
            "g",
            joined(layer.draw(self)),
            joined(self._word(word, row, centred=centred) for word in words),
            joined(self._token(token, row) for token in layer.tokens),
            class_="upper" if self.way < 0 else "lower",
        )

    def _word(self, word: DrawnWord, row: float, *, centred: bool) -> Markup:
        """A word with its tag; of one that is written elsewhere (no ``row``), the tag."""
        tag = self._tag(word) if word.tag else Markup()
        middle = (len(word.lines) - 1) * _LINE / 2
        first = self.base - self.way * row / 2 - middle if centred else self.base + _LINE / 2
        text = self._written(word, first) if row > 0 else Markup()
        return _pointed(word, joined((tag, text))) if word.id else joined((tag, text))

    def _tag(self, word: DrawnWord) -> Markup:
        y = self.base + self.way * _TAG_HEIGHT / 2
        x, wide = self.middle(word.first, word.last), letters_width(word.tag_text, TAG) + 6
        label = Label(word.tag, word.tag_kind, "")
        return _boxed(label, word.tag_text, x, y, wide, 13.0, f"tag {word.tag_kind}")

    def _written(self, word: DrawnWord, top: float) -> Markup:
        """The word's lines, the middle of the first one at ``top``."""
        x = self.middle(word.first, word.last)
        parts = [self._ground(word, top)] if word.folded and word.parent < 0 else []
        parts += [
            element("text", line, x=x, y=top + at * _LINE, direction=self._direction)
            for at, line in enumerate(word.texts)
        ]
        if word.kind not in _UNBOXED:
            low, high = self.extent(word.first, word.last)
            y = top + len(word.lines) * _LINE - 9.5
            line = f"M{low + GAP / 2:.1f} {y:.1f}H{high - GAP / 2:.1f}"
            parts.append(element("path", d=line, class_="under"))
        return element("g", *parts, class_=f"word {word.kind}")

    def _ground(self, word: DrawnWord, top: float) -> Markup:
        """What holds the words together that hang on one of them."""
        low, high = self.extent(word.first, word.last)
        return element(
            "rect",
            x=low + 2,
            y=top - _LINE / 2 + 0.5,
            width=high - low - 4,
            height=len(word.lines) * _LINE - 1,
            rx=4.0,
            class_="fold",
        )

    def _token(self, token: DrawnToken, row: float) -> Markup:
        """The token's text, and a line from the first to the last of its words."""
        low, high = self.extent(token.first, token.last)
        y = self.base - self.way * row + 3.0
        line = f"M{low + 4:.1f} {y - 3:.1f}v3H{high - 4:.1f}v-3"
        text = element("text", _short(token.text), x=(low + high) / 2, y=y + 8)
        return element("g", element("path", d=line), text, class_="token")


def _boxed(
    label: Label, text: str, x: float, y: float, wide: float, high: float, kind: str
) -> Markup:
    """A text; in a box if there is something to say of it, or to point at."""
    if label.kind in _UNBOXED and not label.id:
        return element("text", text, x=x, y=y, class_=kind)
    inside = joined(
        (
            element("title", label.title) if label.title and not label.id else Markup(),
            filled(_RECT, x - wide / 2, y - high / 2, wide, high, _ROUND.get(label.kind, 4.0)),
            filled(_TEXT, x, y, text),
        )
    )
    return _pointed(label, inside, kind) if label.id else element("g", inside, class_=kind)


def _pointed(one: DrawnWord | Label, inside: Markup, kind: str = "") -> Markup:
    """A group that can be pointed at."""
    more = filled(_CLASS, kind) if kind else Markup()
    return filled(_POINTED, one.id, one.title, more, inside)


_RECT = Markup('<rect x="%s" y="%s" width="%s" height="%s" rx="%s"/>')
_TEXT = Markup('<text x="%s" y="%s">%s</text>')
_CLASS = Markup(' class="%s"')
_POINTED = Markup('<g data-node="%s" role="treeitem" aria-label="%s"%s>%s</g>')


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters are of a script that is written from the right."""
    kinds = [unicodedata.bidirectional(letter) for word in words for letter in word]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
