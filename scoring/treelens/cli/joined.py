"""What one argument of a drop-in stands for: a folder, a pattern, a list, standard input or an
address, as one file. Two that stand for many files have these in pairs, in the same order.

The original programs know of files only; what they print is that of the files put together.
"""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from treelens.cli import CannotContinue, complaints, packed
from treelens.formats.refused import refused

if TYPE_CHECKING:
    from treelens.corpus import Source

_MARK = b"\xef\xbb\xbf"


def opener(
    arguments: Sequence[str], between: bytes = b"\n"
) -> Callable[[bytes | str], io.BufferedReader]:
    """Opens a drop-in's files as :func:`packed.opened` does, and what of its arguments is none but
    stands for files, as one: with ``between``, line breaks, between them. Of a format that would
    be taken for another, it is said."""
    named = [each for each in arguments if _stands_for_others(each)]
    if named.count("-") > 1:
        raise CannotContinue("only one file can be standard input")
    return functools.partial(_told, set(), _in_pairs(named) if named else {}, between)


def _told(
    told: set[bytes], named: Mapping[str, Sequence[Source]], between: bytes, name: bytes | str
) -> io.BufferedReader:
    """A file, opened; ``told``: names of which it has been said what they are."""
    file = _opened(named, between, name)
    key = os.fsencode(name)
    if key not in told and (foreign := refused(file.peek())):
        told.add(key)
        known = "which the original does not know and takes for its own format"
        said = f": this is {foreign.called}, {known}. {foreign.cure}\n"
        complaints.in_bytes()(key + said.encode())
    return file


def size_again(name: bytes) -> int:
    """How many bytes a file has that may be opened once more; zero of what is none."""
    if name == b"-":
        return 0
    try:
        return os.path.getsize(name) if os.path.isfile(name) else sys.maxsize * os.path.isdir(name)
    except OSError:
        return 0


def _stands_for_others(argument: str) -> bool:
    """Whether an argument is standard input, an address, a list, a pattern or a folder."""
    if argument == "-" or "://" in argument or os.path.isdir(argument):
        return True
    if argument.startswith("-") or os.path.exists(argument):
        return False
    return argument.startswith("@") or (any(sign in argument for sign in "*?[") and _fits(argument))


def _fits(pattern: str) -> bool:
    """Whether any file does; else it is a name, as in a shell."""
    from treelens.cli import patterns  # which names without such signs do without

    return any(patterns.fitting(pattern))


def _in_pairs(named: list[str]) -> dict[str, Sequence[Source]]:
    """The files of each argument, in an order in which those of two stand side by side."""
    # With all that finds files, which the programs' own arguments do without.
    from treelens.cli import inputs
    from treelens.render.width import clean

    those = [inputs.files(name) for name in named]
    found: dict[str, Sequence[Source]] = {
        each.argument: tuple(each.by_place.values()) for each in those
    }
    several = [each for each in those if each.several]
    if len(several) == 2 and several[0].argument != several[1].argument:
        pairs = inputs.paired(*several)
        if pairs.alone:
            names = ", ".join(map(clean, pairs.alone))
            raise CannotContinue(f"without a partner, which a drop-in has no row for: {names}")
        found[several[0].argument] = tuple(pair.gold for pair in pairs.pairs)
        found[several[1].argument] = tuple(pair.system for pair in pairs.pairs)
    return found


def _opened(
    named: Mapping[str, Sequence[Source]], between: bytes, name: bytes | str
) -> io.BufferedReader:
    sources = named.get(os.fsdecode(name))
    if sources is None:
        return packed.opened(name)
    return packed.stream(_joined(sources, between))


def _joined(sources: Sequence[Source], between: bytes) -> Iterator[bytes]:
    """All texts, each but the last ending with so many line breaks at least."""
    for number, source in enumerate(sources):
        end = b""
        for chunk in packed.chunks(source):
            # (A mark says nothing any more where a text is not at the start.)
            text = chunk if end or not number else chunk.removeprefix(_MARK)
            if text:
                yield text
                end = (end + text)[-2 * len(between) :]
        breaks = end.replace(b"\r", b"")
        missing = len(between) - len(breaks) + len(breaks.rstrip(b"\n"))
        if end and missing > 0 and number < len(sources) - 1:
            yield b"\n" * missing
