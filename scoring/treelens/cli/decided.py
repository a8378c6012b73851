"""How often was decided what where in a corpus of any size, for ``--kinds rare``.

Counts come stretch by stretch and are added up; what memory does not hold waits on disk.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from treelens.consistency.found import corpus_of
from treelens.consistency.rare import (
    CountCell,
    RareDecision,
    Spot,
    counted,
    rarest,
    with_counts,
)
from treelens.consistency.sieve import Asked
from treelens.dropin.shared.spilled import Counters, Spilled

CorpusKind = tuple[bool, bool]
"""See ``found.corpus_of``."""


class DecidedHere(NamedTuple):
    """What is decided in some sentences of one corpus: how often each cell is there, as a line of
    bytes, and all of a place."""

    corpus: CorpusKind
    cells: dict[bytes, int]
    totals: Counter[Spot]


def decided_here(asked: Asked) -> DecidedHere:
    found = counted(asked.strip, asked.options)
    totals = Counter[Spot]()
    for cell, times in found.items():
        totals[cell.spot] += times
    cells = {json.dumps(cell).encode(): times for cell, times in found.items()}
    return DecidedHere(corpus_of(asked.strip.forest), cells, totals)


class _Counts(NamedTuple):
    """Of one corpus."""

    cells: Spilled
    totals: Counter[Spot]


class Decided:
    """The sum of all that is added. folder: makes a temporary one."""

    def __init__(self, folder: Callable[[], str]) -> None:
        self._counters = Counters(folder)
        self._of: dict[CorpusKind, _Counts] = {}

    def add(self, found: Iterable[DecidedHere]) -> None:
        for one in found:
            if one.corpus not in self._of:
                self._of[one.corpus] = _Counts(self._counters.new(), Counter())
            here = self._of[one.corpus]
            here.cells.update(one.cells)
            here.totals.update(one.totals)
        self._counters.bound()

    def rarest(self, most: int) -> dict[CorpusKind, list[RareDecision]]:
        """Of each corpus (see ``rare.rarest``)."""
        return {
            corpus: with_counts(rarest(_read(one), one.totals, most), _read(one))
            for corpus, one in self._of.items()
        }


def _read(counts: _Counts) -> Iterator[tuple[CountCell, int]]:
    for batch in counts.cells.batches():
        for line, times in batch.items():
            table, where, what = json.loads(line)
            yield CountCell(table, tuple(where), what), times
