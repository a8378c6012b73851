"""The command line, read as ``getopt`` reads it: options and file names in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from treelens.dropin.shared.world import Stop
from treelens.rules.head_tables import TABLES

PROGRAM = b"treelens sparseval"
USAGE = f"""\
usage: treelens sparseval [options] GOLD TEST

Scores of SParseval for the trees of TEST against those of GOLD, one tree a line.

  -p FILE      parameters: labels and words to be left out, or equal
  -h FILE      head table; or, if there is no such file, one of {", ".join(TABLES)}
  -a FILE      alignment of the words (each file is one conversation side)
  --align own  align the words here; not in the original
  -b           compare dependencies without an alignment, in their order; no brackets
  -c           each file is one conversation side: take all its trees as one
  -l           GOLD, TEST and the alignment are lists of files
  -u           unlabelled
  -v           verbose: a row for every sentence, and what was asked for on standard error
  -z           print the parameters first
  -F FILE      write the report there
  -?, --help   print this
"""
_VALUES = "pahF"
_SWITCHES = "lcbvzu"


class Request:
    """What the command line asks for. A file that was not named is None."""

    def __init__(self) -> None:
        self.parameters: bytes | None = None
        self.heads: bytes | None = None
        self.alignment: bytes | None = None
        self.own_alignment = False
        self.output: bytes | None = None
        self.switches = ""
        self.names: tuple[bytes, ...] = ()
        self.wrong = False
        """There was an option that is none."""

    @property
    def bag(self) -> bool:
        return "b" in self.switches

    @property
    def side(self) -> bool:
        """Each file is one conversation side; an alignment file is for one."""
        return "c" in self.switches or self.alignment is not None

    @property
    def lists(self) -> bool:
        return "l" in self.switches

    @property
    def labelled(self) -> bool:
        return "u" not in self.switches

    @property
    def verbose(self) -> bool:
        return "v" in self.switches

    @property
    def shows_settings(self) -> bool:
        return "z" in self.switches


class _Options:
    """What is left of the arguments, and options out of them one after the other."""

    def __init__(self, arguments: Sequence[bytes]) -> None:
        self.rest = list(arguments)
        self.names: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        """Arguments that begin with a hyphen; others are names, and so is all behind ``--``."""
        while self.rest:
            argument = self.rest.pop(0)
            if argument == b"--":
                self.names += self.rest
                return
            if argument.startswith(b"-") and argument != b"-":
                yield argument
            else:
                self.names.append(argument)


def read_arguments(
    arguments: Sequence[bytes],
    complain: Callable[[bytes], object],
    open_output: Callable[[bytes], object],
) -> Request:
    """Take all options, the last of equal ones; files to be written are opened at once.

    Raises Stop for ``--help``, whose text is for the caller to print.
    """
    request = Request()
    options = _Options(arguments)
    for argument in options:
        if argument == b"--help":
            raise Stop(0)
        if argument == b"--align" or argument.startswith(b"--align="):
            value = argument[8:] or (options.rest.pop(0) if options.rest else b"")
            request.own_alignment = value == b"own"
            if not request.own_alignment:
                complain(PROGRAM + b": --align knows one value, 'own', not '%s'\n" % value)
                request.wrong = True
            continue
        _take_letters(argument[1:].decode("latin-1"), options, request, complain, open_output)
    if request.own_alignment and request.alignment is not None:
        complain(PROGRAM + b": -a and --align own exclude each other\n")
        request.wrong = True
    request.names = tuple(options.names)
    return request


def _take_letters(
    letters: str,
    options: _Options,
    request: Request,
    complain: Callable[[bytes], object],
    open_output: Callable[[bytes], object],
) -> None:
    """The options of one argument: switches may be joined, a value glued to its own letter."""
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in _SWITCHES:
            request.switches += letter
        elif letter in _VALUES:
            if not letters and not options.rest:
                message = b": option requires an argument -- '%s'\n"
                complain(PROGRAM + message % letter.encode("latin-1"))
                request.wrong = True
                return
            value = letters.encode("latin-1") or options.rest.pop(0)
            _take_value(letter, value, request, open_output)
            return
        else:
            if letter != "?":
                complain(PROGRAM + b": invalid option -- '%s'\n" % letter.encode("latin-1"))
            request.wrong = True


def _take_value(
    letter: str, value: bytes, request: Request, open_output: Callable[[bytes], object]
) -> None:
    if letter == "p":
        request.parameters = value
    elif letter == "h":
        request.heads = value
    elif letter == "a":
        request.alignment = value
    else:
        open_output(value)
        request.output = value
