"""What varies in the folder: the same words in the same context, annotated differently.

Asked for by a command, or by ``[consistency]`` in ``treelens.toml``, the files of the workspace are
read in the background; from then on marks, hovers, lenses, fixes and the list of all of it follow
what is typed. How, is :mod:`treelens_server.varying`'s.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from lsprotocol import types
from treelens.consistency.groups import VariationGroup
from treelens.present.consistency import (
    Variation,
    VariationAt,
    next_variation,
    other_place,
    variation_at,
)
from treelens.present.names import short_name
from treelens.present.pictures import one_below_the_other
from treelens.present.variations import (
    SentenceNow,
    Spot,
    VariationLens,
    both_sentences,
    hover,
    labels,
    lenses,
    section_titles,
    sections,
    spots,
    title,
)
from treelens.render.width import without_controls
from treelens.session.document import Document

from treelens_server import positions, records
from treelens_server.answers import DocumentParams
from treelens_server.context import Feature, Handler, Joined
from treelens_server.drawn import encoded
from treelens_server.files import name_of
from treelens_server.positions import offset_at, ranges
from treelens_server.records import (
    BESIDE,
    CONSISTENCY,
    ELSEWHERE,
    NEXT_VARIATION,
    OTHER_PLACE,
    OTHERS_AS_HERE,
    PREVIOUS_VARIATION,
    VARIATIONS,
    VARIES_RIGHTLY,
    BesideParams,
    Nothing,
    Picture,
    PlaceArgument,
    VariationsParams,
    as_json,
)
from treelens_server.varying import fixes, marks, reading
from treelens_server.varying.folders import Context, Memory
from treelens_server.varying.places import Places


def find(context: Context, argument: Nothing) -> Coroutine[Any, Any, None]:
    """Read the workspace's files, and say what varies in them."""
    return marks.followed(context, reading.find)


# --- at a place ------------------------------------------------------------------------------


def hovers(context: Context, params: types.HoverParams) -> list[types.Hover]:
    at = context.locate(params.text_document.uri, params.position)
    view = context.memory.ready(at[0].name, at[0].document) if at else None
    found = hover(view, at[0].name, at[1]) if at and view else None
    if at is None or found is None:
        return []
    (place,) = ranges(at[0].document, [(found.start, found.end)], context.encoding)
    return [types.Hover(context.client.markup(found.markdown), place)]


def lenses_above(context: Context, params: DocumentParams) -> list[bytes]:
    """A lens above each sentence in view with something to look at, which goes to another place."""
    snapshot = context.snapshot(params.text_document.uri)
    view = context.memory.ready(snapshot.name, snapshot.document) if snapshot else None
    if snapshot is None or view is None:
        return []
    uri = context.uri(snapshot.name)
    found = [*lenses(view, snapshot.name, snapshot.visible)]
    offsets = [offset for lens in found for offset in (lens.offset, lens.place)]
    where = positions.places(snapshot.document, offsets, context.encoding)
    return [
        as_json(_lens(uri, lens, above, at))
        for lens, above, at in zip(found, where[::2], where[1::2], strict=True)
    ]


def _lens(
    uri: str, lens: VariationLens, above: tuple[int, int], at: tuple[int, int]
) -> dict[str, Any]:
    start, end = ({"line": above[0], "character": above[1] + more} for more in (0, 1))
    argument = {"uri": uri, "position": {"line": at[0], "character": at[1]}}
    command = {
        "title": without_controls(lens.title),
        "command": OTHER_PLACE.name if lens.leads else "",
        "arguments": [argument],
    }
    return {"range": {"start": start, "end": end}, "command": command}


# --- from one to the next --------------------------------------------------------------------


def _go(context: Context, argument: PlaceArgument, *, back: bool) -> None:
    places, name = _places(context, argument.uri), name_of(argument.uri)
    if places is None:
        context.client.tell("Nothing is known of what varies: have it looked for first")
        return
    offset = places.offset(name, argument.position)
    if offset is None:
        offset = places.changed_from(name)
    found = next_variation(places.view, name, offset, places.stands, back=back)
    if found is None:
        context.client.tell("Nothing varies any more")
        return
    _show(context, places, found)


def _show(context: Context, places: Places, found: VariationAt) -> None:
    span = found.variation.start, found.variation.end
    context.client.show(context.uri(found.name), places.range(found.name, found.sentence, *span))


def to_next(context: Context, argument: PlaceArgument) -> None:
    """Go to the next place that is annotated otherwise than most places of its kind."""
    _go(context, argument, back=False)


def to_previous(context: Context, argument: PlaceArgument) -> None:
    _go(context, argument, back=True)


def to_other(context: Context, argument: PlaceArgument) -> None:
    """Go to a place that is annotated otherwise than the one here."""
    found = _otherwise(context, argument)
    if found is None:
        context.client.tell(f"There is no other place to go to from {short_name(argument.uri)}")
        return
    _show(context, *found)


