"""Findings as SARIF 2.1.0, which code hosts show beside the lines of a change.

A result is a deviant occurrence (each one, where no label has the majority); the others are its
related locations. What tells it from others is its key and label, wherever the line is now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from treelens import __version__
from treelens.consistency.found import OccurrencePlace, PlacedGroup
from treelens.consistency.groups import Occurrence
from treelens.consistency.options import KINDS
from treelens.consistency.wording import TITLES, label_text, message

_RELATED = 10
_LEVELS = {"A": "warning", "B": "note", "C": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(found: Sequence[PlacedGroup]) -> Iterator[str]:
    """One run, a result a line."""
    rules = [
        {
            "id": f"consistency/{kind}",
            "name": TITLES[kind],
            "shortDescription": {"text": f"{TITLES[kind]}, annotated differently"},
        }
        for kind in KINDS
    ]
    driver = {"name": "treelens", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [],
    }
    whole = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False)
    start, end = whole.rsplit("[]", 1)
    yield f"{start}["
    results = (json.dumps(result, ensure_ascii=False) for one in found for result in _results(one))
    for number, result in enumerate(results):
        yield f", {result}" if number else result
    yield f"]{end}"


def _results(one: PlacedGroup) -> Iterator[dict[str, Any]]:
    for place in one.places:
        if place.deviant and not place.file.reference:
            others = [other for other in one.places if other.label != place.label][:_RELATED]
            yield {
                "ruleId": f"consistency/{one.group.kind}",
                "level": _LEVELS[one.group.tier],
                "message": {"text": message(one.group, _occurrence(place))},
                "locations": [_location(place)],
                "relatedLocations": [
                    {
                        **_location(other),
                        "id": number,
                        "message": {"text": label_text(one.group.kind, other.label)},
                    }
                    for number, other in enumerate(others, 1)
                ],
                "partialFingerprints": {"treelens/v1": _fingerprint(one, place)},
            }


def _occurrence(place: OccurrencePlace) -> Occurrence:
    return Occurrence(place.sentence - 1, place.words, place.label, place.deviant)


def _location(place: OccurrencePlace) -> dict[str, Any]:
    address = {"uri": quote(place.file.name.replace("\\", "/"), errors="surrogateescape")}
    region = {"startLine": place.line}
    return {"physicalLocation": {"artifactLocation": address, "region": region}}


def _fingerprint(one: PlacedGroup, place: OccurrencePlace) -> str:
    said = json.dumps([one.group.kind, one.group.key, place.label, place.sent_id or place.sentence])
    return hashlib.sha256(said.encode()).hexdigest()[:32]
