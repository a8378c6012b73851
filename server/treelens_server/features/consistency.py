"""What varies in the folder: the same words in the same context, annotated differently.

Asked for by a command, or by ``[consistency]`` in ``treelens.toml``, the files of the workspace are
read in the background; from then on marks, hovers, lenses, fixes and the list of all of it follow
what is typed. How, is :mod:`treelens_server.varying`'s.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any

from lsprotocol import types
from treelens.present.consistency import (
    IndexView,
    VariationAt,
    next_variation,
    other_place,
    variation_at,
)
from treelens.present.names import short_name
from treelens.present.pictures import one_below_the_other
from treelens.present.variations import (
    Spot,
    VariationEntry,
    both_sentences,
    entries,
    hover,
    lenses,
    section_titles,
    sections,
    spots,
)
from treelens.render.width import without_controls
from treelens.session.document import Document

from treelens_server import records
from treelens_server.answers import DocumentParams
from treelens_server.context import Feature, Handler, Joined
from treelens_server.drawn import encoded
from treelens_server.files import name_of
from treelens_server.positions import offset_at, places, ranges
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
    offsets = [offset for lens in found for offset in lens[:2]]
    where = places(snapshot.document, offsets, context.encoding)
    return [
        as_json(_lens(uri, title, above, at))
        for (*_, title), above, at in zip(found, where[::2], where[1::2], strict=True)
    ]


def _lens(uri: str, title: str, above: tuple[int, int], at: tuple[int, int]) -> dict[str, Any]:
    start, end = ({"line": above[0], "character": above[1] + more} for more in (0, 1))
    argument = {"uri": uri, "position": {"line": at[0], "character": at[1]}}
    command = {
        "title": without_controls(title),
        "command": OTHER_PLACE.name,
        "arguments": [argument],
    }
    return {"range": {"start": start, "end": end}, "command": command}


# --- from one to the next --------------------------------------------------------------------


def _go(context: Context, argument: PlaceArgument, *, back: bool) -> None:
    at = context.locate(argument.uri, argument.position)
    view = context.memory.view(at[0].name) if at else None
    if at is None or view is None:
        context.client.tell("Nothing is known of what varies: have it looked for first")
        return
    found = next_variation(view, at[0].name, at[1], back=back)
    if found is None:
        context.client.tell("Nothing varies any more")
        return
    _show(context, view, found)


def _show(context: Context, view: IndexView, found: VariationAt) -> None:
    span = found.variation.start, found.variation.end
    (place,) = ranges(view.index.document(found.name), [span], context.encoding)
    context.client.show(context.uri(found.name), place)


def to_next(context: Context, argument: PlaceArgument) -> None:
    """Go to the next place that is annotated otherwise than most places of its kind."""
    _go(context, argument, back=False)


def to_previous(context: Context, argument: PlaceArgument) -> None:
    _go(context, argument, back=True)


def to_other(context: Context, argument: PlaceArgument) -> None:
    """Go to a place that is annotated otherwise than the one here."""
    at = _in_view(context, argument)
    found = _otherwise(*at) if at else None
    if at is None or found is None:
        context.client.tell(f"Nothing varies here in {short_name(argument.uri)}")
        return
    _show(context, at[0], found)


def elsewhere(context: Context, argument: PlaceArgument) -> PlaceArgument | None:
    """A place that is annotated otherwise than the one here; of a file that is not open, too."""
    at = _in_view(context, argument)
    found = _otherwise(*at) if at else None
    if at is None or found is None:
        return None
    span = found.variation.start, found.variation.end
    (place,) = ranges(at[0].index.document(found.name), [span], context.encoding)
    return PlaceArgument(context.uri(found.name), place.start)


def _in_view(context: Context, at: PlaceArgument) -> tuple[IndexView, str, int] | None:
    """A place of a document as it is in the index."""
    name = name_of(at.uri)
    view = context.memory.view(name)
    if view is None:
        return None
    return view, name, offset_at(view.index.document(name), at.position, context.encoding)


def _otherwise(view: IndexView, name: str, offset: int) -> VariationAt | None:
    found = variation_at(view, name, offset)
    return other_place(view, found) if found else None


def drawn_together(context: Context, params: BesideParams) -> Picture | None:
    """Two sentences drawn, and what varies in them in full colour."""
    here = PlaceArgument(params.text_document.uri, params.position)
    first, second = _in_view(context, here), _in_view(context, params.other)
    if first is None or second is None:
        return None
    both = both_sentences(first, second)
    if both is None:
        return None
    shown = one_below_the_other(*both, first[2], frozenset(params.folded))

    def document(name: str) -> Document:
        read = next(one for one in (first, second) if one[1] == name)[0].index.document(name)
        # (What is edited is the pairs' own, also of a file that is not open.)
        known = context.document(name)
        if known is not None and known.length == read.length and known.text() == read.text():
            return known
        return read

    return encoded(context, first[1], shown, document, tex=params.latex)


# --- all of it -------------------------------------------------------------------------------


def listed(context: Context, params: VariationsParams) -> records.Variations:
    """The groups of a section, or the sections, the sharpest and largest first."""
    memory = context.memory
    memory.asked = True
    views = [view for folder in memory.folders for view in folder.views.values()]
    found = [(view, one) for view in views for one in entries(view)]
    files = sum(len(view.index.names) for view in views) if memory.folders else None
    tier = max((folder.wanted.tier for folder in memory.folders), default="A")
    if params.by != "nothing" and params.section is None:
        groups = [*sections([one for _, one in found], params.by)]
        made = [records.VariationSection(*one) for one in groups]
        return records.Variations(files, len(found), tier, made, [], 0)
    if params.section is not None:
        found = [both for both in found if params.section in section_titles(both[1], params.by)]
    shown = [_variation(context, view, one) for view, one in found[: params.limit]]
    return records.Variations(files, len(found), tier, [], shown, len(found) - len(shown))


def _variation(context: Context, view: IndexView, entry: VariationEntry) -> records.Variation:
    one = entry.group
    identity = [*map(str, one.identity)]
    found = [*_spots(context, view, [*spots(view, one)])]
    title, labels = without_controls(entry.title), without_controls(entry.labels)
    return records.Variation(one.kind, identity, one.tier, title, labels, found)


def _spots(context: Context, view: IndexView, found: list[Spot]) -> Iterator[records.VariationSpot]:
    for one in found:
        span = one.start, one.end
        (place,) = ranges(view.index.document(one.name), [span], context.encoding)
        label, words = without_controls(one.label), without_controls(one.words)
        yield records.VariationSpot(context.uri(one.name), place, label, one.deviant, words)


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
