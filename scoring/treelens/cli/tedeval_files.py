"""The files of ``treelens tedeval``: read whatever their state, with what is said of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from treelens.cli import CannotContinue, files, inputs, output
from treelens.cli.waiting import WaitingBytes
from treelens.corpus import Source, chunks, of_text
from treelens.corpus.blocks import Block, blocks
from treelens.counting.waiting import WaitingRows
from treelens.formats.lattice import LatticeArc, read_lattice, read_segments
from treelens.formats.refused import refused
from treelens.render.width import clean
from treelens.tedeval import treebank
from treelens.tedeval.convert import LabelReading
from treelens.tedeval.evaluation import Errors
from treelens.tedeval.treebank import Remark, Treebank
from treelens.trees.forest import Forest, Problem, Symbols, decode

_STARTS = 1 << 16
"""Bytes that say what is in a file."""

STRETCH_BYTES = 3 << 16
"""In a block: sentences take so long by themselves that larger ones save hardly any time."""

_TOGETHER = 1 << 10
"""Sentences whose numbers are written and read at a time."""


class Reading(NamedTuple):
    """A file, how it begins, and the format that it is in."""

    name: str
    source: Source
    start: bytes
    format: str

    @classmethod
    def of(cls, name: str, format_name: str) -> Reading:
        source = inputs.source(name)
        if source.size is None:  # what is there once, as from a pipe, is read more than once
            source = of_text(name, files.read_bytes(name))
        start = b""
        with inputs.reading(name):
            for chunk in chunks(source):
                start += chunk
                if len(start) >= _STARTS and start.strip():
                    break
        if not start.strip():
            raise CannotContinue(f"{clean(files.shown(name))} is empty")
        if refused(start):  # whatever -format says: a neighbour's reader would take it
            raise CannotContinue(f"{clean(files.shown(name))} {files.no_trees(name, start)}")
        if format_name == "auto":
            format_name = treebank.guess(name, start)
        return cls(name, source, start[:_STARTS], format_name)

    def blocks(self) -> Iterator[Block]:
        """The file, from its start."""
        format = treebank.format_of(self.format, self.start)
        with inputs.reading(self.name):
            yield from blocks(self.source, STRETCH_BYTES, format=format)


def read_treebank(reading: Reading, labels: LabelReading, head: str, most: int | None) -> Treebank:
    """The trees of a file; one without any cannot be scored."""
    found = Treebank(reading.blocks, reading.format, labels, head)
    problems = Remarks(reading.name, found.problems(), most)
    if not len(found):
        start = clean(" ".join(decode(reading.start[:200]).split())[:40])
        raise CannotContinue(
            f"{clean(files.shown(reading.name))} holds no trees in the format "
            f"'{reading.format}'; it starts with “{start}”"
        )
    problems.say()
    if found.labels is LabelReading.FUNCTIONS and not _has_functions(found):
        output.say(
            f"note: {clean(files.shown(reading.name))} has no functions (such as SBJ in NP-SBJ); "
            "--labels categories compares categories"
        )
    return found


def _has_functions(found: Treebank) -> bool:
    return any(found.tree(sentence).nodes for sentence in range(len(found)))


def read_map(name: str, most: int | None) -> Forest:
    """A mapping or segmentation file."""
    source = files.read_bytes(name)
    forest, problems = read_segments(source, Symbols())
    _say_problems(name, source, problems, most)
    return forest


def read_arcs(name: str, most: int | None) -> list[tuple[LatticeArc, ...]]:
    """A lattice file."""
    source = files.read_bytes(name)
    sentences, problems = read_lattice(source)
    _say_problems(name, source, problems, most)
    if not sentences:
        raise CannotContinue(f"{clean(files.shown(name))} holds no lattice")
    return sentences


def _say_problems(name: str, source: bytes, problems: list[Problem], most: int | None) -> None:
    Remarks(name, _in_lines(source, problems), most).say()


def _in_lines(source: bytes, problems: list[Problem]) -> Iterator[Remark]:
    """Each with its line; problems in text order."""
    line, at = 1, 0
    for one in problems:
        line += source.count(b"\n", at, one.start)
        at = one.start
        yield Remark.of(one, line)


class Remarks:
    """What is to be said of a file, the first few, as ``FILE:LINE: message``."""

    def __init__(self, name: str, found: Iterable[Remark], most: int | None) -> None:
        self._named = clean(files.shown(name))
        self._most = most
        self._lines: list[str] = []
        self._more = 0
        for remark in found:
            self.add(remark)

    def add(self, remark: Remark) -> None:
        """One more."""
        if self._most is not None and len(self._lines) == self._most:
            self._more += 1
            return
        place = self._named if remark.line is None else f"{self._named}:{remark.line}"
        if remark.sentence is not None:
            place += f": sentence {remark.sentence + 1}"
        self._lines.append(f"{place}: {clean(remark.text)}")

    def say(self) -> None:
        for line in self._lines:
            output.say(line)
        if self._more:
            output.say(f"{self._named}: and {self._more} more (--all-problems shows them)")


class EachErrors:
    """The numbers of many sentences, in order, which wait on disk."""

    def __init__(self) -> None:
        self._rows = WaitingRows(WaitingBytes(), len(Errors._fields), np.int64)

    def extend(self, errors: Iterable[Errors]) -> None:
        left = iter(errors)
        while some := [*itertools.islice(left, _TOGETHER)]:
            self._rows.add(np.array(some, np.int64))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Errors]:
        for first in range(0, len(self), _TOGETHER):
            yield from map(Errors._make, self._rows[first : first + _TOGETHER].tolist())


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
