"""A text that is being edited, read into trees: each edit reads the touched sentences anew.

Knows no metric and no editor. A document never changes; an edit makes another one that shares
nearly everything with it. The text itself is kept as the sentences' pieces, each a stretch of
the source of the forest it was read in, so nothing is ever copied as a whole. A little longer than
other modules are: what an edit keeps and what it reads anew is decided over the same columns.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import SentenceChange
from treelens.formats.brackets import Habit
from treelens.formats.table import BRACKETS, SNIFFED_BYTES, Format, chosen, read
from treelens.session.long_lines import LONG, Columns, columns, line_ends
from treelens.session.readings import Readings, readings
from treelens.trees.forest import Forest, Problem, Symbols, decode, gather
from treelens.trees.other_lines import line_breaks

if TYPE_CHECKING:
    from treelens.trees.dependency_tree import DependencyTree
    from treelens.trees.tree import Tree

LINE_BREAK = re.compile(rb"\r\n|\r|\n")
_LOOKED_BACK = 8
"""Bytes before a piece that say whether a line, or a blank one, ends there."""

_ALONE = 16
"""Sentences that are kept as a forest of one."""

_UNREAD = frozenset(("unread", "too-deep"))
"""Codes of problems of a text that is not read as a whole."""

_BESIDE = 2
"""Sentences on either side that are read anew with those that were edited, at least."""


class Piece(NamedTuple):
    """Where a sentence lives: its forest, its row there, and what to add to offsets there."""

    forest: Forest
    row: int
    shift: int


class PieceRun(NamedTuple):
    """Sentences that stand one behind the other in a forest as they do in the text: the forest,
    their rows there, and what to add to offsets there."""

    forest: Forest
    rows: range
    shift: int

    @property
    def text(self) -> bytes:
        piece = self.forest.piece
        return self.forest.source[piece[self.rows.start, 0] : piece[self.rows.stop - 1, 1]]


class PieceStart(NamedTuple):
    """Where a sentence's piece starts now: its first byte and line, and the sentence's number."""

    offset: int
    line: int
    sentence: int
    begins_line: bool
    """Whether nothing of another sentence is on its first line."""


class Before(NamedTuple):
    """How much of a text stands before a stretch of it."""

    sentences: int = 0
    lines: int = 0


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Document:
    """A read text of ``n`` sentences. Offsets are bytes of its UTF-8, lines count from 0.

    ``start[k]`` is where the piece of sentence ``k`` starts, ``line[k]`` how many line breaks
    stand before it; both have the end of the text as their last element. A text without any
    tree has no sentences and is all in ``treeless``. ``format`` is the ``declared`` one, or what
    the beginning of the text says now.
    """

    symbols: Symbols
    format: Format
    declared: Format | None
    treeless: bytes
    start: npt.NDArray[np.int64]
    line: npt.NDArray[np.int64]
    _readings: Readings
    _starts: dict[int, PieceStart] = field(default_factory=dict)
    """Those that were asked for."""
    _alone: dict[int, Forest] = field(default_factory=dict)
    """Sentences that were asked for one at a time: an edit is looked at from several sides."""
    _ends: dict[int, npt.NDArray[np.int64]] = field(default_factory=dict)
    """Where lines end in the long ones of the pieces that were asked for."""
    _columns: dict[int, Columns] = field(default_factory=dict)
    """Of the long ones of the lines that were asked for, by where they start."""
    before: Before = field(default_factory=Before)
    """Of a stretch, which counts its sentences, lines and bytes from its own first ones."""

    def __len__(self) -> int:
        return len(self._readings.row)

    @property
    def length(self) -> int:
        """Bytes of the text."""
        return int(self.start[-1])

    @property
    def line_count(self) -> int:
        """Lines of the text: one more than it has line breaks."""
        return int(self.line[-1]) + 1

    def stretch(self, sentences: range) -> Document:
        """Some of the sentences, one behind the other, as a stretch of the text."""
        if sentences == range(len(self)):
            return self
        first, here = sentences.start, slice(sentences.start, sentences.stop)
        ends = slice(first, sentences.stop + 1)
        return dataclasses.replace(
            self,
            start=self.start[ends] - self.start[first],
            line=self.line[ends] - self.line[first],
            _readings=self._readings.among(here),
            _starts={},
            _alone={},
            _ends={},
            _columns={},
            before=Before(self.before.sentences + first, self.before.lines + int(self.line[first])),
        )

    def piece(self, sentence: int) -> Piece:
        forest, row = self._readings.of(sentence)
        return Piece(forest, row, int(self.start[sentence]) - int(forest.piece[row, 0]))

    def runs(self, sentences: range) -> Iterator[PieceRun]:
        """Some sentences, in order, as many at once as were read together: mostly all but those
        that were edited."""
        here = slice(sentences.start, sentences.stop)
        rows, homes = self._readings.row[here].tolist(), self._readings.home[here].tolist()
        first = 0
        for at in range(1, len(rows) + 1):
            if at == len(rows) or homes[at] != homes[first] or rows[at] != rows[first] + at - first:
                forest, row, shift = self.piece(sentences.start + first)
                yield PieceRun(forest, range(row, row + at - first), shift)
                first = at

    def starts(self, sentence: int) -> PieceStart:
        """Where a sentence starts, looked up once for all the features that ask."""
        known = self._starts.get(sentence)
        if known is None:
            place = int(self.start[sentence]), int(self.line[sentence])
            known = PieceStart(*place, sentence, self._begins_line(sentence))
            self._starts[sentence] = known
        return known

    def _begins_line(self, sentence: int) -> bool:
        if sentence == 0:
            return True
        forest, row, _ = self.piece(sentence - 1)
        start, end = forest.piece[row].tolist()
        return start < end and forest.source[end - 1] in b"\n\r"

    def tree(self, sentence: int) -> Tree:
        """One sentence as objects, with offsets of this document."""
        from treelens.trees.tree import tree  # which scoring does without, as the next

        return tree(*self.piece(sentence))

    def dependency_tree(self, sentence: int) -> DependencyTree | None:
        """One sentence with its heads, if the format has heads."""
        from treelens.trees.dependency_tree import dependency_tree

        return dependency_tree(*self.piece(sentence))

    def forest(self, sentences: npt.NDArray[np.integer[Any]] | range) -> Forest:
        """The given sentences as columns, in the given order. Their offsets are into the forest's
        own source, which is not this text unless all were read together; see :meth:`piece`."""
        indices = np.asarray(sentences, np.int64)
        if len(indices) == 1:
            return self._forest_of(int(indices[0]))
        return self._readings.forest(indices)

    def _forest_of(self, sentence: int) -> Forest:
        known = self._alone.get(sentence)
        if known is None:
            if len(self._alone) >= _ALONE:
                self._alone.clear()
            forest, row, _ = self.piece(sentence)
            known = self._alone[sentence] = gather(forest, np.array([row]))
        return known

    def parts(self) -> Iterator[tuple[Forest, npt.NDArray[np.int64]]]:
        """The forests that sentences live in, and for each of a forest's sentences the text's
        that it is, or -1."""
        for home, here in self._readings.parts():
            forest = self._readings.forests[home]
            numbers = np.full(len(forest), -1, np.int64)
            numbers[self._readings.row[here]] = here
            yield forest, numbers

    def problems(self, first: int = 0, end: int | None = None) -> list[Problem]:
        """What is wrong in the text of some sentences (by default all), in text order."""
        if not len(self):
            return [*self._readings.problems[0].found]
        found = []
        sentences: Iterable[int] = range(first, len(self) if end is None else end)
        if sentences == range(len(self)):
            sentences = self.with_problems().tolist()
        for sentence in sentences:
            if here := self._readings.problems_of(sentence):
                shift = self.piece(sentence).shift
                found += [problem.moved(shift) for problem in here]
        return found

    @property
    def unread(self) -> Problem | None:
        """What says that the text is not read, or not as a whole; None of most."""
        found = [problem for home in self._readings.problems.values() for problem in home.found]
        if len(self):
            found = [problem for problem in found if problem.code in _UNREAD]
        return found[0] if found else None

    @property
    def care(self) -> float:
        """At least how much of the care that a text may take it has taken, as a share: no text that
        is close to 1 is to be edited where it would be waited for."""
        return self._readings.care()

    def problem_count(self, sentence: int) -> int:
        """How many problems a sentence has."""
        return len(self._readings.problems_of(sentence))

    def is_broken(self, sentence: int) -> bool:
        """Whether a sentence has a problem that is an error."""
        return self._readings.is_broken(sentence)

    def with_problems(self, *, errors: bool = False) -> npt.NDArray[np.intp]:
        """Sentences that have problems, ascending: none is looked at one by one; ``errors``: those
        whose text is broken."""
        return self._readings.with_problems(errors=errors)

    def sentence_at(self, offset: int) -> int | None:
        """The sentence whose piece holds an offset; the last one at the end of the text."""
        if not len(self):
            return None
        return min(int(self.start.searchsorted(offset, side="right")), len(self)) - 1

    def text(self, start: int = 0, end: int | None = None) -> bytes:
        """A stretch of the text, by default all of it."""
        end = self.length if end is None else min(end, self.length)
        if not len(self):
            return self.treeless[start:end]
        if (whole := self._readings.whole()) is not None:
            return whole.source[start:end]  # it is as it was read
        first = max(int(np.searchsorted(self.start, start, side="right")) - 1, 0)
        last = int(np.searchsorted(self.start, end, side="left"))
        if last == first + 1:
            forest, _, shift = self.piece(first)
            return forest.source[start - shift : end - shift]
        joined = b"".join([run.text for run in self.runs(range(first, last))])
        base = int(self.start[first])
        return joined[start - base : end - base]

    def piece_text(self, sentence: int) -> bytes:
        """A sentence's text with what stands around it."""
        forest, row, _ = self.piece(sentence)
        low, high = forest.piece[row].tolist()
        return forest.source[low:high]

    def line_at(self, offset: int) -> int:
        """The line an offset is on. Between ``\\r`` and ``\\n`` the line has not ended yet."""
        sentence = int(self.start.searchsorted(offset, "right")) - 1
        long = self._long(sentence)
        if long is not None:
            base, line, ends = long
            return line + int(ends.searchsorted(offset - base, "right"))
        base, line, text = self._around(sentence)
        return line + _ended(text, max(offset - base, 0))

    def line_start(self, offset: int) -> tuple[int, int]:
        """The line an offset is on, and where that starts: looked for from the offset back."""
        sentence = int(self.start.searchsorted(offset, "right")) - 1
        if self._long(sentence) is not None:
            line = self.line_at(offset)
            return line, self._line_start(line)
        base, line, text = self._around(sentence)
        at = max(offset - base, 0)
        start = max(text.rfind(b"\n", 0, at), text.rfind(b"\r", 0, at)) + 1
        line += _ended(text, at)
        if start and text[start - 1 : start + 1] != b"\r\n":
            return line, base + start
        return line, self._line_start(line)

    def lines_at(self, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The lines that many offsets are on: the whole text is looked through once."""
        return np.searchsorted(line_ends(self.text()), offsets, side="right")

    def line_bounds(self, line: int) -> tuple[int, int]:
        """Where a line starts and ends, its line break left out. Lines past the end are empty."""
        if line >= self.line_count:
            return self.length, self.length
        start = self._line_start(line)
        if line + 1 >= self.line_count:
            return start, self.length
        end = self._line_start(line + 1)
        tail = self.text(max(start, end - 2), end)
        return start, end - (2 if tail == b"\r\n" else 1)

    def _line_start(self, line: int) -> int:
        """The offset after the ``line``-th line break, which exists."""
        if line == 0:
            return 0
        at = int(np.searchsorted(self.line, line, side="left")) - 1
        long = self._long(at)
        if long is not None:
            base, before, ends = long
            return base + int(ends[line - before - 1])
        base, before, text = self._around(at)
        for number, match in enumerate(LINE_BREAK.finditer(text), before + 1):
            if number == line:
                return base + match.end()
        raise AssertionError(f"line {line} is not in piece {at}")

    def column(self, line: int, start: int, offset: int) -> int:
        """How many characters stand before an offset on a line, which starts at ``start``."""
        if offset - start <= LONG:
            return len(decode(self.text(start, offset)))
        if start not in self._columns:
            self._columns[start] = columns(self.text(start, self.line_bounds(line)[1]))
        known, characters = self._columns[start].before(offset - start)
        return characters + len(decode(self.text(start + known, offset)))

    def _long(self, sentence: int) -> tuple[int, int, npt.NDArray[np.int64]] | None:
        """Of a long piece its offset, the line breaks before it, and where lines end in it."""
        sentence = min(max(sentence, 0), len(self) - 1)
        if sentence < 0 or self.start[sentence + 1] - self.start[sentence] <= LONG:
            return None
        if sentence not in self._ends:
            self._ends[sentence] = line_ends(self.piece_text(sentence))
        return int(self.start[sentence]), int(self.line[sentence]), self._ends[sentence]

    def _around(self, sentence: int) -> tuple[int, int, bytes]:
        """A piece's offset, the line breaks before it, and its text."""
        if not len(self):
            return 0, 0, self.treeless
        sentence = min(max(sentence, 0), len(self) - 1)
        return int(self.start[sentence]), int(self.line[sentence]), self.piece_text(sentence)

    def edit(self, start: int, end: int, replacement: bytes) -> tuple[Document, SentenceChange]:
        """The document after ``[start, end)`` was replaced, and which sentences that touched."""
        if self.care > 1:
            return self._anew(self.text(0, start) + replacement + self.text(end))
        edited, change = self._edited(start, end, replacement)
        if start < SNIFFED_BYTES:
            format = chosen(self.declared, edited.text(0, min(SNIFFED_BYTES, edited.length)))
            if format is not self.format:
                return self._anew(edited.text())
        # (What there is no care left for is found by reading all of the text.)
        past = edited.care > 1 and len(edited._readings.forests) > 1
        return self._anew(edited.text()) if past else (edited, change)

    def _anew(self, text: bytes) -> tuple[Document, SentenceChange]:
        fresh = document(text, self.symbols, self.declared)
        return fresh, SentenceChange(0, len(self), len(fresh))

    def _edited(self, start: int, end: int, replacement: bytes) -> tuple[Document, SentenceChange]:
        """The same in the format that it has been in."""
        among_closed = self._edited_among_closed(start, end, replacement)
        if among_closed is not None:
            return among_closed
        first, last = self._reach(start, end)
        base, stop = int(self.start[first]), int(self.start[last])
        text = (
            self.text(base, start) + replacement + self.text(end, stop)
            if len(self)
            else self.treeless[:start] + replacement + self.treeless[end:]
        )
        fresh = _read(text, self.symbols, self.format, self.declared)
        if first == 0 and last == len(self):
            if fresh.care > 1:
                return fresh, SentenceChange(0, len(self), len(fresh))
            change = self._trim(fresh, SentenceChange(0, len(self), len(fresh)))
            if change.old_end - change.first == len(self):
                return fresh, change
        elif not len(fresh):
            # Nothing but blanks and comments is left here: they belong to a neighbour.
            rest = self.text(0, start) + replacement + self.text(end)
            whole, _ = self._edited(0, self.length, rest)
            return whole, SentenceChange(0, len(self), len(whole))
        change = self._trim(fresh, SentenceChange(first, last, first + len(fresh)))
        return self._splice(fresh, first, change), change

    def _edited_among_closed(
        self, start: int, end: int, replacement: bytes
    ) -> tuple[Document, SentenceChange] | None:
        """The same where trees end where they are closed, as all around are before and after,
        however far it is to the next anchor; None elsewhere."""
        if self.format.layout != "brackets" or not len(self):
            return None
        first, last = self._touched(start, end)
        first, last = max(first - _BESIDE, 0), min(last + _BESIDE, len(self))
        # (Mostly there is one at each tree's beginning.)
        is_far = self.format is BRACKETS[Habit.PARAGRAPH] or not all(
            map(self._anchored, range(max(first, 1), last))
        )
        if not is_far or any(map(self.is_broken, range(first, last))):
            return None
        base, stop = int(self.start[first]), int(self.start[last])
        text = self.text(base, start) + replacement + self.text(end, stop)
        fresh = _read(text, self.symbols, self.format, self.declared)
        if not len(fresh) or len(fresh.with_problems(errors=True)):
            return None
        # (A comment that was begun goes on to the end of the line.)
        begins = first == 0 or self._is_as(first, fresh, 0)
        if not (begins and (last == len(self) or self._is_as(last - 1, fresh, len(fresh) - 1))):
            return None
        change = self._trim(fresh, SentenceChange(first, last, first + len(fresh)))
        return self._splice(fresh, first, change), change

    def since(self, old: Document) -> SentenceChange:
        """Which sentences are others than an earlier state's of the same text; all of them of a
        text that was read anew."""
        mine, theirs = self._readings, old._readings
        first, last = mine.alike(theirs, 1), 0
        if first < min(len(self), len(old)):
            last = mine.alike(theirs, -1)
        return SentenceChange(first, len(old) - last, len(self) - last)

    def _reach(self, start: int, end: int) -> tuple[int, int]:
        """The sentences to read anew: those touched, to the anchors around, and one more stretch.

        The stretch before may gain what is no tree any more, the one behind the comments.
        """
        if not len(self):
            return 0, 0
        first, last = self._touched(start, end)
        for further in (0, 1):
            first, last = max(first - further, 0), min(last + further, len(self))
            while first > 0 and not self._anchored(first):
                first -= 1
            while last < len(self) and not self._anchored(last):
                last += 1
        return first, last

    def _touched(self, start: int, end: int) -> tuple[int, int]:
        """The sentences that an edit touches, with those that end where it begins."""
        first = int(np.searchsorted(self.start, start - 1, side="right")) - 1
        return first, int(np.searchsorted(self.start, end, side="right"))

    def _anchored(self, sentence: int) -> bool:
        forest, row, _ = self.piece(sentence)
        piece, begin = int(forest.piece[row, 0]), int(forest.tree[row, 0])
        start = int(self.start[sentence])
        before = self.text(max(start - _LOOKED_BACK, 0), start)
        return self.format.anchored(before, forest.source[piece:begin])

    def _trim(self, fresh: Document, change: SentenceChange) -> SentenceChange:
        """The change without the sentences at both ends that are as they were."""
        first, old_end, new_end = change
        base = first
        while first < min(old_end, new_end) and self._is_as(first, fresh, first - base):
            first += 1
        while min(old_end, new_end) > first and self._is_as(old_end - 1, fresh, new_end - 1 - base):
            old_end, new_end = old_end - 1, new_end - 1
        return SentenceChange(first, old_end, new_end)

    def _is_as(self, sentence: int, fresh: Document, other: int) -> bool:
        """Whether a sentence reads as another one does, to what is wrong with it.

        That may depend on what stands before: IDs of a table begin again without a blank line.
        """
        return self.piece_text(sentence) == fresh.piece_text(other) and (
            self._problems_inside(sentence) == fresh._problems_inside(other)
        )

    def _problems_inside(self, sentence: int) -> list[Problem]:
        """A sentence's problems, with offsets within its piece."""
        forest, row, _ = self.piece(sentence)
        base = int(forest.piece[row, 0])
        return [problem.moved(-base) for problem in self._readings.problems_of(sentence)]

    def _splice(self, fresh: Document, base: int, change: SentenceChange) -> Document:
        """This document with the changed sentences taken from a reading of their text."""
        first, old_end, new_end = change
        start_shift = int(self.start[base])
        line_shift = int(self.line[base])
        return Document(
            self.symbols,
            self.format,
            self.declared,
            b"",
            _replaced(
                self.start,
                first,
                old_end,
                fresh.start[first - base : new_end - base + 1] + start_shift,
            ),
            _replaced(
                self.line,
                first,
                old_end,
                fresh.line[first - base : new_end - base + 1] + line_shift,
            ),
            self._readings.fewer(self.length, self._begins_line).spliced(
                first, old_end, fresh._readings.among(slice(first - base, new_end - base))
            ),
        )


def _replaced(
    bounds: npt.NDArray[np.int64], first: int, old_end: int, new: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Running bounds with those of ``[first, old_end]`` replaced and the rest shifted."""
    return np.concatenate(
        [bounds[:first], new, bounds[old_end + 1 :] + (new[-1] - bounds[old_end])]
    )


def document(source: bytes, symbols: Symbols, format: Format | None = None) -> Document:
    """Read a text, in the format that it looks like unless one is given."""
    return _read(source, symbols, chosen(format, source), format)


def _read(source: bytes, symbols: Symbols, format: Format, declared: Format | None) -> Document:
    forest, problems = read(format, source, symbols)
    return _of_forest(forest, problems, format, declared)


def _of_forest(
    forest: Forest, problems: list[Problem], format: Format, declared: Format | None
) -> Document:
    """The document of a text that was read as one, problems in text order."""
    source = forest.source
    sentences = len(forest)
    start = np.append(forest.piece[:, 0], len(source)).astype(np.int64)
    if sentences:
        line = np.searchsorted(line_ends(source), start, side="right")
    else:  # (Which may be hundreds of megabytes of anything.)
        line = np.array([line_breaks(source)])
    return Document(
        forest.symbols,
        format,
        declared,
        b"" if sentences else source,
        start if sentences else np.array([len(source)], np.int64),
        line,
        readings(forest, problems),
    )


def _ended(text: bytes, before: int) -> int:
    """How many lines end in a text before a byte of it."""
    if b"\r" not in text:
        return text.count(b"\n", 0, before)
    return sum(match.end() <= before for match in LINE_BREAK.finditer(text))


def place(document: Document, offset: int) -> tuple[int, int]:
    """Line and column of an offset, in the whole text and from 1; columns are characters."""
    line, start = document.line_start(offset)
    return document.before.lines + line + 1, document.column(line, start, offset) + 1
