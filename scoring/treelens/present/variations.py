"""What varies, at more length than a mark has room for: a hover, a lens, a list of all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple

from treelens.consistency.found import structure, word_nodes
from treelens.consistency.found import words as written
from treelens.consistency.groups import Occurrence, VariationGroup
from treelens.consistency.wording import TITLES, key_text, label_text, message
from treelens.present.consistency import (
    IndexView,
    Stands,
    Variation,
    occurring,
    other_place,
    place_of,
    variations,
)
from treelens.present.hovers import Hover
from treelens.present.names import isolated, short_name
from treelens.present.pictures import Sentence
from treelens.present.window import near
from treelens.render.markdown import escaped
from treelens.render.numbers import number_of
from treelens.render.width import shortened, without_controls
from treelens.session.document import Document
from treelens.session.view import View

VariationsBy = Literal["nothing", "kind", "structure", "file"]

_LABEL = 60
_PLACES = 4
"""Places of a label that a hover names."""
_LISTED = 100
"""Places of a group that a list has."""
_AROUND = 6
"""Words on either side of what is annotated."""


# --- under the mouse -------------------------------------------------------------------------


def hover(view: IndexView, name: str, offset: int) -> Hover | None:
    """All labels of what varies at an offset, also where it is the majority's."""
    sentence = view.index.document(name).sentence_at(offset)
    if sentence is None:
        return None
    at = [one for one in occurring(view, name, sentence) if one.start <= offset <= one.end]
    if not at:
        return None
    narrowest = min(at, key=lambda one: one.end - one.start)
    told = "\n\n".join(_table(view, one.group, one.here) for one in at)
    return Hover(narrowest.start, narrowest.end, told)


def _table(view: IndexView, one: VariationGroup, here: Occurrence) -> str:
    heading = f"**{isolated(escaped(key_text(one)))}** varies · {one.kind}, tier {one.tier}"
    rows = [f"{heading}\n", "| | times | where |", "|:--|--:|:--|"]
    for label, count in one.labels:
        shown = escaped(shortened(label_text(one.kind, label), _LABEL))
        mine = " ← here" if label == here.label else ""
        there = [place for place in one.occurrences if place.label == label]
        listed = ", ".join(_link(view, one, place) for place in there[:_PLACES])
        more = f", {len(there) - _PLACES:,} more" if len(there) > _PLACES else ""
        rows.append(f"| **{shown}**{mine} | {count:,} | {listed}{more} |")
    return "\n".join(rows)


def _link(view: IndexView, one: VariationGroup, place: Occurrence) -> str:
    where = view.index.place(place.sentence)
    document = view.index.document(where.name)
    line = document.line_at(place_of(document, where.sentence, one, place)[0]) + 1
    target = where.name.replace("(", "%28").replace(")", "%29")
    return f"[{escaped(short_name(where.name))}:{line}]({target}#L{line})"


# --- above a sentence ------------------------------------------------------------------------


class VariationLens(NamedTuple):
    """``place``: of the first of what varies; ``leads``: whether there is another to go to."""

    offset: int
    place: int
    title: str
    leads: bool


def lenses(view: IndexView, name: str, visible: View) -> Iterator[VariationLens]:
    """One above each sentence near the view in which something is to be looked at."""
    document = view.index.document(name)
    for sentence in near(visible, len(document)):
        found = variations(view, name, sentence)
        if found:
            forest, row, shift = document.piece(sentence)
            first, more = found[0], len(found) - 1
            title = f"varies: {_said(first)}" + (f" · {more} more" if more else "")
            leads = other_place(view, first) is not None
            yield VariationLens(int(forest.tree[row, 0]) + shift, first.start, title, leads)


def _said(one: Variation) -> str:
    if one.group.kind == "rare":
        return shortened(message(one.group, one.here), 2 * _LABEL)
    words = " ".join(word or "_" for word in one.group.key[one.group.nucleus])
    if one.group.kind == "texts":
        count = one.group.total - dict(one.group.labels)[one.here.label]
        return f"the same words are analysed otherwise in {number_of(count, 'place')}"
    others = [
        f"{shortened(label_text(one.group.kind, label), _LABEL)} ×{count:,}"
        for label, count in one.group.labels
        if label != one.here.label
    ]
    mine = shortened(label_text(one.group.kind, one.here.label), _LABEL)
    return f"“{isolated(shortened(words, _LABEL))}” {mine}, elsewhere {', '.join(others[:3])}"


