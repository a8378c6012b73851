"""Code actions. What an action changes is worked out when it is chosen, if all that it follows from
is as it was when it was offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types
from treelens.present.actions import (
    Action,
    Prepared,
    Recipe,
    actions,
    counterpart,
    is_long,
    prepared,
    sentence_recipe,
    target,
)
from treelens.present.fixed import why_fixed
from treelens.present.names import short_name
from treelens.present.nothing import untaken
from treelens.present.overlay import overlay_of
from treelens.render.width import without_controls
from treelens.session.pair import Side
from treelens.session.session import Snapshot

from treelens_server.background import Later, Progress
from treelens_server.client import WrittenEdit
from treelens_server.context import Context, Feature, Handler
from treelens_server.edits import Changed, workspace_edit
from treelens_server.positions import ranges, span_of
from treelens_server.records import (
    ACCEPT_SYSTEM,
    APPLY,
    KEEP,
    TAKE_GOLD,
    ApplyArgument,
    KeepArgument,
    PlaceArgument,
    decoded,
    encoded,
)

_Edit = TypeVar("_Edit")
_RESOLVES = "text_document.code_action.resolve_support.properties", "edit"
_KINDS = ("quickfix", "refactor.rewrite", "source.takeGold")


def answer(
    context: Context[None], params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    uri = params.text_document.uri
    if not context.client.lists(*_RESOLVES):
        context.look_at_compared(uri)
    snapshot = context.snapshot(uri)
    if snapshot is None:
        return []
    span = span_of(snapshot.document, params.range, context.encoding)
    only = params.context.only
    asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
    overlay = overlay_of(snapshot)
    found = [
        one._replace(title=without_controls(one.title))
        for one in [
            *(overlay.actions(snapshot, *span) if overlay else ()),
            *actions(snapshot, *span, asked=asked),
        ]
        if only is None or any(_is_a(one.kind, str(getattr(k, "value", k))) for k in only)
    ]
    places = ranges(snapshot.document, [(one.start, one.end) for one in found], context.encoding)
    answers: list[types.CodeAction | types.Command] = []
    states: dict[tuple[str, int], str] = {}
    """By the other file's name, and which of the pairs with it."""
    for one, place in zip(found, places, strict=True):
        if one.recipe.what == "keep":
            kept = KeepArgument(uri, params.range.start, context.states.of(snapshot.document))
            # Written beside the file, where no edit of the file would be.
            run = types.Command(one.title, KEEP.name, arguments=[encoded(kept)])
            takes_literals = context.client.takes_literals
            answers.append(
                types.CodeAction(one.title, one.kind, command=run) if takes_literals else run
            )
            continue
        of = one.recipe.other, one.recipe.nth
        state = states.get(of)
        if state is None:
            state = states[of] = _state(context, snapshot, one.recipe)
        data = encoded(ApplyArgument(context.uri(snapshot.name), [*one.recipe], state))
        if not context.client.takes_literals:
            answers.append(types.Command(one.title, APPLY.name, arguments=[data]))
            continue
        about = [
            diagnostic
            for diagnostic in params.context.diagnostics
            if diagnostic.code == one.code and diagnostic.range == place
        ]
        answers.append(_encoded(context, snapshot, one, data, about))
    return answers


def _is_a(kind: str, wanted: str) -> bool:
    return not wanted or kind == wanted or kind.startswith(wanted + ".")


def _encoded(
    context: Context[None],
    snapshot: Snapshot,
    action: Action,
    data: dict[str, Any],
    about: list[types.Diagnostic],
) -> types.CodeAction:
    found = types.CodeAction(
        action.title,
        action.kind,
        diagnostics=about or None,
        is_preferred=action.preferred or None,
        data=data,
    )
    if context.client.lists(*_RESOLVES):
        return found
    # (Whether edits of a file that is not open are late, who is given them now cannot tell.)
    is_unseen = context.version(target(snapshot, action.recipe)) is None
    if is_long(action.recipe) or (is_unseen and context.client.can("workspace.apply_edit")):
        found.command = types.Command(action.title, APPLY.name, arguments=[data])
    else:
        made = prepared(snapshot, action.recipe)
        found.edit = _workspace_edit(context, made) if made else None
    return found


