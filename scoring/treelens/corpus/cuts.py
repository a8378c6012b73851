"""Two texts in stretches that are likely to hold the same sentences, found without reading them.

A stretch ends where a sentence is certain to start, so each can be read for itself; that of the
other text, where a sentence starts that has much the same words, near as many sentences on.
Whether they do hold the same sentences is seen when they are read.
"""

from __future__ import annotations

import bisect
import codecs
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.corpus.sources import Source, Watch, chunks, unwatched
from treelens.formats import table
from treelens.formats.brackets import Habit
from treelens.formats.table import Format
from treelens.trees.other_lines import CLOSED_WORD

Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_OVERLAP = 1 << 12
"""Bytes that are looked at again with the next chunk: what makes a place certain is that long, or
is not seen and the place is none."""

_LOOKED_AT = 1 << 16
"""Bytes in which the end of a stretch is looked for at a time."""

_LONGEST_OF = 8
"""Sentences of which the longest, which is like no other one, begins the next stretch."""

_DRIFT = 1 << 12
"""Sentences by which the other text may have more or fewer in a stretch."""

_NEWLINE, _RETURN, _OPEN = b"\n\r("
_MARK = codecs.BOM_UTF8[0]
_COMMENT_MARKS = b"#%;"
_PARAGRAPH = re.compile(rb"\n[ \t]*+\r?\n[ \t\r\n]*+(?=\()")
_BLANK_LINE = re.compile(rb"[ \t\v\f]++[\r\n]")


class ByteStretch(NamedTuple):
    """Bytes ``[start, end)`` of a text."""

    start: int
    end: int


