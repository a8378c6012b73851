"""Notes on nodes: said where the node is, in both files; and the edit that writes one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import partial

import msgspec
from treelens.edits.review import plain_note
from treelens.present.diagnostics import Diagnostic
from treelens.present.names import told_apart
from treelens.present.notes import CODE, in_file, in_other, name_of, noted_at
from treelens.present.parts import Part, of_group, of_sentence
from treelens.render.width import without_controls
from treelens.session.notes import NodeNote
from treelens.session.pair import Side
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.records import NOTE, NodeNoteParams, Refused, Review
from treelens_server.reports import written
from treelens_server.review_edits import note_edit
from treelens_server.shares import Shares

_MOST = 250
"""Notes of a file that are shown."""


@dataclass(slots=True)
class _Memory:
    """What each open document's notes depend on, as they were said last."""

    said: dict[str, tuple[object, ...]] = field(default_factory=dict)
    sent: dict[str, list[bytes]] = field(default_factory=dict)
    shares: Shares[Diagnostic] = field(default_factory=Shares[Diagnostic])


_Context = Context[_Memory]


def answer(context: _Context, params: NodeNoteParams) -> Review:
    """The note on the node at a place; with a text, the edit that makes it this one."""
    found = context.locate(params.at.uri, params.at.position)
    if found is None:
        return Review(refused=_NOWHERE)
    snapshot, offset = found
    context.reviewing.look_beside(snapshot.name)
    sentence = snapshot.document.sentence_at(offset) if len(snapshot.document) else None
    notes = _notes(context, snapshot, sentence) if sentence is not None else []
    noted = noted_at(snapshot, offset, notes)
    if noted is None:
        return Review(refused=_NOWHERE)
    review = Review(
        note=noted.text, sentence=noted.sentence + 1, about=without_controls(name_of(noted.about))
    )
    if params.note is None:
        return review
    made = note_edit(context, snapshot.name, noted, plain_note(params.note))
    if made.refused:
        return msgspec.structs.replace(review, refused=made.refused)
    edit = made.edit and context.client.plain(made.edit)
    return msgspec.structs.replace(review, edit=edit)


_NOWHERE = "There is no node and no word here that a note could be on"


def _notes(context: _Context, snapshot: Snapshot, sentence: int) -> list[NodeNote]:
    reviewing, name = context.reviewing, snapshot.name
    return reviewing.reviews(name).notes(snapshot.document, reviewing.sidecar(name), sentence)


def announce(context: _Context) -> None:
    """Say the notes of documents where anything that they depend on is another one."""
    said = context.memory.said
    for name in context.renewed:
        snapshot = context.snapshot_of(name)
        if snapshot is None or context.version(name) is None:
            continue
        names = [name, *(other.name for other in snapshot.counterparts)]
        reviewed = [context.reviewing.reviewed(one) for one in names]
        if name not in said and not any(one is not None and len(one.notes) for one in reviewed):
            continue
        now = (snapshot, *reviewed)
        before = said.get(name, ())
        if len(before) == len(now) and all(map(_is, before, now)):
            continue
        said[name] = now
        items = written(name, _parts(context, snapshot), context.names, context.memory.shares)
        context.memory.shares.tidy()
        if items != context.memory.sent.get(name, []):
            context.memory.sent[name] = items
            context.report_besides(name, "notes", [*map(msgspec.Raw, items)])


def _is(one: object, other: object) -> bool:
    return one is other


def _parts(context: _Context, snapshot: Snapshot) -> Iterator[Part[Diagnostic]]:
    """What notes say in a file: its own, and those on the nodes of files it is compared with."""
    for sentence, note in _noted(context, snapshot):
        make = partial(in_file, snapshot.document, sentence, note)
        yield of_sentence(snapshot, sentence, _key(note), make)
    names = [other.name for other in snapshot.counterparts]
    for other in snapshot.counterparts:
        theirs = context.snapshot_of(other.name)
        called = told_apart(other.name, names)
        for sentence, note in _noted(context, theirs) if theirs else ():
            group = other.pair.group_of(other.side.other, sentence)
            first = other.pair.group(group)[0 if other.side is Side.SYSTEM else 1].start
            make = partial(in_other, other, sentence, note, called)
            yield of_group(snapshot, other, group, (*_key(note), sentence - first, called), make)


def _key(note: NodeNote) -> tuple[Hashable, ...]:
    return CODE, note.about, note.text


def _noted(context: _Context, snapshot: Snapshot) -> Iterator[tuple[int, NodeNote]]:
    """The sentences with notes, in order, and each note."""
    reviewed = context.reviewing.reviewed(snapshot.name)
    sentences = sorted({*reviewed.notes[:, 0].tolist()}) if reviewed is not None else []
    for sentence in sentences[:_MOST]:
        for note in _notes(context, snapshot, sentence):
            yield sentence, note


def closed(context: _Context, name: str) -> None:
    context.memory.said.pop(name, None)
    context.memory.sent.pop(name, None)


FEATURE = Feature(
    (Handler(NOTE.method, answer, empty=Refused("That failed: see the log"), params=NOTE.params),),
    memory=_Memory,
    turned=announce,
    closed=closed,
)
