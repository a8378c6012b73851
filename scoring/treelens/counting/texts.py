"""Two texts counted in stretches: at once where they hold the same sentences, else aligned."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.groups import Groups, one_to_one
from treelens.align.uncertain import Uncertain
from treelens.corpus.cuts import ByteStretch, stretches
from treelens.corpus.sources import Watch, unwatched
from treelens.counting.work import CountingTask, Numbers, StreamedText, TaskResult, text, work
from treelens.metrics import Metric
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.texts import text_of
from treelens.trees.forest import Keys, Symbols

STRETCH_BYTES = 3 << 17
"""Of gold's text in a piece of work: one block of a reader, one batch of comparisons."""

_HELD = 4
"""Stretches of either side that are kept while sentences are aligned."""

Map = Callable[[Callable[[CountingTask], TaskResult], Iterable[CountingTask]], Iterator[TaskResult]]
"""Does all tasks, in their order, a few ahead of what is asked for: here, in threads, elsewhere."""


class CountingPlan(NamedTuple):
    """What is counted of two texts, and how.

    detail: whether rows are wanted, or sums only. most: problems of a stretch whose places are
    told. size: of a stretch of gold's text, in bytes.
    """

    gold: StreamedText
    system: StreamedText
    parameters: Parameters
    metrics: tuple[Metric, ...]
    detail: bool = False
    most: int | None = 10
    size: int = STRETCH_BYTES


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

    groups: counted from the first sentences of the piece. found: lines from its first ones.
    """

    piece: StretchStart
    groups: Groups
    found: TaskResult


class Recount(NamedTuple):
    """All that was counted from this place on, in the order in which it came, is counted anew,
    now that the sentences are aligned; and what is uncertain in that."""

    first: int
    uncertain: tuple[Uncertain, ...] = ()


def count(
    plan: CountingPlan,
    map: Map,
    watch: Watch = unwatched,
    seen: Callable[[StretchStart], None] = lambda piece: None,
) -> Iterator[Counted | Recount]:
    """The counts of two texts, stretch by stretch; ``seen`` is told of each that was read.

    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    pieces: list[StretchStart] = []
    keys = _Keys()
    in_step = True
    formats = plan.gold.format, plan.system.format
    cut = stretches(plan.gold.source, plan.system.source, formats, plan.size, watch)
    cuts, tasks = itertools.tee(cut)
    done = map(work, (_task(plan, *two) for two in tasks))
    for (gold, system), found in zip(cuts, done, strict=True):
        piece = _next_piece(pieces, gold, system, found)
        seen(piece)
        in_step = in_step and found.sums is not None
        if in_step:
            yield Counted(piece, one_to_one(0, 0, found.gold.sentences), found)
        keys.add(found)
        pieces.append(piece._replace(found=_kept(found)))
    if not in_step:
        yield from _aligned(plan, pieces, keys, map)


def _task(
    plan: CountingPlan, gold: ByteStretch, system: ByteStretch, groups: Groups | None = None
) -> CountingTask:
    return CountingTask(
        plan.gold,
        plan.system,
        gold,
        system,
        groups,
        plan.parameters,
        plan.metrics,
        plan.detail,
        plan.most,
    )


def _kept(found: TaskResult) -> TaskResult:
    """What is kept of a stretch besides its keys: a few numbers."""
    none = np.zeros(0, np.int32)
    gold, system = (
        read._replace(
            keys=np.zeros((0, 2), np.uint64), problems=none, words=none, lines=none, listed=()
        )
        for read in (found.gold, found.system)
    )
    return TaskResult(gold, system, found.sums, None)


class _Keys:
    """The keys of all sentences so far: once as long as both sides have the same.

    (Each in one piece of memory that grows; many small ones would keep what is freed around them.)
    """

    def __init__(self) -> None:
        self._gold = bytearray()
        self._system: bytearray | None = None

    def add(self, found: TaskResult) -> None:
        if self._system is None and found.sums is None:
            self._system = bytearray(self._gold)
        self._gold += found.gold.keys.tobytes()
        if self._system is not None:
            self._system += found.system.keys.tobytes()

    def taken(self) -> tuple[Keys, Keys]:
        """Those of gold and of system, which are let go here."""
        sides = self._gold, self._gold if self._system is None else self._system
        self._gold, self._system = bytearray(), None
        gold, system = (np.frombuffer(side, np.uint64).reshape(-1, 2) for side in sides)
        return gold, system


def _next_piece(
    pieces: list[StretchStart], gold: ByteStretch, system: ByteStretch, found: TaskResult
) -> StretchStart:
    if not pieces:
        return StretchStart(gold, system, 0, 0, 0, 0, found)
    last = pieces[-1]
    return StretchStart(
        gold,
        system,
        last.gold_sentence + last.found.gold.sentences,
        last.system_sentence + last.found.system.sentences,
        last.gold_line + last.found.gold.breaks,
        last.system_line + last.found.system.breaks,
        found,
    )


