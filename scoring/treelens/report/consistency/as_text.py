"""Findings for a terminal: the words in their context, labels with counts, places, one sentence
of each label."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from treelens.consistency.found import OccurrencePlace, PlacedGroup, structure
from treelens.consistency.options import KINDS, TIERS, Tier, VariationKind
from treelens.consistency.wording import key_text, label_text
from treelens.render.numbers import number_of
from treelens.render.width import clean, clean_words, in_order, shortened, width
from treelens.report.paint import Paint

_PLACES = 3
"""Places of a label that are named."""
_KEY = 100
_LABEL = 60


def text(
    found: Sequence[PlacedGroup],
    note: str,
    limit: int | None,
    columns: int,
    paint: Paint,
    *,
    by_structure: bool,
) -> Iterator[str]:
    """How many groups of what kind and tier; then the groups."""
    shown = found[:limit]
    yield from summary(found)
    if note:
        yield note
    if by_structure:
        yield from _by_structure(shown, columns, paint)
    else:
        for one in shown:
            yield ""
            yield from _group(one, columns, paint)
    if len(found) > len(shown):
        yield ""
        yield f"and {len(found) - len(shown):,} more groups (--limit shows more)"


def summary(found: Sequence[PlacedGroup]) -> Iterator[str]:
    """A line a kind: ``tags: 262 groups (67 of tier A, 195 of tier B)``."""
    by, deviant = Counter[tuple[str, Tier]](), Counter[str]()
    for one in found:
        kind = one.group.kind
        by[kind, one.group.tier] += 1
        deviant[kind] += sum(place.deviant for place in one.places)
    if not found:
        yield "Nothing varies: the same words in the same context are annotated alike."
    for kind in KINDS:
        tiers = [(tier, by[kind, tier]) for tier in TIERS if by[kind, tier]]
        total = sum(count for _, count in tiers)
        if total:
            said = ", ".join(f"{count:,} of tier {tier}" for tier, count in tiers)
            left = number_of(deviant[kind], "occurrence")
            yield f"{kind}: {number_of(total, 'group')} ({said}), {left} to look at"


def _group(one: PlacedGroup, columns: int, paint: Paint) -> Iterator[str]:
    group = one.group
    key = shortened(clean(key_text(group)), min(_KEY, columns - 30))
    where = f"{group.total:,} times in {number_of(one.documents, 'document')}"
    yield f"{paint('bold', key)}  {paint('dim', f'{group.kind}, tier {group.tier}, {where}')}"
    labels = group.labels
    if group.kind == "rare":
        there = {place.label for place in one.places}
        labels = (*labels[:_PLACES], *(one for one in labels[_PLACES:] if one[0] in there))
    names = [shortened(clean(label_text(group.kind, label)), _LABEL) for label, _ in labels]
    room = max(map(width, names))
    for (label, count), name in zip(labels, names, strict=True):
        places = [place for place in one.places if place.label == label]
        if not places:  # (of what is rare, only the rare label's places are given)
            yield f"    {name}{' ' * (room - width(name))}  {count:>5,}"
            continue
        sign = "*" if any(place.deviant for place in places) else " "
        listed = ", ".join(map(_place, places[:_PLACES]))
        more = f", {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
        style = "label" if sign == "*" else "dim"
        padded = paint(style, name) + " " * (room - width(name))
        yield f"  {sign} {padded}  {count:>5,}  {clean(listed)}{more}"
        yield from _sentence(places[0], room + 13, columns, paint)


def _place(place: OccurrencePlace) -> str:
    name = f"{place.file.name}:{place.line}"
    return f"{name} (reference)" if place.file.reference else name


def _sentence(place: OccurrencePlace, indent: int, columns: int, paint: Paint) -> Iterator[str]:
    """The words around the nucleus, cut to a line."""
    assert place.home is not None  # the first one of its label
    words = clean_words(place.home.words())
    first, last = place.words[0] - 1, place.words[-1]
    room = columns - indent - 4
    before, inside, after = words[:first], words[first:last], words[last:]
    middle = shortened(in_order(inside), max(room // 2, 20))
    start = _end_of(in_order(before), max((room - width(middle)) // 2, 8))
    rest = _start_of(in_order(after), max(room - width(start) - width(middle) - 2, 8))
    said = " ".join(filter(None, (start, paint("bold", middle), rest)))
    yield " " * indent + said


def _end_of(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    fits = bisect_left(range(len(text)), True, key=lambda at: width(text[at:]) < room)
    return f"…{text[fits:]}"


def _start_of(text: str, room: int) -> str:
    if width(text) <= room:
        return text
    fits = bisect_left(range(len(text)), True, key=lambda at: width(text[: len(text) - at]) < room)
    return f"{text[: len(text) - fits]}…"


def _by_structure(found: Sequence[PlacedGroup], columns: int, paint: Paint) -> Iterator[str]:
    """One entry for all groups of one kind and the same labels, with their words."""
    entries: dict[tuple[str, ...], list[int]] = {}
    places = Counter[tuple[str, ...]]()
    for number, one in enumerate(found):
        entries.setdefault(structure(one.group), []).append(number)
        places[structure(one.group)] += one.group.total
    order = sorted(entries.items(), key=lambda item: (-len(item[1]), item[0]))
    for entry, there in order:
        kind, *labels = entry
        yield ""
        names = " / ".join(clean(label_text(_kind(kind), label or None)) for label in labels)
        noun = "string" if len(there) == 1 else "strings"
        said = f"{kind}, {len(there):,} {noun}, {places[entry]:,} places"
        yield f"{paint('bold', shortened(names, columns - 40))}  {paint('dim', said)}"
        for one in map(found.__getitem__, there):
            counted = "  ".join(f"{clean(label or '–')} {n:,}" for label, n in one.group.labels)
            key = shortened(clean(key_text(one.group)), _LABEL)
            first = next((place for place in one.places if place.deviant), one.places[0])
            yield f"    {key}  {paint('dim', counted)}  {clean(_place(first))}"


def _kind(name: str) -> VariationKind:
    return next(kind for kind in KINDS if kind == name)
