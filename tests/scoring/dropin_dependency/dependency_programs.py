"""Running the dependency scorers in memory, and beside them the user's own originals."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from shared import SHARED
from treelens.dropin.conll import program as conll
from treelens.dropin.conll.dialects import EVAL07, EVAL_CONLLX, EVAL_SPMRL, Dialect
from treelens.dropin.conll.world import Beside, World
from treelens.dropin.ud import program as ud

DEPENDENCY = SHARED / "dependency"
NO_DATA = f"the reference data is not at {SHARED} (TREELENS_SHARED_DATA)"

ORIGINALS = {EVAL07: "EVAL07", EVAL_CONLLX: "EVAL_CONLLX", EVAL_SPMRL: "EVAL_SPMRL"}
"""The environment variables that name the originals; UD's are CONLL18 and UDEVAL."""


class Outcome(NamedTuple):
    exit_status: int
    out: bytes
    err: bytes


def run_conll(
    dialect: Dialect,
    arguments: Sequence[str | bytes],
    files: Mapping[bytes, bytes],
    beside: Beside | None = None,
) -> Outcome:
    """``beside``: what does part of the work, as of large files."""
    out, err = bytearray(), bytearray()
    written = _Written()

    def opened(name: bytes) -> BinaryIO | int:
        return io.BytesIO(files[name]) if name in files else 2

    world = World(opened, lambda name: written, out.extend, err.extend, TemporaryDirectory)
    if beside:
        world = world._replace(beside=beside, size=lambda name: 1 << 30)
    encoded = [each.encode() if isinstance(each, str) else each for each in arguments]
    status = conll.main(encoded, dialect, world)
    return Outcome(status, written.text or bytes(out), bytes(err))


class _Written(io.BytesIO):
    """A file whose text is still there once it is closed."""

    text = b""

    def close(self) -> None:
        self.text = self.getvalue()
        super().close()


def run_ud(
    name: str, arguments: Sequence[str], files: Mapping[str, str] | Mapping[str, bytes]
) -> Outcome:
    out, err = list[str](), list[str]()

    def opened(file: str) -> io.BytesIO | str:
        if file not in files:
            return "cannot be read: No such file"
        text = files[file]
        return io.BytesIO(text if isinstance(text, bytes) else text.encode())

    status = ud.main(arguments, name, ud.World(opened, out.append, err.append))
    return Outcome(status, "".join(out).encode(), "".join(err).encode())


def run_original(command: Sequence[str], folder: Path) -> Outcome:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    return Outcome(done.returncode, done.stdout, done.stderr)


def perl_in_order(program: str, folder: Path) -> list[str]:
    """A command for an original that walks its hashes in the order of their keys' bytes, which
    makes its long report the same in every run, and the one that we print."""
    text = Path(program).read_bytes()
    changed = re.sub(rb"(?<!scalar )(?<!sort )\bkeys %", b"sort keys %", text)
    (folder / "in_order.pl").write_bytes(changed)
    return ["perl", "in_order.pl"]


def python_with_root_check(program: str, folder: Path) -> list[str]:
    """A command for conll18_ud_eval.py; copies in circulation have its check for a single root
    commented out, and here it is in force."""
    text = Path(program).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if re.match(r"\s*# *if len\(\[word for word", line):
            lines[index] = line.replace("# ", "", 1)
            lines[index + 1] = lines[index + 1].replace("#", " ", 1)
    (folder / "with_root_check.py").write_text("".join(lines), encoding="utf-8")
    return [sys.executable, "with_root_check.py"]
