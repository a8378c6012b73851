"""What is counted of two texts, and what is kept of the stretches that they are read in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from treelens.align.groups import Groups
from treelens.corpus.blocks import STRETCH_BYTES
from treelens.corpus.cuts import ByteStretch
from treelens.counting.waiting import Waiting, WaitingRows, WaitingTexts
from treelens.counting.work import (
    CountingTask,
    StreamedText,
    StretchRead,
    TaskResult,
)
from treelens.metrics import Metric
from treelens.rules.parameters import Parameters

Map = Callable[[Callable[[CountingTask], TaskResult], Iterable[CountingTask]], Iterator[TaskResult]]
"""Does all tasks, in their order, a few ahead of what is asked for: here, in threads, elsewhere."""


class CountingPlan(NamedTuple):
    """What is counted of two texts, and how.

    detail: whether rows are wanted, or sums only; strict: with a pair's own columns. most:
    problems of a stretch whose places are told. size: of a stretch of gold's text, in bytes.
    """

    gold: StreamedText
    system: StreamedText
    parameters: Parameters
    metrics: tuple[Metric, ...]
    detail: bool = False
    most: int | None = 10
    size: int = STRETCH_BYTES
    strict: bool = False

    def task(
        self, gold: ByteStretch, system: ByteStretch, groups: Groups | None = None
    ) -> CountingTask:
        """Stretches to be counted, by these groups if there are any."""
        return CountingTask(
            self.gold,
            self.system,
            gold,
            system,
            groups,
            self.parameters,
            self.metrics,
            self.detail,
            self.most,
            self.strict,
        )


class StretchStart(NamedTuple):
    """What a stretch of either side starts with: numbers of sentences, and of line breaks."""

    gold: ByteStretch
    system: ByteStretch
    gold_sentence: int
    system_sentence: int
    gold_line: int
    system_line: int
    found: TaskResult


class Counted(NamedTuple):
    """Some groups of sentences, in order, and their counts.

    number: which they are of all, in order; what came before of that number is void. groups:
    counted from the first sentences of the piece. found: lines from its first ones.
    """

    number: int
    piece: StretchStart
    groups: Groups
    found: TaskResult


class StretchesRead:
    """What is kept of the stretches of two texts. same: whether both have the same sentences."""

    def __init__(self, plan: CountingPlan, waiting: Callable[[], Waiting]) -> None:
        self.make_waiting = waiting
        self.starts: list[StretchStart] = []
        """Without what was found there."""
        self.counted: list[int | None] = []
        """By which groups each was counted, as :func:`digest` says; None if it was not."""
        self.numbers = (
            WaitingRows(waiting(), 2, np.uint64),
            WaitingRows(waiting(), 2, np.uint64),
        )
        """Of the texts of gold's and system's sentences."""
        self.same = True
        self.looked = WaitingTexts(waiting()), WaitingTexts(waiting())
        """What aligning each stretch looked at."""
        self._lines = 0, 0

    def add(self, gold: ByteStretch, system: ByteStretch, found: TaskResult) -> StretchStart:
        """Where the next stretches of either side start, with what was found there."""
        sentences = len(self.numbers[0]), len(self.numbers[1])
        start = StretchStart(gold, system, *sentences, *self._lines, found)
        self.same = self.same and np.array_equal(found.gold.keys, found.system.keys)
        for side, read in zip(self.numbers, (found.gold, found.system), strict=True):
            side.add(read.keys)
        self._lines = self._lines[0] + found.gold.breaks, self._lines[1] + found.system.breaks
        self.starts.append(start._replace(found=_NOTHING))
        self.counted.append(None if found.groups is None else digest(found.groups))
        for looked, texts in zip(self.looked, found.looked, strict=True):
            looked.add(texts)
        return start


def digest(groups: Groups) -> int:
    """What groups are known by that were counted: 64 bits, which no others have in this process.
    (Python's own, of bytes, are drawn with a secret; what makes longer ones takes long to load.)
    """
    return hash(np.stack(groups[:4]).tobytes())


_ZEROS = np.zeros(0, np.int32)
_NONE = StretchRead(0, np.zeros((0, 2), np.uint64), _ZEROS, _ZEROS, _ZEROS, 0, (), 0, b"")
_NOTHING = TaskResult(_NONE, _NONE, None, None, None)
