"""Whole processes, start to exit: ``treelens jp-evalb``, beside the script if there is one.

``JP_EVALB=/path/to/jp-evalb.py`` names the script; it needs nltk, and minutes. Each file of
36,000 trees is made of 2,400: repeated as they are, and with other words in each repetition,
which shows what remembering lines is worth. Variants have joined words, and joined sentences.
What is printed are seconds of one run in turn, ratios within the turn, and peaks of memory.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import trees

SENTENCES = 2_400
REPETITIONS = 15
_LEAF = re.compile(r"(?<= )[^\s()]{4,}(?=\))")
_TWO_LEAVES = re.compile(r"\((\S+) (\w+)\) \(\S+ (\w+)\)")


class Run(NamedTuple):
    status: int
    seconds: float
    megabytes: float


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold, system = (file.read_text(encoding="utf-8") for file in trees(folder, SENTENCES))
        variants: dict[str, Callable[[str], str]] = {
            "as it is": str,
            "words joined": join_words,
            "sentences joined": join_sentences,
        }
        for title, change in variants.items():
            changed = change(system)
            for kind, repeat in (("repeated", repeated), ("other words", with_other_words)):
                files = [folder / "gold", folder / "system"]
                for file, text in zip(files, (gold, changed), strict=True):
                    file.write_text(repeat(text), encoding="utf-8")
                report(f"{title}, {kind}", files, folder)
                if change is str:
                    report(f"-evalb, {kind}", [*files, "-evalb"], folder)
    return 0


def repeated(text: str) -> str:
    return text * REPETITIONS


def with_other_words(text: str) -> str:
    """Each repetition has words of its own, those of four letters and more."""
    endings = [chr(ord("a") + number) for number in range(REPETITIONS)]
    return "".join(_LEAF.sub(rf"\g<0>{ending}", text) for ending in endings)


def join_words(text: str) -> str:
    """Join two words in every tenth sentence."""
    lines = text.splitlines(keepends=True)
    lines[::10] = [_TWO_LEAVES.sub(r"(\1 \2\3)", line, count=1) for line in lines[::10]]
    return "".join(lines)


def join_sentences(text: str) -> str:
    """Join every twelfth sentence with the one after it."""
    lines = text.splitlines()
    lines[::12] = [
        f"(TOP {one} {lines[number * 12 + 1]})" if number * 12 + 1 < len(lines) else one
        for number, one in enumerate(lines[::12])
    ]
    del lines[1::12]
    return "".join(line + "\n" for line in lines)


def report(title: str, files: Sequence[Path | str], folder: Path) -> None:
    arguments = [str(file) for file in files]
    ours = run([sys.executable, "-m", "treelens", "jp-evalb", *arguments], folder)
    if ours.status:
        sys.exit(f"treelens ended with status {ours.status}")
    print(f"{title}: treelens {ours.seconds:.2f} s, {ours.megabytes:.0f} MB", end="", flush=True)
    if "JP_EVALB" in os.environ:
        theirs = run([sys.executable, os.environ["JP_EVALB"], *arguments], folder)
        # It may stop with an error, after most of its work.
        stopped = " (stopped with an error)" if theirs.status else ""
        print(
            f"; script{stopped} {theirs.seconds:.2f} s, {theirs.megabytes:.0f} MB"
            f"; {theirs.seconds / ours.seconds:.0f} times as fast"
            f" in {100 * ours.megabytes / theirs.megabytes:.0f} % of the memory",
            end="",
        )
    print()


def run(command: list[str], folder: Path) -> Run:
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Run(process.returncode, time.perf_counter() - started, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main())
