"""What the client says that changes what is known: its documents, folders, files, and pairs.

No feature: without these messages there is nothing to have features of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from treelens_server.context import Handler
from treelens_server.documents import Documents
from treelens_server.files import name_of
from treelens_server.records import (
    BY_HAND,
    PAIR,
    SINCE,
    UNPAIR,
    VISIBLE,
    ByHand,
    Command,
    PairArgument,
    SinceArgument,
    UnpairArgument,
    VisibleParams,
)


def changed(documents: Documents, params: types.DidChangeTextDocumentParams) -> None:
    documents.did_change(params)


def visible(documents: Documents, params: VisibleParams) -> None:
    """Of our own extension: what can be seen of a document."""
    documents.visible(params.uri, params.ranges)


def said_before(documents: Documents, said: ByHand) -> None:
    """Of our own extension: what was said by hand to the server before this one."""
    documents.say_again(said)


def configured(documents: Documents, params: types.DidChangeConfigurationParams) -> None:
    """``{treelens: {hints: {heads: true}}}``: the client's settings, as far as we have any."""
    documents.configure(params.settings)


def progress_cancelled(documents: Documents, params: types.WorkDoneProgressCancelParams) -> None:
    documents.background.cancel(params.token)


NOTIFICATIONS = (
    Handler(types.TEXT_DOCUMENT_DID_CHANGE, changed),
    Handler(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, progress_cancelled),
    Handler(types.WORKSPACE_DID_CHANGE_CONFIGURATION, configured),
    Handler(VISIBLE.method, visible, params=VISIBLE.params),
    Handler(BY_HAND.method, said_before, params=BY_HAND.params),
)
"""What features are told of besides (opened, closed, files or folders changed) the server tells."""


# --- commands --------------------------------------------------------------------------------


def pair(documents: Documents, argument: PairArgument) -> None:
    """Score one file against another, whatever their names say."""
    if name_of(argument.gold) == name_of(argument.system):
        documents.client.tell("A file cannot be compared with itself")
        return
    documents.pair(argument.gold, argument.system)


def unpair(documents: Documents, argument: UnpairArgument) -> None:
    """End a file's pairs by hand; if there are none, compare it with nothing."""
    if argument.other is None:
        documents.unpair(argument.uri)
    else:
        documents.end_pair(argument.uri, argument.other)


def since(documents: Documents, argument: SinceArgument) -> None:
    """Mark what is new in a system file since an earlier version of it."""
    if argument.old is not None and name_of(argument.old) == name_of(argument.system):
        documents.client.tell("A file has nothing new since itself")
        return
    documents.hold_against(
        argument.gold, argument.system, argument.old, argument.text, argument.called
    )


COMMANDS: tuple[tuple[Command, Callable[[Documents, Any], object]], ...] = (
    (PAIR, pair),
    (UNPAIR, unpair),
    (SINCE, since),
)
