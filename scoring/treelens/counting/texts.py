"""Two texts counted in stretches, and once more where alignment as a whole says otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from treelens.align.groups import Elsewhere
from treelens.align.uncertain import Uncertain
from treelens.corpus.cuts import ByteStretch, stretches
from treelens.counting.stretched import Counted, CountingPlan, Map, StretchesRead, StretchStart
from treelens.counting.waiting import Held, Waiting
from treelens.counting.work import TaskResult, work

Cut = tuple[ByteStretch, ByteStretch]
"""Stretches of gold and of system."""
First = Callable[[CountingPlan], Iterator[tuple[Cut, TaskResult]]]
"""Counts all stretches of two texts, in order, as if each were a text by itself."""


def count(
    plan: CountingPlan,
    map: Map,
    seen: Callable[[StretchStart], None] = lambda piece: None,
    waiting: Callable[[], Waiting] = Held,
    first: First | None = None,
) -> Iterator[Counted | Uncertain | Elsewhere]:
    """The counts of two texts, stretch by stretch, what is uncertain in how their sentences were
    paired, and which of them stand elsewhere, if any do; ``seen`` is told of each stretch that was
    read. waiting: makes places for what is known of all sentences. first: counts all
    stretches in place of ``map``, which is left with those that are to be counted again.

    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    read = StretchesRead(plan, waiting)
    done = first(plan) if first else _mapped(plan, map)
    for number, ((gold, system), found) in enumerate(done):
        start = read.add(gold, system, found)
        seen(start)
        if found.groups is not None:
            yield Counted(number, start, found.groups, found)
    if not read.same:
        from treelens.counting.differing import counted_again  # which the same ones do without

        yield from counted_again(plan, read, map)


def cuts(plan: CountingPlan, tail: int = 0) -> Iterator[Cut]:
    """All of both texts in stretches; tail: as of :func:`~treelens.corpus.cuts.stretches`."""
    formats = plan.gold.format, plan.system.format
    return stretches(plan.gold.source, plan.system.source, formats, plan.size, tail=tail)


def _mapped(plan: CountingPlan, map: Map) -> Iterator[tuple[Cut, TaskResult]]:
    these, tasks = itertools.tee(cuts(plan))
    done = map(work, (plan.task(*two) for two in tasks))
    return zip(these, done, strict=True)
