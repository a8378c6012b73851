"""Scores as JSON, numbers unrounded, 0/0 as null. Each group of sentences is a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from treelens import __version__
from treelens.metrics import Metric
from treelens.report.content import Block, Report, Row, SystemReport, counts, line_of, rows


def json_text(report: Report) -> Iterator[str]:
    """The whole report, line by line."""
    head = {
        "signature": report.signature,
        "version": __version__,
        "parameters": asdict(report.parameters),
        "metrics": [_metric(metric) for metric in report.metrics],
        "gold": report.gold._asdict(),
    }
    yield "{"
    for key, value in head.items():
        yield f"  {_dump(key)}: {_dump(value)},"
    yield '  "systems": ['
    for number, system in enumerate(report.systems, 1):
        yield from _system(system, last=number == len(report.systems))
    yield "  ]"
    yield "}"


def _metric(metric: Metric) -> dict[str, Any]:
    ratios = [
        {
            "name": ratio.name,
            "title": ratio.title,
            "numerator": dict(ratio.numerator),
            "denominator": dict(ratio.denominator),
            "scale": ratio.scale,
            "higher_is_better": ratio.higher_is_better,
        }
        for ratio in metric.ratios
    ]
    return {"name": metric.name, "source": metric.source, "scores": ratios}


def _system(system: SystemReport, last: bool) -> Iterator[str]:
    yield "    {"
    yield f'      "source": {_dump(system.source._asdict())},'
    yield f'      "pairing": {_dump(system.pairing._asdict())},'
    yield '      "corpus": {'
    for block in system.blocks:
        comma = "" if block is system.blocks[-1] else ","
        value = {
            "title": block.title,
            "sentences": block.sentences,
            **_scored(block, system),
        }
        yield f"        {_dump(block.key)}: {_dump(value)}{comma}"
    yield "      },"
    yield '      "groups": ['
    yield from _groups(system)
    yield "      ]"
    yield "    }" if last else "    },"


def _groups(system: SystemReport) -> Iterator[str]:
    pair = system.pair
    for number, row in enumerate(rows(pair), 1):
        gold, other = row.group
        value = {
            "gold": [sentence + 1 for sentence in gold],
            "system": [sentence + 1 for sentence in other],
            "gold_line": line_of(pair.gold, gold[0]) if gold else None,
            "system_line": line_of(pair.system, other[0]) if other else None,
            "length": row.length,
            "different": row.different,
            **_scored(row, system),
        }
        yield f"        {_dump(value)}{'' if number == len(pair) else ','}"


def _scored(scored: Block | Row, system: SystemReport) -> dict[str, Any]:
    return {
        "scores": {score.ratio.name: score.value for score in scored.scores},
        "counts": counts(scored.total, system.pair.metrics),
    }


def _dump(value: object) -> str:
    # What cannot be written as UTF-8 (half of a surrogate pair, in a file's name) is escaped
    # by whoever writes this, in a way that JSON reads back.
    return json.dumps(value, ensure_ascii=False)
