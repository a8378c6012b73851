"""``treelens eval07``: the same bytes as ``eval07.pl``, for scripts that call it."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import BinaryIO

from treelens.cli import complaints, joined
from treelens.cli.forked import beside
from treelens.cli.joined import size_again
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
    stdin = iter([sys.stdin.buffer])
    others = joined.opener([name for name in arguments if name != "-"], b"\n\n")

    def opened(name: bytes) -> BinaryIO | int:
        # (Both sides may be standard input: the first has all of it.)
        return next(stdin, io.BytesIO()) if name == b"-" else open_file(others, name)

    world = World(
        opened,
        create_file,
        sys.stdout.buffer.write,
        complaints.in_bytes(),
        temporary_folder,
        size_again,
        beside,
    )
    try:
        return main([os.fsencode(argument) for argument in arguments], dialect, world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def temporary_folder() -> AbstractContextManager[str]:
    import tempfile  # which files that are not large do without

    return tempfile.TemporaryDirectory(prefix="treelens-")


def open_file(opened: Callable[[bytes | str], BinaryIO], name: bytes) -> BinaryIO | int:
    """A file, or the error number."""
    try:
        return opened(name)
    except OSError as problem:
        return problem.errno or 1


def create_file(name: bytes) -> BinaryIO | int:
    """A file to be written, or the error number."""
    try:
        return open(name, "wb")
    except OSError as problem:
        return problem.errno or 1