# --- where the texts differ ------------------------------------------------------------------


def _aligned(
    plan: CountingPlan, pieces: list[StretchStart], keys: _Keys, map: Map
) -> Iterator[Counted | Recount]:
    """What is to be counted anew once all sentences are aligned."""
    groups, unsure = _grouped(plan, pieces, keys)
    right = [_is_one_by_one(piece, groups) for piece in pieces]
    first = right.index(False)
    yield Recount(first, unsure)
    windows, asked = itertools.tee(_windows(pieces, groups, first))
    done = map(work, (_task(plan, w.piece.gold, w.piece.system, w.groups) for w in asked))
    for window, counted in zip(windows, done, strict=True):
        yield window._replace(found=counted)


def _grouped(
    plan: CountingPlan, pieces: list[StretchStart], keys: _Keys
) -> tuple[Groups, tuple[Uncertain, ...]]:
    """The groups of all sentences, and what is uncertain in them: nothing else is kept of what
    that takes."""
    from treelens.session.alignment import lined  # which the same sentences do without

    golds = [(piece.gold, piece.gold_sentence) for piece in pieces]
    systems = [(piece.system, piece.system_sentence) for piece in pieces]
    both = keys.taken()
    found = lined(
        _Sentences(plan.gold, golds, both[0], plan.parameters),
        _Sentences(plan.system, systems, both[1], plan.parameters),
        plan.parameters,
    )
    return found.together, tuple(found.uncertain())


def _is_one_by_one(piece: StretchStart, groups: Groups) -> bool:
    """Whether a piece that was counted sentence by sentence has been counted as it should be."""
    if piece.found.sums is None or piece.gold_sentence != piece.system_sentence:
        return False
    first, end = piece.gold_sentence, piece.gold_sentence + piece.found.gold.sentences
    low, high = np.searchsorted(groups.gold_start, [first, end])
    numbers = np.arange(first, end)
    return all(
        np.array_equal(column[low:high], numbers + step)
        for column, step in zip(groups[:4], (0, 1, 0, 1), strict=True)
    )


def _windows(pieces: list[StretchStart], groups: Groups, first: int) -> Iterator[Counted]:
    """The groups from a piece on, by gold's pieces, each with the stretches that they are in."""
    golds = np.array([piece.gold_sentence for piece in pieces])
    systems = np.array([piece.system_sentence for piece in pieces])
    cuts = np.searchsorted(groups.gold_start, golds[first:])
    cuts[0] = _first_behind(groups, pieces[first])
    for low, high in itertools.pairwise([*cuts.tolist(), len(groups.stood)]):
        part = groups.part(low, high)
        if not len(part.stood):
            continue
        a, b = _covering(golds, int(part.gold_start.min()), int(part.gold_end.max()))
        c, d = _covering(systems, int(part.system_start.min()), int(part.system_end.max()))
        piece = StretchStart(
            ByteStretch(pieces[a].gold.start, pieces[b].gold.end),
            ByteStretch(pieces[c].system.start, pieces[d].system.end),
            pieces[a].gold_sentence,
            pieces[c].system_sentence,
            pieces[a].gold_line,
            pieces[c].system_line,
            pieces[a].found,
        )
        gold, system = np.int32(piece.gold_sentence), np.int32(piece.system_sentence)
        own = part._replace(
            gold_start=part.gold_start - gold,
            gold_end=part.gold_end - gold,
            system_start=part.system_start - system,
            system_end=part.system_end - system,
        )
        yield Counted(piece, own, pieces[a].found)


def _first_behind(groups: Groups, piece: StretchStart) -> int:
    """The first group that is none of the pieces before this one, which are one by one."""
    return int(
        np.searchsorted(groups.gold_end + groups.system_end, 2 * piece.gold_sentence, "right")
    )


def _covering(starts: Numbers, first: int, end: int) -> tuple[int, int]:
    """The pieces that some sentences are in; one at least."""
    low, high = np.searchsorted(starts, [first, max(end - 1, first)], side="right") - 1
    return int(low), int(high)


class _Sentences:
    """One side's sentences as :mod:`treelens.align.sentences` reads them; few pieces are held."""

    def __init__(
        self,
        side: StreamedText,
        pieces: Sequence[tuple[ByteStretch, int]],
        numbers: Keys,
        parameters: Parameters,
    ) -> None:
        self.numbers = numbers
        self._pieces = pieces
        self._starts = np.array([start for _, start in pieces])
        self._parameters = parameters
        self._side = side
        self._document = functools.lru_cache(maxsize=_HELD)(self._read)

    def words(self, sentence: int) -> Sequence[bytes]:
        at = int(np.searchsorted(self._starts, sentence, side="right")) - 1
        forest, row, _ = self._document(at).piece(sentence - int(self._starts[at]))
        return text_of(forest, row, self._parameters)

    def _read(self, at: int) -> Document:
        return text(self._side, self._pieces[at][0], Symbols())
