"""The command line, read the way the reference programs read it: left to right, at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.evalb.settings import Settings, read_parameters
from treelens.dropin.shared.strings import c_integer
from treelens.dropin.shared.world import Stop, World

_MISSING = {
    b"c": b"cut-off length for statistices",
    b"e": b"number of error to kill",
    b"p": b"parameter file",
    b"K": b"Max nb of  sentences to read",
}
_SWITCHES: dict[bytes, dict[str, object]] = {
    b"d": {"debug": 1},
    b"D": {"debug": 2},
    b"L": {"compact": True},
    b"l": {"compact": True, "compact_cutoff": True},
    b"X": {"counts_unparsed": True},
    b"V": {"shows_names": True},
}
_SPMRL_ONLY = frozenset({b"K", b"L", b"l", b"V", b"X"})


class Request(NamedTuple):
    """What the command line asks for. A file that was not named is None."""

    settings: Settings
    gold: bytes | None
    test: bytes | None


def read_arguments(arguments: Sequence[bytes], dialect: Dialect, world: World) -> Request:
    """Take the options in their order; a parameter file overwrites options before it.

    Of an option only its first letter counts (``-dX`` is ``-d``); a value may be glued to it
    or follow. File names after the second are ignored, and so is a lone ``-``.
    """
    settings = Settings()
    names: list[bytes] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        letter = argument[1:2]
        if not argument.startswith(b"-"):
            names.append(argument)
        elif letter in _SWITCHES and _knows(dialect, letter):
            # A table of names, which mypy cannot follow into _replace().
            settings = settings._replace(**_SWITCHES[letter])  # type: ignore[arg-type]
        elif letter in _MISSING and _knows(dialect, letter):
            value = argument[2:] or _next(rest, letter, world)
            settings = _with_value(settings, letter, value, dialect, world)
        elif letter:
            world.complain(dialect.usage)
            raise Stop(1 if letter == b"h" else 0)
    gold, test, *_ = [*names, None, None]
    return Request(settings, gold, test)


def _knows(dialect: Dialect, letter: bytes) -> bool:
    return dialect.spmrl_options or letter not in _SPMRL_ONLY


def _next(rest: list[bytes], letter: bytes, world: World) -> bytes:
    if rest:
        return rest.pop(0)
    world.complain(b"Missing argument: %s\n" % _MISSING[letter])
    return b""


def _with_value(
    settings: Settings, letter: bytes, value: bytes, dialect: Dialect, world: World
) -> Settings:
    if letter == b"p":
        file = world.open(value)
        if file is None:
            world.complain(b"Can't open parameter file (%s)\n" % value)
            raise Stop(1)
        return read_parameters(file.read(), settings, world.complain)
    number = c_integer(value)
    if letter == b"e":
        return settings._replace(max_error=number)
    if letter == b"K":
        return settings._replace(sentences=number)
    if dialect.spmrl_options:
        world.complain(b"cutoff %d\n" % number)
    return settings._replace(cutoff=number)
