"""The files of ``treelens tedeval``: read whatever their state, with what is said of them."""

from __future__ import annotations

from typing import NamedTuple

from treelens.cli import CannotContinue, files, output
from treelens.formats.lattice import LatticeArc, read_lattice, read_segments
from treelens.render.width import clean
from treelens.tedeval import treebank
from treelens.tedeval.convert import LabelReading
from treelens.tedeval.treebank import Treebank
from treelens.trees.forest import Forest, Problem, Symbols, decode


class Reading(NamedTuple):
    """A file's bytes, and the format they are in."""

    name: str
    source: bytes
    format: str

    @classmethod
    def of(cls, name: str, format_name: str) -> Reading:
        source = files.read_bytes(name)
        if not source.strip():
            raise CannotContinue(f"{clean(files.shown(name))} is empty")
        if format_name == "auto":
            format_name = treebank.guess(name, source)
        return cls(name, source, format_name)


def read_treebank(
    reading: Reading, symbols: Symbols, labels: LabelReading, head: str, most: int | None
) -> Treebank:
    """The trees of a file; one without any cannot be scored."""
    found = treebank.read(reading.source, symbols, reading.format, labels, head)
    if not len(found):
        start = clean(" ".join(decode(reading.source[:200]).split())[:40])
        raise CannotContinue(
            f"{clean(files.shown(reading.name))} holds no trees in the format "
            f"'{reading.format}'; it starts with “{start}”"
        )
    say_problems(reading.name, reading.source, found.problems, most)
    if found.labels is LabelReading.FUNCTIONS and not _has_functions(found):
        output.say(
            f"note: {clean(files.shown(reading.name))} has no functions (such as SBJ in NP-SBJ); "
            "--labels categories compares categories"
        )
    return found


def _has_functions(found: Treebank) -> bool:
    return any(found.tree(sentence).nodes for sentence in range(len(found)))


def read_map(name: str, symbols: Symbols, most: int | None) -> Forest:
    """A mapping or segmentation file."""
    source = files.read_bytes(name)
    forest, problems = read_segments(source, symbols)
    say_problems(name, source, problems, most)
    return forest


def read_arcs(name: str, most: int | None) -> list[tuple[LatticeArc, ...]]:
    """A lattice file."""
    source = files.read_bytes(name)
    sentences, problems = read_lattice(source)
    say_problems(name, source, problems, most)
    if not sentences:
        raise CannotContinue(f"{clean(files.shown(name))} holds no lattice")
    return sentences


def say_problems(name: str, source: bytes, problems: list[Problem], most: int | None) -> None:
    """The first few problems, as ``FILE:LINE: message``."""
    named = clean(files.shown(name))
    for problem in problems[:most]:
        message = clean(" ".join(problem.message.split()))
        output.say(f"{named}:{_line(source, problem.start)}: {message}")
    if most is not None and len(problems) > most:
        output.say(f"{named}: and {len(problems) - most} more (--all-problems shows them)")


def _line(source: bytes, offset: int) -> int:
    return source.count(b"\n", 0, offset) + 1


class Remarks:
    """What is to be said of a file's sentences, the first few of them."""

    def __init__(self, name: str, found: Treebank, most: int | None) -> None:
        self._name = name
        self._forest = found.forest
        self._most = most
        self._lines: list[str] = []
        self._more = 0
        for sentence, text in found.remarks():
            self.add(sentence, text)

    def add(self, sentence: int, text: str) -> None:
        if self._most is not None and len(self._lines) == self._most:
            self._more += 1
            return
        place = clean(files.shown(self._name))
        if sentence < len(self._forest):
            place += f":{_line(self._forest.source, int(self._forest.tree[sentence, 0]))}"
        self._lines.append(f"{place}: sentence {sentence + 1}: {clean(text)}")

    def say(self) -> None:
        for line in self._lines:
            output.say(line)
        if self._more:
            named = clean(files.shown(self._name))
            output.say(f"{named}: and {self._more} more (--all-problems shows them)")


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
