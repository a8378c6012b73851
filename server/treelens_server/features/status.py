"""Of our own extension: the live totals of every pair, and what the server is busy with."""

from __future__ import annotations

from collections.abc import Iterator

from treelens.present.status import adjudicated, status
from treelens.session.session import links_of

from treelens_server.context import Context, Feature
from treelens_server.records import STATUS, AdjudicationStatus, PairStatus, StatusParams


class _Memory:
    """What the client was told last."""

    def __init__(self) -> None:
        self.last = StatusParams([], [], None)


def announce(context: Context[_Memory]) -> bool:
    """Tell it what has changed; whether there is more to count."""
    found = [*_adjudications(context)]
    now = StatusParams([*_pairs(context)], [one for one, _ in found], context.background.busy)
    if now != context.memory.last:
        context.memory.last = now
        context.client.say(STATUS, now)
    return not all(complete for _, complete in found)


def _pairs(context: Context[_Memory]) -> Iterator[PairStatus]:
    for link in context.links:
        pair = context.pair(link)
        if pair is not None:
            yield PairStatus(context.uri(link.gold), context.uri(link.system), *status(link, pair))


def _adjudications(context: Context[_Memory]) -> Iterator[tuple[AdjudicationStatus, bool]]:
    """Each, and whether all of it has been looked at."""
    for task in context.adjudications:
        agreement = context.agreement(links_of(task)[0])
        if agreement is None:
            continue
        found = context.adjudication(task)
        first, second, third = (context.uri(name) if name else "" for name in task[:3])
        said = adjudicated(task, agreement, found)
        yield AdjudicationStatus(first, second, third, *said), found is None or found.complete


FEATURE = Feature(memory=_Memory, turned=announce)
