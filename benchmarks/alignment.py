"""What alignment costs: how it grows with the files, and what different cuts of the text add.

Printed are seconds for lining up sentences (``align``) and for that and counting (``pair``), of
files that have been read, and their ratios within one run: the machine may be slow or busy.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from treelens.session.document import document
from treelens.session.pair import aligned, with_counts
from treelens.trees.forest import Symbols

from benchmarks.corpus import trees

SIZES = (1_000, 10_000, 100_000)
COMPARED = 36_000
SHARES = (0.01, 0.1)
RUNS = 3
_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")

Lines = list[str]


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print("sentences     align      pair   microseconds a sentence")
        for size in SIZES:
            texts = [file.read_text(encoding="utf-8") for file in trees(folder, size)]
            turns = [_once(*texts) for _ in range(RUNS)]
            align, pair = (statistics.median(times) for times in zip(*turns, strict=True))
            each = 1e6 * align / size, 1e6 * pair / size
            print(f"{size:9,} {align:9.3f} {pair:9.3f}   {each[0]:6.1f} {each[1]:6.1f}")
        gold, system = (file.read_text(encoding="utf-8") for file in trees(folder, COMPARED))
        print(
            f"\n{COMPARED:,} sentences, beside the same words      align (ratio)      pair (ratio)"
        )
        for share in SHARES:
            for title, change in CHANGES.items():
                changed = some(system.splitlines(), share, change)
                other = "".join(line + "\n" for line in changed)
                turns = [(_once(gold, system), _once(gold, other)) for _ in range(RUNS)]
                print(f"{share:4.0%} {title:<36}", end="")
                for part in (0, 1):
                    middle = statistics.median(turn[1][part] for turn in turns)
                    ratio = statistics.median(turn[1][part] / turn[0][part] for turn in turns)
                    print(f"  {middle:7.3f} ({ratio:5.2f})", end="")
                print()
    return 0


def _once(gold: str, system: str) -> tuple[float, float]:
    """Seconds for sentences alone, and for everything; nothing is known of any word before."""
    symbols = Symbols()
    sides = [document(text.encode(), symbols) for text in (gold, system)]
    started = time.perf_counter()
    start = aligned(sides[0], sides[1])
    between = time.perf_counter()
    with_counts(start)
    return between - started, time.perf_counter() - started


# --- what is changed in some sentences -----------------------------------------------------


def some(lines: Lines, share: float, change: Callable[[Lines, random.Random], Lines]) -> Lines:
    """Change a share of the sentences; each is given with the one that follows it."""
    draw = random.Random(7)
    result: Lines = []
    at = 0
    while at < len(lines):
        if draw.random() < share:
            result += change(lines[at : at + 2], draw)
            at += 2
        else:
            result.append(lines[at])
            at += 1
    return result


def resplit(lines: Lines, draw: random.Random) -> Lines:
    """Two sentences as one; or cut at another place, which makes them flat."""
    if draw.random() < 0.5:
        return [f"(TOP {' '.join(lines)})"]
    leaves = [leaf[0] for line in lines for leaf in _LEAF.finditer(line)]
    cut = draw.randint(1, max(len(leaves) - 1, 1))
    return [f"(TOP {' '.join(part)})" for part in (leaves[:cut], leaves[cut:]) if part]


def merge_words(lines: Lines, draw: random.Random) -> Lines:
    """A word is joined with the one behind it, if that stands beside it."""
    joined = r"(\1 \2\3)"
    return [
        re.sub(r"\((\S+) ([^\s()]+)\) \(\S+ ([^\s()]+)\)", joined, line, count=1) for line in lines
    ]


def split_words(lines: Lines, draw: random.Random) -> Lines:
    """A word is two."""
    return [
        re.sub(r"\((\S+) ([^\s()])([^\s()]+)\)", r"(\1 \2) (\1 \3)", line, count=1)
        for line in lines
    ]


def other_words(lines: Lines, draw: random.Random) -> Lines:
    """A word is another one."""
    changed = []
    for line in lines:
        leaves = [leaf.span() for leaf in _LEAF.finditer(line)]
        if len(leaves) > 3:
            start, end = leaves[draw.randrange(len(leaves))]
            line = f"{line[:start]}(X {draw.random()}){line[end:]}"
        changed.append(line)
    return changed


CHANGES = {
    "sentences cut otherwise": resplit,
    "words joined": merge_words,
    "words split": split_words,
    "other words": other_words,
}

if __name__ == "__main__":
    sys.exit(main())
