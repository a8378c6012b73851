"""The command line, read as Perl's ``Getopt::Std`` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.dropin.conll.dialects import Dialect
from treelens.dropin.conll.world import World
from treelens.dropin.shared.world import Stop

_USAGE = b"""\
usage: treelens %s -g GOLD -s SYSTEM [options]

Attachment scores of SYSTEM, line by line against GOLD: two UTF-8 files in the columns of
CoNLL-X (2006, 2007), with the same sentences and the same words.

  -g FILE  gold standard
  -s FILE  what the parser made of it
  -o FILE  write the report there
  -q       the three scores only
  -b       a row for every sentence, in the manner of evalb; best with -q
"""
_EXPLAINED = {
    b"d": b"  -d       leave out words with the relation DERIV\n",
    b"L": b"  -L       the three scores in one line; best with -q\n",
    b"v": b"  -v       print the version of the program that is copied\n",
    b"h": b"  -h       print this\n",
}
_VALUES = b"gos"
# What Perl's die ends with when nothing was opened yet: the last thing that was not found, in
# its search for modules.
NO_FILE = 2


class Request(NamedTuple):
    """What the command line asks for."""

    gold: bytes
    system: bytes
    output: bytes
    short: bool
    """Without the tables (-q)."""
    one_line: bool
    """The scores in one line (-L)."""
    rows: bool
    """A row for every sentence (-b)."""
    punctuation: bool
    """Punctuation counts."""
    derivations: bool
    """The relation DERIV counts."""


def read_arguments(arguments: Sequence[bytes], dialect: Dialect, world: World) -> Request:
    """Take options up to the first argument that is none; what follows is ignored."""
    options = _options(list(arguments), dialect, world)
    if b"v" in options:
        world.print(b"Version %s\n" % dialect.version)
        raise Stop(0)
    gold, system = options.get(b"g"), options.get(b"s")
    if b"h" in options or (gold is None and system is None):
        _die(usage(dialect), world)
    if gold is None:
        _die(b"Gold standard file (-g) missing\n", world)
    if system is None:
        _die(b"System output file (-s) missing\n", world)
    assert gold is not None
    assert system is not None
    return Request(
        gold=gold,
        system=system,
        output=options.get(b"o") or b"-",
        short=b"q" in options,
        one_line=b"L" in options,
        rows=b"b" in options,
        punctuation=dialect.punctuation_by_default != (b"p" in options),
        derivations=b"d" not in options,
    )


def usage(dialect: Dialect) -> bytes:
    verb = b"leave punctuation out" if dialect.punctuation_by_default else b"let punctuation count"
    lines = [_USAGE % dialect.name, b"  -p       %s\n" % verb]
    lines += [line for letter, line in _EXPLAINED.items() if letter in dialect.switches]
    return b"".join(lines)


def _options(rest: list[bytes], dialect: Dialect, world: World) -> dict[bytes, bytes | None]:
    """Letters and their values; letters may be joined (``-qb``), a value glued to its own."""
    found: dict[bytes, bytes | None] = {}
    while rest and len(rest[0]) > 1 and rest[0].startswith(b"-"):
        argument = rest.pop(0)
        if argument == b"--":
            break
        if argument == b"--help":
            argument = b"-h"
        letter, tail = argument[1:2], argument[2:]
        if letter in _VALUES:
            # A value that is missing leaves the option as if it had not been given.
            found[letter] = tail or (rest.pop(0) if rest else None)
            continue
        if letter in dialect.switches:
            found[letter] = b""
        else:
            world.complain(b"Unknown option: %s\n" % letter)
        if tail:
            rest.insert(0, b"-" + tail)
    return found


def _die(message: bytes, world: World) -> None:
    world.complain(message)
    raise Stop(NO_FILE)
