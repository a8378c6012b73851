"""Both files, a stretch of lines at a time: what is in memory does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, overload

from treelens.dropin.jp.comparison import merged
from treelens.dropin.jp.reading import Sentence
from treelens.dropin.jp.sentences import Group, Texts, groups
from treelens.dropin.jp.settings import Settings
from treelens.dropin.shared.lines import Lines
from treelens.dropin.shared.world import World

if TYPE_CHECKING:  # loads numpy
    from treelens.dropin.jp.columns import Pairs

STRETCH_BYTES = 1 << 21
"""What is read of each file before its sentences are lined up."""

_REMEMBERED = 1 << 11
"""So many sentences of a stretch are."""

_ENOUGH_BYTES = 1 << 20
"""Of both files: below that, all is done before numpy is loaded."""


@dataclass(slots=True)
class File:
    """A file: what was read of it and is not done yet, and what is known of its lines."""

    name: str
    stream: BinaryIO
    read: Callable[[str], Sentence]
    problems: dict[str, str]
    """What is wrong with lines that have been read."""
    rest: bytes = b""
    ended: bool = False
    done: int = 0
    """How many lines are."""
    complaints: list[bytes] = field(default_factory=list)

    def ahead(self, wanted: int) -> bytes:
        """Whole lines that come next, of about so many bytes; all, at the end of the file."""
        while not self.ended:
            if len(self.rest) >= wanted:
                end = self.rest.rfind(b"\n") + 1
                if end:
                    return self.rest[:end]
                wanted *= 2
            more = self.stream.read(wanted - len(self.rest))
            self.ended = not more
            self.rest += more
        return self.rest

    def finish(self, lines: Sequence[str], count: int, size: int) -> None:
        """Note what is wrong with the first lines, which are done, of so many bytes."""
        for number, line in enumerate(lines[:count] if self.problems else (), self.done + 1):
            if line in self.problems:
                message = f"{self.name}:{number}: {self.problems[line]}\n"
                self.complaints.append(message.encode("utf-8", "surrogateescape"))
        self.done += count
        self.rest = self.rest[size:]


class Written(Sequence[str]):
    """A file's lines, decoded when they are asked for."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return self._lines.count

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._lines.line(number).decode().strip()


class Side(NamedTuple):
    """A stretch of a file: its lines, and what is counted of each, by its number."""

    file: File
    lines: Sequence[str]
    sentence: Callable[[int], Sentence]
    size: Callable[[int], int]
    """How many bytes the first lines are."""

    def text(self, number: int) -> str:
        return self.sentence(number).text

    def merged(self, numbers: range) -> Sentence:
        return merged([self.sentence(number) for number in numbers])

    def finish(self, lines: int) -> None:
        self.file.finish(self.lines, lines, self.size(lines))


class Stretch(NamedTuple):
    """What of both files is lined up together."""

    system: Side
    gold: Side
    pairs: Pairs | None
    """What counts pairs many at a time."""
    more: bool
    """Whether other lines follow."""

    def deleted(self, count: int) -> list[int]:
        """What was deleted of each of the first sentences of gold, and counts for the length."""
        gold = self.gold
        numbers = range(len(gold.lines))[:count]
        known = self.pairs.deleted[:count].tolist() if self.pairs else [-1] * len(numbers)
        return [
            gold.sentence(number).deleted if found < 0 else found
            for number, found in zip(numbers, known, strict=True)
        ]

    def groups(self) -> Iterator[Group]:
        system, gold = self.system, self.gold
        texts = Texts(
            system.text,
            len(system.lines),
            gold.text,
            len(gold.lines),
            more=self.more,
            ahead=gold.file.done - system.file.done,
        )
        if self.pairs:
            texts = texts._replace(same=self.pairs.same, same_run=self.pairs.same_run)
        return groups(texts)


def stretches(system: File, gold: File, settings: Settings, world: World) -> Iterator[Stretch]:
    """What there is of both files beyond what is done: more, where nothing could be; the last one
    is all that is left."""
    wanted, more, in_step = STRETCH_BYTES, True, True
    while more:
        before = system.done, gold.done
        texts = system.ahead(wanted), gold.ahead(wanted)
        more = not (system.ended and gold.ended)
        few = not more and sum(map(len, texts)) < _ENOUGH_BYTES
        pairs = None if few else _pairs(*texts, settings, world, in_step=in_step)
        yield Stretch(
            _side(system, texts[0], pairs.system if pairs else None),
            _side(gold, texts[1], pairs.gold if pairs else None),
            pairs,
            more,
        )
        in_step = pairs is None or pairs.in_step
        del texts, pairs  # before others are read
        wanted = STRETCH_BYTES if before != (system.done, gold.done) else 2 * wanted


def _pairs(
    system: bytes, gold: bytes, settings: Settings, world: World, *, in_step: bool
) -> Pairs | None:
    """What scores pairs many at a time, if that gives the same."""
    if not system or not gold:
        return None
    from treelens.dropin.jp.columns import Pairs, is_plain, is_simple

    if not (is_simple(settings) and is_plain(system) and is_plain(gold)):
        return None
    return Pairs(system, gold, settings, world, in_step=in_step)


def _side(file: File, text: bytes, found: Lines | None) -> Side:
    if found:
        starts = found.starts
        lines: Sequence[str] = Written(found)
        size = lambda count: starts[count]  # noqa: E731 - one of two
    else:
        # Python ends a line at more than newlines: form feeds and U+2028, for example.
        written = decoded(text).splitlines(keepends=True)
        lines = [line.strip() for line in written]
        size = lambda count: len("".join(written[:count]).encode("utf-8", "surrogateescape"))  # noqa: E731

    @lru_cache(_REMEMBERED)
    def sentence(number: int) -> Sentence:
        return file.read(lines[number])

    return Side(file, lines, sentence, size)


def decoded(content: bytes) -> str:
    """A file's text. Bytes that are no UTF-8 stand for themselves (*mended*)."""
    return content.decode("utf-8", "surrogateescape")
