"""Whole processes, start to exit: the dependency drop-ins beside their originals.

``EVAL07=/path/to/eval07.pl`` and ``CONLL18=/path/to/conll18_ud_eval.py`` name the originals, and
without them there is nothing to compare. The files are the reference data's, or made up. Each
turn runs both programs, one after the other; what is printed is the median of the ratios within
a turn, of wall time and of processor time: the machine may be slow or busy, the ratios hold.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
RUNS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        conllx, conllu = _files(Path(folder))
        treelens = [sys.executable, "-m", "treelens"]
        if "EVAL07" in os.environ:
            for options in (["-q"], ["-q", "-b"], []):
                tail = [*options, "-g", str(conllx[0]), "-s", str(conllx[1])]
                original = ["perl", os.environ["EVAL07"], *tail]
                compare(f"eval07 {' '.join(options)}", [*treelens, "eval07", *tail], original)
        if "CONLL18" in os.environ:
            tail = ["-v", str(conllu[0]), str(conllu[1])]
            original = [sys.executable, os.environ["CONLL18"], *tail]
            compare("conll18 -v", [*treelens, "conll18", *tail], original)


def compare(title: str, ours: list[str], original: list[str]) -> None:
    """Print how many times as long the original takes."""
    for command in (ours, original):
        seconds(command)  # not counted: fills the caches
    turns = [(seconds(ours), seconds(original)) for _ in range(RUNS)]
    ratios = []
    for kind in (0, 1):
        each = [theirs[kind] / mine[kind] for mine, theirs in turns]
        ratios.append(f"{statistics.median(each):6.1f} ({min(each):.1f} to {max(each):.1f})")
    print(f"{title:<14} wall {ratios[0]}   processor {ratios[1]}   times as long, {RUNS} turns")


def seconds(command: list[str]) -> tuple[float, float]:
    """Wall time and processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _files(folder: Path) -> tuple[tuple[Path, Path], tuple[Path, Path]]:
    """Gold and system in CoNLL-X, and in CoNLL-U."""
    real = Path(os.environ.get("TREELENS_SHARED_DATA", _SHARED)) / "dependency" / "en_ewt-dev"
    if real.is_dir():
        return (real / "gold.conllx", real / "system.conllx"), (
            real / "gold.conllu",
            real / "system.raw.conllu",
        )
    draw = random.Random(7)
    texts = {"gold": "", "system": ""}
    for _ in range(2_000):
        words = [draw.choice(("dog", "the", "runs", "fast", ",")) for _ in range(12)]
        for name, noise in (("gold", 0.0), ("system", 0.2)):
            texts[name] += _sentence(words, draw, noise)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    made = (folder / "gold", folder / "system")
    return made, made


def _sentence(words: list[str], draw: random.Random, noise: float) -> str:
    rows = []
    for index, word in enumerate(words, start=1):
        head = draw.randrange(1, index) if index > 1 and draw.random() < noise else index - 1
        relation = "root" if not head else draw.choice(("obj", "det")) if noise else "obj"
        rows.append(f"{index}\t{word}\t{word}\tX\tX\t_\t{head}\t{relation}\t_\t_\n")
    return "".join(rows) + "\n"


if __name__ == "__main__":
    main()
