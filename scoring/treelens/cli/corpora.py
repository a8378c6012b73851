"""Corpora that are scored: files in pairs, counted in bounded memory, shared out, told of."""

from __future__ import annotations

import argparse
import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treelens.align.uncertain import Uncertain, warnings
from treelens.cli import CannotContinue, files, inputs, output
from treelens.cli.inputs import FilePair, FilesByPair, shown
from treelens.cli.processes import (
    Processes,
    Shared,
    Workers,
    all_processors,
    can_fork,
    on_dask,
)
from treelens.cli.progress import Progress
from treelens.cli.waiting import WaitingBytes
from treelens.corpus import Source, SourceError, folders
from treelens.corpus.blocks import STRETCH_BYTES, is_something_else
from treelens.corpus.cuts import ByteStretch
from treelens.counting.files import FileCounts, TextProblem, count_texts
from treelens.counting.stretched import Counted, CountingPlan, Map, StretchStart
from treelens.counting.sums import Sums, nothing
from treelens.counting.texts import Cut, First, cuts
from treelens.counting.work import StreamedText, TaskResult, work
from treelens.formats.table import Format
from treelens.metrics import Metric, Tallies
from treelens.render.width import clean, shortened
from treelens.rules.parameters import Parameters
from treelens.session.texts import fitting
from treelens.trees.forest import Annotation

if TYPE_CHECKING:
    from treelens.counting.small import SmallPair

_SMALL = 1 << 21
"""Bytes of a file up to which a pair is one piece of work."""

_HANDFUL = 100
"""Small pairs in a piece of work, at most: their sizes may not be known."""

_ENOUGH, _ENOUGH_TO_SPAWN = 4 << 20, 48 << 20
"""Bytes from which other processes are worth their start: a forked one has loaded all it needs."""


class CorpusRequest(NamedTuple):
    """What is counted of every pair. most: problems told of a file. strict: with a pair's own
    columns, where there are rows."""

    parameters: Parameters
    formats: tuple[Format, Format]
    metrics: tuple[Metric, ...]
    most: int | None
    strict: bool = False


Keep = Callable[[FilePair, "Counted | Tallies"], None]
"""Gets what is counted of a pair, stretch by stretch, or all rows of a small one at once."""


class Scored(NamedTuple):
    """A corpus against another, counted.

    files: what each of many pairs comes to, in order. failures: pairs that could not be read.
    uncertain: what is, in how the sentences of all files were paired.
    """

    sums: Sums
    problems: tuple[int, int]
    files: tuple[tuple[str, Sums], ...]
    failures: int = 0
    uncertain: tuple[Uncertain, ...] = ()


def workers(options: argparse.Namespace, pairs: Sequence[FilesByPair]) -> Workers:
    """Who does the work: as the options say, or as many processes as pay for this much."""
    dask = on_dask(options)
    if options.jobs is not None:
        jobs = options.jobs
    else:
        size = sum(_size(pair) for found in pairs for pair in found.pairs)
        enough = _ENOUGH if can_fork() else _ENOUGH_TO_SPAWN
        jobs = all_processors() if dask or size >= enough else 1
    return Workers(jobs, dask, options.scheduler)


def _size(pair: FilePair) -> int:
    return sum(file.size or 0 for file in (pair.gold, pair.system))


@contextlib.contextmanager
def enterable(file: Source) -> Iterator[StreamedText]:
    """A file that can be entered anywhere, whatever it holds."""
    with contextlib.ExitStack() as stack:
        with inputs.reading(file.name):
            found = stack.enter_context(inputs.plain(file))
        yield found


@contextlib.contextmanager
def side(file: Source) -> Iterator[StreamedText]:
    """A file that can be entered anywhere; one that holds no trees ends the command."""
    with enterable(file) as found:
        try:
            with found.source.open() as stream:
                stream.seek(found.skipped)
                start = stream.read(1 << 16)
        except OSError as problem:
            raise CannotContinue(f"{clean(file.name)}: {problem.strerror}") from None
        if not start.strip() or is_something_else(start, found.format):
            raise CannotContinue(f"{clean(shown(file.name))} {files.no_trees(file.name, start)}")
        yield found


def formats_of(pairs: FilesByPair) -> tuple[Format, Format]:
    """The formats of the first of many files that hold trees."""
    unread: str | None = None
    for pair in pairs.pairs:
        try:
            with inputs.plain(pair.gold) as gold, inputs.plain(pair.system) as system:
                if _holds_trees(gold):
                    return gold.format, system.format
                unread = ""
        except (SourceError, OSError) as problem:
            # Where others can be read it is told of when its turn comes.
            unread = str(problem) if unread is None else unread
    raise CannotContinue(
        f"none of the {len(pairs.pairs):,} pairs of files can be read: {clean(unread)}, for one"
        if unread
        else "none of the gold files holds trees"
    )


