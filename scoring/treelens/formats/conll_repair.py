"""CoNLL tables that are not well-formed: read with care, explained, taken as far as they go.

One line at a time, nothing clever: this is also the oracle that the columns of
:mod:`treelens.formats.conll` are tested against. It never raises, never recurses, and takes
time linear in the text (but for a logarithm). What it assumes about broken text it says in a
problem. Longer than other modules are: every fault is explained where it is met, and the reader
that meets them is one.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from treelens.render.numbers import number_of
from treelens.trees.forest import (
    COLUMNS,
    DEPREL,
    DEPS,
    FEATS,
    FEWER_COLUMNS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    MISC,
    NOWHERE,
    ROOT,
    UPOS,
    XPOS,
    Anchors,
    Dependencies,
    Fields,
    Forest,
    Ints,
    Keys,
    Problem,
    Symbols,
    decode,
    running,
)

DIGITS = 9
"""A whole number has no more than so many; a longer one is no word's."""

BOM = b"\xef\xbb\xbf"
_LINE_BREAK = re.compile(rb"\r\n|\r|\n")
_CELL = re.compile(rb"[^ \t]+")
_BLANKS = re.compile(rb"[ \t]* [ \t]*")
_PART_ID = re.compile(rb"\d+[-.]")
_SHOWN = 24
"""Characters of a user's text that a message quotes."""
_LISTED = 6
"""Words of a circle that a message names."""

Span = tuple[int, int]
Severity = Literal["error", "warning"]


class _Row(NamedTuple):
    """A line that is no comment: its extent, and ten cells; of those it may have ``given``."""

    start: int
    end: int
    cells: list[Span]
    given: int = COLUMNS


@dataclass(slots=True)
class _Word:
    row: _Row
    number: int | None
    """Its ID, unless that is no number, or another word's."""
    head: int = NOWHERE
    token: int = 0
    surface: Span = (0, 0)


class _Range(NamedTuple):
    first: int
    last: int
    row: _Row


@dataclass(slots=True)
class _Sentence:
    start: int
    end: int = 0
    lines: int = 0
    short: list[tuple[int, _Row]] = field(default_factory=list)
    """Lines that have all columns but the last two, which is right if all of them do."""
    expected: int = 1
    """The ID that the next word should have."""
    words: list[_Word] = field(default_factory=list)
    by_number: dict[int, int] = field(default_factory=dict)
    ranges: list[_Range] = field(default_factory=list)
    empty_node: tuple[int, int] = (0, 0)
    wordless: Span | None = None
    """A range or an empty node, which alone make no sentence."""


class _Run(NamedTuple):
    """Rows one below the other that have the same wrong number of columns."""

    columns: int
    rows: int
    problem: int
    message: str


