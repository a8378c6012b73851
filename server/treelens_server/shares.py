"""What is said of each sentence, as the JSON that is sent: kept for as long as it stays the same.

A line number is a hole in the JSON, which is filled in for where the sentence is now; so a share
is written once, and moves down with its sentence when a line is put in above it. A keystroke
costs the share of one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from treelens.present.parts import Anchor, Part
from treelens.render.width import without_controls
from treelens.session.document import Document, PieceStart
from treelens.session.kept import Kept

from treelens_server.positions import Encoding, Position, places
from treelens_server.records import as_json

Content = TypeVar("Content")


class DocumentNames(NamedTuple):
    """What names stand for: the documents, their URIs, and the characters that positions count; and
    whether the client is told of places in other documents with a diagnostic."""

    document: Callable[[str], Document | None]
    uri: Callable[[str], str]
    encoding: Encoding
    related: bool


class Hole(NamedTuple):
    """A number that is left out of some JSON: of a line of a document, or of a sentence."""

    name: str
    number: int
    sentence: bool = False


class WireTemplate(NamedTuple):
    """JSON with ``%d`` for each hole, and the bytes of the document that it is about."""

    start: int
    end: int
    json: bytes
    holes: tuple[Hole, ...] = ()


class Item(NamedTuple):
    """The same without holes: where it is in the document now, and what is sent."""

    start: int
    end: int
    json: bytes


Write = Callable[[Sequence[Content]], Sequence[WireTemplate]]


_Bases = Mapping[str, PieceStart]
"""Where the anchors are now, by their documents' names."""


class _Share:
    """What a part is, relative to its anchors, and what that is where they were last."""

    def __init__(self, written: Sequence[WireTemplate], bases: _Bases, mine: str) -> None:
        offset = bases[mine].offset
        self._spans = [(one.start - offset, one.end - offset) for one in written]
        self._templates = [(one.json, _relative(one.holes, bases)) for one in written]
        self._mine = mine
        self._lines: list[tuple[int, int]] = []
        self._sent: list[bytes] = []
        self._offset = -1
        self._items: list[Item] = []

    def weight(self) -> int:
        """In bytes, about: of each JSON, what is sent, too."""
        return sum([2 * len(json) + 80 * len(holes) + 400 for json, holes in self._templates])

    def sent(self, bases: _Bases) -> list[bytes]:
        """What is sent; an edit within a line moves the bytes of all that is behind it, and no
        line."""
        lines = [(base.line, base.sentence) for base in bases.values()]
        if lines != self._lines:
            self._sent = [json % _filled(holes, bases) for json, holes in self._templates]
            self._lines, self._offset = lines, -1
        return self._sent

    def at(self, bases: _Bases) -> list[Item]:
        """The same with where it is."""
        sent, offset = self.sent(bases), bases[self._mine].offset
        if offset != self._offset:
            self._items = [
                Item(start + offset, end + offset, json)
                for (start, end), json in zip(self._spans, sent, strict=True)
            ]
            self._offset = offset
        return self._items


def _relative(holes: tuple[Hole, ...], bases: _Bases) -> tuple[Hole, ...]:
    return tuple(
        [Hole(name, number - bases[name][2 if of else 1], of) for name, number, of in holes]
    )


def _filled(holes: tuple[Hole, ...], bases: _Bases) -> tuple[int, ...]:
    return tuple([bases[name][2 if of else 1] + number for name, number, of in holes])


class Shares(Generic[Content]):
    """One feature's shares."""

    def __init__(self) -> None:
        self._known = Kept[_Share]()

    def of(self, part: Part[Content], names: DocumentNames, write: Write[Content]) -> list[Item]:
        """What a part is now: written anew unless it was asked for before."""
        bases = _bases(part.anchors, names)
        if part.key is None or bases is None:
            return [filled(one) for one in write(part.make())]
        return self._share(part, bases, names, write).at(bases)

    def sent(self, part: Part[Content], names: DocumentNames, write: Write[Content]) -> list[bytes]:
        """The same without where it is."""
        bases = _bases(part.anchors, names)
        if part.key is None or bases is None:
            return [filled(one).json for one in write(part.make())]
        return self._share(part, bases, names, write).sent(bases)

    def _share(
        self, part: Part[Content], bases: _Bases, names: DocumentNames, write: Write[Content]
    ) -> _Share:
        key = part.key, names.encoding, tuple([names.uri(name) for name in bases])
        share = self._known.get(key)
        if share is None:
            share = _Share(write(part.make()), bases, part.anchors[0].name)
            self._known.keep(key, share, share.weight())
        return share

    def tidy(self) -> None:
        """After an answer: let go of what is not asked for any more, if there is much of it."""
        self._known.tidy()


def filled(one: WireTemplate) -> Item:
    """With its lines as they were when it was written."""
    return Item(one.start, one.end, one.json % tuple([hole.number for hole in one.holes]))


def _bases(anchors: Sequence[Anchor], names: DocumentNames) -> dict[str, PieceStart] | None:
    """None where a sentence does not begin a line: what is before it on the line counts too."""
    found = {}
    for name, sentence in anchors:
        document = names.document(name)
        assert document is not None, "what a snapshot is compared with is there"
        found[name] = base = document.starts(sentence)
        if not base.begins_line:
            return None
    return found or None


# --- writing --------------------------------------------------------------------------------


def literal(value: object) -> bytes:
    """Some JSON that stands in a template."""
    return as_json(value).replace(b"%", b"%%")


def shown(text: str) -> bytes:
    """The same of text that is shown: what is a control character there does nothing."""
    return literal(without_controls(text))


def place_json(place: Position) -> bytes:
    """A position with a hole for its line."""
    return b'{"line":%%d,"character":%d}' % place[1]


RANGE = b'{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}}'
"""A range of four numbers."""
_RANGE = RANGE.replace(b'"line":%d', b'"line":%%d')


def range_json(start: Position, end: Position) -> bytes:
    """A range with a hole for each of its two lines."""
    return _RANGE % (start[1], end[1])


def located(
    name: str, spans: Sequence[tuple[int, int]], names: DocumentNames
) -> list[tuple[bytes, Hole, Hole]]:
    """Ranges of a document, each with its holes."""
    document, offsets = names.document(name), [offset for span in spans for offset in span]
    # What could not be read has one place. (A document of no sentences has its own.)
    if document is None:
        ends: Sequence[Position] = [(0, 0)] * len(offsets)
    else:
        ends = places(document, offsets, names.encoding)
    return [
        (range_json(start, end), Hole(name, start[0]), Hole(name, end[0]))
        for start, end in zip(ends[::2], ends[1::2], strict=True)
    ]
