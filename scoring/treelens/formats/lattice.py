"""Morphological lattices, and the mapping and segmentation files that say which path was taken.

Three files of the SPMRL shared tasks (and of yap), a blank line between sentences:

* a *lattice* has a line for each arc, eight columns with tabs between them: from state, to
  state, form, lemma, coarse tag, tag, features, number of the token;
* a *mapping* file has the same columns, and only the arcs of one path, its states numbered
  anew: so it says nothing of the lattice's states;
* a *segmentation* file has a line for each token, a tab and its segments: ``<tab>B:H:GN``.

Reading never raises. A line that cannot be read is told and left out, its neighbours are kept.
Lines that start with ``#`` are comments. The columns of a mapping file are the words of a
:class:`~treelens.forest.Forest` without constituents; its ``anchors`` say the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from treelens.forest import Anchors, Forest, Ints, Problem, Symbols, decode, running

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_CELL = re.compile(rb"[^ \t]+")
_NUMBER = re.compile(rb"\d{1,9}")
_COLUMNS = 8
_FROM, _TO, _FORM, _TAG, _TOKEN = 0, 1, 2, 4, 7
_SHOWN = 24
_BOM = b"\xef\xbb\xbf"

Extent = tuple[int, int]


class Arc(NamedTuple):
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


class _Sentence(NamedTuple):
    start: int
    segments: list[_Segment]


def read_lattice(source: bytes) -> tuple[list[tuple[Arc, ...]], list[Problem]]:
    """The arcs of each sentence, as they stand; problems in text order."""
    problems: list[Problem] = []
    sentences = _sentences(source, _arc, problems)
    return [
        tuple(
            Arc(
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
    """The segments of a mapping or of a segmentation file, whichever the text looks like."""
    read = read_mapping if _looks_like_arcs(source) else read_segmentation
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


def _read(
    source: bytes,
    symbols: Symbols,
    line: _Reader,
    check: Callable[[list[_Sentence]], list[Problem]],
) -> tuple[Forest, list[Problem]]:
    problems: list[Problem] = []
    sentences = _sentences(source, line, problems)
    problems += check(sentences)
    problems.sort(key=lambda problem: problem.start)
    return _forest(source, sentences, symbols), problems


def _looks_like_arcs(source: bytes) -> bool:
    """Whether the first line that is none of a comment has two states in front."""
    for match in _LINE.finditer(source):
        line = match[0].removeprefix(_BOM)
        if line.strip() and not line.startswith(b"#"):
            cells = _CELL.findall(line)
            return (
                not line.startswith(b"\t")
                and len(cells) > 2
                and all(map(_NUMBER.fullmatch, cells[:2]))
            )
        if match.end() == len(source):
            break
    return False


_Reader = Callable[[bytes, int, int, list[Problem]], list[_Segment]]
"""What is in a line; its offset; the number that a token without one gets."""


def _sentences(source: bytes, read: _Reader, problems: list[Problem]) -> list[_Sentence]:
    found: list[_Sentence] = []
    start, tokens = 0, 0
    segments: list[_Segment] = []
    for offset, line in _lines(source):
        if line.startswith(b"#"):
            continue
        if line.strip():
            tokens += 1
            segments += read(line, offset, tokens, problems)
        elif segments:
            found.append(_Sentence(start, segments))
            start, tokens, segments = offset, 0, []
    if segments:
        found.append(_Sentence(start, segments))
    return found


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


def _arc(line: bytes, offset: int, _: int, problems: list[Problem]) -> list[_Segment]:
    whole = offset, offset + len(line)
    cells = _between_tabs(line, offset)
    if len(cells) != _COLUMNS:
        apart = [(offset + cell.start(), offset + cell.end()) for cell in _CELL.finditer(line)]
        if len(apart) == _COLUMNS:
            message = "spaces stand where tabs are expected; read as tabs"
            problems.append(Problem("spaces", message, *whole, "warning"))
            cells = apart
    texts = [line[start - offset : end - offset] for start, end in cells]
    numbers = [_NUMBER.fullmatch(text) for text in texts]
    if len(cells) != _COLUMNS:
        found = f"{len(cells)} columns where {_COLUMNS} are expected"
    elif not (numbers[_FROM] and numbers[_TO] and numbers[_TOKEN]):
        found = "states (columns 1 and 2) and token (8) are whole numbers"
    elif int(texts[_FROM]) >= int(texts[_TO]):
        states = f"{int(texts[_FROM])} to {int(texts[_TO])}"
        found = f"an arc leads from a state to a later one, not from {states}"
    else:
        arc = int(texts[_FROM]), int(texts[_TO])
        return [_Segment(whole, cells[_FORM], cells[_TAG], arc, int(texts[_TOKEN]))]
    message = f"{found}: “{_quoted(line)}” is left out"
    problems.append(Problem("arc", message, *whole))
    return []


def _between_tabs(line: bytes, offset: int) -> list[Extent]:
    cells = []
    start = offset
    for cell in line.split(b"\t"):
        cells.append((start, start + len(cell)))
        start += len(cell) + 1
    return cells


def _segments(line: bytes, offset: int, token: int, problems: list[Problem]) -> list[_Segment]:
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
    trees = [
        (sentence.segments[0].line[0], sentence.segments[-1].line[1]) for sentence in sentences
    ]

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
        anchors=Anchors(
            column([segment.token for segment in segments]), np.zeros(len(segments), np.uint64)
        ),
    )
