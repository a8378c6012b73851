"""A stretch of two texts, read and counted: a piece of work that knows of nothing else.

All that it takes and gives can be sent to another process.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.align.groups import Groups, Yields, joined, one_to_one
from treelens.corpus.cuts import ByteStretch
from treelens.corpus.sources import Source
from treelens.counting.sums import Sums, sums
from treelens.counting.vocabulary import Vocabulary
from treelens.formats.table import Format
from treelens.metrics import Metric, Tallies
from treelens.rules.parameters import Parameters
from treelens.session.counts import count_groups, without_pairs
from treelens.session.document import Document, document
from treelens.session.texts import text_keys, text_keys_of_both
from treelens.trees.forest import Forest, Ints, Keys, Symbols

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class StreamedText(NamedTuple):
    """One text: plain UTF-8, in a stream that can be entered anywhere.

    skipped: bytes of a mark at its start, which stretches do not count.
    """

    source: Source
    format: Format
    skipped: int = 0


class CountingTask(NamedTuple):
    """Stretches of gold and system. ``groups``: of their sentences, counted from the stretches'
    first ones; None if these are to be aligned by themselves, which is likely to be right.

    detail: whether the rows themselves are wanted, not only their sums; strict: with a pair's own
    columns. most: problems to tell.
    """

    gold: StreamedText
    system: StreamedText
    gold_stretch: ByteStretch
    system_stretch: ByteStretch
    groups: Groups | None
    parameters: Parameters
    metrics: tuple[Metric, ...]
    detail: bool = False
    most: int | None = 10
    strict: bool = False


class StretchProblem(NamedTuple):
    """A problem of the text: line (from 0, of the stretch) and column (from 1), and what it is."""

    line: int
    column: int
    message: str


class StretchRead(NamedTuple):
    """What is kept of one side's stretch.

    keys: of its sentences' texts, ``(sentences, 2)``. lines: on which each tree starts, from 0 in
    the stretch; problems and words: how many each has; ``(sentences,)`` all. breaks: line breaks.
    start: the text's beginning, for a message.
    """

    sentences: int
    keys: Keys
    lines: Ints
    problems: Ints
    words: Ints
    problem_count: int
    listed: tuple[StretchProblem, ...]
    breaks: int
    start: bytes


Looked = dict[int, bytes]
"""Texts of sentences that an alignment looked at, by number: a line a word."""


class TaskResult(NamedTuple):
    """What came of a task. ``groups`` and ``sums`` None: not counted, as few of the sentences are
    the same. looked: what aligning them looked at, of gold and of system.
    """

    gold: StretchRead
    system: StretchRead
    groups: Groups | None
    sums: Sums | None
    rows: Tallies | None
    looked: tuple[Looked, Looked] = ({}, {})


class BothRead(NamedTuple):
    """Stretches of gold and system: their texts, and what is kept of them."""

    documents: tuple[Document, Document]
    gold: StretchRead
    system: StretchRead


def work(task: CountingTask) -> TaskResult:
    """Read both stretches and count them."""
    read = read_both(task)
    looked: tuple[Looked, Looked] = ({}, {})
    groups = task.groups or same_sentences(read.gold.keys, read.system.keys)
    if groups is None and _is_worth_aligning(task, read):
        groups = _aligned(task, read, looked)
    if groups is None:
        return TaskResult(read.gold, read.system, None, None, None)
    rows = rows_of_groups(task, read, groups)
    found = sums_of_groups(task, groups, rows, but_for_case(task, read, groups))
    return TaskResult(read.gold, read.system, groups, found, rows if task.detail else None, looked)


def _is_worth_aligning(task: CountingTask, read: BothRead) -> bool:
    """Whether so many sentences of two stretches are the same that what is found there is likely
    to be right in the texts as well."""
    if task.parameters.alignment == "jp":
        return False
    same = np.isin(read.gold.keys[:, 1], read.system.keys[:, 1]).sum()
    return bool(2 * same > max(read.gold.sentences, read.system.sentences))


def _aligned(task: CountingTask, read: BothRead, looked: tuple[Looked, Looked]) -> Groups:
    """The sentences of two stretches aligned by themselves; ``looked`` gets the texts of those
    that were looked at for that."""
    from treelens.align.pins import pinned  # which the same sentences do without
    from treelens.align.sentences import walk
    from treelens.session.alignment import DocumentYields

    gold, system = (
        _Remembering(DocumentYields(document, task.parameters, side.keys), texts)
        for document, side, texts in zip(read.documents, read[1:], looked, strict=True)
    )
    return joined([*walk(gold, system, pinned(gold.numbers, system.numbers))])


class _Remembering:
    """Sentences whose texts, once asked for, are remembered."""

    def __init__(self, yields: Yields, looked: Looked) -> None:
        self.numbers = yields.numbers
        self._yields, self._looked = yields, looked

    def words(self, sentence: int) -> Sequence[bytes]:
        found = self._yields.words(sentence)
        self._looked[sentence] = b"".join(word + b"\n" for word in found)
        return found


def read_both(task: CountingTask) -> BothRead:
    """The stretches of a task, read; nothing is counted yet."""
    sides = (task.gold, task.gold_stretch), (task.system, task.system_stretch)
    symbols = _vocabulary.symbols(sum(stretch.end - stretch.start for _, stretch in sides))
    first, second = (text(side, stretch, symbols) for side, stretch in sides)
    keys = text_keys_of_both(_forest(first), _forest(second), task.parameters)
    gold = _read(first, keys[0], task.gold_stretch, task)
    system = _read(second, keys[1], task.system_stretch, task)
    return BothRead((first, second), gold, system)


def rows_of_groups(task: CountingTask, read: BothRead, groups: Groups) -> Tallies:
    """A row a group of the sentences of both stretches."""
    return count_groups(*read.documents, groups, task.parameters, task.metrics, task.strict)


def but_for_case(task: CountingTask, read: BothRead, groups: Groups) -> Flags:
    """Which groups are two sentences whose texts differ in letter case only; ``(groups,)``."""
    sizes = groups.gold_end - groups.gold_start, groups.system_end - groups.system_start
    there = np.flatnonzero((sizes[0] == 1) & (sizes[1] == 1))
    starts = groups.gold_start, groups.system_start
    gold, system = (side[there] for side in starts)
    lengths, numbers = (read.gold.keys[gold] == read.system.keys[system]).T
    there = there[lengths & ~numbers]
    found = np.zeros(len(groups.stood), np.bool_)
    spelling = dataclasses.replace(task.parameters.spelling, ignore_case=True)
    if len(there) and spelling != task.parameters.spelling:
        parameters = dataclasses.replace(task.parameters, spelling=spelling)
        golds, systems = (text_keys(_forest(one), parameters) for one in read.documents)
        gold, system = (side[there] for side in starts)
        found[there] = (golds[gold] == systems[system]).all(axis=1)
    return found


def sums_of_groups(task: CountingTask, groups: Groups, rows: Tallies, but_for_case: Flags) -> Sums:
    """What such rows come to."""
    golds, systems = groups.gold_end - groups.gold_start, groups.system_end - groups.system_start
    if task.strict:
        rows = without_pairs(rows)
    found = sums(golds, systems, rows, task.parameters.cutoff)
    return found._replace(but_for_case=int(but_for_case.sum()))


def text(side: StreamedText, stretch: ByteStretch, symbols: Symbols) -> Document:
    """A stretch of a text, read."""
    with side.source.open() as stream:
        stream.seek(side.skipped + stretch.start)
        return document(stream.read(stretch.end - stretch.start), symbols, side.format)


def same_sentences(gold: Keys, system: Keys) -> Groups | None:
    """Each sentence with the one in its place, if all are the same; else None."""
    return one_to_one(0, 0, len(gold)) if np.array_equal(gold, system) else None


_vocabulary = Vocabulary()
"""Of this process."""


def forget_words() -> None:
    """Have no room taken by words that were read till now."""
    _vocabulary.forget()


def _forest(text: Document) -> Forest:
    return text.forest(range(len(text)))


def _read(text: Document, keys: Keys, stretch: ByteStretch, task: CountingTask) -> StretchRead:
    count = len(text)
    problems = text.problems()
    starts = np.array([problem.start for problem in problems], np.int64)
    of = np.searchsorted(text.start[:count], starts, side="right") - 1
    return StretchRead(
        sentences=count,
        keys=keys,
        lines=_lines(text) if task.detail else np.zeros(0, np.int32),
        problems=np.bincount(of[of >= 0], minlength=count).astype(np.int32)
        if count
        else np.zeros(0, np.int32),
        words=np.diff(_forest(text).first_leaf),
        problem_count=len(problems),
        listed=tuple(
            StretchProblem(*_place(text, problem.start), problem.message)
            for problem in problems[: task.most]
        ),
        breaks=text.line_count - 1,
        start=b"" if stretch.start else text.text(0, 200),
    )


def _lines(text: Document) -> Ints:
    """The line on which each tree starts, of a text as it was read."""
    return text.lines_at(_forest(text).tree[:, 0].astype(np.int64)).astype(np.int32)


def _place(text: Document, offset: int) -> tuple[int, int]:
    line, start = text.line_start(offset)
    return line, text.column(line, start, offset) + 1
