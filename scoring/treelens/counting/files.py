"""What a pair of files comes to: a small one as a task of its own, others stretch by stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.uncertain import Uncertain
from treelens.corpus.blocks import format_of, is_something_else
from treelens.corpus.sources import Source, SourceError, of_text, whole
from treelens.counting.sums import Sums, nothing
from treelens.counting.texts import Counted, CountingPlan, Map, StretchStart, Void, count
from treelens.counting.work import StreamedText, StretchProblem
from treelens.metrics import Metric, Tallies
from treelens.rules.parameters import Parameters
from treelens.session.counts import OWN as OWN
from treelens.session.pair import fitting
from treelens.trees.forest import Annotation

PLACES = (
    "gold_first",
    "golds",
    "system_first",
    "systems",
    "gold_line",
    "system_line",
    "gold_problems",
    "system_problems",
)
"""Columns of a row that say which sentences it is of: the first one's number, from 1 (that of the
next one where there is none), how many, the line of the first from 1 (0: none), and how many
problems their text has."""


class TextProblem(NamedTuple):
    """Something that a user should know of a text: the side (0: gold), its line and column."""

    side: int
    line: int
    column: int
    message: str


class FileCounts(NamedTuple):
    """What two texts come to.

    problems: how many there are in gold and in system; listed: the first of them. words: of either
    side. rows: a row a group of sentences (:data:`PLACES`, counts, :data:`OWN`), where wanted.
    failed: why there is nothing else here; strange: whether gold holds no trees but something
    else, or nothing. uncertain: what is, in how sentences were paired.
    """

    sums: Sums
    problems: tuple[int, int]
    listed: tuple[TextProblem, ...]
    words: tuple[int, int]
    rows: Tallies | None = None
    failed: str = ""
    strange: bool = False
    uncertain: tuple[Uncertain, ...] = ()


class SmallPair(NamedTuple):
    """A small pair of files, a task for any process.

    annotations: what either is to say of its words, for the metrics to be counted.
    """

    gold: Source
    system: Source
    annotations: tuple[Annotation, Annotation]
    parameters: Parameters
    metrics: tuple[Metric, ...]
    detail: bool
    most: int | None


def count_small(pair: SmallPair) -> FileCounts:
    """Counts of two files that are read as a whole."""
    columns = sum(len(metric.counts) for metric in pair.metrics)
    try:
        texts = [whole(source) for source in (pair.gold, pair.system)]
    except SourceError as problem:
        return FileCounts(nothing(columns), (0, 0), (), (0, 0), failed=str(problem))
    sides = [
        StreamedText(of_text(source.name, text), format_of(source.name, text))
        for source, text in zip((pair.gold, pair.system), texts, strict=True)
    ]
    if not texts[0].strip() or is_something_else(texts[0], sides[0].format):
        return FileCounts(nothing(columns), (0, 0), (), (0, 0), strange=True)
    for side, wanted in zip(sides, pair.annotations, strict=True):
        if side.format.annotation != wanted:
            failed = f"{side.source.name} holds no {wanted}, unlike the first of the files"
            return FileCounts(nothing(columns), (0, 0), (), (0, 0), failed=failed)
    parameters = fitting(pair.parameters, sides[0].format, sides[1].format)
    plan = CountingPlan(sides[0], sides[1], parameters, pair.metrics, pair.detail, pair.most)
    rows: list[Tallies] = []

    def keep(counted: Counted | Void) -> None:
        if isinstance(counted, Void):
            del rows[counted.first :]
        elif pair.detail:
            rows.append(rows_of(counted))

    found = count_texts(plan, map, keep)
    strange = not found.sums.golds
    return found._replace(rows=np.concatenate(rows) if rows else None, strange=strange)


def count_texts(
    plan: CountingPlan,
    map: Map,
    keep: Callable[[Counted | Void], None],
    seen: Callable[[StretchStart], None] = lambda piece: None,
) -> FileCounts:
    """Counts of two texts of any length; ``keep`` gets what is counted and what is void."""
    columns = sum(len(metric.counts) for metric in plan.metrics)
    sums: list[Sums] = []
    problems, words = [0, 0], [0, 0]
    listed: list[TextProblem] = []
    unsure: tuple[Uncertain, ...] = ()

    def look(piece: StretchStart) -> None:
        seen(piece)
        for side, read, line in (
            (0, piece.found.gold, piece.gold_line),
            (1, piece.found.system, piece.system_line),
        ):
            problems[side] += read.problem_count
            words[side] += read.words
            if plan.most is None or len(listed) < 2 * plan.most:
                listed.extend(_listed(side, line, read.listed))

    for counted in count(plan, map, seen=look):
        keep(counted)
        if isinstance(counted, Void):
            del sums[counted.first :]
            unsure = counted.uncertain
        elif counted.found.sums is not None:
            sums.append(counted.found.sums)
    total = nothing(columns)
    for one in sums:
        total = total.plus(one)
    both, length = (problems[0], problems[1]), (words[0], words[1])
    return FileCounts(total, both, tuple(listed), length, uncertain=unsure)


def _listed(side: int, line: int, listed: Sequence[StretchProblem]) -> Iterator[TextProblem]:
    for problem in listed:
        yield TextProblem(side, line + problem.line + 1, problem.column, problem.message)


def rows_of(counted: Counted) -> Tallies:
    """A row a group: which sentences it is of, and their counts."""
    piece, found = counted.piece, counted.found
    columns = []
    for start, end, first, line, read in (
        (
            counted.groups.gold_start,
            counted.groups.gold_end,
            piece.gold_sentence,
            piece.gold_line,
            found.gold,
        ),
        (
            counted.groups.system_start,
            counted.groups.system_end,
            piece.system_sentence,
            piece.system_line,
            found.system,
        ),
    ):
        there = end > start
        at = np.minimum(start, max(len(read.lines) - 1, 0))
        lines = read.lines[at] if len(read.lines) else np.zeros(len(at), np.int32)
        before = np.append(0, np.cumsum(read.problems))
        columns.append(
            (
                start + first + 1,
                end - start,
                np.where(there, lines + line + 1, 0),
                before[end] - before[start],
            )
        )
    gold, system = columns
    order = (gold[0], gold[1], system[0], system[1], gold[2], system[2], gold[3], system[3])
    places = np.stack(order, axis=1).astype(np.int64)
    assert found.rows is not None  # the plan asks for detail
    return np.concatenate([places, found.rows], axis=1)
