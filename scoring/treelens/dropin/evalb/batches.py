"""Which pairs can be scored many at a time, and what comes of them.

The only module that decides between the model and ``columns``; it imports numpy only when
there is enough to score to be worth numpy's start-up time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treelens.dropin.evalb.batch import Batch
from treelens.dropin.evalb.buffers import Lines, piece_starts
from treelens.dropin.evalb.run import Run
from treelens.dropin.shared.rows import Totals

ENOUGH_BYTES = 1 << 18
"""Below that, the model has finished before numpy is imported."""


def split(texts: Sequence[bytes], size: int) -> list[Lines]:
    """The texts as the lines that ``fgets`` reads into a buffer of that size."""
    if sum(map(len, texts)) < ENOUGH_BYTES:
        return [Lines(text, piece_starts(text, size)) for text in texts]
    from treelens.dropin.evalb.columns import line_starts

    return [Lines(text, line_starts(text, size)) for text in texts]


def batches(gold: Lines, test: Lines, count: int, run: Run) -> Iterator[Batch]:
    """The first ``count`` pairs in order. Little is computed ahead of its use."""
    representative = equivalence(run.settings.equal_labels)
    small = len(gold.text) + len(test.text) < ENOUGH_BYTES
    if small or run.settings.debug > 0 or representative is None:
        return iter([Batch(0, range(count), {}, [], Totals(), Totals(), None)])
    from treelens.dropin.evalb.pool import scored_batches

    return scored_batches(gold, test, count, run, representative)


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
