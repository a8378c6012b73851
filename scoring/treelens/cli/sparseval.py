"""``treelens sparseval``: the same report as SParseval."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from treelens.cli import complaints, joined
from treelens.dropin.sparseval.program import main
from treelens.dropin.sparseval.world import Places, World


def run(arguments: list[str]) -> int:
    # Trees have no cycles; looking for them would be a third of the time.
    gc.disable()
    output, errors = sys.stdout.buffer.write, complaints.in_bytes()
    opened = partial(open_file, joined.opener(arguments))
    world = World(opened, write_file, append, output, errors, align)
    try:
        return main([os.fsencode(argument) for argument in arguments], world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def open_file(opened: Callable[[bytes | str], BinaryIO], name: bytes) -> BinaryIO | str:
    """A file, or why it cannot be read."""
    try:
        return opened(name)
    except (OSError, ValueError) as problem:
        return _reason(problem)


def write_file(name: bytes, text: bytes) -> str:
    """Nothing, or why the file cannot be written."""
    try:
        with open(name, "wb") as file:
            file.write(text)
    except (OSError, ValueError) as problem:
        return _reason(problem)
    return ""


def append(name: bytes, text: bytes) -> None:
    with open(name, "ab") as file:
        file.write(text)


def _reason(problem: OSError | ValueError) -> str:
    return (isinstance(problem, OSError) and problem.strerror) or str(problem)


def align(gold: list[bytes], test: list[bytes]) -> tuple[Places, Places]:
    """Treelens's own alignment of words."""
    # It loads rapidfuzz, which only --align own needs.
    from treelens.align.words import align_words

    axis = align_words(gold, test)
    return axis.gold, axis.system
