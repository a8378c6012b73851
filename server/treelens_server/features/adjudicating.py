"""Two annotators' files adjudicated: which, how far that is, and an adjudicator's commands: take
either annotator's, keep one's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lsprotocol import types
from treelens.adjudication.actions import take_recipe
from treelens.adjudication.adjudication import Adjudication, roles
from treelens.adjudication.adjudications import adjudication_of
from treelens.adjudication.marks import disagreements_at, step, sums
from treelens.adjudication.status import adjudicated
from treelens.present.actions import prepared
from treelens.present.fixed import why_fixed
from treelens.present.navigate import MismatchPlace
from treelens.session.document import Document
from treelens.session.followed import followed
from treelens.session.pair import Side
from treelens.session.session import Snapshot

from treelens_server.adjudicating import AdjudicatedFiles
from treelens_server.context import Context, Feature, Handler
from treelens_server.documents import Documents
from treelens_server.edits import HELD_UP, UNANSWERED, Changed, begun, workspace_edit
from treelens_server.files import name_of
from treelens_server.positions import ranges
from treelens_server.records import (
    ADJUDICATE,
    ADJUDICATIONS,
    CONFIGURED,
    KEEP,
    TAKE_FIRST,
    TAKE_SECOND,
    AdjudicateArgument,
    AdjudicationsParams,
    AdjudicationStatus,
    ConfiguredAdjudication,
    ConfiguredParams,
    KeepArgument,
    PlaceArgument,
)
from treelens_server.review_edits import say
from treelens_server.turns import UnderWay

_NO_ADJUDICATION = (
    "This is no file in which two annotators' are adjudicated: run Adjudicate… with their files"
)
_QUIET = (
    "This file is compared with what was committed of it: close that, and the adjudication goes on"
)
_NOTHING = "It is as it was"


class _Memory:
    """Which files are adjudicated, what the client was told last, and where something was taken:
    the file, its text before that, and the sentence."""

    def __init__(self) -> None:
        self.last = AdjudicationsParams([])
        self.taken: tuple[str, Document, int] | None = None
        self.files: AdjudicatedFiles

    def follow(self, documents: Documents) -> AdjudicatedFiles:
        self.files = AdjudicatedFiles(documents)
        return self.files


_Context = Context[_Memory]


def announce(context: _Context) -> bool:
    """Tell the client what has changed; whether there is more to count."""
    _keep_what_is_said(context)
    found = [*_statuses(context)]
    now = AdjudicationsParams([one for one, _ in found])
    if now != context.memory.last:
        context.memory.last = now
        context.client.say(ADJUDICATIONS, now)
    return not all(complete for _, complete in found)


def _statuses(context: _Context) -> Iterator[tuple[AdjudicationStatus, bool]]:
    """Each, and whether all of it has been looked at."""
    known = context.memory.files.known
    for task in known.tasks:
        agreement = known.agreement(task)
        if agreement is None:
            continue
        found = known.adjudication(task)
        first, second, third = (context.uri(name) if name else "" for name in task[:3])
        said = adjudicated(task, agreement, found, known.refused(task))
        yield AdjudicationStatus(first, second, third, *said), found is None or found.complete


def configured(context: _Context, params: ConfiguredParams) -> list[ConfiguredAdjudication]:
    tasks = context.memory.files.configured([*map(name_of, params.uris)])
    files = ([context.uri(name) if name else "" for name in task[:3]] for task in tasks)
    return [ConfiguredAdjudication(*three) for three in files]


def adjudicate(context: _Context, argument: AdjudicateArgument) -> None:
    """These belong together, whatever their names say."""
    uris = [argument.first, argument.second, argument.adjudicated or ""]
    names = [name_of(uri) for uri in uris if uri]
    if len({*names}) < len(names):
        context.client.tell("Choose different files: a file cannot be adjudicated with itself")
        return
    if why := why_fixed(names[2] if len(names) > 2 else ""):
        context.client.tell(why)
        return
    context.memory.files.adjudicate(*uris)


def take_first(context: _Context, argument: PlaceArgument) -> None:
    """The first annotator's at the disagreement there; where none is, all of his in the sentence.
    Of one that is open and as the first has it, that is right, and on to the next."""
    _take(context, argument, Side.GOLD)


def take_second(context: _Context, argument: PlaceArgument) -> None:
    """The second's; of one that is settled so already, on to the next that is open."""
    _take(context, argument, Side.SYSTEM)


def keep(context: _Context, argument: KeepArgument) -> None:
    """The sentence is right as it is, whoever has it so: it is checked."""
    at = _at(context, argument)
    if at is None:
        return
    snapshot, _, offset = at
    if argument.as_of not in (None, context.states.of(snapshot.document)):
        _tell(context, f"The text has changed since this was offered. {_NOTHING}")
        return
    sentence = snapshot.document.sentence_at(offset)
    if sentence is None:
        context.client.tell("There is no sentence here")
        return
    say(context, snapshot.name, sentence, "checked")


def _take(context: _Context, argument: PlaceArgument, side: Side) -> None:
    at = _at(context, argument)
    if at is not None:
        snapshot, _, offset = at
        take = partial(_begin_to_take, context, snapshot, offset, side)
        context.turns.ask(snapshot.name, take, partial(_tell, context, f"{HELD_UP}. {_NOTHING}"))


