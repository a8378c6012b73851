"""Pictures of sentences, and what is done to the text in them: requests of our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from treelens.edits.attach import Refusal
from treelens.present.names import short_name
from treelens.present.node_edits import OPERATIONS, node_edits
from treelens.present.pictures import Choice, Node, Shown, Written, picture

from treelens_server.edits import Changed, version, workspace_edit
from treelens_server.features import Feature
from treelens_server.files import name_of
from treelens_server.positions import places, span_of

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench

PICTURE = "treelens/picture"
EDIT_NODE = "treelens/editNode"

_Message = dict[str, Any]


def answer(workbench: Workbench, params: Any) -> _Message | None:
    """``{textDocument, position, layout?, partner?, folded?, all?}``: the sentence there drawn."""
    place = types.Position(params.position.line, params.position.character)
    at = workbench.locate(params.textDocument.uri, place)
    shown = picture(*at, _choice(params)) if at else None
    return _encoded(workbench, at[0].name, shown) if at and shown else None


def _choice(params: Any) -> Choice:
    layout, partner = getattr(params, "layout", None), getattr(params, "partner", None)
    folded, everything = getattr(params, "folded", None), getattr(params, "all", None)
    return Choice(
        layout if layout in ("overlaid", "beside", "own") else "overlaid",
        name_of(partner) if isinstance(partner, str) else "",
        frozenset(map(str, folded or ())),
        everything is True,
    )


def _encoded(workbench: Workbench, name: str, shown: Shown) -> _Message:
    return {
        "version": version(workbench, name),
        "sentence": shown.sentence,
        "title": shown.title,
        "message": shown.message or None,
        "svg": shown.svg,
        "mirrored": shown.mirrored,
        "nodes": _nodes(workbench, shown),
        "at": shown.at,
        "partners": [
            {"uri": workbench.uri(one.name), "name": short_name(one.name), "active": one.active}
            for one in shown.partners
        ],
        "latex": shown.latex,
    }


def _nodes(workbench: Workbench, shown: Shown) -> list[_Message]:
    """The nodes with their places, each document's offsets converted at once."""
    written = [place for node in shown.nodes for place in node.places]
    found: dict[Written, _Message] = {}
    for name in {place.name for place in written}:
        document = workbench.document(name)
        here = [place for place in written if place.name == name]
        if document is None:
            continue
        offsets = [offset for place in here for offset in place[1:]]
        ends = [
            {"line": line, "character": character}
            for line, character in places(document, offsets, workbench.client.encoding)
        ]
        uri = workbench.uri(name)
        for at, place in enumerate(here):
            names = "range", "selection", "given"
            corners = ends[6 * at : 6 * at + 6]
            pairs = zip(names, corners[::2], corners[1::2], strict=True)
            spans = {name: {"start": start, "end": end} for name, start, end in pairs}
            found[place] = {"uri": uri, **spans}
    return [_node(node, found, shown.mirrored) for node in shown.nodes]


def _node(node: Node, written: dict[Written, _Message], mirrored: bool) -> _Message:
    part = node.part
    sideways = (part.previous, part.next) if mirrored else (part.next, part.previous)
    return {
        "id": part.id,
        "kind": part.kind,
        "side": part.side,
        "label": part.label,
        "state": part.state,
        "description": part.title,
        "parent": part.up,
        "first": part.down,
        "next": sideways[0],
        "previous": sideways[1],
        "foldable": part.foldable,
        "folded": part.folded,
        "places": [written[place] for place in node.places if place in written],
    }


# --- edits -------------------------------------------------------------------------------------


def edit(workbench: Workbench, params: Any) -> _Message:
    """``{textDocument: {uri, version}, range, operation, argument?, target?}``: what is to be done
    to the node that is written there, as edits; or ``refused``, and why."""
    name, encoding = name_of(params.textDocument.uri), workbench.client.encoding
    document = workbench.document(name)
    if document is None:
        return {"refused": f"{short_name(name)} is not open: open it first"}
    if getattr(params.textDocument, "version", None) != version(workbench, name):
        return {"refused": "the text has changed since this was drawn; the picture is drawn anew"}
    if params.operation not in OPERATIONS:
        return {"refused": f"there is no operation “{params.operation}”"}
    target = getattr(params, "target", None)
    made = node_edits(
        document,
        span_of(document, _range(params.range), encoding),
        params.operation,
        str(getattr(params, "argument", None) or ""),
        span_of(document, _range(target), encoding) if target else None,
    )
    if isinstance(made, Refusal):
        return {"refused": made.reason}
    return {"edit": workspace_edit(workbench, [Changed(name, made)])}


def _range(value: Any) -> types.Range:
    ends = (types.Position(end.line, end.character) for end in (value.start, value.end))
    return types.Range(*ends)


FEATURES = (
    Feature(PICTURE, answer),
    Feature(EDIT_NODE, edit, empty={"refused": "this could not be done: see the log"}),
)
