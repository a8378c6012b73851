"""Findings as JSON lines, which are a contract, and as CSV: a line a group, a row a place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from treelens.consistency.found import OccurrencePlace, PlacedGroup
from treelens.consistency.wording import key_text
from treelens.render.sheet import csv_line

HEAD = (
    "kind", "tier", "key", "label", "count", "total", "documents", "deviant", "file", "sentence",
    "sent_id", "line", "words",
)  # fmt: skip


def json_lines(found: Sequence[PlacedGroup]) -> Iterator[str]:
    """A group a line; ``null`` in a key is an edge of the sentence, as a label no annotation."""
    for one in found:
        yield json.dumps(_fields(one), ensure_ascii=False)


def _fields(one: PlacedGroup) -> dict[str, Any]:
    group = one.group
    fields: dict[str, Any] = {
        "kind": group.kind,
        "tier": group.tier,
        "key": list(group.key),
        "labels": [list(label) for label in group.labels],
        "documents": one.documents,
        "occurrences": [_place(place) for place in one.places],
    }
    return fields if group.score is None else {**fields, "score": group.score}


def _place(place: OccurrencePlace) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "file": place.file.name,
        "sentence": place.sentence,
        "sent_id": place.sent_id,
        "line": place.line,
        "words": list(place.words),
        "label": place.label,
        "deviant": place.deviant,
    }
    return {**fields, "reference": True} if place.file.reference else fields


def comma_separated(found: Sequence[PlacedGroup]) -> Iterator[str]:
    """A place a row; a label that is none is empty."""
    yield csv_line(HEAD)
    for one in found:
        group, counts = one.group, dict(one.group.labels)
        key = key_text(group)
        for place in one.places:
            yield csv_line(
                (
                    group.kind,
                    group.tier,
                    key,
                    "" if place.label is None else place.label,
                    counts[place.label],
                    group.total,
                    one.documents,
                    int(place.deviant),
                    place.file.name,
                    place.sentence,
                    place.sent_id,
                    place.line,
                    " ".join(map(str, place.words)),
                )
            )
