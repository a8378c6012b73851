"""Running a drop-in in memory, and beside it the user's own C program when there is one."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from treelens.dropin.evalb.dialects import EVALB, EVALB_SPMRL, Dialect
from treelens.dropin.evalb.program import main
from treelens.dropin.shared.world import World


class Outcome(NamedTuple):
    exit_status: int
    out: bytes
    err: bytes
    status_file: bytes | None

    @property
    def rows(self) -> list[str]:
        """The rows of the pairs, blanks squeezed."""
        table = self.out.decode("latin-1").split("=" * 76 + "\n")[1]
        return [" ".join(line.split()) for line in table.splitlines()]

    @property
    def messages(self) -> list[str]:
        return self.err.decode("latin-1").splitlines()

    def summary(self, name: str, block: int = 0) -> str:
        """A number of the summary's first or second block."""
        lines = self.out.decode("latin-1").splitlines()
        return [line.split("=")[1].strip() for line in lines if line.startswith(name)][block]


Score = Callable[..., Outcome]
"""The fixtures ``evalb`` and ``spmrl``: (gold, test, *options, prm=None) to the outcome."""


def run_dropin(
    dialect: Dialect, arguments: Sequence[bytes], files: Mapping[bytes, bytes]
) -> Outcome:
    out, err, status_files = bytearray(), bytearray(), list[bytes]()

    def opened(name: bytes) -> io.BytesIO | None:
        return io.BytesIO(files[name]) if name in files else None

    world = World(opened, out.extend, err.extend, status_files.append)
    exit_status = main(arguments, dialect, world)
    return Outcome(exit_status, bytes(out), bytes(err), status_files[-1] if status_files else None)


def c_program(dialect: Dialect) -> str | None:
    """The user's own evalb or evalb_spmrl, named by an environment variable."""
    return os.environ.get({EVALB: "EVALB", EVALB_SPMRL: "EVALB_SPMRL"}[dialect])


def run_c_program(
    program: str, arguments: Sequence[bytes], files: Mapping[bytes, bytes], folder: Path
) -> Outcome:
    for name, text in files.items():
        (folder / os.fsdecode(name)).write_bytes(text)
    status_file = folder / "status"
    status_file.unlink(missing_ok=True)
    command = [program, *map(os.fsdecode, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    written = status_file.read_bytes() if status_file.exists() else None
    return Outcome(done.returncode, done.stdout, done.stderr, written)
