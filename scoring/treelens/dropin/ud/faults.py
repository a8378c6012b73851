"""Files that are wrong or unusual, read with care: what is wrong with them, and what the rest of
them comes to.

They are cut into the same pieces as files without faults. Where the texts of pieces differ, a
piece may have been cut at the wrong place: then some of them are one piece. Of the files, memory
holds as much.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from operator import add, eq
from typing import BinaryIO, NamedTuple

from treelens.dropin.ud.arguments import Request
from treelens.dropin.ud.careful import Before, read_carefully
from treelens.dropin.ud.parts import Part, is_sound, only, parts, texts
from treelens.dropin.ud.pieces import Piece, pieces, with_newlines
from treelens.dropin.ud.treebank import Problem, Rules, Treebank

_MOST = 50
"""So many problems of each file are told; a file with more has one problem."""
_SHOWN = 20
"""So many characters are shown where texts differ."""
_TOGETHER = 16
"""Pieces of texts that differ that are looked at as one, at most."""

Counts = tuple[int, ...]
_Banks = tuple[Treebank, Treebank]


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
        problems, same = self._problems(files)
        if same and not any(some.count for some in problems):
            return self._sum(self._runs(files))
        for name, some in zip(self._names, problems, strict=True):
            self._tell(some, f"{name}: and {some.others} more problems\n")
        return self._of_the_rest(files)

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

    def _problems(self, files: Sequence[BinaryIO]) -> tuple[tuple[_Some, _Some], bool]:
        """What is wrong with either file, and whether both have the same text."""
        found, digests = (_Some(), _Some()), (hashlib.blake2b(), hashlib.blake2b())
        for _, _, banks in self._read(files):
            for name, some, digest, bank in zip(self._names, found, digests, banks, strict=True):
                digest.update("".join(bank.forms).encode("utf-8", "surrogatepass"))
                for problem in bank.problems:
                    some.add(lambda: _message(name, problem))  # noqa: B023 - called at once
        return found, digests[0].digest() == digests[1].digest()

    def _read(
        self, files: Sequence[BinaryIO]
    ) -> Iterator[tuple[Piece, tuple[Before, Before], _Banks]]:
        """Each piece, what is before it, and what it holds."""
        before = Before(), Before()
        for piece in pieces(*files):
            gold, system = self._banks(piece, before)
            yield piece, before, (gold, system)
            before = before[0].after(piece.gold, gold), before[1].after(piece.system, system)

    def _banks(self, piece: Piece, before: tuple[Before, Before]) -> _Banks:
        gold, system = (
            read_carefully(text.decode("utf-8", "replace"), self.rules, at)
            for text, at in zip(piece, before, strict=True)
        )
        return gold, system

    def _runs(self, files: Sequence[BinaryIO], most: int | None = None) -> Iterator[_Banks]:
        """Pieces with the same text, and those in between together, or so many of them."""
        run: list[tuple[Piece, tuple[Before, Before], _Banks]] = []
        for one in self._read(files):
            mine, its = map(texts, one[2])
            differs = "".join(mine) != "".join(its)
            if run and (not differs or len(run) == most):
                yield self._joined(run)
                run = []
            if differs:
                run.append(one)
            else:
                yield one[2]
        if run:
            yield self._joined(run)

    def _joined(self, run: Sequence[tuple[Piece, tuple[Before, Before], _Banks]]) -> _Banks:
        if len(run) == 1:
            return run[0][2]
        whole = Piece(*map(b"".join, zip(*(piece for piece, _, _ in run), strict=True)))
        return self._banks(whole, run[0][1])

    def _sum(self, banks: Iterator[_Banks]) -> Counts:
        total: Counts = ()
        for one in banks:
            counts = self.counts(*one)
            total = tuple(map(add, total, counts)) if total else counts
        return total

    def _of_the_rest(self, files: Sequence[BinaryIO]) -> Counts | None:
        """What is sound on both sides, if that is wanted; the rest is told."""
        differing, kept, every = _Some(), [0, 0], [0, 0]

        def sound() -> Iterator[_Banks]:
            for banks in self._runs(files, _TOGETHER):
                cut = parts(*banks)
                for part in cut:
                    if not part.parallel:
                        differing.add(lambda: self._difference(part, banks))  # noqa: B023 - the same
                good = [part for part in cut if is_sound(part, *banks)]
                golds = [index for part in good for index in part.gold]
                systems = [index for part in good for index in part.system]
                for side, some in enumerate((golds, systems)):
                    kept[side] += len(some)
                    every[side] += len(banks[side].sentences)
                yield only(banks[0], golds), only(banks[1], systems)

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

    def _tell(self, some: _Some, more: str) -> None:
        for message in some.first:
            self.complain(message)
        if some.others:
            self.complain(more)

    def _difference(self, part: Part, banks: _Banks) -> str:
        """Where the texts differ."""
        mine, its = part.gold_text, part.system_text
        same = len(list(takewhile(bool, map(eq, mine, its))))
        shown = [text[same : same + _SHOWN] or "nothing more" for text in (mine, its)]
        places = map(_place, self._names, banks, (part.gold, part.system))
        place, its_place = places
        return (
            f"{place}: after '{mine[max(0, same - _SHOWN) : same]}' the text differs:"
            f" '{shown[0]}' here, '{shown[1]}' in {its_place}\n"
        )


def _message(file: str, problem: Problem) -> str:
    return f"{file}:{problem.line}: sentence {problem.sentence}: {problem.message}\n"


def _place(file: str, bank: Treebank, span: range) -> str:
    if not span:
        return f"{file}: missing sentence"
    sentence = bank.sentences[span.start]
    return f"{file}:{sentence.line}: sentence {sentence.name}"
