"""What was said by hand, told to our own extension, which tells it to a server that follows this
one: what of it is over by then, a server knows best."""

from __future__ import annotations

from dataclasses import dataclass

from treelens_server.context import Context, Feature
from treelens_server.documents import SaidByHand
from treelens_server.records import BY_HAND, ByHand, PairArgument, SinceArgument
from treelens_server.versions import Version


@dataclass(slots=True)
class _Memory:
    """What the client was told last."""

    told: SaidByHand | None = None


def announce(context: Context[_Memory]) -> None:
    """Tell it what has changed."""
    now, memory = context.by_hand, context.memory
    before, memory.told = memory.told, now
    if now == before or (before is None and not _is_any(now)):
        return
    pairs = [PairArgument(*pair) for pair in now.pairs]
    since = [_since(*pair, version) for pair, version in now.since.items()]
    context.client.say(BY_HAND, ByHand(pairs, now.alone, since, now.together))


def _is_any(said: SaidByHand) -> bool:
    return any((said.again, said.pairs, said.alone, said.since, *said.together.values()))


def _since(gold: str, system: str, version: Version) -> SinceArgument:
    old, called, text = version
    # (Bytes that are no UTF-8 are not in a message.)
    if text is None:
        return SinceArgument(gold, system, called, old)
    return SinceArgument(gold, system, called, None, text.decode("utf-8", "replace"))


FEATURE = Feature(memory=_Memory, turned=announce)
