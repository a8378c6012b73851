"""Of our own extension: the live totals of every pair, and what the server is busy with."""

from __future__ import annotations

from collections import defaultdict
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


class _Said(NamedTuple):
    """What was said of a pair, and what that follows from."""

    first: _First
    follows: tuple[object, ...]
    status: PairStatus


class _Memory:
    """What the client was told last."""

    def __init__(self) -> None:
        self.last = StatusParams([], None)
        self.said: dict[Link, _Said] = {}


def announce(context: Context[_Memory]) -> None:
    """Tell it what has changed."""
    now = StatusParams([*_pairs(context)], context.background.busy)
    if now != context.memory.last:
        context.memory.last = now
        context.client.say(STATUS, now)


def _pairs(context: Context[_Memory]) -> Iterator[PairStatus]:
    links, said = context.links, context.memory.said
    context.memory.said = {}
    rivals: defaultdict[str, list[str]] = defaultdict(list)
    for link in links:
        rivals[link.gold] += [link.system] if link.marked else []
    for link in links:
        pair, before = context.pair(link), said.get(link)
        if before is not None:
            context.memory.said[link] = before
        if pair is None:  # (for the moment)
            continue
        uris = context.uri(link.gold), context.uri(link.system)
        name, earlier = told_apart(link.system, rivals[link.gold]), context.earlier(link)
        follows = (*uris, name, pair, earlier)
        if before is None or before.follows != follows:
            first = before and before.first
            if first is None or first.origin is not pair.origin:
                scores = first.scores if first is not None else pair.scores()
                first = _First(scores, pair.origin, doubt(link, pair))
            now = status(link, pair, first.scores, earlier)
            sent = PairStatus(*uris, name, *now, first.doubt, not pair.strict)  # type: ignore[arg-type]
            before = context.memory.said[link] = _Said(first, follows, sent)
        yield before.status


FEATURE = Feature(memory=_Memory, turned=announce)
