"""Running the drop-in in memory, and beside it the user's own SParseval when there is one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from treelens.cli.sparseval import align
from treelens.dropin.sparseval.program import main
from treelens.dropin.sparseval.world import World
from treelens.head_tables import CHARNIAK
from treelens.heads import head_table_text

_REPOSITORY = Path(__file__).parents[3]
SHARED = Path(os.environ.get("TREELENS_SHARED_DATA", _REPOSITORY.parent / "shared" / "data"))
DATA = SHARED / "sparseval"

HEADS = head_table_text(CHARNIAK)
PARAMETERS = """\
DELETE_LABEL TOP
DELETE_LABEL ,
DELETE_LABEL .
EMPTY_NODE -NONE-
EQ_LABEL ADVP PRT
EDIT_LABEL EDITED
CLOSED_CLASS IN
FILLED_PAUSE1 uh
FILLED_PAUSE1 um
FILLED_PAUSE2 mhm
EQ_WORDS is 's
EQ_WORDS was 's
"""


class Outcome(NamedTuple):
    exit_status: int
    out: str
    err: str

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """With -v: the ten numbers of every pair."""
        lines = self.out.splitlines()
        rules = [at for at, line in enumerate(lines) if line.startswith("====")]
        return [tuple(map(int, line.split()[1:])) for line in lines[rules[-2] + 1 : rules[-1]]]

    @property
    def row(self) -> tuple[int, ...]:
        (only,) = self.rows
        return only

    @property
    def brackets(self) -> tuple[int, ...]:
        """Matched, gold, test, crossing."""
        return self.row[:4]

    @property
    def heads(self) -> tuple[int, ...]:
        """Matched, gold, test."""
        return self.row[4:7]

    @property
    def open_heads(self) -> tuple[int, ...]:
        return self.row[7:]

    @property
    def ours(self) -> list[str]:
        """What Treelens says beyond the original."""
        return [line for line in self.err.splitlines() if line.startswith("treelens")]


def run_files(arguments: Sequence[str], files: Mapping[str, str | bytes]) -> Outcome:
    """Run with these files, and no others; what is written is among them afterwards."""
    out, err = bytearray(), bytearray()

    def read(name: bytes) -> bytes | str:
        found = files.get(os.fsdecode(name), None)
        if found is None:
            return "No such file or directory"
        return found.encode() if isinstance(found, str) else found

    def write(name: bytes, text: bytes) -> str:
        if not isinstance(files, dict) or b"/" in name:
            return "Permission denied"
        files[name.decode()] = text
        return ""

    world = World(read, write, out.extend, err.extend, align)
    status = main([os.fsencode(argument) for argument in arguments], world)
    return Outcome(status, out.decode(errors="replace"), err.decode(errors="replace"))


def run(
    gold: str, test: str, *options: str, prm: str = PARAMETERS, heads: str = HEADS, align: str = ""
) -> Outcome:
    """Score two texts with parameters and a head table, verbosely."""
    files = {"gold": gold, "test": test, "prm": prm, "heads": heads, "align": align}
    return run_files(["-v", "-p", "prm", "-h", "heads", *options, "gold", "test"], files)


def program() -> str | None:
    """The user's own SParseval, named by an environment variable."""
    return os.environ.get("SPARSEVAL")


def run_program(folder: Path, arguments: Sequence[str]) -> tuple[int, bytes, bytes] | None:
    """Status and output of the C program; None when it crashes."""
    path = program()
    assert path is not None
    done = subprocess.run([path, *arguments], cwd=folder, capture_output=True, check=False)
    return None if done.returncode < 0 else (done.returncode, done.stdout, done.stderr)
