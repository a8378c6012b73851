"""Running the drop-in in memory, and beside it the user's own script when there is one."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from treelens.dropin.jp.program import main
from treelens.dropin.shared.world import ShareOut, World, in_turn


class Outcome(NamedTuple):
    exit_status: int
    out: str
    err: str

    @property
    def rows(self) -> list[str]:
        """The rows of the groups, blanks squeezed."""
        table = self.out.split("=" * 76 + "\n")[1]
        return [" ".join(line.split()) for line in table.splitlines()]

    @property
    def counts(self) -> list[tuple[int, int, int]]:
        """Of each group the brackets: matched, gold, system."""
        fields = [row.split() for row in self.rows]
        return [(int(field[5]), int(field[6]), int(field[7])) for field in fields]

    @property
    def tags(self) -> list[tuple[int, int]]:
        """Of each group the words of gold, and how many tags are right."""
        fields = [row.split() for row in self.rows]
        return [(int(field[9]), int(field[10])) for field in fields]

    def summary(self, name: str, block: int = 0) -> str:
        """A number of the summary's first or second block."""
        lines = [line for line in self.out.splitlines() if line.startswith(name)]
        return lines[block].split("=")[1].strip()


def run(
    gold: str, system: str, *options: str, prm: str = "", share_out: ShareOut = in_turn
) -> Outcome:
    """Score two texts."""
    files = {b"gold": gold.encode(), b"system": system.encode(), b"x.prm": prm.encode()}
    return run_files(["gold", "system", *options], files, share_out)


def run_files(
    arguments: Sequence[str | Path],
    files: dict[bytes, bytes] | None = None,
    share_out: ShareOut = in_turn,
) -> Outcome:
    out, err = bytearray(), bytearray()

    def opened(name: bytes) -> io.BytesIO | None:
        if files is not None:
            return io.BytesIO(files[name]) if name in files else None
        path = Path(os.fsdecode(name))
        return io.BytesIO(path.read_bytes()) if path.exists() else None

    world = World(opened, out.extend, err.extend, lambda text: None, share_out)
    status = main([os.fsencode(argument) for argument in arguments], world)
    return Outcome(status, out.decode(), err.decode())


def script() -> str | None:
    """The user's own jp-evalb.py, named by an environment variable."""
    return os.environ.get("JP_EVALB")


def run_script(folder: Path, arguments: Sequence[str]) -> str | None:
    """What the script prints less its times; None when it ends with an error."""
    path = script()
    assert path is not None
    command = [sys.executable, "-W", "ignore", path, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
    if done.returncode:
        return None
    return re.sub(r"^Current time.*\n", "", done.stdout, flags=re.MULTILINE)
