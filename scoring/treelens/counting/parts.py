"""Two texts that were counted, part by part: what was counted waits on disk, and the sentences are
read once more when somebody looks at them."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from treelens.align.groups import Elsewhere, Groups, joined
from treelens.compare.sides import Side
from treelens.corpus.cuts import ByteStretch
from treelens.counting.files import places_of
from treelens.counting.stretched import Counted
from treelens.counting.vocabulary import Vocabulary
from treelens.counting.waiting import Waiting, WaitingGroups
from treelens.counting.work import StreamedText, text
from treelens.metrics import Metric, Score, Tallies
from treelens.rules.parameters import Parameters
from treelens.session.alignment import Theirs, theirs
from treelens.session.counts import MISMATCH, UNEQUAL, without_pairs
from treelens.session.document import Before, Document, document
from treelens.session.pair import Pair, counted
from treelens.trees.forest import Ints, Symbols, narrow


class TextPart(NamedTuple):
    """Consecutive groups of sentences: the stretches of gold and of system that they are in, and
    where the groups, their places (:data:`~treelens.session.counts.PLACES`) and their rows of
    counts wait.

    size: how many groups; different: how many of them differ in what a score counts, unequal: in
    anything. golds: gold's sentences of the whole text from the first that they are of to the last.
    """

    stretches: tuple[ByteStretch, ByteStretch]
    before: tuple[Before, Before]
    groups: WaitingGroups
    places: range
    rows: range
    kind: np.dtype[np.integer[Any]]
    size: int
    different: int
    unequal: int
    golds: range


class TextParts:
    """All groups of two texts' sentences, once each and in order, as pairs of stretches.

    The pairs are those of :func:`treelens.session.pair.counted`; each is read when it is asked for,
    and their documents say what of the texts is before them. No part is without a group.
    vocabulary: which others share, whose labels have the same ids then.
    """

    def __init__(
        self,
        texts: tuple[StreamedText, StreamedText],
        parameters: Parameters,
        metrics: tuple[Metric, ...],
        waiting: Callable[[], Waiting],
        strict: bool = False,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self.parameters, self.metrics, self.strict = parameters, metrics, strict
        self.texts = texts
        self._waiting = waiting()
        self._parts: dict[int, TextPart] = {}
        self.vocabulary = vocabulary or Vocabulary(labels=True)
        self._elsewhere: Elsewhere | None = None
        self._last: tuple[int, Pair] | None = None
        self._counts: tuple[int, Pair] | None = None
        self._firsts: list[int] = []

    def keep(self, found: Counted) -> None:
        """Take in what was counted strictly and in detail; what there was of its number is void."""
        piece, rows = found.piece, found.found.rows
        assert rows is not None
        self._parts.pop(found.number, None)
        if not len(rows):  # as where one text has nothing for a long while
            return
        few = narrow(rows)
        self._parts[found.number] = TextPart(
            (piece.gold, piece.system),
            (
                Before(piece.gold_sentence, piece.gold_line),
                Before(piece.system_sentence, piece.system_line),
            ),
            WaitingGroups(self._waiting, [found.groups]),
            self._waiting.add([places_of(found).astype(np.int32).tobytes()]),
            self._waiting.add([few.tobytes()]),
            few.dtype,
            len(rows),
            int((rows[:, MISMATCH] > 0).sum()),
            int((rows[:, UNEQUAL] > 0).sum()),
            range(
                piece.gold_sentence + int(found.groups.gold_start[0]),
                piece.gold_sentence + int(found.groups.gold_end.max()),
            ),
        )

    def complete(self, elsewhere: Elsewhere | None = None) -> None:
        """All was kept; elsewhere: the texts' sentences that are out of order."""
        self._parts = dict(enumerate(self._parts[number] for number in sorted(self._parts)))
        self._firsts = [part.golds.start for part in self._parts.values()]
        self._elsewhere = elsewhere

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return sum(part.size for part in self._parts.values())

    @property
    def mismatches(self) -> int:
        """How many of them have a finding (:attr:`treelens.session.pair.Pair.mismatches`)."""
        parts = self._parts.values()
        return sum(part.unequal if self.strict else part.different for part in parts)

    @property
    def is_mixed(self) -> bool:
        """Whether neither text has what the other annotates."""
        gold, system = self.texts
        return gold.format.annotation != system.format.annotation

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, number: int) -> Pair:
        if self._last is None or self._last[0] != number:
            self._last = None  # (Two are never held.)
            part = self._parts[number]
            symbols = self.vocabulary.symbols(sum(one.end - one.start for one in part.stretches))
            gold, system = (
                text(side, stretch, symbols)
                for side, stretch in zip(self.texts, part.stretches, strict=True)
            )
            self._last = number, self._pair(part, gold, system)
        return self._last[1]

    def __iter__(self) -> Iterator[Pair]:
        return map(self.__getitem__, range(len(self)))

    def differing(self) -> Iterator[Pair]:
        """Those in which anything differs."""
        return (self[number] for number, part in self._parts.items() if part.unequal)

    def counts(self) -> Iterator[Pair]:
        """The same without the texts, for what is asked of counts and groups alone."""
        nothing = self._nothing()
        for part in self._parts.values():
            yield self._pair(part, *nothing)

    def scores_of(self, sentence: int) -> tuple[Score, ...]:
        """The scores of the group that a sentence of gold is in."""
        number = self.holding(sentence)
        if self._counts is None or self._counts[0] != number:
            part = self._parts[number]
            self._counts = number, self._pair(part, *self._nothing())
        pair = self._counts[1]
        return pair.scores(pair.group_of(Side.GOLD, sentence - pair.gold.before.sentences))

    def holding(self, sentence: int) -> int:
        """The part that a sentence of gold is in."""
        return bisect.bisect_right(self._firsts, sentence) - 1

    def part(self, number: int) -> TextPart:
        return self._parts[number]

    def rows(self) -> Iterator[Tallies]:
        """What :func:`treelens.counting.files.rows_of` says of the groups, some at a time."""
        for part in self._parts.values():
            data = np.frombuffer(self._waiting.read(part.places), np.int32)
            places = data.reshape(part.size, -1).astype(np.int64)
            yield np.concatenate([places, without_pairs(self.rows_of(part))], axis=1)

    def _nothing(self) -> tuple[Document, Document]:
        gold, system = (document(b"", Symbols(), side.format) for side in self.texts)
        return gold, system

    def rows_of(self, part: TextPart) -> Tallies:
        data = np.frombuffer(self._waiting.read(part.rows), part.kind)
        return data.reshape(part.size, -1).astype(np.int64)

    def _pair(self, part: TextPart, gold: Document, system: Document) -> Pair:
        gold, system = (
            dataclasses.replace(one, before=before)
            for one, before in zip((gold, system), part.before, strict=True)
        )
        return self.pair(gold, system, joined([*part.groups]), self.rows_of(part))

    def pair(self, gold: Document, system: Document, groups: Groups, rows: Tallies) -> Pair:
        """Groups of two stretches of the texts, with their counts."""
        before = gold.before, system.before
        apart = ({}, {}) if self._elsewhere is None else self._apart(before, groups)
        what = self.parameters, self.metrics, groups, rows, apart
        return counted(gold, system, *what).strictly(self.strict)

    def _apart(self, before: tuple[Before, Before], groups: Groups) -> tuple[Theirs, Theirs]:
        """Where sentences of some groups stand in the other text; they are counted from the first
        ones of the stretches."""
        assert self._elsewhere is not None
        gold, system, reworded = self._elsewhere

        def there(own: Ints, others: Ints, first: int, size: int) -> Theirs:
            here = (own >= first) & (own < first + size)
            return theirs(own[here] - first, others[here], reworded[here])

        return (
            there(gold, system, before[0].sentences, int(groups.gold_end.max())),
            there(system, gold, before[1].sentences, int(groups.system_end.max())),
        )