def _holds_trees(side: StreamedText) -> bool:
    with side.source.open() as stream:
        start = stream.read(1 << 16)
    return bool(start.strip()) and not is_something_else(start, side.format)


def score_one(
    gold: StreamedText,
    system: StreamedText,
    wanted: CorpusRequest,
    shared: Shared,
    keep: Keep | None = None,
    *,
    say_gold: bool = True,
) -> Scored:
    """One pair of files, stretch by stretch; what should be known of them is said."""
    pair = FilePair("", gold.source, system.source)
    found = counted(pair, gold, system, wanted, shared, keep)
    say_problems(pair, found, wanted.most, say_gold=say_gold)
    say_uncertain(pair, found, wanted.parameters, wanted.most)
    check(gold, system, found)
    return Scored(found.sums, found.problems, (), uncertain=found.uncertain)


def check(gold: StreamedText, system: StreamedText, found: FileCounts) -> None:
    """Two files in which there is nothing to score end the command."""
    for file, sentences in ((gold, found.sums.golds), (system, found.sums.systems)):
        if not sentences:
            with file.source.open() as stream:
                start = stream.read(1 << 16)
            raise CannotContinue(
                f"{clean(shown(file.source.name))} {files.no_trees(file.source.name, start)}"
            )
    if not found.words[0]:
        named = clean(shown(gold.source.name))
        raise CannotContinue(f"{named} holds only empty trees: there is nothing to score")


def score_many(
    pairs: FilesByPair, wanted: CorpusRequest, shared: Shared, keep: Keep | None = None
) -> Scored:
    """Many pairs, small ones shared out as they are; a file that cannot be read is said."""
    for name in pairs.alone:
        output.say(f"note: {clean(name)} has no partner and is left out")
    total, problems = nothing(sum(len(metric.counts) for metric in wanted.metrics)), [0, 0]
    by_file: list[tuple[str, Sums]] = []
    unsure: list[Uncertain] = []
    failures = 0
    size, done = sum(map(_size, pairs.pairs)) or 1, 0
    with Progress(f"{len(pairs.pairs)} files", size) as progress:
        for pair, found in _each(pairs.pairs, wanted, shared, keep):
            done += _size(pair)
            progress(done / size)
            if found.failed:
                output.say(clean(found.failed))
                failures += 1
            elif found.strange:
                output.say(f"note: {clean(pair.gold.name)} holds no trees and is left out")
            else:
                say_problems(pair, found, wanted.most)
                say_uncertain(pair, found, wanted.parameters, wanted.most)
                total = total.plus(found.sums)
                problems = [one + more for one, more in zip(problems, found.problems, strict=True)]
                by_file.append((pair.place, found.sums))
                unsure += found.uncertain
    if not total.golds:
        raise CannotContinue("none of the files could be scored")
    both = problems[0], problems[1]
    return Scored(total, both, tuple(by_file), failures, tuple(unsure))


def by_folder(files: Sequence[tuple[str, Sums]]) -> dict[str, Sums]:
    """What the files below each folder come to, folders in the order of their names."""
    found: dict[str, Sums] = {}
    for place, sums in files:
        for folder in folders(place):
            found[folder] = found[folder].plus(sums) if folder in found else sums
    return dict(sorted(found.items()))


def _each(
    pairs: Sequence[FilePair], wanted: CorpusRequest, shared: Shared, keep: Keep | None
) -> Iterator[tuple[FilePair, FileCounts]]:
    from treelens.counting.small import count_small  # which a lone file does without

    for small, run in itertools.groupby(pairs, lambda pair: _size(pair) <= 2 * _SMALL):
        group = [*run]
        if not small:
            for pair in group:
                yield pair, _large_of(pair, wanted, shared, keep)
            continue
        tasks = (
            [_task(pair, wanted, keep is not None) for pair in some] for some in _handfuls(group)
        )
        done = itertools.chain.from_iterable(shared(count_small, tasks))
        for pair, found in zip(group, done, strict=True):
            if keep and found.rows is not None:
                keep(pair, found.rows)
            yield pair, found._replace(rows=None)


def _handfuls(pairs: Iterable[FilePair]) -> Iterator[list[FilePair]]:
    """As many at a time as make a piece of work."""
    some: list[FilePair] = []
    for pair in pairs:
        some.append(pair)
        if sum(map(_size, some)) >= 2 * STRETCH_BYTES or len(some) == _HANDFUL:
            yield some
            some = []
    if some:
        yield some


