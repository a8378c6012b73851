"""Reading a line: its words, its brackets, its length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.strings import c_string

UNDECIDED = 9
UNMATCHED = 0
MATCHED = 1
LEFT_OUT = 5
_ITEM = re.compile(rb"\s*(?:\(([^\s()]*)(?:\s+([^\s()]*))?|(\)))?")
_LABEL, _WORD, _CLOSE = 1, 2, 3
_QUOTES = frozenset({b"'", b'"', b"/"})


@dataclass(slots=True)
class Terminal:
    """A word with its tag. ``result`` is 1 or 0 once the tags were compared."""

    word: bytes
    label: bytes
    result: int = UNDECIDED


@dataclass(slots=True)
class Bracket:
    """A constituent over the words ``start`` to ``end``; ``end`` is -1 while it is open.

    ``result`` is one of the four numbers above. ``text_start`` and ``text_end``
    are offsets in the line: behind the label, and of the closing bracket.
    """

    label: bytes
    start: int
    end: int
    text_start: int
    text_end: int
    result: int = UNDECIDED


@dataclass(slots=True)
class Quote:
    """A terminal that could be a quotation mark: fixed up when word counts differ."""

    word: bytes
    label: bytes
    index: int
    """Its place among the words."""
    bracket: int
    """The number of brackets that were opened before it."""
    around: tuple[int, ...]
    """The brackets that were open around it."""


@dataclass(slots=True)
class Sentence:
    length: int = 0
    terminals: list[Terminal] = field(default_factory=list)
    brackets: list[Bracket] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)


class Tape:
    """A line as memory: a scan that reaches the end of what is known of it is given more."""

    def __init__(self, line: bytes, after: Iterator[bytes]) -> None:
        self.memory = line + b"\0"
        self._after = after

    def item(self, position: int) -> re.Match[bytes]:
        """Blanks and the bracket behind them, an opening one with label and word."""
        while True:
            found = _ITEM.match(self.memory, position)
            assert found is not None  # the pattern may match nothing
            if found.end() < len(self.memory):
                return found
            more = next(self._after, None)
            if more is None:
                return found
            self.memory += more

    def byte(self, position: int) -> bytes:
        """The byte there; none where all memory ends, which is a blank to the reader."""
        return self.memory[position : position + 1]


class _Reading(NamedTuple):
    """What the parts of reading a line share."""

    tape: Tape
    sentence: Sentence
    stack: _Stack
    run: Run


def read_sentence(line: bytes, index: int, side: int, run: Run) -> Sentence:
    """Read gold or test line number ``index``.

    ``(label word)`` with the word directly before the bracket is a terminal; every other
    opening bracket opens a constituent. Anything else that is not a bracket or a blank is
    an error that does not move on: it is reported again until the program stops.
    """
    tape = Tape(line, run.leftovers.after_line(index, side))
    sentence = Sentence()
    stack = _Stack(run, sentence, side)
    reading = _Reading(tape, sentence, stack, run)
    position = 0
    while True:
        item = tape.item(position)
        position = item.end()
        if item[_LABEL] is not None:
            position = _read_open(item, reading)
        elif item[_CLOSE] is not None:
            stack.close(position - 1)
        elif tape.byte(position) in (b"\0", b""):
            break
        else:
            _refuse(run)
    if stack.height != 0:
        # One closing bracket too many is told in these words, too.
        run.error(b"Bracketing is unbalanced (too many open bracket)\n")
    return sentence


def _refuse(run: Run) -> NoReturn:
    while True:
        run.error(b"Reading sentence\n")


def _read_open(item: re.Match[bytes], reading: _Reading) -> int:
    """Read a terminal whole, or a constituent's label; return where to read on."""
    label = c_string(item[_LABEL])
    if item[_WORD] is not None and _read_word(label, item, reading):
        return item.end() + 1
    reading.stack.open(label, item.end(_LABEL))
    return item.end(_LABEL)


def _read_word(label: bytes, item: re.Match[bytes], reading: _Reading) -> bool:
    """Look at what follows a label and blanks; whether the two are a terminal."""
    tape, sentence, _, run = reading
    word, behind = c_string(item[_WORD]), tape.byte(item.end())
    if run.settings.debug > 1:
        place = (label, word, len(sentence.terminals))
        run.world.print(b"label=%s, word=%s, wid=%d\n" % place)
    if behind == b")":
        _add_terminal(label, word, reading)
    elif behind != b"(":
        if run.dialect.shows_rest_of_line:
            run.world.complain(b"debug djam: q= %s\n" % c_string(tape.memory, item.end()))
        run.error(b"More than two elements in a bracket\n")
    return behind == b")"


def _add_terminal(label: bytes, word: bytes, reading: _Reading) -> None:
    _, sentence, stack, run = reading
    sentence.length += label not in run.settings.delete_for_length
    if label in run.settings.quote_labels and word in _QUOTES:
        place = (len(sentence.terminals), len(sentence.brackets))
        sentence.quotes.append(Quote(word, label, *place, stack.open_brackets()))
    # The label as it stands: no cut at "-", no EQ_LABEL.
    if not (run.dialect.deletes_words and label in run.settings.delete_labels):
        sentence.terminals.append(Terminal(word, label))


class _Stack:
    """The numbers of the open brackets. Its height can fall below zero: see ``Leftovers``."""

    def __init__(self, run: Run, sentence: Sentence, side: int) -> None:
        self.height = 0
        self._items: dict[int, int] = {}
        self._below = run.leftovers.below_stack
        self._text_ends = run.leftovers.text_ends[side]
        self._early_ends: dict[int, int] = {}
        self._sentence = sentence
        self._error = run.error

    def open_brackets(self) -> tuple[int, ...]:
        return tuple(self._items[place] for place in range(self.height))

    def open(self, label: bytes, text_start: int) -> None:
        brackets = self._sentence.brackets
        number = len(brackets)
        (self._items if self.height >= 0 else self._below)[self.height] = number
        self.height += 1
        end = self._early_ends.get(number, -1)
        text_end = self._text_ends.get(number, 0)
        brackets.append(Bracket(label, len(self._sentence.terminals), end, text_start, text_end))

    def close(self, position: int) -> None:
        """Close the last open bracket; where there is none, whichever one lies below it."""
        place = self.height - 1
        number = self._items[place] if place >= 0 else self._below.get(place, 0)
        if self.height < 0:
            self._error(b"Bracketing unbalance (too many close bracket)\n")
        self.height -= 1
        self._text_ends[number] = position
        if number < len(self._sentence.brackets):
            bracket = self._sentence.brackets[number]
            bracket.end, bracket.text_end = len(self._sentence.terminals), position
        else:
            self._early_ends[number] = len(self._sentence.terminals)