def elsewhere(context: Context, argument: PlaceArgument) -> PlaceArgument | None:
    """A place that is annotated otherwise than the one here; of a file that is not open, too."""
    found = _otherwise(context, argument)
    if found is None:
        return None
    places, (name, sentence, variation) = found
    place = places.range(name, sentence, variation.start, variation.end)
    return PlaceArgument(context.uri(name), place.start)


def _places(context: Context, uri: str) -> Places | None:
    """Of the corpus that a document is in, if it is in one."""
    view = context.memory.view(name_of(uri))
    return Places(context, view) if view else None


def _otherwise(context: Context, at: PlaceArgument) -> tuple[Places, VariationAt] | None:
    places = _places(context, at.uri)
    here = _varying(places, at) if places else None
    other = other_place(places.view, here, places.stands) if places and here else None
    return (places, other) if places and other else None


def _varying(places: Places, at: PlaceArgument) -> Variation | None:
    name = name_of(at.uri)
    offset = places.offset(name, at.position)
    return None if offset is None else variation_at(places.view, name, offset)


def drawn_together(context: Context, params: BesideParams) -> Picture | None:
    """Two sentences drawn, and what varies in them in full colour."""
    here = PlaceArgument(params.text_document.uri, params.position)
    places, places_there = _places(context, here.uri), _places(context, params.other.uri)
    if places is None or places_there is None:
        return None
    one, other = _sentence(places, here), _sentence(places_there, params.other)
    if one is None or other is None:
        return None
    if places_there.view is not places.view:  # Its sentences have other numbers.
        other = other._replace(known=None)
    both = both_sentences(_varying(places, here), (one, other))
    at = offset_at(one.document, here.position, context.encoding)
    shown = one_below_the_other(*both, at, frozenset(params.folded))

    def document(name: str) -> Document:
        return (one if name == one.name else other).document

    return encoded(context, one.name, shown, document, tex=params.latex)


def _sentence(places: Places, at: PlaceArgument) -> SentenceNow | None:
    name = name_of(at.uri)
    now = places.now(name)
    sentence = now.sentence_at(offset_at(now, at.position, places.context.encoding))
    if sentence is None:
        return None
    before = places.before(name, sentence)
    known = None if before is None else places.view.index.number(name, before)
    return SentenceNow(name, now, sentence, known)


# --- all of it -------------------------------------------------------------------------------


def listed(context: Context, params: VariationsParams) -> records.Variations:
    """The groups of a section, or the sections, the sharpest and largest first."""
    memory = context.memory
    memory.asked = True
    views = [view for folder in memory.folders for view in folder.views.values()]
    places = [Places(context, view) for view in views]
    found = [(one, group) for one in places for group in one.view.all_groups()]
    files = sum(len(view.index.names) for view in views) if memory.folders else None
    tier = max((folder.wanted.tier for folder in memory.folders), default="A")
    if params.by != "nothing" and params.section is None:
        groups = sections(((one.view, group) for one, group in found), params.by)
        made = [records.VariationSection(*one) for one in groups]
        return records.Variations(files, len(found), tier, made, [], 0)
    if params.section is not None:
        found = [
            (one, group)
            for one, group in found
            if params.section in section_titles(one.view, group, params.by)
        ]
    shown = [_variation(context, *one) for one in found[: params.limit]]
    return records.Variations(files, len(found), tier, [], shown, len(found) - len(shown))


def _variation(context: Context, places: Places, one: VariationGroup) -> records.Variation:
    identity = [*map(str, one.identity)]
    found = [_spot(context, places, spot) for spot in spots(places.view, one, places.stands)]
    names = without_controls(title(one)), without_controls(labels(one))
    return records.Variation(one.kind, identity, one.tier, *names, found)


def _spot(context: Context, places: Places, one: Spot) -> records.VariationSpot:
    place = places.range(one.name, one.sentence, one.start, one.end)
    label, words = without_controls(one.label), without_controls(one.words)
    return records.VariationSpot(context.uri(one.name), place, label, one.deviant, words)


FEATURE = Feature(
    handlers=(
        Handler(VARIATIONS.method, listed, params=VARIATIONS.params),
        Handler(ELSEWHERE.method, elsewhere, params=ELSEWHERE.params),
        Handler(BESIDE.method, drawn_together, params=BESIDE.params),
    ),
    commands=(
        (CONSISTENCY, find),
        (NEXT_VARIATION, to_next),
        (PREVIOUS_VARIATION, to_previous),
        (OTHER_PLACE, to_other),
        (OTHERS_AS_HERE, fixes.annotate_others),
        (VARIES_RIGHTLY, fixes.varies_rightly),
    ),
    joins=(
        Joined(types.TEXT_DOCUMENT_CODE_ACTION, fixes.fixes),
        Joined(types.CODE_ACTION_RESOLVE, fixes.resolved),
        Joined(types.TEXT_DOCUMENT_HOVER, hovers),
        Joined(types.TEXT_DOCUMENT_CODE_LENS, lenses_above),
    ),
    memory=Memory,
    turned=marks.turned,
    opened=marks.opened,
    closed=marks.closed,
    files_changed=marks.files_changed,
)
