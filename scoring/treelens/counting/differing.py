"""Where two texts differ: all their sentences are aligned by what was kept of each, and stretches
that are then found to have been aligned otherwise are counted again.

In memory are a few numbers a sentence, and of the texts, groups and all else some at a time.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from treelens.align.groups import NONE, Elsewhere, Groups, joined
from treelens.align.moves import elsewhere, moves
from treelens.align.pins import pinned
from treelens.align.sentences import walk
from treelens.align.uncertain import Uncertain, uncertain
from treelens.corpus.cuts import ByteStretch
from treelens.counting.memory import give_back
from treelens.counting.stretched import (
    Counted,
    CountingPlan,
    Map,
    StretchesRead,
    StretchStart,
    digest,
)
from treelens.counting.waiting import WaitingGroups, WaitingRows
from treelens.counting.work import Numbers, StreamedText, forget_words, text, work
from treelens.rules.parameters import Parameters
from treelens.session.alignment import lined
from treelens.session.document import Document
from treelens.session.texts import text_keys, text_of
from treelens.trees.forest import Symbols

_HELD = 2
"""Stretches of either side that are in memory."""


def counted_again(
    plan: CountingPlan, read: StretchesRead, map: Map
) -> Iterator[Counted | Uncertain | Elsewhere]:
    """What is to be counted anew once all sentences are aligned, what is uncertain in that, and
    which sentences stand elsewhere, if any do."""
    forget_words()
    give_back()
    batches, unsure, elsewhere = _aligned(plan, read)
    give_back()
    yield from unsure
    if len(elsewhere.gold):
        yield elsewhere
    firsts = np.array([(start.gold_sentence, start.system_sentence) for start in read.starts])
    windows, asked = itertools.tee(
        _window(read.starts, firsts, number, part)
        for number, part in enumerate(_parts(firsts, batches))
        if not _is_counted(read, number, part)
    )
    done = map(work, (plan.task(w.piece.gold, w.piece.system, w.groups) for w in asked))
    for window, counted in zip(windows, done, strict=True):
        yield window._replace(found=counted)


def _aligned(
    plan: CountingPlan, read: StretchesRead
) -> tuple[Iterable[Groups], Sequence[Uncertain], Elsewhere]:
    """The groups of all sentences, some at a time, what is uncertain in them, and what stands
    elsewhere."""
    # (Stretches of either side that are read at the same time have much the same words.)
    symbols = functools.lru_cache(_HELD)(lambda at: Symbols())
    gold, system = (
        _Sentences(plan, read, side, numbers, symbols) for side, numbers in enumerate(read.numbers)
    )
    if plan.parameters.alignment != "own":
        found = lined(gold, system, plan.parameters)
        sides = gold, system
        return [found.together], found.uncertain(sides), elsewhere(found.moves(sides))
    pins = pinned(*read.numbers)
    give_back()
    batches = WaitingGroups(read.make_waiting(), walk(gold, system, pins))
    moved = moves(batches, (gold, system))
    return batches, uncertain(batches, moved), elsewhere(moved)


def _parts(firsts: Numbers, batches: Iterable[Groups]) -> Iterator[Groups]:
    """The groups by the pieces that they are in, or near to, given the pieces' first sentences;
    ``(pieces, 2)``."""
    bounds = iter(firsts[1:].sum(axis=1).tolist())
    bound = next(bounds, None)
    some: list[Groups] = []
    highest = 0
    for batch in batches:
        # (What was moved may end behind what comes later.)
        ends = np.maximum.accumulate(np.append(highest, batch.gold_end + batch.system_end))[1:]
        highest, first = int(ends[-1]) if len(ends) else highest, 0
        while bound is not None and bound < highest:
            cut = int(np.searchsorted(ends, bound, side="right"))
            yield joined([*some, batch.part(first, cut)])
            bound, first, some = next(bounds, None), cut, []
        some.append(batch.part(first))
    yield joined(some)
    while bound is not None:
        yield NONE
        bound = next(bounds, None)


def _is_counted(read: StretchesRead, number: int, part: Groups) -> bool:
    """Whether these are the groups that a piece was counted by."""
    start = read.starts[number]
    own = part.shifted(-start.gold_sentence, -start.system_sentence)
    return read.counted[number] == digest(own)


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
    """One side's sentences as :mod:`treelens.align.sentences` reads them."""

    def __init__(
        self,
        plan: CountingPlan,
        read: StretchesRead,
        side: int,
        numbers: WaitingRows[np.uint64],
        symbols: Callable[[int], Symbols],
    ) -> None:
        self.numbers = numbers
        self._parameters = plan.parameters
        stretches = [(start.gold, start.system)[side] for start in read.starts]
        self._starts = np.array(
            [(start.gold_sentence, start.system_sentence)[side] for start in read.starts]
        )
        self._looked = functools.lru_cache(_HELD)(read.looked[side].texts)
        texts = (plan.gold, plan.system)[side], stretches, plan.parameters, symbols
        # (Which has no part of this object: what is held goes with it.)
        self._document = functools.lru_cache(_HELD)(functools.partial(_read, *texts))

    def words(self, sentence: int) -> Sequence[bytes]:
        at = int(np.searchsorted(self._starts, sentence, side="right")) - 1
        step = sentence - int(self._starts[at])
        known = self._looked(at).get(step)
        if known is not None:
            return known.split(b"\n")[:-1]
        forest, row, _ = self._document(at).piece(step)
        return text_of(forest, row, self._parameters)


def _read(
    side: StreamedText,
    stretches: Sequence[ByteStretch],
    parameters: Parameters,
    symbols: Callable[[int], Symbols],
    at: int,
) -> Document:
    read = text(side, stretches[at], symbols(at))
    for forest, _ in read.parts():  # (Words are numbered at once: one by one takes longest.)
        text_keys(forest, parameters)
    return read
