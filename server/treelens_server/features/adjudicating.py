"""Commands of an adjudicator: begin, take either annotator's, keep what there is.

Their one argument is an object; places are in the adjudicated file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.actions import prepared
from treelens.present.adjudicating_actions import take_recipe
from treelens.session.adjudication import roles
from treelens.session.pair import Side
from treelens.session.review import Review
from treelens.session.session import Snapshot

from treelens_server.edits import Changed, workspace_edit
from treelens_server.features.actions import KEEP
from treelens_server.features.worklist import review_edit
from treelens_server.files import name_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

ADJUDICATE = "treelens.adjudicate"
TAKE_FIRST = "treelens.takeFirst"
TAKE_SECOND = "treelens.takeSecond"

_NO_ADJUDICATION = (
    "This is no file in which two annotators' are adjudicated: run Adjudicate… with their files"
)


def adjudicate(workbench: Workbench, argument: Any) -> None:
    """``{first, second, adjudicated?}``: these belong together, whatever their names say."""
    uris = [argument["first"], argument["second"], argument.get("adjudicated") or ""]
    names = [name_of(uri) for uri in uris if uri]
    if len({*names}) < len(names):
        workbench.client.tell("Choose different files: a file cannot be adjudicated with itself")
        return
    workbench.adjudicate(*uris)


def take_first(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: the first annotator's at the disagreement there; where none is, all
    of his in the sentence."""
    _take(workbench, argument, Side.GOLD)


def take_second(workbench: Workbench, argument: Any) -> None:
    _take(workbench, argument, Side.SYSTEM)


def keep(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: the sentence is right as it is, whoever has it so: it is checked."""
    at = _at(workbench, argument)
    if at is None:
        return
    snapshot, offset = at
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        workbench.client.tell("There is no sentence here")
        return
    note = workbench.reviewing.review(snapshot.name, snapshot.document, sentence).note
    checked = Review("checked", note)
    found = review_edit(workbench, snapshot.name, sentence, checked, expected=True)
    if found.get("refused"):
        workbench.client.tell(found["refused"], types.MessageType.Warning)
    elif found.get("edit") is not None:
        workbench.client.edit(found["edit"])


COMMANDS: dict[str, Callable[[Workbench, Any], Any]] = {
    ADJUDICATE: adjudicate,
    TAKE_FIRST: take_first,
    TAKE_SECOND: take_second,
    KEEP: keep,
}


def _take(workbench: Workbench, argument: Any, side: Side) -> None:
    at = _at(workbench, argument)
    if at is None or at[0].adjudication is None:
        return
    recipe = take_recipe(*at, side)
    made = prepared(at[0], recipe) if recipe else None
    if made is None:
        who = roles(at[0].adjudication.three)[0 if side is Side.GOLD else 1]
        workbench.client.tell(
            f"This is as {who} has it already. To settle it so, run Keep This Sentence as It Is"
        )
        return
    workbench.client.edit(workspace_edit(workbench, [Changed(made.name, made.edits)]))


def _at(workbench: Workbench, argument: Any) -> tuple[Snapshot, int] | None:
    place = argument["position"]
    position = types.Position(int(place["line"]), int(place["character"]))
    at = workbench.locate(argument["uri"], position)
    if at is None or at[0].adjudication is None:
        workbench.client.tell(_NO_ADJUDICATION)
        return None
    return at
