"""``treelens evalb``: the same bytes as ``evalb``, for scripts that call it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from treelens.cli import CannotContinue, complaints, joined
from treelens.cli.forked import share_out
from treelens.cli.joined import size_again
from treelens.dropin.evalb.dialects import EVALB, Dialect
from treelens.dropin.evalb.program import main
from treelens.dropin.shared.world import World

_STDIN = "<stdin>"


def run(arguments: list[str]) -> int:
    return run_dialect(arguments, EVALB)


def run_dialect(arguments: list[str], dialect: Dialect) -> int:
    """Run a drop-in in the real world: files, standard streams, working directory."""
    opened = joined.opener(arguments)
    world = World(
        partial(open_file, opened),
        sys.stdout.buffer.write,
        complaints.in_bytes(),
        write_status,
        share_out,
        size_again,
    )
    # (The program takes what starts with a hyphen for an option.)
    names = [_STDIN if argument == "-" else argument for argument in arguments]
    try:
        return main([os.fsencode(name) for name in names], dialect, world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def open_file(opened: Callable[[bytes | str], BinaryIO], name: bytes) -> BinaryIO | None:
    """None when it cannot be opened."""
    try:
        return opened(b"-" if name == os.fsencode(_STDIN) else name)
    except OSError:
        return None


def write_status(text: bytes) -> None:
    """Where the C program would crash, say why and end."""
    try:
        with open("status", "wb") as file:
            file.write(text)
    except OSError as problem:
        raise CannotContinue(f"cannot write the file 'status': {problem.strerror}") from problem
