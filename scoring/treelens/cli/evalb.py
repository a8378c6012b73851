"""``treelens evalb``: the same bytes as ``evalb``, for scripts that call it."""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO

from treelens.cli import CannotContinue, complaints, packed
from treelens.cli.forked import share_out
from treelens.dropin.evalb.dialects import EVALB, Dialect
from treelens.dropin.evalb.program import main
from treelens.dropin.shared.world import World


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVALB)


def run_dialect(arguments: list[str], dialect: Dialect) -> int:
    """Run a drop-in in the real world: files, standard streams, working directory."""
    world = World(
        open_file, sys.stdout.buffer.write, complaints.in_bytes(), write_status, share_out
    )
    try:
        return main([os.fsencode(argument) for argument in arguments], dialect, world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def open_file(name: bytes) -> BinaryIO | None:
    """None when it cannot be opened. C opens a directory, and finds it empty."""
    try:
        return packed.opened(name)
    except IsADirectoryError:
        return io.BytesIO()
    except OSError:
        return None


def write_status(text: bytes) -> None:
    """Where the C program would crash, say why and end."""
    try:
        with open("status", "wb") as file:
            file.write(text)
    except OSError as problem:
        raise CannotContinue(f"cannot write the file 'status': {problem.strerror}") from problem
