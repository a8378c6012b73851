"""Every format there is, and which one a text is in."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

from treelens.formats import brackets
from treelens.formats.brackets import Habit
from treelens.formats.refused import REFUSED, Refused, read_nothing, refused
from treelens.trees.forest import Annotation, Forest, Layout, Problem, Symbols

_LINE_BREAK = re.compile(rb"\r\n|\r|\n")
_BLANKS = re.compile(rb"[ \t\r\n]*")
_FIRST_ROW = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    rb"(?>[ \t]*+[\r\n]|#[^\r\n]*+[\r\n])*+"  # blank lines and comments
    rb"([1-9]\d{0,5}(?:-\d+)?|0\.1)([\t ][^\r\n]*)"
)
_FEWEST_TABS, _FEWEST_CELLS = 3, 8
_ANY_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n]")
_BLANK_LINE = re.compile(rb"(?:\r\n|\n|\r(?!\n))[ \t]*[\r\n][ \t\r\n]*\Z")

SNIFFED_BYTES = 1 << 16
"""How much of a text's beginning says what format it is in."""


class Format(NamedTuple):
    """How a text is read, and where its sentences are certain to start.

    layout and annotation: how it is written, and what it says of its words; neither follows
    from the other. Its forests say the same. reader: what :func:`read` has it read by; never
    raises. anchored: whether a sentence is certain to start where it does, whatever the one
    before it looks like; given the last bytes before its piece, and the piece's own up to its
    tree. may_anchor: whether any sentence but the first could be, for what it costs to look
    through a text. unread: why it is told by name and not read, if it is not.
    """

    name: str
    layout: Layout
    annotation: Annotation
    reader: Callable[[bytes, Symbols], tuple[Forest, list[Problem]]]
    anchored: Callable[[bytes, bytes], bool]
    may_anchor: Callable[[bytes], bool]
    unread: Refused | None = None

    def __reduce__(self) -> tuple[Callable[[int], Format], tuple[int]]:
        """In another process it is the one that is there: functions need no names to be sent."""
        return _there, (EVERY.index(self),)


def _there(number: int) -> Format:
    return EVERY[number]


def read(format: Format, source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    """A text in a format; never raises. The problems are in text order."""
    forest, problems = format.reader(source, symbols)
    problems += _misencoded(forest)
    problems.sort(key=lambda problem: problem.start)
    return forest, problems


def _misencoded(forest: Forest) -> list[Problem]:
    """What is no UTF-8: the first of it in each sentence, so that a sentence's own text says it."""
    if not _first_misencoded(forest.source):
        return []
    problems = []
    for start, end in forest.piece.tolist():
        if place := _first_misencoded(forest.source[start:end]):
            at = slice(start + place.start, start + place.end)
            shown = " ".join(f"0x{byte:02X}" for byte in forest.source[at])
            message = (
                f"{shown} is no UTF-8, the first in this sentence: what is none is compared byte by"
                " byte and shown as U+FFFD; a text in another encoding has to be converted"
            )
            problems.append(Problem("encoding", message, at.start, at.stop, "warning"))
    return problems


def _first_misencoded(text: bytes) -> UnicodeDecodeError | None:
    try:
        text.decode("utf-8", "surrogatepass")  # (An editor's text may hold half of a pair.)
    except UnicodeDecodeError as first:
        return first
    return None


def _after_blank_line(before: bytes, ahead: bytes) -> bool:
    # A piece starts behind the line on which the tree before it ends.
    return _LINE_BREAK.search(ahead) is not None


def _at_line_start(before: bytes, ahead: bytes) -> bool:
    return (before + ahead)[-1:] in (b"\n", b"\r")


def _has_bracket_in_first_column(text: bytes) -> bool:
    return b"\n(" in text or b"\r(" in text


def _has_blank_line(text: bytes) -> bool:
    return _ANY_BLANK_LINE.search(text, len(text) - len(text.lstrip())) is not None


BRACKETS = {
    habit: Format(
        "brackets",
        "brackets",
        "constituents",
        functools.partial(brackets.read, habit=habit),
        _at_line_start if habit is Habit.COLUMN else _after_blank_line,
        _has_bracket_in_first_column if habit is Habit.COLUMN else lambda _: True,
    )
    for habit in Habit
}


def _behind_blank_line(before: bytes, ahead: bytes) -> bool:
    # A line of the piece that stands before the blank line may belong to what is before it.
    blanks = _BLANKS.match(ahead)
    assert blanks is not None
    return _BLANK_LINE.search(before + blanks[0]) is not None


def _conll(source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    from treelens.formats import conll  # which files of trees do without

    return conll.read(source, symbols)


CONLL = Format("conll", "rows", "dependencies", _conll, _behind_blank_line, _has_blank_line)


def _lattice(reader: str, source: bytes, symbols: Symbols) -> tuple[Forest, list[Problem]]:
    from treelens.formats import lattice  # which hardly a file needs

    return lattice.READERS[reader](source, symbols)


# Tagged segments are constituents without brackets: they have tags and TedEval, and no F1.
LATTICE, MAPPING, SEGMENTATION, CONLLUL = (
    Format(
        name,
        "rows",
        "constituents",
        functools.partial(_lattice, name),
        _behind_blank_line,
        _has_blank_line,
    )
    for name in ("lattice", "mapping", "segmentation", "conllul")
)


def sniff(source: bytes) -> Format:
    """The format that a text's beginning looks like; brackets if it looks like none."""
    source = source[:SNIFFED_BYTES]
    return CONLL if is_table(source) else BRACKETS[brackets.sniff(source)]


def is_table(source: bytes) -> bool:
    """Whether a text looks like a table of words: by its first line that is no comment."""
    row = _FIRST_ROW.match(source)
    if row is None:
        return False
    return row[2].count(b"\t") >= _FEWEST_TABS or len(row[2].split()) >= _FEWEST_CELLS - 1


NOT_READ = {
    one.name: Format(
        one.name,
        one.layout,
        one.annotation,
        functools.partial(read_nothing, one=one),
        _behind_blank_line,
        _has_blank_line,
        one,
    )
    for one in REFUSED
}


def chosen(declared: Format | None, source: bytes) -> Format:
    """The format that a text is read in: the one declared, unless the text is evidently in one
    that is not read at all; if none is declared, what its beginning looks like."""
    foreign = refused(source[:SNIFFED_BYTES])
    return NOT_READ[foreign.name] if foreign else declared or sniff(source)


_BY_ENDING = {
    **dict.fromkeys(("conllu", "conllx", "conll", "conll06", "conll07"), CONLL),
    **dict.fromkeys(("lattice", "lattices"), LATTICE),
    "mapping": MAPPING,
    "segmentation": SEGMENTATION,
    "conllul": CONLLUL,
}
_BY_LANGUAGE = {"conllu": CONLL, "conllx": CONLL, "lattice": LATTICE}


def named(name: str, language: str = "") -> Format | None:
    """The format that a file's ending stands for, or an editor's name of its language; None if
    neither says (brackets have several layouts, which only the text tells)."""
    ending = name.rsplit(".", 1)[-1].lower()
    return _BY_ENDING.get(ending) or _BY_LANGUAGE.get(language)


EVERY = (*BRACKETS.values(), CONLL, LATTICE, MAPPING, SEGMENTATION, CONLLUL, *NOT_READ.values())
