"""Code actions. What an action changes is worked out when it is chosen, for the versions of the
documents that it was offered for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.present.actions import (
    Action,
    Prepared,
    Recipe,
    actions,
    is_long,
    prepared,
    sentence_recipe,
    target,
)
from treelens.present.adjudicating_actions import adjudicating_actions
from treelens.present.names import short_name
from treelens.present.revisions import revision
from treelens.session.pair import Side
from treelens.session.session import Snapshot

from treelens_server.background import Later, Progress
from treelens_server.edits import Changed, version, workspace_edit
from treelens_server.features import Feature
from treelens_server.positions import ranges, span_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

APPLY = "treelens.apply"
KEEP = "treelens.keepAdjudicated"
TAKE_GOLD = "treelens.takeGold"
ACCEPT_SYSTEM = "treelens.acceptSystem"

_KINDS = ("quickfix", "refactor.rewrite", "source.takeGold")


def answer(
    workbench: Workbench, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    uri = params.text_document.uri
    snapshot = workbench.snapshot(uri)
    if snapshot is None:
        return []
    span = span_of(snapshot.document, params.range, workbench.client.encoding)
    only = params.context.only
    asked = params.context.trigger_kind != types.CodeActionTriggerKind.Automatic
    found = [
        one
        for one in [
            *adjudicating_actions(snapshot, *span),
            *actions(snapshot, *span, asked=asked),
        ]
        if only is None or any(_is_a(one.kind, str(getattr(k, "value", k))) for k in only)
    ]
    places = ranges(
        snapshot.document, [(one.start, one.end) for one in found], workbench.client.encoding
    )
    answers: list[types.CodeAction | types.Command] = []
    for one, place in zip(found, places, strict=True):
        if one.recipe.what == "keep":
            argument = {"uri": uri, "position": _position(params.range.start)}
            answers.append(_by_command(one, KEEP, argument))
            continue
        data = _data(workbench, snapshot, one.recipe)
        if not workbench.client.can("text_document.code_action.code_action_literal_support"):
            answers.append(types.Command(one.title, APPLY, arguments=[data]))
            continue
        about = [
            diagnostic
            for diagnostic in params.context.diagnostics
            if diagnostic.code == one.code and diagnostic.range == place
        ]
        answers.append(_encoded(workbench, snapshot, one, data, about))
    return answers


def _position(place: types.Position) -> dict[str, int]:
    return {"line": place.line, "character": place.character}


def _by_command(action: Action, command: str, argument: dict[str, Any]) -> types.CodeAction:
    """What is written beside the file, where no edit of the file would be."""
    run = types.Command(action.title, command, arguments=[argument])
    return types.CodeAction(action.title, action.kind, command=run)


def _is_a(kind: str, wanted: str) -> bool:
    return not wanted or kind == wanted or kind.startswith(wanted + ".")


def _encoded(
    workbench: Workbench,
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
    if workbench.client.can("text_document.code_action.resolve_support"):
        return found
    if is_long(action.recipe):
        found.command = types.Command(action.title, APPLY, arguments=[data])
    else:
        made = prepared(snapshot, action.recipe)
        found.edit = _workspace_edit(workbench, made) if made else None
    return found


def resolve(workbench: Workbench, action: types.CodeAction) -> types.CodeAction | Later:
    def with_edit(edit: types.WorkspaceEdit | None) -> types.CodeAction:
        action.edit = edit
        return action

    return action if action.data is None else _edited(workbench, action.data, with_edit)


def apply(workbench: Workbench, argument: Any) -> Any:
    """Of clients that know of commands only: do what an action would."""

    def make(edit: types.WorkspaceEdit | None) -> None:
        if edit is not None:
            workbench.client.edit(edit)

    return _edited(workbench, argument, make)


def take_gold(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: everything of the sentence as gold has it, in the system's file."""
    _take(workbench, argument, Side.SYSTEM)


def accept_system(workbench: Workbench, argument: Any) -> None:
    """``{uri, position}``: everything of the sentence as the system has it, in gold's file."""
    _take(workbench, argument, Side.GOLD)


COMMANDS: dict[str, Callable[[Workbench, Any], Any]] = {
    APPLY: apply,
    TAKE_GOLD: take_gold,
    ACCEPT_SYSTEM: accept_system,
}


def _take(workbench: Workbench, argument: Any, into: Side) -> None:
    place = argument["position"]
    position = types.Position(int(place["line"]), int(place["character"]))
    at = workbench.locate(argument["uri"], position)
    recipe = sentence_recipe(*at, into) if at else None
    if at and recipe and revision(target(at[0], recipe)):
        name = short_name(target(at[0], recipe))
        workbench.client.tell(f"{name} is as it was committed: it cannot be changed")
        return
    made = prepared(at[0], recipe) if at and recipe else None
    if made is None:
        workbench.client.tell("There are no mismatches in this sentence")
        return
    workbench.client.edit(_workspace_edit(workbench, made))


# --- versions ------------------------------------------------------------------------------


def _data(workbench: Workbench, snapshot: Snapshot, recipe: Recipe) -> dict[str, Any]:
    """What is needed to make the edits later, and the versions that they are made for."""
    names = (snapshot.name, recipe.other)
    return {
        "uri": workbench.uri(snapshot.name),
        "recipe": list(recipe),
        "versions": [version(workbench, name) for name in names],
        "lengths": [_length(workbench, name) for name in names],
    }


def _length(workbench: Workbench, name: str) -> int | None:
    """For files that are not open, which have no version."""
    document = workbench.document(name)
    return None if document is None else document.length


def _edited(
    workbench: Workbench, data: Any, then: Callable[[types.WorkspaceEdit | None], Any]
) -> Any:
    """What ``then`` makes of the edits of an action that was offered; later, if it takes long."""
    uri, recipe = _get(data, "uri"), Recipe(*_get(data, "recipe"))
    snapshot = workbench.snapshot(uri)
    if snapshot is None or not _is_current(workbench, snapshot, recipe, data):
        workbench.client.tell(
            "The text has changed since this was offered, and nothing was done: ask again",
            types.MessageType.Warning,
        )
        return then(None)

    def work(progress: Progress | None = None) -> types.WorkspaceEdit | None:
        made = prepared(snapshot, recipe, progress)
        return _workspace_edit(workbench, made) if made else None

    def found(edit: types.WorkspaceEdit | None) -> Any:
        if edit is None:
            workbench.client.tell("There is nothing here that could be taken")
        return then(edit)

    if not is_long(recipe):
        return found(work())
    names = {snapshot.name, recipe.other}
    return Later(f"editing {short_name(snapshot.name)}", names, work, found)


def _is_current(workbench: Workbench, snapshot: Snapshot, recipe: Recipe, data: Any) -> bool:
    now = _data(workbench, snapshot, recipe)
    return all(list(_get(data, key)) == now[key] for key in ("versions", "lengths"))


def _get(data: Any, key: str) -> Any:
    return data[key] if isinstance(data, dict) else getattr(data, key)


def _workspace_edit(workbench: Workbench, made: Prepared) -> types.WorkspaceEdit:
    return workspace_edit(workbench, [Changed(made.name, made.edits)])


FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        answer,
        types.CodeActionOptions(code_action_kinds=[*_KINDS], resolve_provider=True),
        [],
    ),
    Feature(types.CODE_ACTION_RESOLVE, resolve),
)
