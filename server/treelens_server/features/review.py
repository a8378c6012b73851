"""What an annotator says of a sentence: its state and a note, and the edit that changes them."""

from __future__ import annotations

import msgspec
from lsprotocol import types
from treelens.edits.review import plain_note
from treelens.present.worklist import anchor
from treelens.present.worklist_page import link_named, reviewed_side
from treelens.session import review as core

from treelens_server.context import Context, Feature, Handler
from treelens_server.files import name_of
from treelens_server.places import group_at, pair_names, sentence_at
from treelens_server.records import (
    REVIEW,
    SET_REVIEW,
    PlaceArgument,
    Refused,
    Review,
    ReviewArgument,
    ReviewParams,
)
from treelens_server.review_edits import Made, review_edit, say


def answer(context: Context[None], params: ReviewParams) -> Review:
    """The sentence's state and note as they are; with a state, the edit that makes them these, or
    why there is none."""
    place = _place(context, params)
    if place is None:
        return Review(refused=_NOWHERE)
    found, made = _review(context, params, *place)
    if made is None:
        return found
    if made.refused:
        return msgspec.structs.replace(found, refused=made.refused)
    edit = made.edit and context.client.plain(made.edit)
    return msgspec.structs.replace(found, edit=edit)


def set_review(context: Context[None], argument: ReviewArgument) -> None:
    """For editors that know of commands only."""
    at = PlaceArgument(argument.uri, argument.position)
    place = _place(context, ReviewParams(at=at))
    if place is None:
        context.client.tell(_NOWHERE, types.MessageType.Warning)
    else:
        note = None if argument.note is None else plain_note(argument.note)
        say(context, *place, argument.state, note)


_NOWHERE = "There is no sentence here that could be reviewed"


def _review(
    context: Context[None], params: ReviewParams, name: str, sentence: int
) -> tuple[Review, Made | None]:
    """What is said of a sentence, and what would make it what is asked for, if anything is."""
    document = context.document(name)
    assert document is not None
    context.reviewing.look_beside(name)
    known = context.reviewing.review(name, document, sentence)
    found = Review(state=known.state, note=known.note, sentence=sentence + 1)
    if params.state is None:
        return found, None
    note = known.note if params.note is None else plain_note(params.note)
    new = core.Review(params.state, note)
    return found, review_edit(context, name, sentence, new)


def _place(context: Context[None], params: ReviewParams) -> tuple[str, int] | None:
    """The document and the sentence that have the state of what is at a position."""
    at, name = params.at, name_of(params.at.uri)
    context.look_at_compared(name)
    there = [link for link in context.links if context.pair(link) is not None]
    link = link_named(there, pair_names(params.pair), name)
    pair = context.pair(link) if link is not None else None
    if link is not None and pair is not None and name in link[:2]:
        group = group_at(context, link, pair, at)
        if group is not None:
            side, sentence = anchor(pair, reviewed_side(link, params.reviewed), group)
            return link.name(side), sentence
    # A file that is compared with nothing can be reviewed as well.
    here = sentence_at(context, at)
    return None if here is None else (name, here)


FEATURE = Feature(
    (
        Handler(
            REVIEW.method,
            answer,
            empty=Refused("That failed: see the log"),
            params=REVIEW.params,
        ),
    ),
    ((SET_REVIEW, set_review),),
)