def resolve(context: Context[None], action: types.CodeAction) -> types.CodeAction | Later:
    def with_edit(edit: types.WorkspaceEdit | None) -> types.CodeAction:
        action.edit = edit
        return action

    if not isinstance(action.data, dict) or "recipe" not in action.data:  # (Another feature's.)
        return action
    return _edited(context, decoded(action.data, ApplyArgument), lambda edit: edit, with_edit)


def apply(context: Context[None], argument: ApplyArgument) -> Any:
    """Of clients that know of commands only: do what an action would."""

    def make(edit: WrittenEdit | None) -> None:
        if edit is not None:
            context.client.edit(edit)

    return _edited(context, argument, context.client.written_edit, make)


def take_gold(context: Context[None], argument: PlaceArgument) -> None:
    """Everything of the sentence as gold has it, in the system's file."""
    _take(context, argument, Side.SYSTEM)


def accept_system(context: Context[None], argument: PlaceArgument) -> None:
    """Everything of the sentence as the system has it, in gold's file."""
    _take(context, argument, Side.GOLD)


def _take(context: Context[None], argument: PlaceArgument, into: Side) -> None:
    context.look_at_compared(argument.uri)
    at = context.locate(argument.uri, argument.position)
    recipe = sentence_recipe(*at, into) if at else None
    if at and recipe and (why := why_fixed(target(at[0], recipe))):
        context.client.tell(why)
        return
    made = prepared(at[0], recipe) if at and recipe else None
    if made is None:
        why = untaken(*at) if at else untaken(None, 0)
        context.client.tell(context.why_nothing(argument.uri, why))
        return
    context.client.edit(_workspace_edit(context, made))


# --- what is offered, and chosen later -----------------------------------------------------


def _state(context: Context[None], snapshot: Snapshot, recipe: Recipe) -> str:
    """The state of all that the edits of a recipe follow from: of what needs no counterpart, the
    document alone."""
    other = counterpart(snapshot, recipe)
    if other is None:
        return context.states.of(snapshot.document)
    return context.states.compared(snapshot.document, other)


_CHANGED = (
    "The text, or how it is compared, has changed since this was offered, and nothing was done: "
    "ask again"
)


def _edited(
    context: Context[None],
    data: ApplyArgument,
    written: Callable[[types.WorkspaceEdit], _Edit],
    then: Callable[[_Edit | None], Any],
) -> Any:
    """What ``then`` makes of the edits of an action that was offered, as they are ``written``;
    later, if it takes long."""
    recipe = decoded(data.recipe, Recipe)
    context.look_at(recipe.other)
    snapshot = context.snapshot(data.uri)
    if snapshot is None or data.as_of != _state(context, snapshot, recipe):
        context.client.tell(_CHANGED, types.MessageType.Warning)
        return then(None)

    def work(progress: Progress | None = None) -> _Edit | None:
        made = prepared(snapshot, recipe, progress)
        return written(_workspace_edit(context, made)) if made else None

    def found(edit: _Edit | None) -> Any:
        if edit is None:
            context.client.tell("There is nothing here that could be taken")
        return then(edit)

    if not is_long(recipe):
        return found(work())
    names = {snapshot.name, recipe.other}
    return Later(f"editing {short_name(snapshot.name)}", names, work, found)


def _workspace_edit(context: Context[None], made: Prepared) -> types.WorkspaceEdit:
    return workspace_edit(context, [Changed(made.name, made.edits)])


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_CODE_ACTION,
            answer,
            types.CodeActionOptions(code_action_kinds=[*_KINDS], resolve_provider=True),
            [],
        ),
        Handler(
            types.CODE_ACTION_RESOLVE,
            resolve,
            join=lambda found, more: more[0] if more else found,
        ),
    ),
    ((APPLY, apply), (TAKE_GOLD, take_gold), (ACCEPT_SYSTEM, accept_system)),
)
