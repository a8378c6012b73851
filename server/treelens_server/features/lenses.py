"""Code lenses: those in view say at once what they have to say, the others when they are seen."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from treelens.present.lenses import ADJUDICATED, lenses, title
from treelens.present.window import near
from treelens.present.worklist import said
from treelens.session.document import Document
from treelens.session.session import Snapshot

from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of
from treelens_server.positions import positions
from treelens_server.records import NEXT_MISMATCH, SHOW_COUNTERPART


def answer(context: Context[None], params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    if context.awaits_pairs(name_of(uri)):
        context.unready(name_of(uri))
    snapshot = context.snapshot(uri)
    if snapshot is None:
        return []
    found = lenses(snapshot)
    places = positions(snapshot.document, [lens.offset for lens in found], context.encoding)
    answers = []
    for lens, place in zip(found, places, strict=True):
        range_ = types.Range(place, types.Position(place.line, place.character + 1))
        if lens.sentence in snapshot.visible:
            # A request for each would take longer than all of this answer.
            text = title(snapshot, lens.sentence, lens.other)
            answers.append(
                types.CodeLens(range_, _command(text, SHOW_COUNTERPART.name, uri, place))
            )
        else:
            data = {"uri": uri, "sentence": lens.sentence, "other": lens.other}
            answers.append(types.CodeLens(range_, data=data))
        if lens.mismatch and lens.other <= 0:
            next_one = "next open ↓" if lens.other == ADJUDICATED else "next mismatch ↓"
            command = _command(next_one, NEXT_MISMATCH.name, uri, place)
            answers.append(types.CodeLens(range_, command))
    return answers + _reviews(context, snapshot)


def _reviews(context: Context[None], snapshot: Snapshot) -> list[types.CodeLens]:
    """What has been said of the sentences near the view."""
    reviewing, document = context.reviewing, snapshot.document
    reviewed = reviewing.reviewed(snapshot.name)
    shown = near(snapshot.visible, len(document))
    if reviewed is None or not reviewed.code[shown.start : shown.stop].any():
        return []
    sentences = [k for k in shown if reviewed.code[k]]
    places = positions(document, [_start(document, k) for k in sentences], context.encoding)
    return [
        types.CodeLens(
            types.Range(place, types.Position(place.line, place.character + 1)),
            types.Command(said(reviewing.review(snapshot.name, document, sentence)), ""),
        )
        for sentence, place in zip(sentences, places, strict=True)
    ]


def _start(document: Document, sentence: int) -> int:
    forest, row, shift = document.piece(sentence)
    return int(forest.tree[row, 0]) + shift


def resolve(context: Context[None], lens: types.CodeLens) -> types.CodeLens:
    data: Any = lens.data
    if lens.command is None and data is not None:
        uri = _get(data, "uri")
        snapshot = context.snapshot(uri)
        text = title(snapshot, _get(data, "sentence"), _get(data, "other")) if snapshot else ""
        lens.command = _command(text, SHOW_COUNTERPART.name, uri, lens.range.start)
    return lens


def _command(text: str, command: str, uri: str, place: types.Position) -> types.Command:
    position = {"line": place.line, "character": place.character}
    return types.Command(text, command, arguments=[{"uri": uri, "position": position}])


def _get(data: Any, key: str) -> Any:
    return data[key] if isinstance(data, dict) else getattr(data, key)


FEATURE = Feature(
    (
        Handler(
            types.TEXT_DOCUMENT_CODE_LENS, answer, types.CodeLensOptions(resolve_provider=True), []
        ),
        Handler(types.CODE_LENS_RESOLVE, resolve),
    )
)
