"""What a pair of files comes to, stretch by stretch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.groups import Elsewhere
from treelens.align.uncertain import Uncertain
from treelens.counting.stretched import Counted, CountingPlan, Map, StretchStart
from treelens.counting.sums import Sums, nothing
from treelens.counting.texts import First, count
from treelens.counting.waiting import Held, Waiting
from treelens.counting.work import StretchProblem
from treelens.metrics import Tallies
from treelens.session.counts import OWN as OWN
from treelens.session.counts import PLACES as PLACES


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
    elsewhere: sentences that stand out of order, if any do, of files by themselves.
    """

    sums: Sums
    problems: tuple[int, int]
    listed: tuple[TextProblem, ...]
    words: tuple[int, int]
    rows: Tallies | None = None
    failed: str = ""
    strange: bool = False
    uncertain: tuple[Uncertain, ...] = ()
    elsewhere: Elsewhere | None = None


def count_texts(
    plan: CountingPlan,
    map: Map,
    keep: Callable[[Counted], None],
    seen: Callable[[StretchStart], None] = lambda piece: None,
    waiting: Callable[[], Waiting] = Held,
    first: First | None = None,
) -> FileCounts:
    """Counts of two texts of any length; ``keep`` gets what is counted, and all else is as
    :func:`~treelens.counting.texts.count` has it."""
    columns = sum(len(metric.counts) for metric in plan.metrics)
    sums: dict[int, Sums] = {}
    problems, words = [0, 0], [0, 0]
    listed: list[TextProblem] = []
    unsure: list[Uncertain] = []
    elsewhere: Elsewhere | None = None

    def look(piece: StretchStart) -> None:
        seen(piece)
        for side, read, line in (
            (0, piece.found.gold, piece.gold_line),
            (1, piece.found.system, piece.system_line),
        ):
            problems[side] += read.problem_count
            words[side] += int(read.words.sum())
            if plan.most is None or len(listed) < 2 * plan.most:
                listed.extend(_listed(side, line, read.listed))

    for counted in count(plan, map, seen=look, waiting=waiting, first=first):
        if isinstance(counted, Uncertain):
            unsure.append(counted)
            continue
        if isinstance(counted, Elsewhere):
            elsewhere = counted
            continue
        keep(counted)
        assert counted.found.sums is not None
        sums[counted.number] = counted.found.sums
    total = functools.reduce(Sums.plus, sums.values(), nothing(columns))
    both, length = (problems[0], problems[1]), (words[0], words[1])
    return FileCounts(
        total, both, tuple(listed), length, uncertain=tuple(unsure), elsewhere=elsewhere
    )


def _listed(side: int, line: int, listed: Sequence[StretchProblem]) -> Iterator[TextProblem]:
    for problem in listed:
        yield TextProblem(side, line + problem.line + 1, problem.column, problem.message)


def rows_of(counted: Counted) -> Tallies:
    """A row a group: which sentences it is of, and their counts."""
    assert counted.found.rows is not None  # the plan asks for detail
    return np.concatenate([places_of(counted), counted.found.rows], axis=1)


def places_of(counted: Counted) -> Tallies:
    """Which sentences each group is of (:data:`PLACES`); ``(groups, places)``."""
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
    return np.stack(order, axis=1).astype(np.int64)
