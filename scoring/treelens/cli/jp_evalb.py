"""``treelens jp-evalb``: the same standard output as the ``jp-evalb`` script."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial

from treelens.cli import complaints, joined
from treelens.cli.evalb import open_file, write_status
from treelens.dropin.jp.program import main
from treelens.dropin.shared.world import World


def run(arguments: list[str]) -> int:
    # There are no cycles to be found among strings and tuples; looking for them is a sixth of
    # the time.
    gc.disable()
    opened = partial(open_file, joined.opener(arguments))
    world = World(opened, sys.stdout.buffer.write, complaints.in_bytes(), write_status)
    try:
        return main([os.fsencode(argument) for argument in arguments], world)
    finally:
        sys.stdout.buffer.flush()
        sys.stderr.buffer.flush()
