"""Small pairs of files, a handful at a time: what can stand in one text is counted as one.

A text of a few sentences costs nearly what one of a few hundred does.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.groups import Groups, joined
from treelens.align.uncertain import Uncertain
from treelens.corpus.blocks import format_of, is_something_else
from treelens.corpus.cuts import ByteStretch, stands_among_others
from treelens.corpus.sources import Source, SourceError, of_text, whole
from treelens.counting.files import FileCounts, count_texts, rows_of
from treelens.counting.stretched import Counted, CountingPlan, StretchStart
from treelens.counting.sums import nothing
from treelens.counting.work import (
    BothRead,
    CountingTask,
    Flags,
    StreamedText,
    StretchRead,
    TaskResult,
    but_for_case,
    read_both,
    rows_of_groups,
    same_sentences,
    sums_of_groups,
)
from treelens.formats.table import Format
from treelens.metrics import Metric, Tallies
from treelens.rules.parameters import Parameters
from treelens.session.texts import fitting
from treelens.trees.forest import Annotation


class SmallPair(NamedTuple):
    """A small pair of files.

    annotations: what either is to say of its words, for the metrics to be counted.
    """

    gold: Source
    system: Source
    annotations: tuple[Annotation, Annotation]
    parameters: Parameters
    metrics: tuple[Metric, ...]
    detail: bool
    most: int | None


class _Part(NamedTuple):
    """What was read of a pair that stands among others."""

    gold: StretchRead
    system: StretchRead


class _AlignedPart(NamedTuple):
    """Groups of such a pair's sentences, counted from its own first ones and from those of the
    text that it stands in; and what is uncertain in them."""

    own: Groups
    in_text: Groups
    uncertain: tuple[Uncertain, ...]


class _Loaded(NamedTuple):
    """A pair in memory: the texts of gold and system, and the formats they are in."""

    pair: SmallPair
    texts: tuple[bytes, bytes]
    formats: tuple[Format, Format]


def count_small(pairs: Sequence[SmallPair]) -> list[FileCounts]:
    """Counts of pairs that are read as a whole and counted alike, in their order.

    A task for any process; what is said of a pair does not depend on the others.
    """
    loaded = [_loaded(pair) for pair in pairs]
    fitting_together: defaultdict[tuple[Format, Format], list[int]] = defaultdict(list)
    for at, one in enumerate(loaded):
        if isinstance(one, _Loaded) and all(map(stands_among_others, one.texts, one.formats)):
            fitting_together[one.formats].append(at)
    together: dict[int, FileCounts] = {}
    for places in fitting_together.values():
        some = [one for at in places if isinstance(one := loaded[at], _Loaded)]
        if len(some) > 1:
            together |= zip(places, _count_together(some), strict=False)
    return [
        one if isinstance(one, FileCounts) else together.get(at) or _count_alone(one)
        for at, one in enumerate(loaded)
    ]


def _loaded(pair: SmallPair) -> _Loaded | FileCounts:
    nobody = FileCounts(
        nothing(sum(len(metric.counts) for metric in pair.metrics)), (0, 0), (), (0, 0)
    )
    sources = pair.gold, pair.system
    try:
        gold, system = map(whole, sources)
    except SourceError as problem:
        return nobody._replace(failed=str(problem))
    formats = format_of(pair.gold.name, gold), format_of(pair.system.name, system)
    if not gold.strip() or is_something_else(gold, formats[0]):
        return nobody._replace(strange=True)
    for source, format, wanted in zip(sources, formats, pair.annotations, strict=True):
        if format.annotation != wanted:
            failed = f"{source.name} holds no {wanted}, unlike the first of the files"
            return nobody._replace(failed=failed)
    return _Loaded(pair, (gold, system), formats)


def _count_alone(one: _Loaded) -> FileCounts:
    pair = one.pair
    sides = [
        StreamedText(of_text(source.name, text), format)
        for source, text, format in zip((pair.gold, pair.system), *one[1:], strict=True)
    ]
    parameters = fitting(pair.parameters, *one.formats)
    plan = CountingPlan(sides[0], sides[1], parameters, pair.metrics, pair.detail, pair.most)
    rows: dict[int, Tallies] = {}

    def keep(counted: Counted) -> None:
        if pair.detail:
            rows[counted.number] = rows_of(counted)

    found = count_texts(plan, map, keep)
    in_order = [rows[number] for number in sorted(rows)]
    all_rows = np.concatenate(in_order) if in_order else None
    return found._replace(rows=all_rows, strange=not found.sums.golds, elsewhere=None)


def _count_together(some: Sequence[_Loaded]) -> list[FileCounts]:
    """Counts of texts that may stand in one, if they have no problem; else none."""
    pair, _, formats = some[0]
    golds, systems = ([_apart(one.texts[side]) for one in some] for side in (0, 1))
    gold, system = (
        StreamedText(of_text("", b"".join(texts)), format)
        for texts, format in zip((golds, systems), formats, strict=True)
    )
    parameters = fitting(pair.parameters, *formats)
    task = CountingTask(
        gold, system, _all(gold), _all(system), None, parameters, pair.metrics, detail=True
    )
    both = read_both(task)
    if both.gold.problem_count or both.system.problem_count:
        return []
    parts = [*map(_Part, _parts(both.gold, golds), _parts(both.system, systems))]
    if not all(part.gold.sentences and part.system.sentences for part in parts):
        return []
    aligned = [*_aligned(both, parts, parameters)]
    groups = joined([part.in_text for part in aligned])
    rows, in_case = rows_of_groups(task, both, groups), but_for_case(task, both, groups)
    ends = np.cumsum([len(part.own.stood) for part in aligned])
    return [
        _file_counts(task, pair.detail, *each)
        for each in zip(
            parts, aligned, *(np.split(one, ends[:-1]) for one in (rows, in_case)), strict=True
        )
    ]


def _apart(text: bytes) -> bytes:
    """With a blank line at its end."""
    return text if text.endswith(b"\n\n") else text + b"\n"


def _all(text: StreamedText) -> ByteStretch:
    return ByteStretch(0, text.source.size or 0)


def _parts(read: StretchRead, texts: Sequence[bytes]) -> Iterator[StretchRead]:
    """What was read of each of the texts that stand in one."""
    first = np.cumsum([0, *(text.count(b"\n") for text in texts)])
    for line, (start, end) in zip(
        first.tolist(),
        itertools.pairwise(np.searchsorted(read.lines, first).tolist()),
        strict=False,
    ):
        yield read._replace(
            sentences=end - start,
            keys=read.keys[start:end],
            lines=read.lines[start:end] - np.int32(line),
            problems=read.problems[start:end],
            words=read.words[start:end],
        )


def _aligned(
    both: BothRead, parts: Sequence[_Part], parameters: Parameters
) -> Iterator[_AlignedPart]:
    """The sentences of each part aligned by themselves."""
    gold = system = 0
    for part in parts:
        groups = same_sentences(part.gold.keys, part.system.keys)
        unsure: tuple[Uncertain, ...] = ()
        if groups is None:
            from treelens.session import alignment  # which the same sentences do without

            sides = (
                alignment.DocumentYields(both.documents[0], parameters, part.gold.keys, gold),
                alignment.DocumentYields(both.documents[1], parameters, part.system.keys, system),
            )
            found = alignment.lined(*sides, parameters)
            groups, unsure = found.together, tuple(found.uncertain(sides))
        yield _AlignedPart(groups, groups.shifted(gold, system), unsure)
        gold += part.gold.sentences
        system += part.system.sentences


def _file_counts(
    task: CountingTask,
    detail: bool,
    part: _Part,
    aligned: _AlignedPart,
    rows: Tallies,
    in_case: Flags,
) -> FileCounts:
    gold, system = part
    sums = sums_of_groups(task, aligned.own, rows, in_case)
    found = TaskResult(gold, system, aligned.own, sums, rows)
    start = StretchStart(ByteStretch(0, 0), ByteStretch(0, 0), 0, 0, 0, 0, found)
    return FileCounts(
        sums,
        (0, 0),
        (),
        (int(gold.words.sum()), int(system.words.sum())),
        rows_of(Counted(0, start, aligned.own, found)) if detail else None,
        uncertain=aligned.uncertain,
    )
