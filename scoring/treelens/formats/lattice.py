"""Morphological lattices, and the mapping and segmentation files that say which path was taken.

Three files of the SPMRL shared tasks (and of yap), a blank line between sentences:

* a *lattice* has a line for each arc, eight columns with tabs between them: from state, to
  state, form, lemma, coarse tag, tag, features, number of the token;
* a *mapping* file has the same columns, and only the arcs of one path, its states numbered
  anew: so it says nothing of the lattice's states;
* a *segmentation* file has a line for each token, a tab and its segments: ``<tab>B:H:GN``.

And CoNLL-UL (More et al. 2018), a lattice with its text: a line for each token (``0-2``, the
states it leads between, and its form), and below it its arcs, nine columns: from state, to
state, form, lemma, two tags, features, and two that are not read here.

Reading never raises. A line that cannot be read is told and left out, its neighbours are kept.
Lines that start with ``#`` are comments. Arcs and segments are the words of a
:class:`~treelens.trees.forest.Forest` without constituents; its ``anchors`` say the tokens. From
the second column to the features an arc has the columns that a table has from ID to FEATS: these
are its ``fields``.
Longer than other modules are: four files, and the faults of each, of one kind of arc.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treelens.trees.forest import (
    COLUMNS,
    Anchors,
    Fields,
    Forest,
    Ints,
    Keys,
    Problem,
    Symbols,
    decode,
    running,
)

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_CELL = re.compile(rb"[^ \t]+")
_NUMBER = re.compile(rb"\d{1,9}")
_STATES = re.compile(rb"(\d{1,9})-(\d{1,9})")
_COLUMNS, _UL_COLUMNS = 8, 9
_FROM, _TO, _FORM, _LEMMA, _TAG, _XPOS, _FEATS, _TOKEN = range(8)
_NOTHING = b"_"
_SHOWN = 24
MOST_TOLD = 100_000
"""Lines of a text of which it is said what is wrong with them; of the rest, how many they are."""
_BOM = b"\xef\xbb\xbf"

Extent = tuple[int, int]


class LatticeArc(NamedTuple):
    """A segment of a token between two states of the lattice."""

    start: int
    end: int
    form: str
    tag: str
    token: int


class _Segment(NamedTuple):
    """A line of a mapping file, or a part of one of a segmentation file, and where it stands."""

    line: Extent
    form: Extent
    tag: Extent
    states: tuple[int, int]
    token: int
    surface: Extent = (0, 0)
    """The token's form, where the file has it."""
    cells: Sequence[Extent] = ()
    """All columns, where there are any."""


class _Sentence(NamedTuple):
    start: int
    lines: Extent
    """From its first line to its last, those of tokens and those that cannot be read too."""
    segments: list[_Segment]


def read_lattice(source: bytes) -> tuple[list[tuple[LatticeArc, ...]], list[Problem]]:
    """The arcs of each sentence, as they stand; problems in text order."""
    sentences, problems, _ = _sentences(source, _arc)
    return [
        tuple(
            LatticeArc(
                *segment.states,
                decode(source[slice(*segment.form)]),
                decode(source[slice(*segment.tag)]),
                segment.token,
            )
            for segment in sentence.segments
        )
        for sentence in sentences
    ], problems


