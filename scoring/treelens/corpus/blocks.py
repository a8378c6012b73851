"""A text in blocks: forests of a bounded size, cut where a sentence is certain to start.

What is read of a block is read but for its last sentence that is certain to start where it does
(:attr:`~treelens.formats.table.Format.anchored`); the next block starts there. So a sentence, its
problems and its place are those of the text read as a whole, whatever the blocks' size; a
stretch without such a place makes its block as large as it must be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from treelens.corpus.folders import unpacked
from treelens.corpus.sources import Source, Watch, chunks, unwatched
from treelens.formats import table
from treelens.formats.table import Format
from treelens.trees.forest import Forest, Problem, Symbols, gather
from treelens.trees.other_lines import line_breaks

BLOCK_BYTES = 1 << 21
"""Text in a block: enough for columns to pay, and some forty times that in memory."""

STRETCH_BYTES = 3 << 17
"""Of gold's text in a piece of work: one block of a reader, one batch of comparisons."""

_LOOKED_BACK = 8
_LOOKED_AT = 1 << 16
_COMMENT_MARKS = (b"#", b"%", b";")
_BOM = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Some sentences of a source, in order.

    forest: offsets are of the block's own text, ``forest.source[: length]``. problems: in text
    order, the same offsets. offset, line, sentence: how many bytes (of UTF-8), line breaks and
    sentences of the source come before the block.
    """

    source: Source
    format: Format
    forest: Forest
    problems: list[Problem]
    length: int
    offset: int
    line: int
    sentence: int

    def line_of(self, row: int) -> int:
        """The line, from 0, of the source on which a sentence's tree starts."""
        return self.line + line_breaks(self.forest.source[: int(self.forest.tree[row, 0])])


def blocks(
    source: Source,
    size: int = BLOCK_BYTES,
    symbols: Symbols | None = None,
    format: Format | None = None,
    watch: Watch = unwatched,
) -> Iterator[Block]:
    """A source in blocks of about ``size`` bytes: one at least, and only a lone one may hold no
    sentence.

    symbols: what all forests share, which then grows with the vocabulary; by default each block
    has its own. format: by default what the name or the text's beginning says.
    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    reader = _Reader(chunks(source, watch))
    format = format or format_of(source.name, reader.peek(table.SNIFFED_BYTES))
    offset = line = sentence = 0
    text = b""
    at_end = False
    while not at_end:
        # A stretch that cannot be cut is read again each time it has doubled, at most.
        text += reader.read(max(size, len(text)))
        at_end = not reader.peek(1)
        if not at_end and not format.may_anchor(text):
            continue
        forest, problems = table.read(format, text, symbols or Symbols())
        cut = len(forest) if at_end else _cut(format, forest)
        if not cut and not at_end:
            continue
        length = len(text) if at_end else int(forest.piece[cut, 0])
        if not at_end:
            forest = gather(forest, np.arange(cut))
            problems = [problem for problem in problems if problem.start < length]
        yield Block(source, format, forest, problems, length, offset, line, sentence)
        offset, sentence = offset + length, sentence + len(forest)
        line += line_breaks(text[:length])
        text = text[length:]


def format_of(name: str, text: bytes) -> Format:
    """The format that a name stands for, whatever it is packed in; or else what the text says."""
    return table.chosen(table.named(unpacked(name)), text)


def is_something_else(source: bytes, format: Format) -> bool:
    """Whether a text that is taken for brackets, and may hold some here and there, is prose or XML.

    Lines of trees start with a bracket, but for words that stand on a line of their own.
    """
    if format.layout != "brackets":
        return False
    lines = [line.lstrip() for line in source[:_LOOKED_AT].splitlines()]
    written = [line for line in lines if line and not line.startswith(_COMMENT_MARKS)]
    other = [line for line in written if not line.startswith((b"(", b")"))]
    return bool(written) and written[0] in other[:1] and 2 * len(other) > len(written)


class _Reader:
    """Chunks as they come, by the number of bytes that is asked for; fewer at the end only."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""

    def peek(self, count: int) -> bytes:
        parts, there = [self._left], len(self._left)
        while there < count and (chunk := next(self._chunks, None)) is not None:
            parts.append(chunk)
            there += len(chunk)
        self._left = b"".join(parts)
        return self._left[:count]

    def read(self, count: int) -> bytes:
        found = self.peek(count)
        self._left = self._left[count:]
        return found


def _cut(format: Format, forest: Forest) -> int:
    """The last sentence but the first that is certain to start where it does; 0: none is."""
    for row in range(len(forest) - 1, 0, -1):
        piece, tree = int(forest.piece[row, 0]), int(forest.tree[row, 0])
        before = forest.source[max(piece - _LOOKED_BACK, 0) : piece]
        ahead = forest.source[piece:tree]
        # (At the start of a text a byte order mark is none of it; elsewhere it is.)
        if format.anchored(before, ahead) and not forest.source.startswith(_BOM, piece):
            return row
    return 0
