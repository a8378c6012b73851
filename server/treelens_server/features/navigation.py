"""Commands that go somewhere: to the counterpart, to the next mismatch."""

from __future__ import annotations

from typing import Literal

from treelens.present.counterpart import counterparts
from treelens.present.navigate import next_mismatch, previous_mismatch
from treelens.present.nothing import nowhere
from treelens.present.overlay import overlay_of

from treelens_server.context import Context, Feature
from treelens_server.positions import ranges
from treelens_server.records import (
    NEXT_MISMATCH,
    PREVIOUS_MISMATCH,
    SHOW_COUNTERPART,
    PlaceArgument,
)


def show_counterpart(context: Context[None], argument: PlaceArgument) -> None:
    """Show the same node in the other file."""
    context.look_at_compared(argument.uri)
    at = context.locate(argument.uri, argument.position)
    found = counterparts(*at) if at else []
    if not found:
        none = "There is no counterpart of this"
        context.client.tell(context.why_nothing(argument.uri, none))
        return
    document = context.document(found[0].name)
    if document is not None:
        (place,) = ranges(document, [found[0][1:3]], context.encoding)
        context.client.show(context.uri(found[0].name), place)


def to_next_mismatch(context: Context[None], argument: PlaceArgument) -> None:
    """Go to the next mismatch in the same file, or to what else is left to do there."""
    _go(context, argument, 1)


def to_previous_mismatch(context: Context[None], argument: PlaceArgument) -> None:
    _go(context, argument, -1)


def _go(context: Context[None], argument: PlaceArgument, by: Literal[1, -1]) -> None:
    context.look_at_compared(argument.uri)
    at = context.locate(argument.uri, argument.position)
    overlay = overlay_of(at[0]) if at else None
    mark = None
    if at is not None:
        find = next_mismatch if by > 0 else previous_mismatch
        mark = overlay.step(*at, by) if overlay else find(*at)
    if at is None or mark is None:
        none = overlay.nothing_left if overlay else nowhere(at[0] if at else None)
        context.client.tell(context.why_nothing(argument.uri, none))
        return
    (place,) = ranges(at[0].document, [mark], context.encoding)
    context.client.show(context.uri(at[0].name), place)


FEATURE = Feature(
    commands=(
        (SHOW_COUNTERPART, show_counterpart),
        (NEXT_MISMATCH, to_next_mismatch),
        (PREVIOUS_MISMATCH, to_previous_mismatch),
    )
)