def _begin_to_take(context: _Context, before: Snapshot, offset: int, side: Side) -> UnderWay | None:
    """``offset``: in the text as it was ``before``, when this was asked for."""
    context.look_at_compared(before.name)
    snapshot = context.snapshot_of(before.name)
    now = adjudication_of(snapshot) if snapshot is not None else None
    here = _moved(before.document, snapshot.document, offset) if snapshot is not None else None
    if snapshot is None or now is None or here is None:
        context.client.tell("What was to be taken has changed meanwhile: take it again")
        return None
    recipe = take_recipe(snapshot, now, here, side)
    made = prepared(snapshot, recipe) if recipe else None
    goes_on = _is_right if side is Side.GOLD else _is_settled
    if made is None and goes_on(context, snapshot, now, here):
        return None
    if made is None:
        who = roles(now.task)[0 if side is Side.GOLD else 1]
        context.client.tell(
            f"This is as {who} has it already. To settle it so, run Keep This Sentence as It Is"
        )
        return None
    sentence = snapshot.document.sentence_at(here)
    if sentence is not None and made.name == snapshot.name:
        context.memory.taken = snapshot.name, snapshot.document, sentence
    edit = workspace_edit(context, [Changed(made.name, made.edits)])
    is_heard = partial(_is_another, context, made.name, context.document(made.name))
    unknown = partial(_tell, context, f"{UNANSWERED}: whether anything was taken is not known")
    return begun(context, edit, is_heard, lambda: None, partial(_untaken, context), unknown)


def _moved(before: Document, now: Document, offset: int) -> int | None:
    """Where a place is by now; None in a sentence that has changed."""
    sentence = before.sentence_at(offset)
    if now is before or sentence is None:
        return offset
    moved = now.since(before).after(sentence)
    return None if moved is None else offset + int(now.start[moved]) - int(before.start[sentence])


def _is_another(context: _Context, name: str, before: Document | None) -> bool:
    return context.document(name) is not before


def _untaken(context: _Context, why: str) -> None:
    """Nothing was taken: no edit of it is still to come."""
    context.memory.taken = None
    _tell(context, f"{why}. {_NOTHING}")


def _tell(context: _Context, warning: str) -> None:
    context.client.tell(warning, types.MessageType.Warning)


def _keep_what_is_said(context: _Context) -> None:
    """Where an annotator's was taken, and of all that is still open in the sentence the first was
    said to be right before, nothing is left to be said: it is kept, as in the other order."""
    if context.memory.taken is None:
        return
    name, before, sentence = context.memory.taken
    snapshot = context.snapshot_of(name)
    now = adjudication_of(snapshot) if snapshot is not None else None
    if snapshot is None or now is None or now.pairs.first is None:
        return
    if now.pairs.first.gold is before or not now.complete:
        return  # (The edit has yet to come.)
    here = followed(before, snapshot.document, sentence)
    if here is not None and not here.is_another:  # Another edit came before it.
        context.memory.taken = name, snapshot.document, here.sentence
        return
    context.memory.taken = None
    if here is None:
        return  # It is no sentence by itself any more.
    group = now.group_at(here.sentence)
    left = [] if group is None else [one for one in now.disagreements(group) if one.open]
    if left and all(one.said for one in left):
        say(context, snapshot.name, here.sentence, "checked")


def _is_right(context: _Context, snapshot: Snapshot, now: Adjudication, offset: int) -> bool:
    """Whether there is something open that is as the first has it: that is right. A sentence is
    checked as a whole, so it is once that has been said of all that is open in it."""
    here = [at.disagreement for at in disagreements_at(snapshot, now, offset, offset)][:1]
    sentence = snapshot.document.sentence_at(offset)
    group = None if sentence is None else now.group_at(sentence)
    if sentence is None or group is None or not here or not here[0].open:
        return False
    number = [one.finding for one in now.disagreements(group)].index(here[0].finding)
    now = context.memory.files.known.say_right(now, group, number) or now
    done = all(one.said for one in now.disagreements(group) if one.open)
    behind = int(snapshot.document.start[sentence + 1]) - 1 if done else offset
    mark = step(snapshot, now, behind, 1)
    if mark is not None and not (done and snapshot.document.sentence_at(mark[0]) == sentence):
        _show(context, snapshot, mark)
    if done:
        say(context, snapshot.name, sentence, "checked")
    return True


def _is_settled(context: _Context, snapshot: Snapshot, now: Adjudication, offset: int) -> bool:
    """Whether what is there is settled, or all of the sentence, and something else is open: on to
    that."""
    here = disagreements_at(snapshot, now, offset, offset)[:1]
    sentence = snapshot.document.sentence_at(offset)
    of_sentence = None if sentence is None else sums(now, sentence)
    is_open = here[0].disagreement.open if here else of_sentence is None or of_sentence.open > 0
    mark = None if is_open else step(snapshot, now, offset, 1)
    if mark is not None:
        _show(context, snapshot, mark)
    return mark is not None


def _show(context: _Context, snapshot: Snapshot, mark: MismatchPlace) -> None:
    (place,) = ranges(snapshot.document, [mark], context.encoding)
    context.client.show(context.uri(snapshot.name), place)


def _at(context: _Context, argument: PlaceArgument) -> tuple[Snapshot, Adjudication, int] | None:
    at = context.locate(argument.uri, argument.position)
    now = adjudication_of(at[0]) if at else None
    if at is None or now is None:
        quiet = at is not None and any(other.alone for other in at[0].marked)
        context.client.tell(_QUIET if quiet else _NO_ADJUDICATION)
        return None
    return at[0], now, at[1]


FEATURE = Feature(
    (Handler(CONFIGURED.method, configured, empty=[], params=CONFIGURED.params),),
    commands=(
        (ADJUDICATE, adjudicate),
        (TAKE_FIRST, take_first),
        (TAKE_SECOND, take_second),
        (KEEP, keep),
    ),
    memory=_Memory,
    links=_Memory.follow,
    turned=announce,
)
