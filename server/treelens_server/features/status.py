"""Of our own extension: the live totals of every pair, and what the server is busy with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from treelens.metrics import Score
from treelens.present.names import told_apart
from treelens.present.status import doubt, status
from treelens.session.session import Link

from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of
from treelens_server.records import PAIRS, STATUS, FileParams, PairNames, PairStatus, StatusParams


class _Said(NamedTuple):
    """What was said of a pair, its scores when it was first there, and what that follows from."""

    first: tuple[Score, ...]
    follows: tuple[object, ...]
    status: PairStatus


@dataclass(slots=True)
class _Memory:
    """What the client was told last, and what is known of links; by gold file."""

    told: dict[str, list[PairStatus]] = field(default_factory=dict)
    said: dict[str, dict[Link, _Said]] = field(default_factory=dict)
    busy: str | None = None


def announce(context: Context[_Memory]) -> None:
    """Tell it what has changed."""
    memory, busy = context.memory, context.background.busy
    golds: list[str] = []
    pairs: list[PairStatus] = []
    for gold in context.golds_renewed:
        before, now = memory.told.pop(gold, []), [*_pairs(context, gold)]
        memory.told |= {gold: now} if now else {}
        if now != before:
            # (The client may spell it otherwise by now.)
            golds += dict.fromkeys(pair.gold for pair in (*before, *now))
            pairs += now
    if golds or busy != memory.busy:
        memory.busy = busy
        context.client.say(STATUS, StatusParams(golds, pairs, busy))


def _pairs(context: Context[_Memory], gold: str) -> Iterator[PairStatus]:
    links, said = context.links_from(gold), context.memory.said.pop(gold, {})
    kept = {link: said[link] for link in links if link in said}
    if links:
        context.memory.said[gold] = kept
    rivals = [link.system for link in links if link.marked]
    for link in links:
        pair, before = context.unread_or_pair(link), kept.get(link)
        if pair is None:  # (for the moment)
            continue
        uris = context.uri(link.gold), context.uri(link.system)
        name, earlier = told_apart(link.system, rivals), context.earlier(link)
        follows = (*uris, name, pair, earlier)
        if before is None or before.follows != follows:
            first = pair.scores() if before is None else before.first
            now, doubted = status(link, pair, first, earlier), doubt(link, pair)
            sent = PairStatus(*uris, name, *now, doubted, not pair.strict)  # type: ignore[arg-type]
            before = kept[link] = _Said(first, follows, sent)
        yield before.status


def pairs(context: Context[_Memory], params: FileParams) -> list[PairNames]:
    links = context.links_of(name_of(params.uri))
    return [PairNames(context.uri(link.gold), context.uri(link.system)) for link in links]


FEATURE = Feature(
    (Handler(PAIRS.method, pairs, empty=[], params=PAIRS.params),),
    memory=_Memory,
    turned=announce,
)
