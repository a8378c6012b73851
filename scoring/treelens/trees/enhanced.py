"""Enhanced dependencies: what the DEPS field of each word and empty node of a table says.

Read when somebody asks; the forest's columns hold the fields as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import DEPS, NOWHERE, ROOT, Forest

Node = int
"""A word by its row; an empty node by :func:`empty_node`; as a head also ``ROOT``, ``NOWHERE``."""

_FIRST_EMPTY = -10
_ID = re.compile(rb"(0|[1-9]\d{0,8})(\.[1-9]\d{0,8})?\Z")


def empty_node(start: int) -> Node:
    """The empty node whose line starts at an offset of the forest's source."""
    return _FIRST_EMPTY - start


class Edge(NamedTuple):
    """One dependency, with its place in the forest's source."""

    start: int
    end: int
    head: Node
    relation: bytes
    """As written; all of it where no head can be read."""


class Deps(NamedTuple):
    """The DEPS field of a node: its place in the forest's source, and what it says."""

    sentence: int
    node: Node
    word: int
    """The row of the word; of an empty node the word before it, or the sentence's first."""
    start: int
    end: int
    edges: tuple[Edge, ...]


def enhanced(forest: Forest, wanted: npt.NDArray[np.bool_] | None = None) -> Iterator[Deps]:
    """The DEPS of a forest's words, then of its empty nodes; ``wanted``: of which sentences."""
    fields = forest.fields
    if fields is None or forest.dependencies is None:
        return
    from treelens.trees.other_lines import other_lines  # which most texts do without

    first = forest.first_leaf.tolist()
    empties: dict[tuple[int, bytes], Node] = {}
    lines = []
    for line in other_lines(forest):
        if line.kind == "empty" and (wanted is None or wanted[line.sentence]):
            cells = forest.source[line.start : line.end].split(b"\t")
            empties[line.sentence, cells[0]] = empty_node(line.start)
            lines.append((line, cells))

    def read(sentence: int, start: int, text: bytes) -> tuple[Edge, ...]:
        if text == b"_":
            return ()
        words = range(first[sentence], first[sentence + 1])
        return tuple(_edges(text, start, words, empties, sentence))

    of = np.repeat(np.arange(len(forest)), np.diff(forest.first_leaf))
    rows = np.arange(len(of)) if wanted is None else np.flatnonzero(wanted[of])
    bounds = fields.bounds[rows][:, DEPS : DEPS + 2].tolist()
    for row, sentence, (start, behind) in zip(
        rows.tolist(), of[rows].tolist(), bounds, strict=True
    ):
        end = max(behind - 1, start)
        yield Deps(sentence, row, row, start, end, read(sentence, start, forest.source[start:end]))
    for line, cells in lines:
        start = line.start + len(b"\t".join(cells[:DEPS])) + 1
        text = cells[DEPS] if len(cells) > DEPS else b""
        word = max(line.first - 1, first[line.sentence])
        edges = read(line.sentence, start, text)
        yield Deps(line.sentence, empty_node(line.start), word, start, start + len(text), edges)


def _edges(
    text: bytes, start: int, words: range, empties: dict[tuple[int, bytes], Node], sentence: int
) -> Iterator[Edge]:
    text = text.rstrip(b" ")
    if text in (b"", b"_"):
        return
    for part in text.split(b"|"):
        name, _, relation = part.partition(b":")
        found = _ID.match(name)
        head = NOWHERE
        if found and found[2]:
            head = empties.get((sentence, name), NOWHERE)
        elif found:
            number = int(name)
            head = ROOT if not number else words.start + number - 1
            head = head if number <= len(words) else NOWHERE
        yield Edge(start, start + len(part), head, part if head == NOWHERE else relation)
        start += len(part) + 1
