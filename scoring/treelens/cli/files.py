"""Files as the commands read them: bytes in whatever encoding, and one clear line where not."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Sequence

from treelens.cli import CannotContinue
from treelens.cli.output import say
from treelens.formats.table import named as named_format
from treelens.render.width import clean
from treelens.report.content import place
from treelens.rules.contractions import LANGUAGES
from treelens.rules.contractions import contractions as language_contractions
from treelens.rules.parameters import PRESETS, ParameterProblem, Parameters, read_parameters
from treelens.rules.spelling import Contraction, ListProblem, read_contractions, read_equivalences
from treelens.session.document import Document, document
from treelens.trees.forest import Problem, Symbols, decode

STDIN = "-"
PROBLEMS_SHOWN = 10

_MARKS = (
    # The first of these that fits is right: UTF-32's mark starts with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GZIP = b"\x1f\x8b"
_LARGEST = (1 << 31) - 1
_LONGEST_MESSAGE = 300
_LOOKED_AT = 1 << 16
_COMMENT_MARKS = (b"#", b"%", b";")


def shown(name: str) -> str:
    """A file's name in messages and reports."""
    return "<stdin>" if name == STDIN else name


def read_bytes(name: str) -> bytes:
    """A file's text as UTF-8, without a byte order mark; what is no text is left as it is."""
    try:
        data = _all_bytes(name)
    except FileNotFoundError:
        raise CannotContinue(f"{clean(name)}: no such file") from None
    except IsADirectoryError:
        raise CannotContinue(f"{clean(name)} is a directory, not a file") from None
    except OSError as problem:
        raise CannotContinue(f"{clean(name)}: {problem.strerror}") from None
    if len(data) > _LARGEST:
        raise CannotContinue(f"{clean(name)} is larger than 2 GB, more than can be read at once")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").encode("utf-8", "surrogatepass")
    return data.removeprefix(codecs.BOM_UTF8)


def _all_bytes(name: str) -> bytes:
    if name != STDIN:
        with open(name, "rb") as file:
            return file.read()
    if sys.stdin is None:
        raise CannotContinue("standard input is closed")
    return sys.stdin.buffer.read()


def read_trees(name: str, symbols: Symbols) -> Document:
    """A file of trees, whatever their state; one that holds none at all cannot be scored."""
    source, named = read_bytes(name), clean(shown(name))
    if not source.strip():
        raise CannotContinue(f"{named} is empty")
    if source.startswith(_GZIP):
        raise CannotContinue(f"{named} is compressed (gzip); unpack it first")
    meant = named_format(name)
    trees = document(source, symbols, meant)
    bracketed = trees.format.layout == "brackets"
    if not len(trees) or (bracketed and _is_something_else(source)):
        start = clean(" ".join(decode(source[:200]).split())[:40])
        wanted = "neither bracketed trees such as (S (NP …) …) nor CoNLL tables"
        if meant:
            wanted = f"no sentence in the format that its name stands for ({meant.name})"
        raise CannotContinue(f"{named} holds {wanted}; it starts with “{start}”")
    return trees


def _is_something_else(source: bytes) -> bool:
    """Whether a text that may hold a bracket here and there is a table, or prose, or XML.

    Lines of trees start with a bracket, but for words that stand on a line of their own.
    """
    lines = [line.lstrip() for line in source[:_LOOKED_AT].splitlines()]
    written = [line for line in lines if line and not line.startswith(_COMMENT_MARKS)]
    other = [line for line in written if not line.startswith((b"(", b")"))]
    return bool(written) and written[0] in other[:1] and 2 * len(other) > len(written)


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
    text = decode(read_bytes(choice))
    found, problems = read_parameters(text, os.path.basename(shown(choice)))
    _say_lines(choice, problems)
    return found


def equivalences(name: str) -> tuple[tuple[str, ...], ...]:
    """A file's sets of equal words; problems are said."""
    found, problems = read_equivalences(decode(read_bytes(name)))
    _say_lines(name, problems)
    return found


def contractions(choice: str) -> tuple[Contraction, ...]:
    """A language's contractions, or a file's; problems are said."""
    if choice in LANGUAGES:
        return language_contractions(choice)
    if choice != STDIN and not os.path.exists(choice):
        known = ", ".join(LANGUAGES)
        raise CannotContinue(f"{clean(choice)}: no such file, nor a list here ({known})")
    found, problems = read_contractions(decode(read_bytes(choice)))
    _say_lines(choice, problems)
    return found


def _say_lines(name: str, problems: Sequence[ListProblem | ParameterProblem]) -> None:
    for problem in problems:
        say(f"{clean(shown(name))}:{problem.line}: {clean(problem.message)}")


def say_problems(name: str, trees: Document, most: int | None = PROBLEMS_SHOWN) -> int:
    """Syntax problems on standard error, the first few of them; how many there are."""
    problems = trees.problems()
    for problem in problems[:most]:
        say(problem_line(name, trees, problem))
    if most is not None and len(problems) > most:
        say(f"{clean(shown(name))}: and {len(problems) - most} more (--all-problems shows them)")
    return len(problems)


def problem_line(name: str, trees: Document, problem: Problem) -> str:
    """``FILE:LINE:COLUMN: message``, on one line whatever the text is."""
    line, column = place(trees, problem.start)
    message = clean(" ".join(problem.message.split()))
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + "…"
    return f"{clean(shown(name))}:{line}:{column}: {message}"
