"""Whole processes, start to exit: the drop-in beside evalb, and beside a scorer on nltk trees.

``EVALB=/path/to/evalb`` names a C program to run beside ours; the parameters are Collins's.
What is printed are medians of runs in turn, and ratios within each turn: the machine may be
slow or busy, the ratio holds.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpus import trees

RUNS = 5
PARAMETERS = """\
MAX_ERROR 1000000
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""

NLTK_SCORER = """
import sys
from collections import Counter
from nltk.tree import Tree

def spans(tree, start, found):
    if not isinstance(tree[0], Tree):
        return start + 1
    end = start
    for child in tree:
        end = spans(child, end, found)
    found[tree.label(), start, end] += 1
    return end

matched = golds = systems = 0
with open(sys.argv[1], encoding="utf-8") as gold, open(sys.argv[2], encoding="utf-8") as system:
    for one, other in zip(gold, system):
        counts = []
        for line in (one, other):
            counts.append(Counter())
            spans(Tree.fromstring(line), 0, counts[-1])
        matched += (counts[0] & counts[1]).total()
        golds += counts[0].total()
        systems += counts[1].total()
print(200 * matched / (golds + systems))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        parameters = Path(folder, "parameters.prm")
        parameters.write_text(PARAMETERS, encoding="utf-8")
        for count in (2_400, 36_000):
            files = trees(Path(folder), count)
            options = ["-p", str(parameters), *map(str, files)]
            commands = {
                "treelens evalb": [sys.executable, "-m", "treelens", "evalb", *options],
                "treelens score": [sys.executable, "-m", "treelens", "score", *map(str, files)],
            }
            if "EVALB" in os.environ:
                commands["evalb (C)"] = [os.environ["EVALB"], *options]
            if count < 10_000:  # it takes minutes on the larger files
                commands["nltk trees"] = [sys.executable, "-c", NLTK_SCORER, *map(str, files)]
            report(
                f"{count:,} pairs, {sum(file.stat().st_size for file in files):,} bytes", commands
            )


def report(title: str, commands: dict[str, list[str]]) -> None:
    """Run all commands in turn, and print each one's median and ratio to the first."""
    for command in commands.values():
        seconds(command)  # not counted: fills the caches
    turns = [{name: seconds(command) for name, command in commands.items()} for _ in range(RUNS)]
    first = next(iter(commands))
    print(f"\n{title}; {RUNS} turns")
    for name in commands:
        times = [turn[name] for turn in turns]
        ratio = statistics.median(turn[name] / turn[first] for turn in turns)
        print(
            f"  {name:<16} {statistics.median(times):7.3f} s"
            f"  ({min(times):.3f} to {max(times):.3f})   {ratio:6.2f} x {first}"
        )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  largest of all processes so far: {peak:.0f} MiB")


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True
    )
    if done.returncode:
        sys.exit(f"{command[0]} ended with status {done.returncode}: {done.stderr[-500:]}")
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
