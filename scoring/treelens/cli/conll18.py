"""``treelens conll18``: the tables of ``conll18_ud_eval.py``, for scripts that read them."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, cast

from treelens.cli import complaints, joined
from treelens.cli.forked import map_numbers
from treelens.dropin.ud.program import World, main

_IN_MEMORY = 1 << 20
"""Bytes that no file is made for."""


def run(arguments: list[str]) -> int:
    return run_program(arguments, "conll18")


def run_program(arguments: list[str], name: str) -> int:
    """Run one of the programs in the real world: files and standard streams."""
    # Hundreds of thousands of strings, none of them in a cycle: looking for cycles among them
    # costs a fifth of the time, and the process ends soon.
    gc.disable()
    opened = partial(open_file, joined.opener(arguments, b"\n\n"))
    world = World(opened, sys.stdout.write, complaints.in_text(), map_numbers)
    return main(arguments, name, world)


def open_file(opened: Callable[[bytes | str], BinaryIO], name: str) -> BinaryIO | str:
    """A file, or why it cannot be read. Of what cannot be entered anywhere there is a copy."""
    try:
        file = opened(name)
        if file.seekable():
            return file
        start = file.read(_IN_MEMORY)
    except OSError as problem:
        return f"cannot be read: {problem.strerror}"
    return _copy(start, file)


def _copy(start: bytes, file: BinaryIO) -> BinaryIO:
    """What a stream holds, in a temporary file unless it is small. Raises OSError where that cannot
    be written."""
    if len(start) < _IN_MEMORY:
        return io.BytesIO(start)
    import shutil  # which small files do without
    import tempfile

    copy = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 — it stays open
    copy.write(start)
    shutil.copyfileobj(file, copy)
    copy.seek(0)
    return copy
