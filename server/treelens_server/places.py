"""Places that clients name, as what they are of: a sentence of a document, a group of a pair."""

from __future__ import annotations

from typing import Any

from treelens.session.pair import Pair
from treelens.session.session import Link

from treelens_server.context import Context
from treelens_server.files import name_of
from treelens_server.positions import offset_at
from treelens_server.records import PairNames, PlaceArgument


def pair_names(names: PairNames | None) -> tuple[str, str] | None:
    return None if names is None else (name_of(names.gold), name_of(names.system))


def sentence_at(context: Context[Any], at: PlaceArgument) -> int | None:
    """The sentence of a document, open or not."""
    document = context.document(name_of(at.uri))
    if document is None or not len(document):
        return None
    return document.sentence_at(offset_at(document, at.position, context.encoding))


def group_at(context: Context[Any], link: Link, pair: Pair, at: PlaceArgument) -> int | None:
    """The group of a pair; None of a place in another file."""
    sides, sentence = link.sides(name_of(at.uri)), sentence_at(context, at)
    return None if not sides or sentence is None else pair.group_of(sides[0], sentence)
