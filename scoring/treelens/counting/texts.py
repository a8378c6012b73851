"""Two texts counted in stretches, and once more where alignment as a whole says otherwise."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from treelens.align.groups import Groups
from treelens.align.uncertain import Uncertain
from treelens.corpus.blocks import STRETCH_BYTES
from treelens.corpus.cuts import ByteStretch, stretches
from treelens.corpus.sources import Watch, unwatched
from treelens.counting.work import (
    CountingTask,
    Looked,
    Numbers,
    StreamedText,
    TaskResult,
    text,
    work,
)
from treelens.metrics import Metric
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.texts import text_of
from treelens.trees.forest import Keys, Symbols

_HELD = 2
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

    number: which they are of all, in order; what came before of that number is void. groups:
    counted from the first sentences of the piece. found: lines from its first ones.
    """

    number: int
    piece: StretchStart
    groups: Groups
    found: TaskResult


def count(
    plan: CountingPlan,
    map: Map,
    watch: Watch = unwatched,
    seen: Callable[[StretchStart], None] = lambda piece: None,
) -> Iterator[Counted | Uncertain]:
    """The counts of two texts, stretch by stretch, and what is uncertain in how their sentences
    were paired; ``seen`` is told of each stretch that was read.

    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    pieces: list[_Piece] = []
    keys = _Keys()
    formats = plan.gold.format, plan.system.format
    cut = stretches(plan.gold.source, plan.system.source, formats, plan.size, watch)
    cuts, tasks = itertools.tee(cut)
    done = map(work, (_task(plan, *two) for two in tasks))
    for number, ((gold, system), found) in enumerate(zip(cuts, done, strict=True)):
        start = _next_start(pieces, gold, system, found)
        seen(start)
        if found.groups is not None:
            yield Counted(number, start, found.groups, found)
        keys.add(found)
        counted = found.groups and _digest(found.groups)
        pieces.append(_Piece(start._replace(found=_kept(found)), counted, found.looked))
    if not keys.same:
        yield from _aligned(plan, pieces, keys, map)


class _Piece(NamedTuple):
    """What is kept of a stretch: where it starts; which groups were counted, None if none were;
    the texts that aligning it looked at."""

    start: StretchStart
    counted: int | None
    looked: tuple[Looked, Looked]


def _digest(groups: Groups) -> int:
    """What groups are known by that were counted: 64 bits, which no others have in this process.
    (Python's own, of bytes, are drawn with a secret; what makes longer ones takes long to load.)
    """
    return hash(np.stack(groups[:4]).tobytes())


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
    return TaskResult(gold, system, None, None, None)


class _Keys:
    """The keys of all sentences so far: once as long as both sides have the same.

    (Each in one piece of memory that grows; many small ones would keep what is freed around them.)
    """

    def __init__(self) -> None:
        self._gold = bytearray()
        self._system: bytearray | None = None

    @property
    def same(self) -> bool:
        """Whether both sides have the same sentences."""
        return self._system is None

    def add(self, found: TaskResult) -> None:
        if self.same and not np.array_equal(found.gold.keys, found.system.keys):
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


def _next_start(
    pieces: list[_Piece], gold: ByteStretch, system: ByteStretch, found: TaskResult
) -> StretchStart:
    if not pieces:
        return StretchStart(gold, system, 0, 0, 0, 0, found)
    last = pieces[-1].start
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
    plan: CountingPlan, pieces: list[_Piece], keys: _Keys, map: Map
) -> Iterator[Counted | Uncertain]:
    """What is to be counted anew once all sentences are aligned, and what is uncertain in that."""
    groups, unsure = _grouped(plan, pieces, keys)
    yield from unsure
    starts = [piece.start for piece in pieces]
    firsts = np.array([(start.gold_sentence, start.system_sentence) for start in starts])
    windows, asked = itertools.tee(
        _window(starts, firsts, number, part)
        for number, part in enumerate(_parts(firsts, groups))
        if not _is_counted(pieces[number], part)
    )
    done = map(work, (_task(plan, w.piece.gold, w.piece.system, w.groups) for w in asked))
    for window, counted in zip(windows, done, strict=True):
        yield window._replace(found=counted)


def _grouped(
    plan: CountingPlan, pieces: list[_Piece], keys: _Keys
) -> tuple[Groups, tuple[Uncertain, ...]]:
    """The groups of all sentences, and what is uncertain in them: nothing else is kept of what
    that takes."""
    from treelens.session.alignment import lined  # which the same sentences do without

    golds, systems = (
        [(start.gold, start.gold_sentence, looked[0]) for start, _, looked in pieces],
        [(start.system, start.system_sentence, looked[1]) for start, _, looked in pieces],
    )
    both = keys.taken()
    found = lined(
        _Sentences(plan.gold, golds, both[0], plan.parameters),
        _Sentences(plan.system, systems, both[1], plan.parameters),
        plan.parameters,
    )
    return found.together, tuple(found.uncertain())


def _parts(firsts: Numbers, groups: Groups) -> Iterator[Groups]:
    """The groups by the pieces that they are in, or near to, given the pieces' first sentences;
    ``(pieces, 2)``."""
    # (What was moved may end behind what comes later.)
    ends = np.maximum.accumulate(groups.gold_end + groups.system_end)
    cuts = np.searchsorted(ends, firsts.sum(axis=1), side="right")
    cuts[0] = 0
    return itertools.starmap(groups.part, itertools.pairwise([*cuts.tolist(), len(ends)]))


def _is_counted(piece: _Piece, part: Groups) -> bool:
    """Whether these are the groups that a piece was counted by."""
    start = piece.start
    return piece.counted == _digest(part.shifted(-start.gold_sentence, -start.system_sentence))


def _window(starts: Sequence[StretchStart], firsts: Numbers, number: int, part: Groups) -> Counted:
    """Some groups, with the stretches that they are in."""
    a = b = c = d = number
    if len(part.stood):
        a, b = _covering(firsts[:, 0], int(part.gold_start.min()), int(part.gold_end.max()))
        c, d = _covering(firsts[:, 1], int(part.system_start.min()), int(part.system_end.max()))
    piece = StretchStart(
        ByteStretch(starts[a].gold.start, starts[b].gold.end),
        ByteStretch(starts[c].system.start, starts[d].system.end),
        starts[a].gold_sentence,
        starts[c].system_sentence,
        starts[a].gold_line,
        starts[c].system_line,
        starts[a].found,
    )
    own = part.shifted(-piece.gold_sentence, -piece.system_sentence)
    return Counted(number, piece, own, piece.found)


def _covering(starts: Numbers, first: int, end: int) -> tuple[int, int]:
    """The pieces that some sentences are in; one at least."""
    low, high = np.searchsorted(starts, [first, max(end - 1, first)], side="right") - 1
    return int(low), int(high)


class _Sentences:
    """One side's sentences as :mod:`treelens.align.sentences` reads them; few pieces are held."""

    def __init__(
        self,
        side: StreamedText,
        pieces: Sequence[tuple[ByteStretch, int, Looked]],
        numbers: Keys,
        parameters: Parameters,
    ) -> None:
        self.numbers = numbers
        self._pieces = pieces
        self._starts = np.array([start for _, start, _ in pieces])
        self._parameters = parameters
        self._side = side
        self._document = functools.lru_cache(maxsize=_HELD)(self._read)

    def words(self, sentence: int) -> Sequence[bytes]:
        at = int(np.searchsorted(self._starts, sentence, side="right")) - 1
        _, start, looked = self._pieces[at]
        known = looked.get(sentence - start)
        if known is not None:
            return known.split(b"\n")[:-1]
        forest, row, _ = self._document(at).piece(sentence - start)
        return text_of(forest, row, self._parameters)

    def _read(self, at: int) -> Document:
        return text(self._side, self._pieces[at][0], Symbols())
