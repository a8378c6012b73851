"""Files as the commands read them: whole texts, and one clear line where that cannot be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from treelens.cli import CannotContinue, inputs
from treelens.cli.inputs import STDIN as STDIN
from treelens.cli.inputs import shown as shown
from treelens.cli.output import say
from treelens.corpus.blocks import (
    format_of,
    is_something_else,
)
from treelens.corpus.sources import chunks
from treelens.formats.table import named as named_format
from treelens.render.width import clean
from treelens.rules.contractions import LANGUAGES
from treelens.rules.contractions import contractions as language_contractions
from treelens.rules.parameters import PRESETS, Parameters, read_parameters
from treelens.rules.spelling import Contraction, read_contractions, read_equivalences
from treelens.session.document import Document, document, place
from treelens.trees.forest import Problem, Symbols, decode

if TYPE_CHECKING:
    from treelens.counting.work import StretchProblem

PROBLEMS_SHOWN = 10

_LARGEST = (1 << 31) - 1
_LARGEST_RULES = 1 << 28
"""Bytes of a file of parameters, or of words that are the same: ten million lines."""
_LONGEST_MESSAGE = 300


def read_bytes(name: str, most: int = _LARGEST) -> bytes:
    """A file's text as UTF-8, without a byte order mark; what is no text is left as it is. One
    that is larger, or has no end, is read no further than that shows."""
    parts, size = list[bytes](), 0
    with inputs.reading(name):
        for part in chunks(inputs.source(name)):
            parts.append(part)
            size += len(part)
            if size > most:
                raise _too_large(name, most)
    return b"".join(parts)


def read_trees(name: str, symbols: Symbols) -> Document:
    """A file of trees, whatever their state; one that holds none at all cannot be scored."""
    source = read_bytes(name)
    trees = document(source, symbols, format_of(name, source))
    if not len(trees) or is_something_else(source, trees.format):
        raise CannotContinue(f"{clean(shown(name))} {no_trees(name, source)}")
    return trees


def _too_large(name: str, most: int) -> CannotContinue:
    large = f"{most >> 20:,} MB, more than is read at once"
    return CannotContinue(f"{clean(shown(name))} is larger than {large}")


def no_trees(name: str, source: bytes) -> str:
    """What to say of a file that holds none."""
    if not source.strip():
        return "is empty"
    if unread := format_of(name, source).unread:
        return f"cannot be scored: {unread.message}"
    start = clean(" ".join(decode(source[:200]).split())[:40])
    wanted = "neither bracketed trees such as (S (NP …) …) nor CoNLL tables"
    if meant := named_format(name):
        wanted = f"no sentence in the format that its name stands for ({meant.name})"
    return f"holds {wanted}; it starts with “{start}”"


def only_one_stdin(names: Sequence[str]) -> None:
    if names.count(STDIN) > 1:
        raise CannotContinue("only one of the files can be read from standard input (-)")


def parameters(choice: str) -> Parameters:
    """A preset by name, or a parameter file as evalb reads them; problems are said."""
    preset = PRESETS.get(choice)
    if preset is not None:
        return preset
    if choice != STDIN and not os.path.exists(choice):
        known = ", ".join(PRESETS)
        raise CannotContinue(f"{clean(choice)}: no such parameter file, nor a preset ({known})")
    text = decode(read_bytes(choice, _LARGEST_RULES))
    found, problems = read_parameters(text, os.path.basename(shown(choice)))
    say_lines(choice, problems)
    return found


def equivalences(name: str) -> tuple[tuple[str, ...], ...]:
    """A file's sets of equal words; problems are said."""
    found, problems = read_equivalences(decode(read_bytes(name, _LARGEST_RULES)))
    say_lines(name, problems)
    return found


def contractions(choice: str) -> tuple[Contraction, ...]:
    """A language's contractions, or a file's; problems are said."""
    if choice in LANGUAGES:
        return language_contractions(choice)
    if choice != STDIN and not os.path.exists(choice):
        known = ", ".join(LANGUAGES)
        raise CannotContinue(f"{clean(choice)}: no such file, nor a list here ({known})")
    found, problems = read_contractions(decode(read_bytes(choice, _LARGEST_RULES)))
    say_lines(choice, problems)
    return found


class ProblemOfLine(Protocol):
    """Something wrong with a line; line 0: with the file."""

    @property
    def line(self) -> int: ...
    @property
    def message(self) -> str: ...


def say_lines(name: str, problems: Sequence[ProblemOfLine]) -> None:
    """What is wrong with a file of rules on standard error, the first few lines of it."""
    for problem in problems[:PROBLEMS_SHOWN]:
        place = f":{problem.line}" if problem.line else ""
        say(f"{clean(shown(name))}{place}: {_in_one_line(problem.message)}")
    if len(problems) > PROBLEMS_SHOWN:
        say(f"{clean(shown(name))}: and {len(problems) - PROBLEMS_SHOWN:,} more such lines")


def say_problems(name: str, trees: Document, most: int | None = PROBLEMS_SHOWN) -> int:
    """Syntax problems on standard error, the first few of them; how many there are."""
    problems = trees.problems()
    for problem in problems[:most]:
        say(problem_line(name, trees, problem))
    if most is not None:
        _say_more(name, len(problems) - most)
    return len(problems)


def say_listed(name: str, listed: Sequence[StretchProblem], count: int) -> None:
    """The same of so many problems, of which the first are listed with lines from 0."""
    for line, column, message in listed[:PROBLEMS_SHOWN]:
        say(said(name, line + 1, column, message))
    _say_more(name, count - PROBLEMS_SHOWN)


def _say_more(name: str, more: int) -> None:
    if more > 0:
        say(f"{clean(shown(name))}: and {more} more (--all-problems shows them)")


def problem_line(name: str, trees: Document, problem: Problem) -> str:
    """``FILE:LINE:COLUMN: message``, on one line whatever the text is."""
    return said(name, *place(trees, problem.start), problem.message)


def said(name: str, line: int, column: int, message: str) -> str:
    """The same of what stands at a place that is known."""
    return f"{clean(shown(name))}:{line}:{column}: {_in_one_line(message)}"


def _in_one_line(message: str) -> str:
    message = clean(" ".join(message.split()))
    return message if len(message) <= _LONGEST_MESSAGE else message[:_LONGEST_MESSAGE] + "…"
