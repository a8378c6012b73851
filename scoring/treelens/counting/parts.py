"""Two texts that were counted, part by part: what was counted waits on disk, and the sentences are
read once more when somebody looks at them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from treelens.align.groups import joined
from treelens.corpus.cuts import ByteStretch
from treelens.counting.stretched import Counted
from treelens.counting.vocabulary import Vocabulary
from treelens.counting.waiting import Waiting, WaitingGroups
from treelens.counting.work import StreamedText, text
from treelens.metrics import Metric
from treelens.rules.parameters import Parameters
from treelens.session.document import Before
from treelens.session.pair import Pair, counted


class _Part(NamedTuple):
    """Consecutive groups of sentences: the stretches of gold and of system that they are in, and
    where the groups and their rows of counts wait."""

    stretches: tuple[ByteStretch, ByteStretch]
    before: tuple[Before, Before]
    groups: WaitingGroups
    rows: range
    kind: np.dtype[np.integer[Any]]


class TextParts:
    """All groups of two texts' sentences, once each and in order, as pairs of stretches.

    The pairs are those of :func:`treelens.session.pair.counted`; each is read when its turn comes,
    and their documents say what of the texts is before them.
    """

    def __init__(
        self,
        texts: tuple[StreamedText, StreamedText],
        parameters: Parameters,
        metrics: tuple[Metric, ...],
        waiting: Callable[[], Waiting],
    ) -> None:
        self.parameters, self.metrics = parameters, metrics
        self._texts = texts
        self._waiting = waiting()
        self._parts: dict[int, _Part] = {}

    def keep(self, found: Counted) -> None:
        """Take in what was counted strictly and in detail; what there was of its number is void."""
        piece, rows = found.piece, found.found.rows
        assert rows is not None
        self._parts.pop(found.number, None)
        if not len(rows):  # as where one text has nothing for a long while
            return
        extremes = rows.min(initial=0), rows.max(initial=0)
        kind = np.result_type(*map(np.min_scalar_type, extremes))
        self._parts[found.number] = _Part(
            (piece.gold, piece.system),
            (
                Before(piece.gold_sentence, piece.gold_line),
                Before(piece.system_sentence, piece.system_line),
            ),
            WaitingGroups(self._waiting, [found.groups]),
            self._waiting.add([rows.astype(kind).tobytes()]),
            kind,
        )

    def __iter__(self) -> Iterator[Pair]:
        vocabulary = Vocabulary()
        for _, part in sorted(self._parts.items(), key=itemgetter(0)):
            groups = joined([*part.groups])
            data = np.frombuffer(self._waiting.read(part.rows), part.kind)
            rows = data.reshape(len(groups.stood), -1).astype(np.int64)
            symbols = vocabulary.symbols(sum(one.end - one.start for one in part.stretches))
            gold, system = (
                dataclasses.replace(text(side, stretch, symbols), before=before)
                for side, stretch, before in zip(
                    self._texts, part.stretches, part.before, strict=True
                )
            )
            yield counted(gold, system, self.parameters, self.metrics, groups, rows)
