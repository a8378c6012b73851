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
from typing import NamedTuple

_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
RUNS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        conllx, *conllu = _files(Path(folder))
        treelens = [sys.executable, "-m", "treelens"]
        if "EVAL07" in os.environ:
            for options in (["-q"], ["-q", "-b"], []):
                tail = [*options, "-g", str(conllx.gold), "-s", str(conllx.system)]
                original = ["perl", os.environ["EVAL07"], *tail]
                compare(f"eval07 {' '.join(options)}", [*treelens, "eval07", *tail], original)
        if "CONLL18" in os.environ:
            for pair in conllu:
                tail = ["-v", str(pair.gold), str(pair.system)]
                original = [sys.executable, os.environ["CONLL18"], *tail]
                title = f"conll18 -v, {_sentences(pair.gold):,} sentences"
                compare(title, [*treelens, "conll18", *tail], original)


class Pair(NamedTuple):
    """The files that are compared."""

    gold: Path
    system: Path


def _sentences(file: Path) -> int:
    return file.read_bytes().count(b"\n\n")


def compare(title: str, ours: list[str], original: list[str]) -> None:
    """Print how many times as long the original takes."""
    for command in (ours, original):
        seconds(command)  # not counted: fills the caches
    turns = [(seconds(ours), seconds(original)) for _ in range(RUNS)]
    ratios = []
    for kind in (0, 1):
        each = [theirs[kind] / mine[kind] for mine, theirs in turns]
        ratios.append(f"{statistics.median(each):6.1f} ({min(each):.1f} to {max(each):.1f})")
    print(f"{title:<34} wall {ratios[0]}   processor {ratios[1]}   times as long, {RUNS} turns")


def seconds(command: list[str]) -> tuple[float, float]:
    """Wall time and processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _files(folder: Path) -> list[Pair]:
    """Gold and system in CoNLL-X, and in CoNLL-U: small, ordinary, and large."""
    real = Path(os.environ.get("TREELENS_SHARED_DATA", _SHARED)) / "dependency"
    if real.is_dir():
        english, french = real / "en_ewt-dev", real / "fr_sequoia-dev"
        conllx = Pair(english / "gold.conllx", english / "system.conllx")
        small = Pair(french / "gold.conllu", french / "system.raw.conllu")
        ordinary = Pair(english / "gold.conllu", english / "system.raw.conllu")
    else:
        small, ordinary = _made(folder, "small", 400), _made(folder, "ordinary", 2_000)
        conllx = ordinary
    large = Pair(folder / "large.gold", folder / "large.system")
    for file, source in zip(large, ordinary, strict=True):
        file.write_bytes(source.read_bytes() * 6)
    return [conllx, small, ordinary, large]


def _made(folder: Path, name: str, sentences: int) -> Pair:
    draw = random.Random(7)
    texts = {"gold": "", "system": ""}
    for _ in range(sentences):
        words = [draw.choice(("dog", "the", "runs", "fast", ",")) for _ in range(12)]
        for side, noise in (("gold", 0.0), ("system", 0.2)):
            texts[side] += _sentence(words, draw, noise)
    pair = Pair(folder / f"{name}.gold", folder / f"{name}.system")
    for file, text in zip(pair, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    return pair


def _sentence(words: list[str], draw: random.Random, noise: float) -> str:
    rows = []
    for index, word in enumerate(words, start=1):
        head = draw.randrange(1, index) if index > 1 and draw.random() < noise else index - 1
        relation = "root" if not head else draw.choice(("obj", "det")) if noise else "obj"
        rows.append(f"{index}\t{word}\t{word}\tX\tX\t_\t{head}\t{relation}\t_\t_\n")
    return "".join(rows) + "\n"


if __name__ == "__main__":
    main()