def _task(pair: FilePair, wanted: CorpusRequest, detail: bool) -> SmallPair:
    from treelens.counting.small import SmallPair

    return SmallPair(
        pair.gold,
        pair.system,
        _annotations(wanted),
        wanted.parameters,
        wanted.metrics,
        detail,
        wanted.most,
    )


def _annotations(wanted: CorpusRequest) -> tuple[Annotation, Annotation]:
    gold, system = wanted.formats
    return gold.annotation, system.annotation


def _large_of(
    pair: FilePair, wanted: CorpusRequest, shared: Shared, keep: Keep | None
) -> FileCounts:
    none = nothing(sum(len(metric.counts) for metric in wanted.metrics))
    try:
        with inputs.plain(pair.gold) as gold, inputs.plain(pair.system) as system:
            for one, annotation in zip((gold, system), _annotations(wanted), strict=True):
                if one.format.annotation != annotation:
                    failed = f"{one.source.name} holds no {annotation}, unlike the first file"
                    return FileCounts(none, (0, 0), (), (0, 0), failed=failed)
            if not _holds_trees(gold):
                return FileCounts(none, (0, 0), (), (0, 0), strange=True)
            return counted(pair, gold, system, wanted, shared, keep)
    except SourceError as problem:
        return FileCounts(none, (0, 0), (), (0, 0), failed=str(problem))


def counted(
    pair: FilePair,
    gold: StreamedText,
    system: StreamedText,
    wanted: CorpusRequest,
    shared: Map,
    keep: Callable[[FilePair, Counted], None] | None,
) -> FileCounts:
    """A pair of files, stretch by stretch; nothing is said of them."""
    parameters = fitting(wanted.parameters, gold.format, system.format)
    detail = keep is not None
    plan = CountingPlan(
        gold, system, parameters, wanted.metrics, detail, wanted.most, strict=wanted.strict
    )
    size = (gold.source.size or 0) + (system.source.size or 0)
    title = shortened(clean(shown(system.source.name)), 40)
    with Progress(title, size) as progress:

        def seen(piece: StretchStart) -> None:
            progress((piece.gold.end + piece.system.end) / max(size, 1))

        def kept(some: Counted) -> None:
            if keep:
                keep(pair, some)
            seen(some.piece)

        return count_texts(plan, shared, kept, seen, WaitingBytes, _forked(shared))


def _forked(shared: Map) -> First | None:
    """Processes that are forked, where they can be: nothing has to be loaded to start them."""
    if not isinstance(shared, Processes) or not can_fork():
        return None
    from treelens.cli.forked import Numbers, share_out_told
    from treelens.counting.sent import received, sent

    def first(plan: CountingPlan) -> Iterator[tuple[Cut, TaskResult]]:
        def counted(ends: Numbers) -> list[bytes]:
            return sent(work(plan.task(*_cut(ends))))

        count = (plan.gold.source.size or 0) // plan.size + 1
        # (Only one process reads all of both texts for where stretches end.)
        these = ((*gold, *system) for gold, system in cuts(plan, shared.jobs * plan.size))
        for ends, parts in share_out_told(counted, these, 4, count, shared.jobs):
            yield _cut(ends), received(parts)

    return first


def _cut(ends: Sequence[int]) -> Cut:
    return ByteStretch(*ends[:2]), ByteStretch(*ends[2:])


def say_problems(
    pair: FilePair, found: FileCounts, most: int | None, *, say_gold: bool = True
) -> None:
    """What is wrong in two files, the first few of it."""
    for at, file in enumerate((pair.gold, pair.system)):
        if file is pair.gold and not say_gold:
            continue
        listed = [one for one in found.listed if one.side == at][:most]
        for one in listed:
            output.say(_line(file, one))
        if len(listed) < found.problems[at]:
            more = found.problems[at] - len(listed)
            output.say(f"{clean(shown(file.name))}: and {more} more (--all-problems shows them)")


def say_uncertain(
    pair: FilePair,
    found: FileCounts,
    parameters: Parameters,
    most: int | None = files.PROBLEMS_SHOWN,
) -> None:
    """What is uncertain in how the sentences of two files were paired."""
    compared = parameters.alignment == "moved"
    names = clean(shown(pair.gold.name)), clean(shown(pair.system.name))
    lines = warnings(found.uncertain, compared=compared, names=names)
    output.say_some([f"note: {line}" for line in lines], most)


def _line(file: Source, problem: TextProblem) -> str:
    return files.said(file.name, problem.line, problem.column, problem.message)
