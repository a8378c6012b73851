"""Which pairs can be scored many at a time, and what comes of them.

The only module that decides between the model and ``columns``; it imports numpy only when
there is enough to score to be worth numpy's start-up time.
"""

from __future__ import annotations

from collections.abc import Iterable

from treelens.dropin.evalb.batch import Batch, Score
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.lines import Lines, piece_starts

ENOUGH_BYTES = 1 << 17
"""Of each file. Below that, the model has finished before numpy is imported."""


def split(text: bytes, size: int) -> Lines:
    """The text as the lines that ``fgets`` reads into a buffer of that size."""
    if len(text) < ENOUGH_BYTES:
        return Lines(text, piece_starts(text, size))
    from treelens.dropin.shared.tree_lines import line_starts

    return Lines(text, line_starts(text, size))


class Scorer:
    """Scores stretches up to a number of pairs; what is known of labels is kept."""

    def __init__(self, run: Run, limit: int) -> None:
        found = equivalence(run.settings.equal_labels)
        self._run, self._limit, self._representative = run, limit, found or {}
        self._for_columns = run.settings.debug <= 0 and found is not None
        self._columns: Score | None = None

    def __call__(self, stretch: Stretch) -> Batch:
        count = min(stretch.pairs, self._limit - stretch.first)
        self.prepare(len(stretch.gold.text) + len(stretch.test.text))
        return self._columns(stretch, count) if self._columns and count else Batch(range(count))

    def prepare(self, size: int) -> bool:
        """Load what scores many pairs at a time, if so many bytes are worth it; whether it is
        there, which work that is shared out needs."""
        if not self._columns and self._for_columns and size >= 2 * ENOUGH_BYTES:
            from treelens.dropin.evalb.quick import in_columns

            self._columns = in_columns(self._run, self._representative)
        return self._columns is not None


def equivalence(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes] | None:
    """A representative for each label of the pairs; None when they are no equivalence.

    EQ_LABEL holds both ways but is not chained: with A B and B C, A is not C. Only where every
    chain is complete can a number stand for all labels that are equal.
    """
    near: dict[bytes, set[bytes]] = {}
    for one, other in pairs:
        near.setdefault(one, {one}).add(other)
        near.setdefault(other, {other}).add(one)
    if any(near[other] != labels for labels in near.values() for other in labels):
        return None
    return {label: min(labels) for label, labels in near.items()}