def read_segments(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """The segments of a mapping, a segmentation or a CoNLL-UL file, whichever it looks like."""
    first = _first_line(source)
    cells = _CELL.findall(first)
    if cells and _STATES.fullmatch(cells[0]):
        return _read(source, symbols, _Tokens(), _gaps)
    arcs = len(cells) > 2 and all(map(_NUMBER.fullmatch, cells[:2]))
    read = read_mapping if arcs and not first.startswith(b"\t") else read_segmentation
    return read(source, symbols)


def read_mapping(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """The segments of a mapping file."""
    return _read(source, symbols, _arc, _gaps)


def read_segmentation(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """The segments of a segmentation file."""
    return _read(source, symbols, _segments, lambda _: [])


def read_arcs(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """All arcs of a lattice in the order of their lines, for showing it: no text is read off."""
    return _read(source, symbols, _arc, _dead_ends)


def read_conllul(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """All arcs of a CoNLL-UL lattice in the order of their lines, anchored in their tokens."""
    return _read(source, symbols, _Tokens(), _dead_ends)


READERS = {
    "lattice": read_arcs,
    "mapping": read_mapping,
    "segmentation": read_segmentation,
    "conllul": read_conllul,
}
"""By the names of the formats."""


def _read(
    source: bytes,
    symbols: Symbols,
    line: _Reader,
    check: Callable[[list[_Sentence]], list[Problem]],
) -> tuple[Forest, list[Problem]]:
    sentences, problems, care = _sentences(source, line)
    problems += check(sentences)
    problems.sort(key=lambda problem: problem.start)
    return replace(_forest(source, sentences, symbols), care=care), problems


def _first_line(source: bytes) -> bytes:
    """The first line that is neither blank nor a comment; empty if there is none."""
    lines = (line for _, line in _lines(source))
    return next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")


class _Problems:
    """What is wrong with lines, as far as it is told."""

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._first = 0
        self._more = 0

    def append(self, problem: Problem) -> None:
        if len(self._found) < MOST_TOLD:
            self._found.append(problem)
            return
        self._first = self._first if self._more else problem.start
        self._more += 1

    @property
    def share(self) -> float:
        return math.inf if self._more else len(self._found) / MOST_TOLD

    def told(self) -> list[Problem]:
        """In text order."""
        if not self._more:
            return self._found
        message = f"from here on, {self._more:,} more lines are not as they should be"
        rest = Problem("more-lines", message, self._first, self._first + 1)
        return [*self._found, rest]


_Reader = Callable[[bytes, int, int, _Problems], list[_Segment]]
"""What is in a line; its offset; the number that a token without one gets."""


def _sentences(source: bytes, read: _Reader) -> tuple[list[_Sentence], list[Problem], float]:
    """What there is, what is wrong with lines, and how much of :data:`MOST_TOLD` that is, as a
    share, more than 1 if not all could be told."""
    found: list[_Sentence] = []
    problems = _Problems()
    start, tokens = 0, 0
    lines: Extent | None = None
    segments: list[_Segment] = []
    for offset, line in _lines(source):
        if line.startswith(b"#"):
            continue
        if line.strip():
            tokens += 1
            lines = (lines or (offset,))[0], offset + len(line)
            segments += read(line, offset, tokens, problems)
            continue
        if lines and segments:
            found.append(_Sentence(start, lines, segments))
            start, tokens, segments = offset, 0, []
        lines = None
    if lines and segments:
        found.append(_Sentence(start, lines, segments))
    return found, problems.told(), problems.share


def _lines(source: bytes) -> Iterator[tuple[int, bytes]]:
    """Offset and text of each line, without its end."""
    for match in _LINE.finditer(source):
        start = match.start()
        line = match[0].rstrip(b"\r\n")
        if start == 0 and line.startswith(_BOM):
            start, line = len(_BOM), line[len(_BOM) :]
        yield start, line
        if match.end() == len(source):
            return


def _arc(line: bytes, offset: int, _: int, problems: _Problems) -> list[_Segment]:
    cells = _cells(line, offset, _COLUMNS, problems)
    texts = [line[start - offset : end - offset] for start, end in cells]
    wrong = _wrong_arc(texts, _COLUMNS)
    if not wrong and not _NUMBER.fullmatch(texts[_TOKEN]):
        wrong = "the token (column 8) is a whole number"
    if wrong:
        return _left_out(line, offset, wrong, problems)
    arc = int(texts[_FROM]), int(texts[_TO])
    whole = offset, offset + len(line)
    token = int(texts[_TOKEN])
    return [_Segment(whole, cells[_FORM], cells[_TAG], arc, token, cells=cells)]


def _cells(line: bytes, offset: int, columns: int, problems: _Problems) -> list[Extent]:
    """What stands between tabs, or between blanks where so many columns are only then there."""
    cells = _between_tabs(line, offset)
    if len(cells) != columns:
        apart = [(offset + cell.start(), offset + cell.end()) for cell in _CELL.finditer(line)]
        if len(apart) == columns:
            message = "spaces stand where tabs are expected; read as tabs"
            problems.append(Problem("spaces", message, offset, offset + len(line), "warning"))
            return apart
    return cells


def _wrong_arc(texts: list[bytes], columns: int) -> str:
    """What is wrong with an arc's columns and states; empty if nothing is."""
    if len(texts) != columns:
        return f"{len(texts)} columns where {columns} are expected"
    if not all(map(_NUMBER.fullmatch, texts[:2])):
        return "the states (columns 1 and 2) are whole numbers"
    if int(texts[_FROM]) >= int(texts[_TO]):
        states = f"{int(texts[_FROM])} to {int(texts[_TO])}"
        return f"an arc leads from a state to a later one, not from {states}"
    return ""


def _left_out(line: bytes, offset: int, wrong: str, problems: _Problems) -> list[_Segment]:
    message = f"{wrong}: “{_quoted(line)}” is left out"
    problems.append(Problem("arc", message, offset, offset + len(line)))
    return []


class _Tokens:
    """Reads the lines of CoNLL-UL: what a line means depends on the token above it."""

    def __init__(self) -> None:
        self._start_sentence()

    def _start_sentence(self) -> None:
        self._number = 0
        self._states: tuple[int, int] | None = None
        self._form: Extent = (0, 0)

    def __call__(
        self, line: bytes, offset: int, number: int, problems: _Problems
    ) -> list[_Segment]:
        if number == 1:
            self._start_sentence()
        first = _STATES.match(line)
        if first and line[first.end() : first.end() + 1].strip() == b"":
            self._token(line, offset, (int(first[1]), int(first[2])), problems)
            return []
        cells = _cells(line, offset, _UL_COLUMNS, problems)
        texts = [line[start - offset : end - offset] for start, end in cells]
        wrong = _wrong_arc(texts, _UL_COLUMNS)
        if not wrong and self._states is None:
            wrong = "an arc stands below its token’s line"
        if wrong or self._states is None:
            return _left_out(line, offset, wrong, problems)
        arc = int(texts[_FROM]), int(texts[_TO])
        whole = offset, offset + len(line)
        if arc[0] < self._states[0] or arc[1] > self._states[1]:
            token = f"{self._states[0]} to {self._states[1]}"
            message = f"its token leads from {token}, this arc from {arc[0]} to {arc[1]}"
            problems.append(Problem("outside", f"{message}; taken as it is", *whole, "warning"))
        return [_Segment(whole, cells[_FORM], cells[_TAG], arc, self._number, self._form, cells)]

    def _token(
        self, line: bytes, offset: int, states: tuple[int, int], problems: _Problems
    ) -> None:
        self._number += 1
        self._states = states
        whole = offset, offset + len(line)
        cells = list(_CELL.finditer(line))
        if states[0] >= states[1]:
            message = f"a token leads from a state to a later one, not from {states[0]} to "
            problems.append(Problem("token", f"{message}{states[1]}", *whole))
        if len(cells) < 2:
            problems.append(Problem("token", "a token’s form (column 2) is missing", *whole))
        self._form = (
            (offset + cells[1].start(), offset + cells[1].end()) if len(cells) > 1 else (0, 0)
        )


def _between_tabs(line: bytes, offset: int) -> list[Extent]:
    cells = []
    start = offset
    for cell in line.split(b"\t"):
        cells.append((start, start + len(cell)))
        start += len(cell) + 1
    return cells


def _segments(line: bytes, offset: int, token: int, problems: _Problems) -> list[_Segment]:
    """The segments of one token. A colon at either end is no mark, but a segment itself."""
    whole = offset, offset + len(line)
    cells = list(_CELL.finditer(line))
    if not line.startswith(b"\t"):
        message = "a token's segments stand behind a tab; read as if one was there"
        problems.append(Problem("no-tab", message, *whole, "warning"))
    if len(cells) > 1:
        message = f"one group of segments is expected, found {len(cells)}; each is read as a part"
        problems.append(Problem("blank", message, *whole, "warning"))
    found = []
    for cell in cells:
        for start, end in _between_colons(cell[0]):
            place = offset + cell.start() + start, offset + cell.start() + end
            found.append(_Segment(whole, place, (place[0], place[0]), (0, 0), token))
    return found


def _between_colons(text: bytes) -> list[Extent]:
    if not text.strip(b":"):
        return [(0, len(text))]
    places = []
    start = 0
    for part in text.split(b":"):
        if part:
            places.append((start, start + len(part)))
        start += len(part) + 1
    return places


def _gaps(sentences: list[_Sentence]) -> list[Problem]:
    """A mapping is one path: each arc starts where the one before it ends."""
    found = []
    for sentence in sentences:
        state = sentence.segments[0].states[0]
        for segment in sentence.segments:
            if segment.states[0] != state:
                message = (
                    f"the path is at state {state}, and this arc starts at {segment.states[0]}; "
                    "segments are taken in the order of the lines"
                )
                found.append(Problem("gap", message, *segment.line, "warning"))
            state = segment.states[1]
    return found


def _dead_ends(sentences: list[_Sentence]) -> list[Problem]:
    """Arcs of a lattice that no path from its first to its last state goes along."""
    found = []
    for sentence in sentences:
        arcs = [segment.states for segment in sentence.segments]
        reached, leading = {min(arcs)[0]}, {max(end for _, end in arcs)}
        for start, end in sorted(arcs):
            if start in reached:
                reached.add(end)
        for start, end in sorted(arcs, key=lambda arc: -arc[1]):
            if end in leading:
                leading.add(start)
        for segment in sentence.segments:
            start, end = segment.states
            if start not in reached:
                what = f"no arc leads to state {start}"
            elif end not in leading:
                what = f"no arc leads on from state {end}"
            else:
                continue
            message = f"{what}: no path through the lattice goes along this arc"
            found.append(Problem("dead-end", message, *segment.line, "warning"))
    return found


def _quoted(line: bytes) -> str:
    text = " ".join(decode(line[: 4 * _SHOWN]).split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _forest(source: bytes, sentences: list[_Sentence], symbols: Symbols) -> Forest:
    segments = [segment for sentence in sentences for segment in sentence.segments]
    starts = [sentence.start for sentence in sentences]
    pieces = list(zip(starts, [*starts[1:], len(source)], strict=False))
    if pieces:
        pieces[0] = (0, pieces[0][1])
    trees = [sentence.lines for sentence in sentences]

    def column(values: list[int]) -> Ints:
        return np.array(values, np.int32)

    def keys(extents: list[Extent]) -> list[int]:
        return [symbols.key(source[start:end]) for start, end in extents]

    words = np.array(keys([segment.form for segment in segments]), np.uint64)
    tags = np.array(keys([segment.tag for segment in segments]), np.uint64)
    nodes = column([])
    return Forest(
        source=source,
        symbols=symbols,
        piece=np.array(pieces, np.int32).reshape(-1, 2),
        tree=np.array(trees, np.int32).reshape(-1, 2),
        first_node=column([0] * (len(sentences) + 1)),
        first_leaf=running(column([len(sentence.segments) for sentence in sentences])),
        label=nodes,
        label_start=nodes,
        label_end=nodes,
        first=nodes,
        last=nodes,
        open=nodes,
        close=nodes,
        word=words,
        tag=symbols.label_ids(tags),
        leaf_open=column([segment.line[0] for segment in segments]),
        leaf_close=column([segment.line[1] for segment in segments]),
        tag_start=column([segment.tag[0] for segment in segments]),
        tag_end=column([segment.tag[1] for segment in segments]),
        word_start=column([segment.form[0] for segment in segments]),
        word_end=column([segment.form[1] for segment in segments]),
        layout="rows",
        anchors=Anchors(
            column([segment.token for segment in segments]),
            np.array(keys([segment.surface for segment in segments]), np.uint64),
        ),
        fields=_fields(source, segments, symbols),
    )


def _fields(source: bytes, segments: list[_Segment], symbols: Symbols) -> Fields | None:
    """The columns of arcs; None of segments without any."""
    if not segments or not segments[0].cells:
        return None

    def keys(column: int) -> Keys:
        texts = (source[slice(*segment.cells[column])] for segment in segments)
        return np.array([symbols.key(text or _NOTHING) for text in texts], np.uint64)

    nothing = np.zeros(len(segments), np.uint64)
    xpos = keys(_XPOS)
    xpos[xpos == symbols.key(_NOTHING)] = 0
    bounds = np.array([_bounds(segment) for segment in segments], np.int32)
    return Fields(keys(_LEMMA), symbols.label_ids(xpos), keys(_FEATS), nothing, nothing, bounds)


def _bounds(segment: _Segment) -> list[int]:
    """As :attr:`Fields.bounds`; what stands behind the features is the seventh field."""
    columns, end = segment.cells[_TO : _FEATS + 1], segment.line[1]
    starts = [start for start, _ in columns]
    return [*starts, columns[-1][1] + 1, *[end + 1] * (COLUMNS - len(columns))]
