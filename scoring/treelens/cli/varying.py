"""Groups of a corpus of any size: memory holds a few stretches, and of what was found where it is.

The corpus is read twice in stretches (``cli.stretches``), of which facts come that are put apart
by their keys: into files of a temporary folder, by Dask among its workers, or into a table of
DuckDB's. A part is small enough to be sorted. What is left of all parts says which sentences have
to be read together, a few thousand at a time; their groups are those of the whole.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from treelens.cli import CannotContinue, files, inputs, rarest
from treelens.cli.corpora import side
from treelens.cli.decided import Decided
from treelens.cli.processes import Shared, Workers, shared_out
from treelens.cli.progress import Progress
from treelens.cli.stored_groups import GroupStore, StoredGroups
from treelens.cli.stretches import (
    RUN,
    Assembled,
    Assembly,
    Before,
    Gathered,
    Numbers,
    Portion,
    Search,
    Shuffle,
    Stretch,
    StretchSeen,
    assemble,
    listed_lines,
    look,
    runs,
    sift,
    stored,
    write_down,
)
from treelens.consistency.found import FileName
from treelens.consistency.hints import Hints, Seen
from treelens.consistency.hints import hints as hints_of
from treelens.consistency.sieve import Varied
from treelens.corpus.cuts import stretches_of
from treelens.counting.work import StreamedText
from treelens.render.width import clean
from treelens.trees.forest import each_once

PORTION_BYTES = 1 << 20
"""Text in a piece of work."""
_PART_BYTES = 1 << 21
"""Text whose facts make a part: some 30 MB of them."""
_MOST_PARTS = 512
TOGETHER = 2500
"""Sentences that are read together, and a tenth of the occurrences in them of what varies; those of
a key always are."""


class NamedText(NamedTuple):
    """A file of the corpus that can be entered anywhere."""

    file: FileName
    text: StreamedText


class Varying(NamedTuple):
    """What was found, in the order of reports. brackets: how many strings of words are
    in groups of brackets, asked for or not; strings: how many vary whatever is beside them, where
    that was asked for."""

    groups: StoredGroups
    brackets: int
    strings: int


def find(
    names: Sequence[str],
    own: int,
    search: Search,
    workers: Workers,
    *,
    every: bool,
    by_duckdb: bool = False,
) -> Varying:
    """The groups of some files, of which the first ``own`` are not references. ``by_duckdb``: who
    puts apart what is written down."""
    kinds = search.options.kinds
    others = tuple(kind for kind in kinds if kind != "rare")
    search = search._replace(
        options=dataclasses.replace(search.options, kinds=others), rare=others != kinds
    )
    with contextlib.ExitStack() as stack:
        corpus = [
            NamedText(
                FileName(files.shown(name), number >= own),
                stack.enter_context(side(inputs.source(name))),
            )
            for number, name in enumerate(names)
        ]
        shared = stack.enter_context(shared_out(workers))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="treelens-"))
        size = sum(one.text.source.size or 0 for one in corpus)
        parts = 1 << max(int(size / _PART_BYTES).bit_length(), 1)
        search = search._replace(parts=min(parts, _MOST_PARTS))
        shuffle: Shuffle = functools.partial(_spilled, shared, folder)
        if by_duckdb:
            from treelens.cli import duck

            search = search._replace(parts=1)
            shuffle = functools.partial(duck.shuffled, shared, folder)
        elif workers.dask:
            from treelens.cli import cluster

            shuffle = functools.partial(cluster.shuffled, otherwise=shuffle)
        decided = Decided(lambda: folder)
        portions, hints = _looked_through(corpus, search, shared, decided)
        varied = _joined(shuffle(portions, hints) if others else ())
        del hints
        made = itertools.chain(
            _assembled(corpus, search, portions, varied, shared),
            _rarest(corpus, search, portions, decided, shared) if search.rare else (),
        )
        return _together(corpus, made, varied.counted, every=every)


def _together(
    corpus: Sequence[NamedText], made: Iterable[Assembled], counted: int, *, every: bool
) -> Varying:
    """All groups in the order of reports."""
    store = GroupStore()
    brackets = [np.zeros(0, np.uint64)]
    # (Groups of trees and of tables that are equally sharp are in the order of the files.)
    trees_first = corpus[0].text.format.annotation == "constituents"
    for found in made:
        store.add(found.groups, behind=found.of_trees != trees_first)
        brackets.append(found.brackets)
    strings = len(each_once(np.concatenate(brackets)))
    return Varying(store.sharpest_first(every=every), strings, counted)


# --- the first reading


def _looked_through(
    corpus: Sequence[NamedText], search: Search, shared: Shared, decided: Decided
) -> tuple[list[Portion], Hints]:
    """All portions, with what comes before their stretches; what is wrong in files is said."""
    portions: list[Portion] = []

    def remembered() -> Iterator[Portion]:
        for stretches in _portions(corpus):
            portions.append(Portion(search, stretches))
            yield portions[-1]

    by_file: dict[int, list[StretchSeen]] = {}
    size = sum(one.text.source.size or 0 for one in corpus) or 1

    def strings() -> Iterator[Seen]:
        done = 0
        with Progress("Reading", size) as progress:
            work = functools.partial(look, most=files.PROBLEMS_SHOWN)
            for number, found in enumerate(shared(work, remembered())):
                yield from found.strings
                decided.add(found.decided)
                for stretch, one in zip(portions[number].stretches, found.stretches, strict=True):
                    by_file.setdefault(stretch.file, []).append(one)
                    done += stretch.bytes.end - stretch.bytes.start
                progress(done / size)

    hints = hints_of(strings())
    for number, one in enumerate(corpus):
        _say(one, by_file.get(number, []))
    return _numbered(portions, by_file), hints


def _portions(corpus: Sequence[NamedText]) -> Iterator[tuple[Stretch, ...]]:
    """Stretches of files, as many at a time as make a piece of work."""
    some: list[Stretch] = []
    size = 0
    for number, (_, text) in enumerate(corpus):
        for bytes in stretches_of(text.source, text.format, PORTION_BYTES, text.skipped):
            some.append(Stretch(number, text, bytes))
            size += bytes.end - bytes.start
            if size >= PORTION_BYTES:
                yield tuple(some)
                some, size = [], 0
    if some:
        yield tuple(some)


def _say(one: NamedText, seen: Sequence[StretchSeen]) -> None:
    name = one.text.source.name
    if not sum(each.sentences for each in seen):
        with one.text.source.open() as stream:
            start = stream.read(1 << 16)
        raise CannotContinue(f"{clean(files.shown(name))} {files.no_trees(name, start)}")
    files.say_listed(name, [*listed_lines(seen)], sum(each.problems for each in seen))


def _numbered(portions: Sequence[Portion], by_file: dict[int, list[StretchSeen]]) -> list[Portion]:
    seen = {number: iter(found) for number, found in by_file.items()}
    before: dict[int, Before] = {}
    in_corpus = 0
    numbered = []
    for portion in portions:
        here = []
        for stretch in portion.stretches:
            so_far = before.get(stretch.file, Before(0, 0, 0, 0))._replace(in_corpus=in_corpus)
            here.append(so_far)
            one = next(seen[stretch.file])
            before[stretch.file] = Before(
                so_far.sentences + one.sentences,
                0,
                so_far.lines + one.breaks,
                so_far.texts + one.texts,
            )
            in_corpus += one.sentences
        numbered.append(portion._replace(before=tuple(here)))
    return numbered


# --- the second


def _spilled(
    shared: Shared, folder: str, portions: Sequence[Portion], hints: Hints
) -> Iterator[Varied]:
    """Facts in files of a folder, a file a part."""
    parts = [os.path.join(folder, f"{part}.facts") for part in range(portions[0].search.parts)]
    with contextlib.ExitStack() as stack, Progress("Writing down") as progress:
        targets = [stack.enter_context(open(part, "wb")) for part in parts]
        work = functools.partial(write_down, hints=stored(hints, folder))
        for number, found in enumerate(shared(work, portions), 1):
            for target, facts in zip(targets, found, strict=True):
                target.write(facts.data)  # (NumPy does not say why it cannot.)
            progress(number / len(portions))
    with Progress("Sorting") as progress:
        for number, varied in enumerate(shared(sift, parts), 1):
            yield varied
            os.unlink(parts[number - 1])
            progress(number / len(parts))


# --- what varies


def _joined(parts: Iterable[Varied]) -> Varied:
    key, sentence, counted = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)], 0
    for one in parts:
        key.append(one.key)
        sentence.append(one.sentence)
        counted += one.counted
    return Varied(np.concatenate(key), np.concatenate(sentence), counted)


class _Where(NamedTuple):
    """The runs (RUN) of some sentences, ``(r,)``, and which of these each one is in, ``(k,)``."""

    runs: Any
    which: Numbers


def _where(portions: Sequence[Portion], sentences: Numbers, shared: Shared) -> _Where:
    """The run that each sentence is in."""
    distinct, which = np.unique(sentences, return_inverse=True)
    tasks = []
    for portion in portions:
        bounds = [before.in_corpus for before in portion.before]
        low = np.searchsorted(distinct, bounds).tolist()
        tasks.append((portion, low))
    ends = [low[0] for _, low in tasks[1:]] + [len(distinct)]
    asked = [
        _Wanted(portion, tuple(np.split(distinct[low[0] : end], np.array(low[1:], int) - low[0])))
        for (portion, low), end in zip(tasks, ends, strict=True)
        if end > low[0]
    ]
    found = np.concatenate([np.zeros(0, RUN), *shared(_runs, asked)])
    # (Two sentences may be in one run.)
    _, first, run = np.unique(found["in_corpus"], return_index=True, return_inverse=True)
    return _Where(found[first], run[which])


class _Wanted(NamedTuple):
    portion: Portion
    sentences: tuple[Numbers, ...]


def _runs(task: _Wanted) -> Any:
    return runs(*task)


def _assembled(
    corpus: Sequence[NamedText],
    search: Search,
    portions: Sequence[Portion],
    varied: Varied,
    shared: Shared,
) -> Iterator[Assembled]:
    """The groups of what varies."""
    where = _where(portions, varied.sentence, shared)
    tasks = _assemblies(corpus, search, varied.key, where)
    return itertools.chain.from_iterable(shared(assemble, tasks))


def _rarest(
    corpus: Sequence[NamedText],
    search: Search,
    portions: Sequence[Portion],
    decided: Decided,
    shared: Shared,
) -> list[Assembled]:
    """Those of what is rare."""
    chosen = decided.rarest(search.options.most)
    found = [np.zeros(0, np.int64)]
    with Progress("Looking up") as progress:
        work = functools.partial(rarest.sentences, chosen=chosen)
        for number, here in enumerate(shared(work, portions), 1):
            found.append(here)
            progress(number / len(portions))
    where = _where(portions, np.concatenate(found), shared)
    return rarest.assemble_rare(rarest.RareAssembly(search, _gathered(corpus, where.runs), chosen))


def _assemblies(
    corpus: Sequence[NamedText], search: Search, keys: Any, where: _Where
) -> Iterator[Assembly]:
    runs, which = where
    keys, key = np.unique(keys, return_inverse=True)
    first = np.full(len(keys), len(runs))
    np.minimum.at(first, key, which)
    # Keys that start in the same sentences stand together: sentences that are alike have most of
    # theirs in common, and would else be read again for each.
    order = np.lexsort((key, first[key]))
    key, which = key[order], which[order]
    before, ends = _before(which), np.append(np.flatnonzero(np.diff(key)) + 1, len(key))
    start = 0
    while start < len(key):
        new = np.cumsum(before[start : start + 10 * TOGETHER] < start)
        end = start + min(int(np.searchsorted(new, TOGETHER)) + 1, len(new))
        # (To the end of the key that the last one is of.)
        end = int(ends[np.searchsorted(ends, end)])
        gathered = _gathered(corpus, runs[each_once(which[start:end])])
        yield Assembly(search, gathered, keys[each_once(key[start:end])])
        start = end


def _before(values: Numbers) -> Numbers:
    """Where each value was the last time, -1 if nowhere; ``(k,)``."""
    order = np.argsort(values, kind="stable")
    found = np.full(len(values), -1)
    again = values[order[1:]] == values[order[:-1]]
    found[order[1:][again]] = order[:-1][again]
    return found


def _gathered(corpus: Sequence[NamedText], here: Any) -> tuple[Gathered, ...]:
    """The runs of each file."""
    return tuple(
        Gathered(corpus[number].file, corpus[number].text, here[here["file"] == number])
        for number in np.unique(here["file"]).tolist()
    )