class _Reading:
    """One region being read: the sentence at hand, what is finished, what was found wrong."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.sentences: list[_Sentence] = []
        self.problems: list[Problem] = []
        self.open: _Sentence | None = None
        self.narrow: _Run | None = None
        self.comments: list[Span] = []
        """Comments since the last row, which may be the next sentence's."""

    # --- lines -----------------------------------------------------------------------------

    def comment(self, start: int, end: int) -> None:
        if self.open is None:
            self.open = _Sentence(start)
        if self.open.lines:
            self.comments.append((start, end))

    def row(self, start: int, end: int) -> None:
        row = self.split(start, end)
        name = self.text(row.cells[ID])
        if self.open is not None and self.open.words and self.opens(name):
            self.missing_blank_line(row)
        if self.open is None:
            self.open = _Sentence(start)
        self.stray_comments()
        if row.given == FEWER_COLUMNS:
            self.open.short.append((self.open.lines, row))
        self.open.lines += 1
        self.open.end = end
        number = whole_number(name)
        if number is not None or (not _PART_ID.match(name) and self.tabs(row) >= 3):
            self.word(self.open, row, number)
        elif _PART_ID.match(name):
            self.part(self.open, row, name)
        else:
            self.problem(
                "stray",
                f"“{self.quote((start, end))}” is neither a row of a table (ten columns with tabs "
                "between them, the first a number) nor a comment (#); ignored",
                (start, end),
            )

    def finish(self) -> None:
        sentence, self.open, self.narrow = self.open, None, None
        if sentence is None:
            return
        if sentence.lines:
            self.stray_comments()
        if len(sentence.short) < sentence.lines:
            self.short_rows(sentence)
        if sentence.words:
            self.check_ranges(sentence)
            self.resolve_heads(sentence)
            self.sentences.append(sentence)
        elif sentence.wordless:
            self.problem(
                "no-words",
                "there is no word here, only multiword tokens or empty nodes; no sentence",
                sentence.wordless,
            )

    def opens(self, name: bytes) -> bool:
        """Whether a row of this ID is the first one of another sentence."""
        assert self.open is not None
        if self.open.expected <= 2 and not self.comments:
            return False
        first = re.split(rb"[-.]", name, maxsplit=1)[0]
        return whole_number(first) == (0 if b"." in name else 1)

    def missing_blank_line(self, row: _Row) -> None:
        start = self.comments[0][0] if self.comments else row.start
        self.problem(
            "no-blank-line",
            f"the IDs begin again with {self.quote(row.cells[ID])}, but there is no blank line "
            "between two sentences; read as if there was one",
            row.cells[ID],
        )
        self.comments.clear()
        self.finish()
        self.open = _Sentence(start)

    def stray_comments(self) -> None:
        for span in self.comments:
            self.problem(
                "late-comment",
                "a comment stands behind the first row of a sentence; strict readers take it for "
                "a row (comments stand above the sentence); ignored",
                span,
                "warning",
            )
        self.comments.clear()

    # --- columns ---------------------------------------------------------------------------

    def split(self, start: int, end: int) -> _Row:
        line = self.source[start:end].rstrip(b" ")
        cells = _between_tabs(line, start)
        if len(cells) == COLUMNS:
            self.narrow = None
            return _Row(start, end, cells)
        apart = [(start + cell.start(), start + cell.end()) for cell in _CELL.finditer(line)]
        if len(apart) == COLUMNS and len(cells) < COLUMNS:
            self.space_for_tab(line, start)
            return _Row(start, end, apart)
        if len(cells) == FEWER_COLUMNS:
            self.narrow = None  # told once it is known whether all of the sentence's are so
        elif len(cells) > 1:
            self.wrong_columns(cells, end)
        elif len(apart) > 1 and whole_number(self.text(apart[ID])) is not None:
            cells = apart
            self.problem(
                "columns",
                f"{number_of(len(apart), 'column')} with spaces between them, where {COLUMNS} with "
                "tabs are expected; missing ones are taken as empty",
                (start, end),
            )
        missing = start + len(line)
        padded = cells[:COLUMNS] + [(missing, missing)] * (COLUMNS - len(cells))
        return _Row(start, end, padded, min(len(cells), COLUMNS))

    def space_for_tab(self, line: bytes, start: int) -> None:
        found = list(_BLANKS.finditer(line))
        first, last = found[0], found[-1]
        before = _CELL.findall(line, 0, first.start())[-1:] or [b""]
        after = _CELL.search(line, first.end())
        more = f", and in {number_of(len(found) - 1, 'place')} more" if len(found) > 1 else ""
        self.problem(
            "space-for-tab",
            f"a space stands where a tab is expected, between “{_shown(before[0])}” "
            f"and “{_shown(after[0]) if after else ''}”{more}; read as a tab",
            (start + first.start(), start + last.end()),
        )

    def short_rows(self, sentence: _Sentence) -> None:
        line = -1
        for number, row in sentence.short:
            self.narrow = self.narrow if number == line + 1 else None
            self.wrong_columns(row.cells[: row.given], row.end)
            line = number
        self.narrow = None

    def wrong_columns(self, cells: list[Span], end: int) -> None:
        """One problem for a run of rows that have the same number of columns."""
        run = self.narrow
        if run and run.columns == len(cells):
            run = run._replace(rows=run.rows + 1)
            first = self.problems[run.problem]
            message = f"{number_of(run.rows, 'row')} with {run.message}"
            self.problems[run.problem] = first._replace(message=message, end=end)
        else:
            run = _Run(len(cells), 1, len(self.problems), self.columns_message(cells))
            start = cells[0][0] if len(cells) < COLUMNS else cells[COLUMNS][0] - 1
            self.problem("columns", run.message, (start, end))
        self.narrow = run

    def columns_message(self, cells: list[Span]) -> str:
        found = f"{number_of(len(cells), 'column')} where {COLUMNS} are expected"
        if len(cells) < COLUMNS:
            spaced = any(b" " in self.text(cell) for cell in cells)
            hint = " (a space may stand where a tab should)" if spaced else ""
            return f"{found}{hint}; missing ones are taken as empty"
        empty = [str(k) for k, (a, b) in enumerate(cells, 1) if a == b]
        hint = f" (column {empty[0]} is empty: a tab too many?)" if empty else ""
        return f"{found}{hint}; those behind are ignored"

    def tabs(self, row: _Row) -> int:
        return self.source.count(b"\t", row.start, row.end)

    # --- identifiers -----------------------------------------------------------------------

    def word(self, sentence: _Sentence, row: _Row, number: int | None) -> None:
        span, expected = row.cells[ID], sentence.expected
        shown = self.quote(span)
        if not number:
            self.problem(
                "id",
                f"the ID of a word is {shown or 'empty'}; {expected} is expected, and assumed"
                if number is None
                else f"0 is the ID of no word but of the root; {expected} is expected, and assumed",
                span if shown else (row.start, row.end),
            )
            number = expected
        elif number in sentence.by_number:
            other = self.form(sentence.words[sentence.by_number[number]])
            self.problem(
                "id-again",
                f"the ID {shown} is given twice, first to {other}, which heads of {shown} mean; "
                f"{expected} is expected",
                span,
            )
        elif number != expected:
            self.problem(
                "id-order",
                f"the ID is {shown}; {expected} is expected; heads are taken to mean IDs as they "
                "are written",
                span,
            )
        if row.cells[FORM][0] == row.cells[FORM][1]:
            self.empty_form(row, f"word {shown}")
        named = sentence.by_number.setdefault(number, len(sentence.words)) == len(sentence.words)
        sentence.expected = number + 1
        sentence.words.append(_Word(row, number if named else None))

    def empty_form(self, row: _Row, what: str) -> None:
        self.problem(
            "empty-form",
            f"the FORM (column 2) of {what} is empty; taken as a word without letters",
            (row.start, row.end),
        )

    def part(self, sentence: _Sentence, row: _Row, name: bytes) -> None:
        """A multiword token's range or an empty node: neither is a word."""
        sentence.wordless = sentence.wordless or row.cells[ID]
        dash = b"-" in name
        first, last = map(whole_number, (name.split(b"-" if dash else b".", 1)))
        if first is None or last is None:
            what = "multiword token: 3-4" if dash else "empty node: 3.1"
            message = f"{self.quote(row.cells[ID])} is no ID of a {what}, for instance; ignored"
            self.problem("range" if dash else "empty-node", message, row.cells[ID])
        elif dash:
            self.range(sentence, row, first, last)
        else:
            self.empty_node(sentence, row, first, last)

    def range(self, sentence: _Sentence, row: _Row, first: int, last: int) -> None:
        span, expected = row.cells[ID], sentence.expected
        shown = f"the multiword token {first}-{last}"
        if last < first or not first:
            wrong = "runs backwards" if first else "begins with 0, which is no word"
            self.problem("range", f"{shown} {wrong}; ignored", span)
            return
        if sentence.ranges and first <= sentence.ranges[-1].last:
            other = sentence.ranges[-1]
            message = f"{shown} overlaps the one before it, {other.first}-{other.last}; ignored"
            self.problem("range-overlap", message, span)
            return
        if first != expected:
            place = "behind" if first < expected else "too far ahead of"
            message = f"{shown} stands {place} word {first}; it belongs directly above it"
            self.problem("range-place", message, span)
        if row.cells[FORM][0] == row.cells[FORM][1]:
            self.empty_form(row, shown)
        sentence.ranges.append(_Range(first, last, row))

    def empty_node(self, sentence: _Sentence, row: _Row, first: int, last: int) -> None:
        before = sentence.expected - 1
        expected = (before, sentence.empty_node[1] + 1 if sentence.empty_node[0] == before else 1)
        if (first, last) != expected:
            self.problem(
                "empty-node",
                f"the empty node is {first}.{last}; {expected[0]}.{expected[1]} is expected here; "
                "empty nodes do not count as words",
                row.cells[ID],
                "warning",
            )
        sentence.empty_node = (first, last)

    def check_ranges(self, sentence: _Sentence) -> None:
        """Which token each word is of, and ranges of which a part is missing."""
        ranges = sentence.ranges
        starts = [each.first for each in ranges]
        token, inside = -1, -1
        for word in sentence.words:
            at = -1 if word.number is None else bisect.bisect_right(starts, word.number) - 1
            if at >= 0 and (word.number or 0) > ranges[at].last:
                at = -1
            token += at < 0 or at != inside
            inside = at
            word.token = token
            word.surface = (word if at < 0 else ranges[at]).row.cells[FORM]
        highest = max(sentence.by_number)
        for first, last, row in ranges:
            if last > highest:
                self.problem(
                    "range-outside",
                    f"the multiword token {first}-{last} goes beyond the last word, {highest}; "
                    "taken to end there",
                    row.cells[ID],
                )

    # --- heads -----------------------------------------------------------------------------

    def resolve_heads(self, sentence: _Sentence) -> None:
        written = [self.text(word.row.cells[HEAD]) for word in sentence.words]
        if all(text in (b"_", b"") for text in written):
            return  # tagged only
        roots: list[int] = []
        unknown = False
        for index, (word, text) in enumerate(zip(sentence.words, written, strict=True)):
            number = whole_number(text)
            found = None if number is None else sentence.by_number.get(number)
            if number == 0:
                word.head = ROOT
                roots.append(index)
                if len(roots) > 1:
                    first = sentence.words[roots[0]].row.cells
                    self.problems.append(another_root(self.source, first, word.row.cells))
            elif found is None:
                unknown = True
                self.no_head(sentence, word, text)
            else:
                word.head = found
                if found == index:
                    self.own_head(word)
        for cycle in _cycles([word.head for word in sentence.words]):
            self.cycle(sentence, cycle)
        if not roots and not unknown:
            self.problem(
                "no-root",
                "no word of this sentence has the HEAD 0: it has no root",
                self.place(sentence.words[0]),
            )

    def no_head(self, sentence: _Sentence, word: _Word, text: bytes) -> None:
        cell = word.row.cells[HEAD]
        if text in (b"", b"_"):
            code, what = "no-head", f"{self.form(word)} has no HEAD, though other words have"
        elif text.removeprefix(b"-").isdigit():
            code = "head-outside"
            count = number_of(len(sentence.words), "word")
            what = f"the HEAD of {self.form(word)} is {self.quote(cell)}, but this sentence of "
            what += f"{count} has no word {self.quote(cell)}"
        else:
            code = "head"
            what = f"the HEAD of {self.form(word)} is “{self.quote(cell)}”, which is no number"
        expected = "the ID of its head is expected, or 0 for the root"
        self.problem(code, f"{what}; {expected}; taken as not attached", self.place(word))

    def own_head(self, word: _Word) -> None:
        self.problem(
            "own-head",
            f"{self.named(word)} is its own head; the ID of another word is "
            "expected, or 0 for the root; scored as it is written",
            self.place(word),
        )

    def cycle(self, sentence: _Sentence, cycle: list[int]) -> None:
        words = [sentence.words[index] for index in cycle]
        shown = [self.named(word) for word in words[:_LISTED]]
        if len(words) > _LISTED:
            shown.append(f"… {number_of(len(words) - _LISTED, 'more word')}")
        self.problem(
            "cycle",
            f"heads go round in a circle and never reach the root: {' → '.join(shown)} → "
            f"{self.form(words[0])}; scored as they are written",
            self.place(words[0]),
        )

    # --- messages --------------------------------------------------------------------------

    def text(self, span: Span) -> bytes:
        return self.source[span[0] : span[1]]

    def quote(self, span: Span) -> str:
        return _quote(self.source, span)

    def form(self, word: _Word) -> str:
        return f"“{self.quote(word.row.cells[FORM])}”"

    def named(self, word: _Word) -> str:
        return _named(self.source, word.row.cells)

    def place(self, word: _Word) -> Span:
        """The word's HEAD, or its line if that is empty."""
        start, end = word.row.cells[HEAD]
        return (start, end) if start < end else (word.row.start, word.row.end)

    def problem(self, code: str, message: str, span: Span, severity: Severity = "error") -> None:
        self.problems.append(Problem(code, message, *span, severity))


