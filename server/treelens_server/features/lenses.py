"""Code lenses: those in view say at once what they have to say, the others when they are seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lsprotocol import types
from treelens.present.lenses import Lens, parts, title
from treelens.present.overlay import overlay_of
from treelens.present.window import near
from treelens.present.worklist_lines import state_in_words
from treelens.render.width import without_controls
from treelens.session.document import Document
from treelens.session.session import Snapshot

from treelens_server.answers import DocumentParams, json_list
from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of
from treelens_server.positions import places, ranges
from treelens_server.records import (
    NEXT_MISMATCH,
    SHOW_COUNTERPART,
    Command,
    Record,
    as_json,
    decoded,
)
from treelens_server.shares import (
    DocumentNames,
    Hole,
    Shares,
    WireTemplate,
    literal,
    place_json,
    range_json,
    shown,
)


class _LensData(Record, frozen=True):
    """What a lens is about that has nothing to say before it is seen."""

    uri: str
    sentence: int
    other: int


def answer(context: Context[Shares[Lens]], params: DocumentParams) -> list[bytes]:
    """The lenses as JSON."""
    uri = params.text_document.uri
    if context.awaits_pairs(name_of(uri)):
        context.unready(name_of(uri))
    snapshot = context.snapshot(uri)
    if snapshot is None:
        return []
    names = context.names
    write = partial(_written, snapshot, names)
    found = [
        item.json for part in parts(snapshot) for item in context.memory.of(part, names, write)
    ]
    context.memory.tidy()
    reviews = (as_json(context.client.plain(one)) for one in _reviews(context, snapshot))
    return [*found, *reviews]


def _written(snapshot: Snapshot, names: DocumentNames, found: Sequence[Lens]) -> list[WireTemplate]:
    written = []
    uri = literal(names.uri(snapshot.name))
    where = places(snapshot.document, [lens.offset for lens in found], names.encoding)
    for lens, (line, character) in zip(found, where, strict=True):
        here = Hole(snapshot.name, line)
        range_ = range_json((line, character), (line, character + 1))
        place = b'{"uri":%b,"position":%b}' % (uri, place_json((line, character)))
        if lens.mismatch:
            overlay = overlay_of(snapshot)
            text = shown(overlay.next_title if overlay else "next ↓")
            json = _command(range_, text, NEXT_MISMATCH, place)
            written.append(WireTemplate(lens.offset, lens.offset, json, (here, here, here)))
        if lens.sentence in snapshot.visible:
            # A request for each would take longer than all of this answer.
            text = shown(title(snapshot, lens.sentence, lens.other))
            json = _command(range_, text, SHOW_COUNTERPART, place)
            written.append(WireTemplate(lens.offset, lens.offset, json, (here, here, here)))
        else:
            json = b'{"range":%b,"data":{"uri":%b,"sentence":%%d,"other":%d}}'
            holes = here, here, Hole(snapshot.name, lens.sentence, sentence=True)
            data = json % (range_, uri, lens.other)
            written.append(WireTemplate(lens.offset, lens.offset, data, holes))
    return written


def _command(range_: bytes, title: bytes, command: Command, place: bytes) -> bytes:
    name = literal(command.name)
    json = b'{"range":%b,"command":{"title":%b,"command":%b,"arguments":[%b]}}'
    return json % (range_, title, name, place)


def _reviews(context: Context[Shares[Lens]], snapshot: Snapshot) -> list[types.CodeLens]:
    """What has been said of the sentences near the view."""
    reviewing, document = context.reviewing, snapshot.document
    reviewed = reviewing.reviewed(snapshot.name)
    shown = near(snapshot.visible, len(document))
    if reviewed is None:
        return []
    sentences = [k for k in shown if reviewed.code[k]]
    reviews = [reviewing.review(snapshot.name, document, sentence) for sentence in sentences]
    starts = [_start(document, sentence) for sentence in sentences]
    places = ranges(document, [(start, start + 1) for start in starts], context.encoding)
    return [
        types.CodeLens(place, types.Command(without_controls(state_in_words(review)), ""))
        for review, place in zip(reviews, places, strict=True)
    ]


def _start(document: Document, sentence: int) -> int:
    forest, row, shift = document.piece(sentence)
    return int(forest.tree[row, 0]) + shift


def resolve(context: Context[Shares[Lens]], lens: types.CodeLens) -> types.CodeLens:
    if lens.command is None and lens.data is not None:
        data = decoded(lens.data, _LensData)
        snapshot = context.snapshot(data.uri)
        text = title(snapshot, data.sentence, data.other) if snapshot else ""
        place = {"uri": data.uri, "position": context.client.plain(lens.range.start)}
        lens.command = types.Command(
            without_controls(text), SHOW_COUNTERPART.name, arguments=[place]
        )
    return lens


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_CODE_LENS,
            answer,
            types.CodeLensOptions(resolve_provider=True),
            [],
            DocumentParams,
            join=lambda found, more: json_list([*found, *more]),
        ),
        Handler(types.CODE_LENS_RESOLVE, resolve),
    ),
    memory=Shares,
)
