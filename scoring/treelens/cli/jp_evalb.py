"""``treelens jp-evalb``: the same standard output as the ``jp-evalb`` script."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from treelens.cli import complaints, joined
from treelens.cli.forked import share_out
from treelens.dropin.jp.program import main
from treelens.dropin.shared.world import World


def run(arguments: list[str]) -> int:
    # There are no cycles to be found among strings and tuples; looking for them is a sixth of
    # the time.
    gc.disable()
    world = World(
        partial(open_file, joined.opener(arguments)),
        sys.stdout.buffer.write,
        complaints.in_bytes(),
        lambda text: None,  # the script has no such file
        share_out,
    )
    try:
        return main([os.fsencode(argument) for argument in arguments], world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()


def open_file(opened: Callable[[bytes | str], BinaryIO], name: bytes) -> BinaryIO | None:
    """None when it cannot be opened."""
    try:
        return opened(name)
    except OSError:
        return None
