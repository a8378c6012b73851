"""Files that are wrong or unusual, read with care: what is wrong with them, and what the rest of
them comes to.

Each is read some sentences at a time. Where texts differ, which sentences belong together is found
by a number a sentence, of all of both files; these are then read once more. Of files, memory holds
that number, and what stands between two sentences that are the same.
"""

from __future__ import annotations

import codecs
import hashlib
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile
from operator import add, eq
from typing import BinaryIO, NamedTuple

from treelens.dropin.ud.arguments import Request
from treelens.dropin.ud.careful import Before, read_carefully
from treelens.dropin.ud.parts import Part, only, parts, text, texts
from treelens.dropin.ud.pieces import Piece, pieces, stretches, with_newlines
from treelens.dropin.ud.treebank import Problem, Rules, Sentence, Treebank

_MOST = 50
"""So many problems of each file are told; a file with more has one problem."""
_SHOWN = 20
"""So many characters are shown where texts differ."""
_TOGETHER = 256
"""Sentences that are scored together, or a few more."""

Counts = tuple[int, ...]
_Banks = tuple[Treebank, Treebank]
_Read = tuple[Treebank, Sentence]


class _Some:
    """The first things of a kind that are to be told, and how many there are."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[str] = []

    def add(self, message: Callable[[], str]) -> None:
        self.count += 1
        if self.count <= _MOST:
            self.first.append(message())

    @property
    def others(self) -> int:
        return self.count - len(self.first)


class Careful(NamedTuple):
    """How files are read and scored. ``counts``: what two texts come to, of which those of parts
    add up."""

    request: Request
    rules: Rules
    complain: Callable[[str], object]
    counts: Callable[[Treebank, Treebank], Counts]

    def total(self, files: Sequence[BinaryIO]) -> Counts | None:
        """The counts of any files; None when they are at fault, and that has been told."""
        for name, file in zip(self._names, files, strict=True):
            if not self._is_text(name, file):
                return None
        gold, system = (self._looked_through(file) for file in files)
        if gold.text == system.text and not gold.problems.count and not system.problems.count:
            return self._sum(self._alike(files))
        for name, looked in zip(self._names, (gold, system), strict=True):
            more = f"{name}: and {looked.problems.others} more problems\n"
            self._tell(looked.problems, more, f"{name}:")
        return self._of_the_rest(files, parts(gold.keys, system.keys))

    @property
    def _names(self) -> tuple[str, str]:
        return self.request.gold, self.request.system

    def _is_text(self, name: str, file: BinaryIO) -> bool:
        """Whether a file is UTF-8, or to be scored all the same; if it is not, that is told."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        size = lines = 0
        file.seek(0)
        try:
            for chunk in with_newlines(file):
                held = len(decoder.getstate()[0])
                decoder.decode(chunk)
                size, lines = size + len(chunk), lines + chunk.count(b"\n")
            held = len(decoder.getstate()[0])
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as problem:
            line = lines + problem.object.count(b"\n", 0, problem.start) + 1
            place = size - held + problem.start
            self.complain(f"{name}:{line}: byte {place} is not UTF-8\n")
            return self.request.score_anyway
        return True

    def _looked_through(self, file: BinaryIO) -> _Looked:
        problems, keys, digest = _Some(), array("q"), hashlib.blake2b()
        for bank in self._read(file):
            digest.update(_encoded("".join(bank.forms)))
            for one in texts(bank):
                key = hashlib.blake2b(_encoded(one), digest_size=keys.itemsize).digest()
                keys.frombytes(key)
            for problem in bank.problems:
                problems.add(lambda: _message(problem))  # noqa: B023 - called at once
        return _Looked(problems, keys, digest.digest())

    def _read(self, file: BinaryIO) -> Iterator[Treebank]:
        """What each stretch of a file holds."""
        before = Before()
        for stretch in stretches(file):
            bank = self._bank(stretch, before)
            yield bank
            before = before.after(stretch, bank)

    def _bank(self, text: bytes, before: Before | None = None) -> Treebank:
        return read_carefully(text.decode("utf-8", "replace"), self.rules, before)

    def _alike(self, files: Sequence[BinaryIO]) -> Iterator[_Banks]:
        """Files with the same text: pieces with the same one, and those in between together, which
        were cut at the wrong place."""
        run: list[Piece] = []
        for piece in pieces(*files):
            gold, system = map(self._bank, piece)
            if "".join(gold.forms) != "".join(system.forms):
                run.append(piece)
                continue
            if run:
                yield self._joined(run)
                run = []
            yield gold, system
        if run:
            yield self._joined(run)

    def _joined(self, run: Sequence[Piece]) -> _Banks:
        gold, system = (self._bank(b"".join(side)) for side in zip(*run, strict=True))
        return gold, system

    def _sum(self, banks: Iterator[_Banks]) -> Counts:
        total: Counts = ()
        for one in banks:
            counts = self.counts(*one)
            total = tuple(map(add, total, counts)) if total else counts
        return total

    def _of_the_rest(self, files: Sequence[BinaryIO], all_parts: Iterator[Part]) -> Counts | None:
        """What is sound on both sides, if that is wanted; the rest is told."""
        differing, kept, every = _Some(), [0, 0], [0, 0]
        sides = [_Sentences(self._read(file)) for file in files]

        def sound() -> Iterator[_Banks]:
            good: tuple[list[_Read], list[_Read]] = [], []
            for part in all_parts:
                for side, span in enumerate(part):
                    every[side] += len(span)
                if not (part.gold and part.system):
                    self._tell_lone(differing, sides, part)
                    continue
                mine, its = (side.take(span) for side, span in zip(sides, part, strict=True))
                both = "".join(text(*one) for one in mine), "".join(text(*one) for one in its)
                if both[0] != both[1]:
                    differing.add(lambda: self._difference(both, (mine[0], its[0])))  # noqa: B023
                elif all(sentence.text is None for _, sentence in chain(mine, its)):
                    for side, some in enumerate((mine, its)):
                        kept[side] += len(some)
                        good[side].extend(some)
                if len(good[0]) >= _TOGETHER:
                    yield only(good[0]), only(good[1])
                    good = [], []
            yield only(good[0]), only(good[1])

        if self.request.score_anyway:
            total = self._sum(sound())
        else:
            total = None
            for _ in sound():
                pass
        self._tell(differing, f"the text differs in {differing.others} more places\n")
        if total is not None:
            self.complain(
                f"scored without this: {kept[0]} of {every[0]} sentences of gold,"
                f" {kept[1]} of {every[1]} of system\n"
            )
        return total

    def _tell_lone(self, differing: _Some, sides: Sequence[_Sentences], part: Part) -> None:
        """Sentences that only one side has, which may be any number."""
        first: list[_Read | None] = [None, None]
        begin = ["", ""]
        for side, span in enumerate(part):
            for at in span:
                (one,) = sides[side].take(range(at, at + 1))
                first[side] = first[side] or one
                if len(begin[side]) < _SHOWN:
                    begin[side] += text(*one)
        if begin[0] != begin[1]:
            differing.add(lambda: self._difference((begin[0], begin[1]), (first[0], first[1])))

    def _tell(self, some: _Some, more: str, before: str = "") -> None:
        for message in some.first:
            self.complain(before + message)
        if some.others:
            self.complain(more)

    def _difference(self, both: tuple[str, str], first: tuple[_Read | None, _Read | None]) -> str:
        """Where the texts of some sentences differ, of which these are the first."""
        same = len(list(takewhile(bool, map(eq, *both))))
        shown = [text[same : same + _SHOWN] or "nothing more" for text in both]
        place, its_place = map(_place, self._names, first)
        return (
            f"{place}: after '{both[0][max(0, same - _SHOWN) : same]}' the text differs:"
            f" '{shown[0]}' here, '{shown[1]}' in {its_place}\n"
        )


class _Looked(NamedTuple):
    """What is wrong with a file, a number for the text of each sentence, and one for all of it."""

    problems: _Some
    keys: array[int]
    text: bytes


class _Sentences:
    """A file's sentences, which are asked for in their order."""

    def __init__(self, banks: Iterator[Treebank]) -> None:
        self._banks = banks
        self._waiting = deque[_Read]()
        self._next = 0

    def take(self, span: range) -> list[_Read]:
        """Some sentences, with what they are in; those before are let go."""
        while self._next + len(self._waiting) < span.stop:
            bank = next(self._banks)
            self._waiting.extend((bank, sentence) for sentence in bank.sentences)
        for _ in range(self._next, span.start):
            self._waiting.popleft()
        self._next = span.stop
        return [self._waiting.popleft() for _ in span]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _message(problem: Problem) -> str:
    return f"{problem.line}: sentence {problem.sentence}: {problem.message}\n"


def _place(file: str, one: _Read | None) -> str:
    if one is None:
        return f"{file}: missing sentence"
    return f"{file}:{one[1].line}: sentence {one[1].name}"
