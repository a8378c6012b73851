"""Pictures as the protocol has them: what is drawn, and where each thing in it is written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from msgspec import Raw
from treelens.present.names import short_name
from treelens.present.pictures import PictureChoice, PointedNode, ShownPicture, WrittenPlace
from treelens.render.width import without_controls
from treelens.session.document import Document

from treelens_server.context import Context
from treelens_server.files import name_of
from treelens_server.positions import places
from treelens_server.records import Partner, Picture, PictureNode, PictureParams, as_json
from treelens_server.shares import RANGE

Documents = Callable[[str], Document | None]

_PLACE = b'{"uri":%%b,"range":%b,"selection":%b,"given":%b,"asOf":%%b}' % (RANGE, RANGE, RANGE)
"""A :class:`treelens_server.records.Place`, written at once: a picture has hundreds."""


def choice_of(params: PictureParams) -> PictureChoice:
    """How it is to be drawn."""
    partner = name_of(params.partner) if params.partner else ""
    return PictureChoice(params.layout, partner, frozenset(params.folded), params.all)


def encoded(
    context: Context[Any], name: str, shown: ShownPicture, document: Documents, *, tex: bool
) -> Picture:
    """The picture with its places; ``document``: what the names in it stand for; ``tex``: in
    LaTeX, too."""
    return Picture(
        version=context.version(name),
        sentence=shown.sentence,
        title=without_controls(shown.title),
        message=without_controls(shown.message) or None,
        svg=str(shown.svg),
        mirrored=shown.mirrored,
        nodes=_nodes(context, shown, document),
        at=shown.at,
        partners=[
            Partner(context.uri(one.name), short_name(one.name), one.active)
            for one in shown.partners
        ],
        latex=shown.latex if tex else None,
        gold=shown.names.gold,
        system=shown.names.system,
    )


def _nodes(context: Context[Any], shown: ShownPicture, document: Documents) -> list[PictureNode]:
    """The nodes with their places, each document's offsets converted at once."""
    written = [place for node in shown.nodes for place in node.places]
    found: dict[WrittenPlace, Raw] = {}
    for name in {place.name for place in written}:
        text = document(name)
        here = [place for place in written if place.name == name]
        if text is None:
            continue
        ends = iter(places(text, [at for place in here for at in place[1:]], context.encoding))
        uri, state = as_json(context.uri(name)), as_json(context.states.of(text))
        for place in here:
            numbers = [number for end in itertools.islice(ends, 6) for number in end]
            found[place] = Raw(_PLACE % (uri, *numbers, state))
    return [_node(node, found, shown.mirrored) for node in shown.nodes]


def _node(node: PointedNode, written: dict[WrittenPlace, Raw], mirrored: bool) -> PictureNode:
    part = node.part
    sideways = (part.previous, part.next) if mirrored else (part.next, part.previous)
    return PictureNode(
        id=part.id,
        kind=part.kind,
        side=part.side,
        label=without_controls(part.label),
        state=part.state,
        description=without_controls(part.title),
        parent=part.up,
        first=part.down,
        next=sideways[0],
        previous=sideways[1],
        foldable=part.foldable,
        folded=part.folded,
        places=[written[place] for place in node.places if place in written],
    )
