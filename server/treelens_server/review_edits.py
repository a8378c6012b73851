"""Edits that give sentences a state: in a table's comments, or beside the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from lsprotocol import types
from treelens.edits.review import (
    Lines,
    in_comments,
    note_beside,
    note_in_comments,
    state_beside,
    takes_comments,
)
from treelens.edits.text import Edits
from treelens.present.fixed import is_fixed
from treelens.present.names import short_name
from treelens.present.notes import NotedNode
from treelens.session import review as core
from treelens.session.document import Document
from treelens.session.followed import followed
from treelens.session.sidecar import ENDING

from treelens_server.context import Context
from treelens_server.edits import HELD_UP, UNANSWERED, Changed, begun, edit_beside, workspace_edit
from treelens_server.turns import UnderWay


class Made(NamedTuple):
    """An edit, None where nothing changes; or why there is none."""

    edit: types.WorkspaceEdit | None = None
    refused: str = ""
    name: str = ""
    """The document that lines are written beside."""
    beside: Sequence[Lines] = ()
    """These lines."""
    said: str = ""
    """Of which sentence something is said, and with which note."""


def review_edit(context: Context[Any], name: str, sentence: int, new: core.Review) -> Made:
    """The edit that gives a sentence a state, or why there is none."""
    document, reviewing = context.document(name), context.reviewing
    assert document is not None
    refused = _refused(context, document, name, sentence)
    if refused:
        return Made(refused=refused)
    said = _said(sentence, new.note)
    if takes_comments(document, name, sentence):
        return _made_within(context, name, in_comments(document, sentence, new))._replace(said=said)
    lines = state_beside(
        reviewing.reviews(name), document, reviewing.sidecar(name), sentence, new, short_name(name)
    )
    return _made_beside(context, name, lines)._replace(said=said)


def _said(sentence: int, note: str) -> str:
    return f"sentence {sentence + 1}" + (f". The note was: {note}" if note else "")


def note_edit(context: Context[Any], name: str, noted: NotedNode, text: str) -> Made:
    """The edit that puts a note on a node, without a text takes it away; or why there is none."""
    document, reviewing = context.document(name), context.reviewing
    assert document is not None
    refused = _refused(context, document, name, noted.sentence)
    if refused:
        return Made(refused=refused)
    node = noted.sentence, noted.about, text, noted.there
    if takes_comments(document, name, noted.sentence):
        return _made_within(context, name, note_in_comments(document, *node))
    reviews, sidecar = reviewing.reviews(name), reviewing.sidecar(name)
    lines = note_beside(reviews, document, sidecar, *node, short_name(name))
    return _made_beside(context, name, lines)


def _refused(context: Context[Any], document: Document, name: str, sentence: int) -> str:
    """Why nothing can be said of a file's sentences; empty where it can."""
    if is_fixed(name) or not name.startswith(("file:", "untitled:")):
        return f"{short_name(name)} cannot be changed: have the other file of the pair reviewed"
    if takes_comments(document, name, sentence):
        return ""
    if not name.startswith("file:"):
        return f"States go beside the file {short_name(name)}: save it first"
    if why := context.reviewing.refuses(name):
        return f"{why}: states are neither read nor written there"
    return ""


def _made_within(context: Context[Any], name: str, edits: Edits) -> Made:
    return Made(workspace_edit(context, [Changed(name, edits)])) if edits else Made()


def _made_beside(context: Context[Any], name: str, lines: list[Lines]) -> Made:
    if not lines:
        return Made()
    reviewing, sidecar = context.reviewing, name + ENDING
    uri = context.beside.uri(sidecar) or context.uri(name) + ENDING
    edits, there = reviewing.text_edits(name, lines), reviewing.is_there(sidecar)
    edit = edit_beside(context, uri, reviewing.version(sidecar), edits, there=there)
    return Made(edit, name=name, beside=lines)


def say(
    context: Context[Any], name: str, sentence: int, state: core.State, note: str | None = None
) -> None:
    """Have the client give a sentence a state, without a note the one it has: when it has answered
    what it was asked for before; or tell why it cannot. What is written beside a file holds as soon
    as it is asked for, until the client refuses."""
    before = context.document(name)
    assert before is not None
    begin = partial(_begin, context, name, before, sentence, state, note)
    held_up = partial(_tell_unwritten, context, HELD_UP, _said(sentence, note or ""))
    context.turns.ask(name, begin, held_up)


def _begin(
    context: Context[Any],
    name: str,
    before: Document,
    sentence: int,
    state: core.State,
    note: str | None,
) -> UnderWay | None:
    """``sentence`` of the text as it was ``before``."""
    context.look_at(name)
    document, reviewing = context.document(name), context.reviewing
    now = None if document is None else followed(before, document, sentence)
    if document is None or now is None:
        why = f"{short_name(name)} is another text by now"
        _tell_unwritten(context, why, _said(sentence, note or ""))
        return None
    at = now.sentence
    known = reviewing.review(name, document, at)
    made = review_edit(context, name, at, core.Review(state, known.note if note is None else note))
    if made.refused:
        context.client.tell(made.refused, types.MessageType.Warning)
    if made.edit is None:
        return None
    there = partial(_there, context, name, beside=bool(made.beside))
    is_heard = partial(_differs, there, there())
    if made.beside:
        reviewing.expect(name, made.beside)
    answered = partial(reviewing.answered, made.name, made.beside, made=True)
    unwritten = partial(_unwritten, context, made)
    return begun(
        context, made.edit, is_heard, answered, unwritten, partial(_unknown, context, made)
    )


def _there(context: Context[Any], name: str, *, beside: bool) -> object:
    """What is known of a document, or of what is beside it: something else once it has changed."""
    context.look_at(name)
    return context.reviewing.sidecar(name).source if beside else context.document(name)


def _differs(there: Callable[[], object], before: object) -> bool:
    return there() != before


def _unwritten(context: Context[Any], made: Made, why: str) -> None:
    """Take back what was not written, and say so: with the note, which nobody else has."""
    context.reviewing.answered(made.name, made.beside, made=False)
    _tell_unwritten(context, why, made.said)


def _unknown(context: Context[Any], made: Made) -> None:
    """(What is written beside a file is shown, as before: until the client refuses.)"""
    known = f"{UNANSWERED}: whether the state is written is not known, for {made.said}"
    context.client.tell(known, types.MessageType.Warning)


def _tell_unwritten(context: Context[Any], why: str, said: str) -> None:
    context.client.tell(f"{why}. Nothing has changed for {said}", types.MessageType.Warning)
