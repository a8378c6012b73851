"""What is wanted of whole processes, from start to exit, in one run: each as a ratio, beside it.

The originals are not here: ``EVALB`` names the C program of evalb (built with ``-O3``),
``JP_EVALB``, ``CONLL18`` and ``EVAL07`` the scripts; what is not named is left out. ::

    make bench BENCH=ratios EVALB=/path/to/evalb JP_EVALB=/path/to/jp-evalb.py ...

Commands that are compared run in turn; what is printed is the median of the ratios within the
turns, least and most: the machine may be slow or busy, the ratio holds. No sentence comes twice.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.corpus import conllx_tables, tables, trees
from benchmarks.keystroke import Sitting
from benchmarks.scorers import PARAMETERS, seconds

TREELENS = [sys.executable, "-m", "treelens"]
RUNS = 5
SLOW_RUNS = 2
"""Of scripts that take a minute."""
PAIRS, MORE_PAIRS, JP_PAIRS, TABLES = 36_058, 360_580, 12_000, 16_600
SMALL = "(TOP (S (NP (D the) (N dog)) (VP (V barks))))\n"


def main() -> None:
    # What is installed has been compiled: here what was changed is, in the runs not counted.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for variable in ("EVALB", "JP_EVALB", "CONLL18", "EVAL07"):
        if variable in os.environ:
            os.environ[variable] = os.path.abspath(os.environ[variable])
    # (Scripts leave files where they are run.)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        _beside_evalb(folder)
        _beside_scripts(folder)
        _start_up(folder)
        _server(folder)


def _beside_evalb(folder: Path) -> None:
    if (evalb := _named("EVALB")) is None:
        return
    parameters = folder / "parameters.prm"
    parameters.write_text(PARAMETERS, encoding="utf-8")
    for count, wanted, runs in ((PAIRS, "1.0", RUNS), (MORE_PAIRS, "0.7", SLOW_RUNS)):
        files = [*map(str, trees(folder, count))]
        options = ["-p", str(parameters), *files]
        ours, theirs = _timed([*TREELENS, "evalb", *options]), _timed([evalb, *options])
        _say(
            f"evalb, {count:,} pairs", "of the C program's time", f"≤ {wanted}", ours, theirs, runs
        )
        if count == PAIRS:
            ours = _timed([*TREELENS, "score", *files])
            _say(f"score, {count:,} pairs", "of the C evalb's time", "≤ 2", ours, theirs, runs)


def _beside_scripts(folder: Path) -> None:
    if script := _named("JP_EVALB"):
        _faster("jp-evalb", [], script, [*map(str, trees(folder, JP_PAIRS))], 50)
    if script := _named("CONLL18"):
        _faster("conll18", ["-v"], script, [*map(str, tables(folder, TABLES))], 8)
    if script := _named("EVAL07"):
        gold, system = map(str, conllx_tables(folder, TABLES))
        for options in (["-q"], []):
            _faster("eval07", options, script, ["-g", gold, "-s", system], 10)


def _faster(command: str, options: list[str], script: str, files: list[str], wanted: int) -> None:
    runner = "perl" if script.endswith(".pl") else sys.executable
    theirs = _timed([runner, script, *options, *files])
    ours = _timed([*TREELENS, command, *options, *files])
    title = " ".join([command, *options])
    _say(title, "times as fast as the script", f"≥ {wanted}", theirs, ours, SLOW_RUNS)


def _start_up(folder: Path) -> None:
    """Of commands that need numpy, with files of one sentence, beyond the interpreter's own."""
    gold, system = (folder / f"one.{side}.mrg" for side in ("gold", "system"))
    for file in (gold, system):
        file.write_text(SMALL, encoding="utf-8")
    bare = _timed([sys.executable, "-c", "pass"])
    numpy = _beyond(_timed([sys.executable, "-c", "import numpy"]), bare)
    pairs = "score", "compare", "errors", "changes", "agreement", "worklist"
    for command in (*pairs, "consistency"):
        files = {"consistency": [gold], "changes": [gold, system, system]}
        arguments = [*TREELENS, command, *map(str, files.get(command, [gold, system]))]
        ours = _beyond(_timed(arguments), bare)
        _say(f"start-up of {command}", "of importing numpy", "< 0.15 s", ours, numpy, RUNS)


def _beyond(measure: Callable[[], float], bare: Callable[[], float]) -> Callable[[], float]:
    return lambda: measure() - bare()


def _server(folder: Path) -> None:
    """From a new process to the answer to ``initialize``; from both files' opening to what is said
    above their sentences."""
    bare = _timed([sys.executable, "-c", "pass"])
    empty, files = trees(folder, 1), trees(folder, PAIRS)

    def begin() -> float:
        started = time.perf_counter()
        with Sitting(empty, folder).client:
            return time.perf_counter() - started

    _say("server: initialize", "of python -c pass", "≤ 0.35 s", begin, bare, RUNS)

    def first() -> float:
        sitting = Sitting(files, folder)
        with sitting.client:
            return sitting.open()

    def score() -> float:
        return seconds([*TREELENS, "score", *map(str, files)])

    _say(f"server: first of {PAIRS:,}", "of score's time", "≤ 8 s", first, score, SLOW_RUNS)


def _named(variable: str) -> str | None:
    if variable not in os.environ:
        print(f"  {variable} names no original: nothing to compare with")
    return os.environ.get(variable)


def _timed(command: Sequence[str]) -> Callable[[], float]:
    def measure() -> float:
        started = time.perf_counter()
        # (Status 1 of some commands means that something differs.)
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode not in (0, 1):
            sys.exit(f"{command}: status {done.returncode}: {done.stderr[-500:].decode()}")
        return time.perf_counter() - started

    return measure


def _say(
    title: str,
    of: str,
    wanted: str,
    one: Callable[[], float],
    other: Callable[[], float],
    runs: int,
) -> None:
    """The ratio of two measures, and the seconds of both."""
    one(), other()  # not counted: fills the caches
    turns = [(one(), other()) for _ in range(runs)]
    ratios = [a / b for a, b in turns]
    medians = [statistics.median(side) for side in zip(*turns, strict=True)]
    print(
        f"  {title:<24} {statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        f" {of}; wanted {wanted}; {medians[0]:.3f} s and {medians[1]:.3f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
