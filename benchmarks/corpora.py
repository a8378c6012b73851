"""What ``treelens score`` costs as a corpus grows: time, memory, processes, ways to hand it over.

Whole processes, in turn within one run, as ratios: the machine may be slow or busy. Of memory the
largest process is printed. The numbers that are printed by the command must be the same for all
ways; where they are not, this says so and ends with status 1.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import trees

SIZE = 36_058
TIMES = 10
FILES = 100
_NAMES = re.compile(rb"(?m)^(gold|system) .*\n")
_BY_FILE = re.compile(rb"(?ms)^ +sentences .*?\n\n")


class Run(NamedTuple):
    seconds: float
    peak: int
    """Kilobytes."""
    numbers: str
    """A checksum of what was printed, but for the files' names."""


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = trees(folder, SIZE), trees(folder, SIZE * TIMES)
        base, ten = _run(*small, "-j", "1"), _run(*large, "-j", "1")
        print(f"{SIZE:,} pairs {base.seconds:.2f} s, peak {base.peak / 1000:.0f} MB")
        _say(f"{TIMES} times the input", ten, base)
        shared = _run(*large, "-j", "2")
        _say("  by two processes, against one", shared, ten)
        packed = _packed(folder, small)
        _say("packed by gzip, against plain", packed, base)
        many = _run(*_split(folder, small), "-j", "1")
        _say(f"as {FILES} files, against one", many, base)
        same = shared.numbers == ten.numbers and packed.numbers == base.numbers == many.numbers
        print("the numbers are the same" if same else "THE NUMBERS DIFFER")
        return 0 if same else 1


def _run(gold: Path, system: Path, *options: str) -> Run:
    command = [sys.executable, "-m", "treelens", "score", *options, str(gold), str(system)]
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    numbers = _BY_FILE.sub(b"", _NAMES.sub(b"", text)).split(b"treelens")[0].strip()
    return Run(time.monotonic() - start, usage.ru_maxrss, hashlib.sha256(numbers).hexdigest())


def _say(title: str, run: Run, base: Run) -> None:
    print(f"{title:32} time {run.seconds / base.seconds:5.2f}   peak {run.peak / base.peak:5.2f}")


def _packed(folder: Path, files: tuple[Path, Path]) -> Run:
    packed = [folder / f"{file.name}.gz" for file in files]
    for file, to in zip(files, packed, strict=True):
        to.write_bytes(gzip.compress(file.read_bytes(), 1))
    return _run(packed[0], packed[1], "-j", "1")


def _split(folder: Path, files: tuple[Path, Path]) -> tuple[Path, Path]:
    """Folders with the same trees in many files."""
    for side, file in zip(("many-gold", "many-system"), files, strict=True):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / side).mkdir()
        for number in range(FILES):
            share = lines[len(lines) * number // FILES : len(lines) * (number + 1) // FILES]
            (folder / side / f"{number:03}.mrg").write_text("".join(share), encoding="utf-8")
    return folder / "many-gold", folder / "many-system"


if __name__ == "__main__":
    sys.exit(main())
