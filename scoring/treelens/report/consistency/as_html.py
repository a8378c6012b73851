"""Findings as a page: groups with an analysis of each label drawn, beside each other.

Without a script all of it is there; the script only filters. Nothing is loaded from elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from treelens.consistency.found import (
    FileName,
    OccurrencePlace,
    PlacedGroup,
    structure,
    word_nodes,
)
from treelens.consistency.options import KINDS, TIERS, VariationKind
from treelens.consistency.wording import key_text, label_text
from treelens.pictures.alone import sentence_alone
from treelens.render.markup import Markup, element, isolated, joined
from treelens.render.width import shortened
from treelens.report.consistency.as_text import summary
from treelens.report.page.frame import framed
from treelens.report.page.pictures import pictured
from treelens.report.page.tables import section

_DRAWN = 3
"""Labels of a group that are drawn."""
_PLACES = 12


def html(found: Sequence[PlacedGroup], title: str, limit: int) -> Iterator[str]:
    """The page, piece by piece; the first ``limit`` groups are on it."""
    yield from framed(f"{title} – consistency", _content(found, title, limit), "consistency")


def _content(found: Sequence[PlacedGroup], title: str, limit: int) -> Iterator[str]:
    shown = found[:limit]
    yield element(
        "header",
        element("p", "Treelens consistency", class_="kicker"),
        element("h1", isolated(title)),
        element("ul", *(element("li", line) for line in summary(found))),
    )
    yield "<main>"
    yield _filters(shown)
    if len(shown) < len(found):
        yield element("p", f"The first {len(shown):,} of {len(found):,} groups are shown.")
    yield '<section class="groups" id="groups">'
    for number, one in enumerate(shown):
        yield _group(one, number)
    yield "</section>"
    yield _believe()
    yield "</main>"


def _pair(one: PlacedGroup) -> str:
    _, *labels = structure(one.group)
    return " / ".join(label or "–" for label in labels)


def _filters(found: Sequence[PlacedGroup]) -> Markup:
    kinds = [kind for kind in KINDS if any(one.group.kind == kind for one in found)]
    tiers = [tier for tier in TIERS if any(one.group.tier == tier for one in found)]
    pairs = sorted({_pair(one) for one in found if one.group.kind != "texts"})
    return element(
        "form",
        _choice("kind", "Kind", kinds),
        _choice("tier", "Tier", tiers),
        _choice("pair", "Labels", pairs),
        element("output", f"{len(found):,} groups", id="shown"),
        class_="filters",
        hidden="hidden",
    )


def _choice(key: str, title: str, values: Sequence[str]) -> Markup:
    options = [element("option", "all", value="")]
    options += [element("option", shortened(value, 60), value=value) for value in values]
    return element("label", f"{title} ", element("select", *options, name=key))


def _group(one: PlacedGroup, number: int) -> Markup:
    group = one.group
    places = f"{group.total:,} places in {one.documents:,} documents"
    columns = []
    for at, (label, count) in enumerate(group.labels[: max(_DRAWN, 2)]):
        there = [place for place in one.places if place.label == label]
        if there:
            columns.append(_column(group.kind, label, count, there, f"g{number}-{at}"))
    rest = len(group.labels) - len(columns)
    head = element(
        "h3",
        isolated(key_text(group)),
        " ",
        element("span", f"{group.kind} · tier {group.tier} · {places}", class_="quiet"),
    )
    return element(
        "article",
        head,
        element("div", *columns, class_="beside"),
        *([element("p", f"and {rest:,} more labels", class_="quiet")] if rest > 0 else []),
        class_="sentence",
        data_kind=group.kind,
        data_tier=group.tier,
        data_pair=_pair(one),
    )


def _column(
    kind: VariationKind,
    label: str | None,
    count: int,
    places: Sequence[OccurrencePlace],
    identifier: str,
) -> Markup:
    first = places[0]
    by_file = itertools.groupby(places[:_PLACES], key=lambda place: place.file)
    listed = [_listed(file, here) for file, here in by_file]
    more = f" and {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
    deviant = any(place.deviant for place in places)
    return element(
        "div",
        element(
            "h4",
            isolated(shortened(label_text(kind, label), 120)),
            " ",
            element("span", f"× {count:,}", class_="score"),
            class_="deviant" if deviant else None,
        ),
        element("p", _words(first)),
        _picture(first, identifier),
        element("p", joined(listed, "; "), more, class_="places"),
        class_="analysis",
    )


def _listed(file: FileName, places: Iterable[OccurrencePlace]) -> Markup:
    """Places of a file, which is named once: names are long."""
    name = f"{file.name} (reference)" if file.reference else file.name
    lines = [
        isolated(f"{place.line} ({place.sent_id})" if place.sent_id else f"{place.line}")
        for place in places
    ]
    return joined([isolated(name), joined(lines, ", ")], ": ")


def _words(place: OccurrencePlace) -> Markup:
    assert place.home is not None  # the first one of its label
    words = place.home.words()
    marked = set(range(place.words[0], place.words[-1] + 1)) if len(place.words) < 3 else set()
    marked |= set(place.words)
    parts = [
        element("mark", word) if number in marked else Markup(element("span", word))
        for number, word in enumerate(words, 1)
    ]
    return element("bdi", joined(parts, " "))


def _picture(place: OccurrencePlace, identifier: str) -> Markup:
    assert place.home is not None
    document, sentence = place.home.opened()
    rows = [node.row for node in word_nodes(document, sentence)]
    low, high = place.words[0] - 1, place.words[-1] - 1
    wanted = (
        {rows[at] for at in range(low, high + 1)}
        if len(place.words) < 3
        else {rows[word - 1] for word in place.words}
    )
    forest = document.forest(range(sentence, sentence + 1))
    drawn = sentence_alone(forest, f"Sentence {place.sentence}", wanted)
    if drawn is None:
        return element("p", f"Too large to be drawn: {len(rows):,} words.", class_="quiet")
    return pictured(drawn, identifier)


def _believe() -> Markup:
    return section(
        "reading",
        "How to read this",
        element(
            "p",
            "A group is the same words in the same context that are annotated in more than one "
            "way. That is no proof of an error: contexts may be told apart by what stands further "
            "away. Of English words flagged in tier A, 24 to 57 % were changed by the next "
            "releases, of all words 3 %. Where both labels are as frequent, neither is proposed.",
        ),
    )