def read_carefully(
    source: bytes, regions: Iterable[Span], symbols: Symbols
) -> tuple[Forest, list[Problem]]:
    """Read stretches ``source[start:end]``, which begin at lines; never raises.

    A sentence ends at a blank line, at a stretch's end, and where IDs begin again with 1. Its
    piece is its extent without what stands around it. Problems are in the order in which they
    are noticed.
    """
    reading = _Reading(source)
    for start, end in regions:
        for line in _lines(source, start, end):
            if not source[line[0] : line[1]].strip(b" \t"):
                reading.finish()
                if line[0] < line[1]:
                    reading.problems.append(blanks(*line))
            elif source.startswith(b"#", line[0]):
                reading.comment(*line)
            else:
                reading.row(*line)
        reading.finish()
    return _forest(reading, symbols), reading.problems


def whole_number(text: bytes) -> int | None:
    """The number that a text is; None if it is none, or longer than :data:`DIGITS`."""
    return int(text) if text.isdigit() and len(text) <= DIGITS else None


def another_root(source: bytes, first: Sequence[Span], other: Sequence[Span]) -> Problem:
    """What is to be said of a second root, and of each one behind it, given both rows' cells."""
    return Problem(
        "roots",
        f"{_named(source, other)} has the HEAD 0, and so has {_named(source, first)}; one root is "
        "expected (CoNLL-U demands it, CoNLL-X does not); all are scored as roots",
        *other[HEAD],
        "warning",
    )


