"""Commands that go somewhere: to the counterpart, to the next mismatch."""

from __future__ import annotations

from collections.abc import Callable

from treelens.present.adjudicating import next_open, previous_open
from treelens.present.counterpart import counterparts
from treelens.present.navigate import MismatchPlace, next_mismatch, previous_mismatch
from treelens.session.session import Snapshot

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
    at = context.locate(argument.uri, argument.position)
    found = counterparts(*at) if at else []
    if not found:
        context.client.tell("There is no counterpart of this")
        return
    document = context.document(found[0].name)
    if document is not None:
        (place,) = ranges(document, [found[0][1:3]], context.encoding)
        context.client.show(context.uri(found[0].name), place)


def to_next_mismatch(context: Context[None], argument: PlaceArgument) -> None:
    """Go to the next mismatch in the same file; in one in which two
    annotators' are adjudicated, to the next disagreement that is open."""
    _go(context, argument, next_mismatch, next_open)


def to_previous_mismatch(context: Context[None], argument: PlaceArgument) -> None:
    _go(context, argument, previous_mismatch, previous_open)


_Find = Callable[[Snapshot, int], MismatchPlace | None]


def _go(context: Context[None], argument: PlaceArgument, find: _Find, find_open: _Find) -> None:
    at = context.locate(argument.uri, argument.position)
    adjudicated = at is not None and at[0].adjudication is not None
    mark = (find_open if adjudicated else find)(*at) if at else None
    if at is None or mark is None:
        none = "Nothing is open here: every disagreement is settled"
        context.client.tell(none if adjudicated else "There are no mismatches here")
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