def stretches(
    gold: Source,
    system: Source,
    formats: tuple[Format, Format],
    size: int,
    watch: Watch = unwatched,
    tail: int = 0,
) -> Iterator[tuple[ByteStretch, ByteStretch]]:
    """Both texts in stretches of about ``size`` bytes, side by side; either may be empty. tail:
    bytes at the end in which stretches are half as long, so that processes that share them out
    end together; of texts of a known size.

    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    sides = [
        _Places(source, format, watch)
        for source, format in zip((gold, system), formats, strict=True)
    ]
    while not all(side.at_end for side in sides):
        first, other = sides if not sides[0].at_end else sides[::-1]
        count = first.places_within(size // 2 if 0 < first.left <= tail else size)
        its = count
        if not other.at_end and (longest := first.longest(count)):
            count, words = longest
            its = other.counterpart(count, words)
        one, two = first.take(count), other.take(its)
        yield (one, two) if first is sides[0] else (two, one)


def stretches_of(
    source: Source, format: Format, size: int, skipped: int = 0
) -> Iterator[ByteStretch]:
    """One plain text of a known size in stretches of about ``size`` bytes: no more of it is read
    than shows where these end. skipped: bytes of a mark at its start, which are not counted.

    Raises as opening the source does.
    """
    find, text_end = _finder(format), (source.size or 0) - skipped

    def first_after(offset: int) -> int:
        """The first certain place behind one; the end is one."""
        for begin in range(max(offset - _OVERLAP, 0), text_end, _LOOKED_AT):
            stream.seek(skipped + begin)
            places = find(stream.read(_OVERLAP + _LOOKED_AT)) + begin
            for place in places[places > offset][:1].tolist():
                return place
        return text_end

    start = 0
    with source.open() as stream:
        while start < text_end:
            end = first_after(start + size)
            yield ByteStretch(start, end)
            start = end


def stands_among_others(text: bytes, format: Format) -> bool:
    """Whether what stands before and behind a text is certain to be nothing to it: it starts where
    a sentence is certain to start, and nothing is open or left over at its end."""
    if b"\r" in text:
        return False
    if format.layout == "brackets":
        return text.startswith(b"(") and text.endswith((b")\n", b")\n\n"))
    last = text[text.rfind(b"\n", 0, -2) + 1 : -2]
    return text.endswith(b"\n\n") and bool(last) and not last.startswith(b"#") and text[:1] > b" "


class _Places:
    """The places in a text where a sentence is certain to start, as they come, and the text from
    the first of them on that is in no stretch yet, in parts as it was read: to put them together
    for each took as long as to look for the places."""

    def __init__(self, source: Source, format: Format, watch: Watch) -> None:
        self._size = source.size or 0
        self._chunks = chunks(source, watch)
        self._find = _finder(format)
        self._word = _WORDS.get(format.name, _NO_WORD)
        self._text = deque[bytes]()
        self._held = 0
        self._read = 0
        self._waiting: list[int] = []
        self._start = 0
        self._ended = False
        self._fill(1)

    @property
    def at_end(self) -> bool:
        return self._ended and self._start == self._read

    @property
    def left(self) -> int:
        """Bytes that are in no stretch yet, where the size is known; else not more than 0."""
        return self._size - self._start

    def places_within(self, size: int) -> int:
        """The number, from 1, of the first place after so many bytes; the end is the last one."""
        while not self._ended and (not self._waiting or self._waiting[-1] < self._start + size):
            self._more()
        return bisect.bisect_left(self._waiting, self._start + size) + 1

    def longest(self, count: int) -> tuple[int, frozenset[bytes]] | None:
        """Of the place of that number and some after it, the one where the longest sentence starts,
        and the words of this; None at the end."""
        self._fill(count + _LONGEST_OF)
        lengths = np.diff(self._waiting[count - 1 : count + _LONGEST_OF])
        if not len(lengths):
            return None
        found = count + int(np.argmax(lengths))
        return found, self._words(found)

    def counterpart(self, count: int, words: frozenset[bytes]) -> int:
        """The number of the place nearest to that of a number where a sentence with most of some
        words starts; if there is none, the same number."""
        self._fill(count + 1)
        if not words or self._holds(count, words):
            return count
        self._fill(count + _DRIFT)
        first = max(count - _DRIFT, 1)
        near = self._waiting[first - 1 : count + _DRIFT]
        if not near:
            return count
        # (One word tells which few sentences to look at.)
        text, word = self._between(near[0], near[-1]), max(words, key=len)
        found = (near[0] + one.start() for one in re.finditer(re.escape(word), text))
        numbers = {first - 1 + bisect.bisect_right(near, at) for at in found}
        nearest = sorted(numbers, key=lambda number: (abs(number - count), number))
        return next((number for number in nearest if self._holds(number, words)), count)

    def _holds(self, number: int, words: frozenset[bytes]) -> bool:
        if not 0 < number < len(self._waiting):
            return False
        here = self._words(number)
        return 2 * len(here & words) > max(len(here), len(words))

    def _words(self, number: int) -> frozenset[bytes]:
        """Of the sentence at the place of that number, which is not the last one that is known."""
        start, end = self._waiting[number - 1 : number + 1]
        return frozenset(re.findall(self._word, self._between(start, end)))

    def _between(self, start: int, end: int) -> bytes:
        """The text there, which is behind the first place that is in no stretch yet."""
        parts, at = list[bytes](), self._read
        for part in reversed(self._text):
            at -= len(part)
            if at < end:
                parts.append(part[max(start - at, 0) : end - at])
            if at <= start:
                break
        return b"".join(reversed(parts))

    def take(self, count: int) -> ByteStretch:
        """The stretch up to the place of that number; to the end if there are not so many."""
        self._fill(count)
        start = self._start
        self._start = self._read if count > len(self._waiting) else self._waiting[count - 1]
        del self._waiting[:count]
        return ByteStretch(start, self._start)

    def _fill(self, count: int) -> None:
        while not self._ended and len(self._waiting) < count:
            self._more()

    def _more(self) -> None:
        chunk = next(self._chunks, None)
        if chunk is None:
            self._ended = True
            return
        before = self._between(max(self._read - _OVERLAP, 0), self._read)
        found = self._find(before + chunk) + (self._read - len(before))
        known = self._waiting[-1] if self._waiting else self._start
        self._waiting += found[np.searchsorted(found, known, side="right") :].tolist()
        self._read += len(chunk)
        self._text.append(chunk)
        self._held += len(chunk)
        kept = max(self._read - self._waiting[0] if self._waiting else 0, _OVERLAP)
        while self._held - len(self._text[0]) >= kept:
            self._held -= len(self._text.popleft())


Finder = Callable[[bytes], Offsets]


def _finder(format: Format) -> Finder:
    return _FINDERS.get(format.name, _nowhere)(format)


def _brackets(format: Format) -> Finder:
    return _columns if format is table.BRACKETS[Habit.COLUMN] else _paragraphs


def _columns(text: bytes) -> Offsets:
    data = np.frombuffer(text, np.uint8)
    # (There are fewer lines than brackets.)
    breaks = data[:-1] == _NEWLINE
    if b"\r" in text:
        breaks |= data[:-1] == _RETURN
    starts = np.flatnonzero(breaks) + 1
    head = data[starts]
    comment = (
        (head == _COMMENT_MARKS[0]) | (head == _COMMENT_MARKS[1]) | (head == _COMMENT_MARKS[2])
    )
    if comment.any():
        return _below_lines(text, starts, head, comment)
    # (Whether there is a comment above the first is not seen.)
    return starts[head == _OPEN][1:]


def _below_lines(
    text: bytes, starts: Offsets, head: npt.NDArray[np.uint8], comment: Flags
) -> Offsets:
    """Where trees with the comments above them start, which are theirs: behind the last line before
    them that is neither blank nor a comment, where that is seen."""
    marked = np.flatnonzero(comment)
    closed = [bool(CLOSED_WORD.match(text, start)) for start in starts[marked].tolist()]
    comment[marked[closed]] = False
    marked = np.flatnonzero(comment)
    other = ~(comment | (head == _NEWLINE) | (head == _RETURN))
    before = np.append(-1, np.maximum.accumulate(np.where(other, np.arange(len(head)), -1)))
    trees = np.flatnonzero(head == _OPEN)
    last = before[trees]
    seen = last >= 0
    seen[seen] = [not _BLANK_LINE.match(text, at) for at in starts[last[seen]].tolist()]
    trees, last = trees[seen], last[seen]
    first = np.append(marked, len(head))[np.searchsorted(marked, last)]
    return starts[np.minimum(first, trees)]


def _paragraphs(text: bytes) -> Offsets:
    found = (one for one in _PARAGRAPH.finditer(text) if not _is_comment_above(text, one.start()))
    return np.array([one.end() for one in found], np.int64)


def _is_comment_above(text: bytes, end: int) -> bool:
    """Whether the line that ends there may be a comment, which is then the next tree's."""
    end -= text[end - 1 : end] == b"\r"
    start = max(text.rfind(b"\n", 0, end), text.rfind(b"\r", 0, end)) + 1
    return start == 0 or text[start] in _COMMENT_MARKS


def _tables(format: Format) -> Finder:
    return _behind_empty_lines


def _behind_empty_lines(text: bytes) -> Offsets:
    data = np.frombuffer(text, np.uint8)
    breaks = np.flatnonzero(data == _NEWLINE)
    gap = np.diff(breaks)
    empty = (gap == 1) | ((gap == 2) & (data[breaks[1:] - 1] == _RETURN))
    places = breaks[1:][empty] + 1
    places = places[places < len(data)]
    # (At the start of a text a byte order mark is none of it; elsewhere it is.)
    ahead = data[places]
    return places[(ahead != _NEWLINE) & (ahead != _RETURN) & (ahead != _MARK)]


def _nowhere(format: Format) -> Finder:
    return lambda text: np.zeros(0, np.int64)


_FINDERS: dict[str, Callable[[Format], Finder]] = {"brackets": _brackets, "conll": _tables}
"""By a format's name; a text of another format is one stretch."""

_WORDS = {
    "brackets": rb"([^\s()]++)\s*+\)",
    "conll": rb"(?m)^[0-9]++\t([^\t\n]++)",
}
_NO_WORD = rb"(?!)"
"""What the words of a sentence are, near enough to know it by."""