def blanks(start: int, end: int) -> Problem:
    """What is to be said of a line of nothing but blanks."""
    return Problem(
        "blanks",
        "this line is not empty, it has blanks; taken as the empty line that ends a sentence, "
        "which strict readers do not",
        start,
        end,
        "warning",
    )


def _lines(source: bytes, start: int, end: int) -> Iterator[Span]:
    if start == 0 and source.startswith(BOM):
        start = len(BOM)
    for line_break in _LINE_BREAK.finditer(source, start, end):
        yield start, line_break.start()
        start = line_break.end()
    if start < end:
        yield start, end


def _between_tabs(line: bytes, start: int) -> list[Span]:
    cells = []
    for cell in line.split(b"\t"):
        cells.append((start, start + len(cell)))
        start += len(cell) + 1
    return cells


def _cycles(heads: list[int]) -> Iterator[list[int]]:
    """Each circle of more than one word that following heads ends in, from its first word."""
    seen = [-1] * len(heads)
    for start in range(len(heads)):
        word = start
        while word >= 0 and seen[word] < 0:
            seen[word] = start
            word = heads[word]
        if word < 0 or seen[word] != start or heads[word] == word:
            continue
        cycle = [word]
        while heads[cycle[-1]] != word:
            cycle.append(heads[cycle[-1]])
        first = cycle.index(min(cycle))
        yield cycle[first:] + cycle[:first]


