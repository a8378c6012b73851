"""Which pairs can be scored many at a time, and what comes of them.

The only module that decides between the model and ``columns``; it imports numpy only when
there is enough to score to be worth numpy's start-up time.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from treelens.dropin.evalb.batch import Batch, Score
from treelens.dropin.evalb.run import Run
from treelens.dropin.evalb.stretches import Stretch
from treelens.dropin.shared.lines import Lines, piece_starts
from treelens.dropin.shared.rows import Totals

ENOUGH_BYTES = 1 << 17
"""Of each file. Below that, the model has finished before numpy is imported."""


def split(text: bytes, size: int) -> Lines:
    """The text as the lines that ``fgets`` reads into a buffer of that size."""
    if len(text) < ENOUGH_BYTES:
        return Lines(text, piece_starts(text, size))
    from treelens.dropin.shared.tree_lines import line_starts

    return Lines(text, line_starts(text, size))


def scorer(run: Run) -> Score:
    """Decides anew for each stretch, but what is known of labels is kept."""
    found = equivalence(run.settings.equal_labels)
    representative, chained = found or {}, found is None

    @functools.cache
    def in_columns() -> Score:
        from treelens.dropin.evalb.blocks import in_blocks

        return in_blocks(run, representative)

    def score(stretch: Stretch, count: int) -> Iterator[Batch]:
        small = len(stretch.gold.text) + len(stretch.test.text) < 2 * ENOUGH_BYTES
        if small or run.settings.debug > 0 or chained:
            return iter([Batch(0, range(count), {}, b"", Totals(), Totals(), None)])
        return in_columns()(stretch, count)

    return score


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
