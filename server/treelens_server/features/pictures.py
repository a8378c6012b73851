"""Pictures of sentences, and what is done to the text in them: requests of our own."""

from __future__ import annotations

from msgspec import UNSET
from treelens.edits.attach import Refusal
from treelens.present.names import short_name
from treelens.present.node_edits import node_edits
from treelens.present.pictures import Choice, Node, Shown, Written, picture

from treelens_server.context import Context, Feature, Handler
from treelens_server.edits import Changed, workspace_edit
from treelens_server.files import name_of
from treelens_server.positions import ranges, span_of
from treelens_server.records import (
    EDIT_NODE,
    PICTURE,
    EditMade,
    EditNodeParams,
    Partner,
    Picture,
    PictureNode,
    PictureParams,
    Place,
    Refused,
)


def answer(context: Context[None], params: PictureParams) -> Picture | None:
    """The sentence there drawn."""
    at = context.locate(params.text_document.uri, params.position)
    shown = picture(*at, _choice(params)) if at else None
    return _encoded(context, at[0].name, shown) if at and shown else None


def _choice(params: PictureParams) -> Choice:
    partner = name_of(params.partner) if params.partner else ""
    return Choice(params.layout, partner, frozenset(params.folded), params.all)


def _encoded(context: Context[None], name: str, shown: Shown) -> Picture:
    return Picture(
        version=context.version(name),
        sentence=shown.sentence,
        title=shown.title,
        message=shown.message or None,
        svg=str(shown.svg),
        mirrored=shown.mirrored,
        nodes=_nodes(context, shown),
        at=shown.at,
        partners=[
            Partner(context.uri(one.name), short_name(one.name), one.active)
            for one in shown.partners
        ],
        latex=shown.latex,
    )


def _nodes(context: Context[None], shown: Shown) -> list[PictureNode]:
    """The nodes with their places, each document's offsets converted at once."""
    written = [place for node in shown.nodes for place in node.places]
    found: dict[Written, Place] = {}
    for name in {place.name for place in written}:
        document = context.document(name)
        here = [place for place in written if place.name == name]
        if document is None:
            continue
        spans = [span for place in here for span in (place[1:3], place[3:5], place[5:7])]
        three, uri = iter(ranges(document, spans, context.encoding)), context.uri(name)
        for place, *where in zip(here, three, three, three, strict=True):
            found[place] = Place(uri, *where)
    return [_node(node, found, shown.mirrored) for node in shown.nodes]


def _node(node: Node, written: dict[Written, Place], mirrored: bool) -> PictureNode:
    part = node.part
    sideways = (part.previous, part.next) if mirrored else (part.next, part.previous)
    return PictureNode(
        id=part.id,
        kind=part.kind,
        side=part.side,
        label=part.label,
        state=part.state,
        description=part.title,
        parent=part.up,
        first=part.down,
        next=sideways[0],
        previous=sideways[1],
        foldable=part.foldable,
        folded=part.folded,
        places=[written[place] for place in node.places if place in written],
    )


# --- edits -------------------------------------------------------------------------------------


def edit(context: Context[None], params: EditNodeParams) -> EditMade | Refused:
    """What is to be done to the node that is written there, as edits; or why it cannot be."""
    name, encoding = name_of(params.text_document.uri), context.encoding
    document = context.document(name)
    if document is None:
        return Refused(f"{short_name(name)} is not open: open it first")
    seen = params.text_document.version
    if (None if seen is UNSET else seen) != context.version(name):
        return Refused("the text has changed since this was drawn; the picture is drawn anew")
    made = node_edits(
        document,
        span_of(document, params.range, encoding),
        params.operation,
        params.argument or "",
        span_of(document, params.target, encoding) if params.target else None,
    )
    if isinstance(made, Refusal):
        return Refused(made.reason)
    return EditMade(context.client.plain(workspace_edit(context, [Changed(name, made)])))


FEATURE = Feature(
    (
        Handler(PICTURE.method, answer, params=PICTURE.params),
        Handler(
            EDIT_NODE.method,
            edit,
            empty=Refused("this could not be done: see the log"),
            params=EDIT_NODE.params,
        ),
    )
)
