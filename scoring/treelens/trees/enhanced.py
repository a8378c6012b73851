"""Enhanced dependencies: what the DEPS field of each word and empty node of a table says.

Read when somebody asks; the forest's columns hold the fields as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.dependency_tree import Word
from treelens.trees.forest import DEPS, NOWHERE, ROOT, Forest

Node = int
"""A word by its row; an empty node by :func:`empty_node`; as a head also ``ROOT``, ``NOWHERE``."""

_FIRST_EMPTY = -10
_POWERS = 10 ** np.arange(1, 10)
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


def renumbered(forest: Forest) -> dict[int, dict[int, int]]:
    """The sentences whose IDs are not 1, 2, 3 …, as where a row has been taken out: which word,
    from 0, each ID means there. A number that is none counts on, and the first of two has it, as
    heads are read."""
    fields, counts = forest.fields, np.diff(forest.first_leaf)
    if fields is None or not len(fields.bounds):
        return {}
    place = np.arange(len(fields.bounds)) - np.repeat(forest.first_leaf[:-1], counts) + 1
    start = fields.bounds[:, 0].astype(np.int64)
    size = fields.bounds[:, 1] - 1 - start
    source = np.frombuffer(forest.source, np.uint8)
    usual = size == np.searchsorted(_POWERS, place, "right") + 1
    value = np.zeros(len(place), np.int64)
    for at in range(int(size[usual].max(initial=0))):
        here = np.flatnonzero(usual & (size > at))
        digit = source[start[here] + at].astype(np.int64) - ord("0")
        usual[here] &= (digit >= 0) & (digit <= 9)
        value[here] = value[here] * 10 + digit
    odd = np.repeat(np.arange(len(forest)), counts)[~usual | (value != place)]
    return {int(one): _by_number(forest, int(one)) for one in np.unique(odd)}


def _by_number(forest: Forest, sentence: int) -> dict[int, int]:
    assert forest.fields is not None
    found: dict[int, int] = {}
    expected = 1
    rows = range(*forest.first_leaf[sentence : sentence + 2].tolist())
    for place, row in enumerate(rows):
        start, behind = forest.fields.bounds[row, :2].tolist()
        text = forest.source[start : behind - 1]
        number = (int(text) if text.isdigit() and len(text) < 10 else 0) or expected
        found.setdefault(number, place)
        expected = number + 1
    return found


def means_itself(forest: Forest, words: Sequence[Word]) -> list[bool]:
    """Of the words of a forest's only sentence, whether the ID of each, as a head, means it."""
    meant = renumbered(forest).get(0)
    if meant is None:
        return [True] * len(words)
    numbers = (word.counted for word in words)
    return [number is not None and meant.get(number) == k for k, number in enumerate(numbers)]


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

    others = renumbered(forest)

    def read(sentence: int, start: int, text: bytes) -> tuple[Edge, ...]:
        if text == b"_":
            return ()
        words = range(first[sentence], first[sentence + 1])
        return tuple(_edges(text, start, words, others.get(sentence), empties, sentence))

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
    text: bytes,
    start: int,
    words: range,
    by_number: dict[int, int] | None,
    empties: dict[tuple[int, bytes], Node],
    sentence: int,
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
            if by_number and number:
                number = by_number.get(number, len(words)) + 1
            head = ROOT if not number else words.start + number - 1
            head = head if number <= len(words) else NOWHERE
        yield Edge(start, start + len(part), head, part if head == NOWHERE else relation)
        start += len(part) + 1
