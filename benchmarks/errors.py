"""What errors by class cost: a file's, a sentence's, and those of trees made to take long.

A file's are beside comparing it (``pair``) within one run; a sentence's are those that an editor
asks for, with the comparison that they need.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from treelens.errors.transform import Span, repair
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.trees.forest import Symbols

from benchmarks.corpus import tables, trees

SENTENCES = 2_400
RUNS = 3
ASKED = 300
WORDS = 5_000


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        for title, files in (("trees", trees), ("tables", tables)):
            texts = [file.read_bytes() for file in files(Path(name), SENTENCES)]
            turns = [_once(texts) for _ in range(RUNS)]
            pairing, errors = (statistics.median(times) for times in zip(*turns, strict=True))
            print(
                f"{title}: pair {pairing:.2f} s, errors {errors:.2f} s for {SENTENCES:,} sentences"
            )
            single = sorted(_singles(_paired(texts)))
            shown = (single[len(single) // 2], single[len(single) * 95 // 100], single[-1])
            print("  a sentence: median {:.1f} ms, 95 % {:.1f}, most {:.1f}".format(*shown))
    for title, (gold, system) in HOSTILE.items():
        start = time.perf_counter()
        found = repair(["NN"] * WORDS, gold, system)
        print(
            f"{title}: {time.perf_counter() - start:.2f} s, "
            f"{len(found.missing) + len(found.extra):,} brackets not classified"
        )
    return 0


def _paired(texts: list[bytes]) -> Pair:
    symbols = Symbols()
    return pair(*(document(text, symbols) for text in texts))


def _once(texts: list[bytes]) -> tuple[float, float]:
    start = time.perf_counter()
    found = _paired(texts)
    middle = time.perf_counter()
    for _ in found.all_errors():
        pass
    return middle - start, time.perf_counter() - middle


def _singles(found: Pair) -> list[float]:
    """Milliseconds for one sentence after the other, spread over the file."""
    times = []
    for group in range(0, len(found), max(len(found) // ASKED, 1)):
        start = time.perf_counter()
        found.errors(group)
        times.append(1000 * (time.perf_counter() - start))
    return times


def _span(start: int, end: int, label: int = 0) -> Span:
    return Span(start, end, label, "X")


HOSTILE = {
    "left-branching for right-branching": (
        [_span(start, WORDS) for start in range(WORDS - 1)],
        [_span(0, end) for end in range(WORDS, 1, -1)],
    ),
    "a chain of unaries for another": ([_span(0, WORDS)] * WORDS, [_span(0, WORDS, 1)] * WORDS),
    "other labels on every word": (
        [_span(word, word + 1) for word in range(WORDS)],
        [_span(word, word + 1, 1) for word in range(WORDS)],
    ),
    "pairs of words shifted by one": (
        [_span(word, word + 2) for word in range(0, WORDS - 2, 2)],
        [_span(word, word + 2) for word in range(1, WORDS - 2, 2)],
    ),
}


if __name__ == "__main__":
    main()
