"""Commands of an adjudicator, in the adjudicated file: take either annotator's, keep one's own."""

from __future__ import annotations

from treelens.present.actions import prepared
from treelens.present.adjudicating_actions import take_recipe
from treelens.session.adjudication import roles
from treelens.session.pair import Side
from treelens.session.review import Review
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature
from treelens_server.edits import Changed, workspace_edit
from treelens_server.records import KEEP, TAKE_FIRST, TAKE_SECOND, PlaceArgument
from treelens_server.review_edits import review_edit, said_so

_NO_ADJUDICATION = (
    "This is no file in which two annotators' are adjudicated: run Adjudicate… with their files"
)


def take_first(context: Context[None], argument: PlaceArgument) -> None:
    """The first annotator's at the disagreement there; where none is, all
    of his in the sentence."""
    _take(context, argument, Side.GOLD)


def take_second(context: Context[None], argument: PlaceArgument) -> None:
    _take(context, argument, Side.SYSTEM)


def keep(context: Context[None], argument: PlaceArgument) -> None:
    """The sentence is right as it is, whoever has it so: it is checked."""
    at = _at(context, argument)
    if at is None:
        return
    snapshot, offset = at
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        context.client.tell("There is no sentence here")
        return
    note = context.reviewing.review(snapshot.name, snapshot.document, sentence).note
    checked = Review("checked", note)
    said_so(context, review_edit(context, snapshot.name, sentence, checked, expected=True))


def _take(context: Context[None], argument: PlaceArgument, side: Side) -> None:
    at = _at(context, argument)
    if at is None or at[0].adjudication is None:
        return
    recipe = take_recipe(*at, side)
    made = prepared(at[0], recipe) if recipe else None
    if made is None:
        who = roles(at[0].adjudication.task)[0 if side is Side.GOLD else 1]
        context.client.tell(
            f"This is as {who} has it already. To settle it so, run Keep This Sentence as It Is"
        )
        return
    context.client.edit(workspace_edit(context, [Changed(made.name, made.edits)]))


def _at(context: Context[None], argument: PlaceArgument) -> tuple[Snapshot, int] | None:
    at = context.locate(argument.uri, argument.position)
    if at is None or at[0].adjudication is None:
        context.client.tell(_NO_ADJUDICATION)
        return None
    return at


FEATURE = Feature(commands=((TAKE_FIRST, take_first), (TAKE_SECOND, take_second), (KEEP, keep)))