# --- drawn -----------------------------------------------------------------------------------


class SentenceNow(NamedTuple):
    """A sentence of a text as it is now; ``known``: the number that the index has for it, if it
    is one of those."""

    name: str
    document: Document
    sentence: int
    known: int | None


def both_sentences(
    at: Variation | None, both: tuple[SentenceNow, SentenceNow]
) -> tuple[Sentence, Sentence]:
    """Two sentences, with the words that vary between them to be looked at."""
    first, second = (_with_varying(at, one) for one in both)
    return first, second


def _with_varying(at: Variation | None, one: SentenceNow) -> Sentence:
    rows = [node.row for node in word_nodes(one.document, one.sentence)]
    places = [here for here in at.group.occurrences if here.sentence == one.known] if at else []
    spans = [range(here.words[0], here.words[-1] + 1) for here in places] or [range(len(rows))]
    varying = {rows[word] for span in spans for word in span}
    return Sentence(one.name, one.document, one.sentence, varying)


# --- all of it -------------------------------------------------------------------------------


class Spot(NamedTuple):
    """An occurrence; ``words``: the nucleus in brackets, in its context."""

    name: str
    sentence: int
    start: int
    end: int
    label: str
    deviant: bool
    words: str


def title(one: VariationGroup) -> str:
    return shortened(isolated(key_text(one)), 2 * _LABEL)


def labels(one: VariationGroup) -> str:
    """Each label of a group, with how many places have it."""
    return " / ".join(
        f"{shortened(label_text(one.kind, label), _LABEL)} ×{count:,}"
        for label, count in one.labels
    )


def section_titles(view: IndexView, one: VariationGroup, by: VariationsBy) -> tuple[str, ...]:
    """The titles of the sections that a group is in, as they are shown and asked for again; of
    files, those that have an occurrence to look at."""
    if by == "kind":
        return (TITLES[one.kind],)
    if by == "structure":
        kind, *names = structure(one)
        if kind == "texts":
            return (TITLES[one.kind],)
        return (without_controls(f"{kind}: " + " / ".join(name or "–" for name in names)),)
    if by == "file":
        places = (view.index.place(at.sentence) for at in one.occurrences if at.deviant)
        files = dict.fromkeys(place.name for place in places)
        return tuple(without_controls(short_name(name)) for name in files)
    return ("",)


def sections(
    found: Iterable[tuple[IndexView, VariationGroup]], by: VariationsBy
) -> list[tuple[str, int]]:
    """What the list is grouped by, each with its number of groups, the largest first."""
    counts = Counter(key for view, one in found for key in section_titles(view, one, by))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def spots(view: IndexView, one: VariationGroup, stands: Stands) -> Iterator[Spot]:
    """A group's places in sentences that stand, those to look at first."""
    places = sorted(one.occurrences, key=lambda place: not place.deviant)
    there = ((place, view.index.place(place.sentence)) for place in places)
    standing = ((place, where) for place, where in there if stands(*where))
    for place, where in islice(standing, _LISTED):
        document = view.index.document(where.name)
        start, end = place_of(document, where.sentence, one, place)
        label = shortened(label_text(one.kind, place.label), _LABEL)
        words = _around(document, where.sentence, place)
        yield Spot(*where, start, end, label, place.deviant, words)


def _around(document: Document, sentence: int, here: Occurrence) -> str:
    words = written(document, sentence)
    first, last = here.words[0], here.words[-1] + 1
    before, inside, behind = words[:first], words[first:last], words[last:]
    parts = ["…"] * (len(before) > _AROUND) + before[-_AROUND:]
    parts += [f"[{' '.join(inside)}]", *behind[:_AROUND]] + ["…"] * (len(behind) > _AROUND)
    return isolated(" ".join(parts))
