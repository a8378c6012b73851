"""Commands that are given files that no command should be given: each in a process of its own,
with so much memory and time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import hostile_files
from hostile_files import Outcome

SECONDS = 120
MEMORY = 6 << 30


def finding(seed: str) -> str | None:
    """What is wrong with the answer to what is drawn from a seed, if anything."""
    with tempfile.TemporaryDirectory(prefix="treelens-fuzz-") as folder:
        hostile_files.prepare(Path(folder))
        arguments = hostile_files.laid_out(seed, Path(folder))
        outcome = _run(arguments, folder)
    wrong = hostile_files.wrong(arguments, outcome)
    return f"hostile_files.laid_out({seed!r}): {arguments}: {wrong}" if wrong else None


def _run(arguments: list[str], folder: str) -> Outcome:
    with subprocess.Popen(
        [sys.executable, "-m", "treelens", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_bounded,
        start_new_session=True,
    ) as process:
        try:
            _, said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            return Outcome(None, f"no answer in {SECONDS} seconds")
    return Outcome(process.returncode, said.decode("utf-8", "replace"))


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
