"""What changed from one version of a system to the next, for programs: JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from treelens.report.changes import documents, gold_words, message
from treelens.report.content import counts, line_of
from treelens.report.versions import (
    ChangedPlace,
    ChangeRow,
    FileNames,
    VersionComparison,
    by_class,
    by_file,
    by_label,
    by_length,
    by_uncounted,
)
from treelens.session.changes import FATES


def json_lines(found: VersionComparison) -> Iterator[str]:
    """A summary, then an object for each stretch; lines and sentences count from 1."""
    yield _json(
        {
            "files": found.names._asdict(),
            "signature": found.signature,
            "scores": {
                test.ratio.name: {"old": test.first, "new": test.second, "p": test.p}
                for test in found.tests
            },
            "counts": {
                version: counts(total, found.metrics)
                for version, total in zip(("old", "new"), found.counts.totals, strict=True)
            },
            "differences": _sums([found.total])["differences"],
            "uncounted": _sums(by_uncounted(found)) if found.strict else None,
            "left_out": dict(zip(("old", "new"), found.sums.left_out, strict=True)),
            "classes": _sums(by_class(found)),
            "labels": _sums(by_label(found)),
            "lengths": _sums(by_length(found)),
            **({"by_file": of_files} if (of_files := _sums(by_file(found))) else {}),
        }
    )
    yield from found.foremost.told()


def line(place: ChangedPlace, *, of_many: bool) -> str:
    """One stretch; of_many: with the names of its files, which are some of many."""
    named = {"files": place.names._asdict()} if of_many else {}
    return _json({**named, **_stretch(place)})


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sums(rows: Iterable[ChangeRow]) -> dict[str, dict[str, int]]:
    return {row.name: dict(zip(FATES, row[1:], strict=True)) for row in rows}


def _stretch(place: ChangedPlace) -> dict[str, Any]:
    stretch = place.stretch
    files = zip(FileNames._fields, stretch[:3], documents(place), strict=True)
    value: dict[str, Any] = {
        role: {
            "sentences": [document.before.sentences + sentence + 1 for sentence in sentences],
            "lines": [line_of(document, sentence) for sentence in sentences],
        }
        for role, sentences, document in files
    }
    value["words"] = gold_words(place)
    for key, changed, code in (
        ("differences", stretch.differences, _code),
        ("errors", stretch.errors, _class),
    ):
        value[key] = [
            {
                "change": one.fate,
                "code": code(one.item),
                "words": [one.first, one.end],
                "message": message(one),
            }
            for one in changed
        ]
    return value


def _code(item: Any) -> str:
    return str(item.code)


def _class(item: Any) -> str:
    return str(item.name)
