"""Two texts counted in stretches, and once more where alignment as a whole says otherwise."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from treelens.align.groups import Elsewhere
from treelens.align.uncertain import Uncertain
from treelens.corpus.cuts import stretches
from treelens.corpus.sources import Watch, unwatched
from treelens.counting.stretched import Counted, CountingPlan, Map, StretchesRead, StretchStart
from treelens.counting.waiting import Held, Waiting
from treelens.counting.work import work


def count(
    plan: CountingPlan,
    map: Map,
    watch: Watch = unwatched,
    seen: Callable[[StretchStart], None] = lambda piece: None,
    waiting: Callable[[], Waiting] = Held,
) -> Iterator[Counted | Uncertain | Elsewhere]:
    """The counts of two texts, stretch by stretch, what is uncertain in how their sentences were
    paired, and which of them stand elsewhere, if any do; ``seen`` is told of each stretch that was
    read. waiting: makes places for what is known of all sentences.

    Raises :class:`~treelens.corpus.sources.SourceError`.
    """
    read = StretchesRead(plan, waiting)
    formats = plan.gold.format, plan.system.format
    cut = stretches(plan.gold.source, plan.system.source, formats, plan.size, watch)
    cuts, tasks = itertools.tee(cut)
    done = map(work, (plan.task(*two) for two in tasks))
    for number, ((gold, system), found) in enumerate(zip(cuts, done, strict=True)):
        start = read.add(gold, system, found)
        seen(start)
        if found.groups is not None:
            yield Counted(number, start, found.groups, found)
    if not read.same:
        from treelens.counting.differing import counted_again  # which the same ones do without

        yield from counted_again(plan, read, map)
