"""Running the drop-in in memory, and beside it the user's own SParseval when there is one."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from shared import SHARED
from treelens.cli.sparseval import align
from treelens.dropin.sparseval.program import main
from treelens.dropin.sparseval.world import World
from treelens.rules.head_tables import CHARNIAK
from treelens.rules.heads import head_table_text

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
    """Run with these files, and no others; what is written is among them afterwards.

    If ``SPARSEVAL`` names the C program, it has to print the same, and say the same but for
    lines of our own; unless it crashes, or is asked for what it does not have.
    """
    given = {name: _encoded(text) for name, text in files.items()}
    out, err = bytearray(), bytearray()

    def opened(name: bytes) -> BinaryIO | str:
        text = given.get(os.fsdecode(name))
        return "No such file or directory" if text is None else io.BytesIO(text)

    def write(name: bytes, text: bytes) -> str:
        if not isinstance(files, dict) or b"/" in name:
            return "Permission denied"
        files[name.decode()] = text
        return ""

    def append(name: bytes, text: bytes) -> str:
        return write(name, _encoded(files[name.decode()]) + text)

    world = World(opened, write, append, out.extend, err.extend, align)
    status = main([os.fsencode(argument) for argument in arguments], world)
    if program() and not _is_ours(arguments, given):
        _compare_with_program(arguments, given, status, bytes(out), bytes(err))
    return Outcome(status, out.decode(errors="replace"), err.decode(errors="replace"))


def _encoded(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _is_ours(arguments: Sequence[str], files: Mapping[str, bytes]) -> bool:
    """Whether the arguments mean something here only."""
    named = {"charniak", "collins"} - set(files)
    return any(each.startswith(("--", "-F")) or each in named for each in arguments)


def program() -> str | None:
    """The user's own SParseval, named by an environment variable."""
    return os.environ.get("SPARSEVAL")


def _compare_with_program(
    arguments: Sequence[str], files: Mapping[str, bytes], status: int, out: bytes, err: bytes
) -> None:
    path = program()
    assert path is not None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_bytes(text)
        command = [path, *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode < 0:
        return  # a crash: there is nothing to compare
    assert (status, out) == (done.returncode, done.stdout)
    if b"misbracketing" not in err and b"sage:" not in err:
        assert _said(err) == _said(done.stderr)


def _said(text: bytes) -> list[bytes]:
    """The lines but for ours and the program's name; it has two words for one fault of a head
    table."""
    lines = text.replace(b"headfile misparse", b"misparse head file").splitlines()
    return [line for line in lines if line and not line.startswith((b"treelens", b"  command:"))]


def run(
    gold: str, test: str, *options: str, prm: str = PARAMETERS, heads: str = HEADS, align: str = ""
) -> Outcome:
    """Score two texts with parameters and a head table, verbosely."""
    files = {"gold": gold, "test": test, "prm": prm, "heads": heads, "align": align}
    return run_files(["-v", "-p", "prm", "-h", "heads", *options, "gold", "test"], files)