def _named(source: bytes, cells: Sequence[Span]) -> str:
    return f"“{_quote(source, cells[FORM])}” ({_quote(source, cells[ID])})"


def _quote(source: bytes, span: Span) -> str:
    return _shown(source[span[0] : min(span[1], span[0] + 4 * _SHOWN)])


def _shown(text: bytes) -> str:
    shown = decode(text)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"


def _forest(reading: _Reading, symbols: Symbols) -> Forest:
    source, sentences = reading.source, reading.sentences
    words = [word for sentence in sentences for word in sentence.words]
    extents = [(sentence.start, sentence.end) for sentence in sentences]

    def column(values: Iterable[int]) -> Ints:
        return np.fromiter(values, np.int32)

    def cell(number: int) -> list[Span]:
        return [word.row.cells[number] for word in words]

    def keys(spans: list[Span]) -> Keys:
        texts = [source[start:end] for start, end in spans]
        known = {text: symbols.key(text) for text in dict.fromkeys(texts)}
        return np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))

    def labels(number: int) -> Ints:
        found = keys(cell(number))
        found[found == ord("_")] = 0
        return symbols.label_ids(found)

    tree = np.array(extents, np.int32).reshape(-1, 2)
    nothing = np.zeros(0, np.int32)
    return Forest(
        source=source,
        symbols=symbols,
        piece=tree.copy(),
        tree=tree,
        first_node=np.zeros(len(sentences) + 1, np.int32),
        first_leaf=running(column(len(sentence.words) for sentence in sentences)),
        label=nothing,
        label_start=nothing,
        label_end=nothing,
        first=nothing,
        last=nothing,
        open=nothing,
        close=nothing,
        word=keys(cell(FORM)),
        tag=labels(UPOS),
        leaf_open=column(word.row.start for word in words),
        leaf_close=column(word.row.end for word in words),
        tag_start=column(start for start, _ in cell(UPOS)),
        tag_end=column(end for _, end in cell(UPOS)),
        word_start=column(start for start, _ in cell(FORM)),
        word_end=column(end for _, end in cell(FORM)),
        layout="rows",
        dependencies=Dependencies(column(word.head for word in words), labels(DEPREL)),
        fields=Fields(
            lemma=keys(cell(LEMMA)),
            xpos=labels(XPOS),
            feats=keys(cell(FEATS)),
            deps=keys(cell(DEPS)),
            misc=keys(cell(MISC)),
            bounds=np.array([_fields(word.row) for word in words], np.int32).reshape(-1, 11),
        ),
        anchors=Anchors(
            token=column(word.token for word in words),
            surface=keys([word.surface for word in words]),
        ),
    )


def _fields(row: _Row) -> list[int]:
    """Where each of ten cells starts, and one past the byte behind the last one."""
    behind = row.cells[row.given - 1][1] + 1
    starts = [start for start, _ in row.cells[: row.given]]
    return starts + [behind] * (COLUMNS + 1 - row.given)
