"""Commands, which lenses, keys and menus run. Their one argument is an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.adjudicating import next_open, previous_open
from treelens.present.counterpart import counterparts
from treelens.present.navigate import Stretch, next_mismatch, previous_mismatch
from treelens.session.session import Snapshot

from treelens_server.files import name_of
from treelens_server.positions import ranges

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

PAIR = "treelens.pair"
UNPAIR = "treelens.unpair"
SHOW_COUNTERPART = "treelens.showCounterpart"
NEXT_MISMATCH = "treelens.nextMismatch"
PREVIOUS_MISMATCH = "treelens.previousMismatch"


def pair(workbench: Workbench, argument: Any) -> None:
    """``{gold, system}``: score one file against another, whatever their names say."""
    gold, system = argument["gold"], argument["system"]
    if name_of(gold) == name_of(system):
        workbench.client.tell("A file cannot be compared with itself")
        return
    workbench.pair(gold, system)


def unpair(workbench: Workbench, argument: Any) -> None:
    """``{uri}``: compare a file with nothing."""
    workbench.unpair(argument["uri"])


def show_counterpart(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: show the same node in the other file."""
    at = _at(workbench, argument)
    found = counterparts(*at) if at else []
    if not found:
        workbench.client.tell("There is no counterpart of this")
        return
    document = workbench.document(found[0].name)
    if document is not None:
        (place,) = ranges(document, [found[0][1:3]], workbench.client.encoding)
        workbench.client.show(workbench.uri(found[0].name), place)


def to_next_mismatch(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: go to the next mismatch in the same file; in one in which two
    annotators' are adjudicated, to the next disagreement that is open."""
    _go(workbench, argument, next_mismatch, next_open)


def to_previous_mismatch(workbench: Workbench, argument: Any) -> None:
    _go(workbench, argument, previous_mismatch, previous_open)


_Find = Callable[[Snapshot, int], Stretch | None]


def _go(workbench: Workbench, argument: Any, find: _Find, find_open: _Find) -> None:
    at = _at(workbench, argument)
    adjudicated = at is not None and at[0].adjudication is not None
    mark = (find_open if adjudicated else find)(*at) if at else None
    if at is None or mark is None:
        none = "Nothing is open here: every disagreement is settled"
        workbench.client.tell(none if adjudicated else "There are no mismatches here")
        return
    (place,) = ranges(at[0].document, [mark], workbench.client.encoding)
    workbench.client.show(workbench.uri(at[0].name), place)


def _at(workbench: Workbench, argument: Any) -> tuple[Snapshot, int] | None:
    position = argument["position"]
    place = types.Position(int(position["line"]), int(position["character"]))
    return workbench.locate(argument["uri"], place)


COMMANDS: dict[str, Callable[[Workbench, Any], Any]] = {
    PAIR: pair,
    UNPAIR: unpair,
    SHOW_COUNTERPART: show_counterpart,
    NEXT_MISMATCH: to_next_mismatch,
    PREVIOUS_MISMATCH: to_previous_mismatch,
}
