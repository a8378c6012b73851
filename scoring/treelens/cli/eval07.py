"""``treelens eval07``: the same bytes as ``eval07.pl``, for scripts that call it."""

from __future__ import annotations

import gc
import os
import sys

from treelens.cli import packed
from treelens.dropin.conll.dialects import EVAL07, Dialect
from treelens.dropin.conll.program import main
from treelens.dropin.conll.world import World


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVAL07)


def run_dialect(arguments: list[str], dialect: Dialect) -> int:
    """Run a CoNLL scorer in the real world: files and standard streams."""
    # A hundred thousand small tuples, none of them in a cycle: looking for cycles among them
    # costs a fifth of the time, and the process ends soon.
    gc.disable()
    world = World(read_file, write_file, sys.stdout.buffer.write, sys.stderr.buffer.write)
    try:
        return main([os.fsencode(argument) for argument in arguments], dialect, world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def read_file(name: bytes) -> bytes | int:
    """A file's bytes, or the error number. Perl opens a directory, and finds it empty."""
    if name == b"-":
        return sys.stdin.buffer.read()
    try:
        return packed.read(name)
    except IsADirectoryError:
        return b""
    except OSError as problem:
        return problem.errno or 1


def write_file(name: bytes, text: bytes) -> int:
    """0, or the error number."""
    try:
        with open(name, "wb") as file:
            file.write(text)
    except OSError as problem:
        return problem.errno or 1
    return 0
