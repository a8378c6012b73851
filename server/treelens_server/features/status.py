"""Of our own extension: the live totals of every pair, and what the server is busy with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from treelens.metrics import Score
from treelens.present.names import told_apart
from treelens.present.status import doubt, status
from treelens.session.session import Link

from treelens_server.context import Context, Feature
from treelens_server.records import STATUS, PairStatus, StatusParams


class _First(NamedTuple):
    """A pair's scores when it was first there, and what is doubtful about it."""

    scores: tuple[Score, ...]
    origin: object
    doubt: str


class _Memory:
    """What the client was told last."""

    def __init__(self) -> None:
        self.last = StatusParams([], None)
        self.first: dict[Link, _First] = {}


def announce(context: Context[_Memory]) -> None:
    """Tell it what has changed."""
    now = StatusParams([*_pairs(context)], context.background.busy)
    if now != context.memory.last:
        context.memory.last = now
        context.client.say(STATUS, now)


def _pairs(context: Context[_Memory]) -> Iterator[PairStatus]:
    links, first = context.links, context.memory.first
    context.memory.first = {link: first[link] for link in links if link in first}
    for link in links:
        pair = context.pair(link)
        if pair is None:
            continue
        known = first.get(link)
        if known is None or known.origin is not pair.origin:
            scores = known.scores if known is not None else pair.scores()
            known = _First(scores, pair.origin, doubt(link, pair))
            context.memory.first[link] = known
        rivals = [one.system for one in links if one.gold == link.gold and one.marked]
        name = told_apart(link.system, rivals)
        uris = context.uri(link.gold), context.uri(link.system)
        said = status(link, pair, known.scores, context.earlier(link))
        lenient = not pair.strict
        yield PairStatus(*uris, name, *said, known.doubt, lenient)  # type: ignore[arg-type]


FEATURE = Feature(memory=_Memory, turned=announce)
