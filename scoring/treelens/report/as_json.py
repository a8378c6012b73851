"""Scores as JSON, numbers unrounded, 0/0 as null. Each group of sentences is a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from treelens import __version__
from treelens.counting.waiting import Held, Waiting
from treelens.metrics import Metric, Score, Tallies, scores
from treelens.report.breakdown import Lengths, by_length, confusions
from treelens.report.content import Behind, Report, ScoreBlock, SystemReport, counts, numbers


def json_text(report: Report, waiting: Callable[[], Waiting] = Held) -> Iterator[str]:
    """The whole report, line by line. waiting: makes room for what is too much for memory."""
    head = {
        "signature": report.signature,
        "version": __version__,
        "parameters": asdict(report.parameters) if report.parameters else None,
        "metrics": [_metric(metric) for metric in report.metrics],
        "gold": report.gold._asdict(),
    }
    yield "{"
    for key, value in head.items():
        yield f"  {_dump(key)}: {_dump(value)},"
    if report.together:
        yield from _suspects(report, waiting())
    yield '  "systems": ['
    behind = [system.behind.counts() for system in report.systems if system.behind is not None]
    lengths = by_length(behind) if behind else [()] * len(report.systems)
    for number, (system, of_system) in enumerate(zip(report.systems, lengths, strict=True), 1):
        yield from _system(report, system, of_system, last=number == len(report.systems))
    yield "  ]"
    yield "}"


def _suspects(report: Report, waiting: Waiting) -> Iterator[str]:
    """What all systems agree on against gold."""
    from treelens.report.suspects import foremost, json_line  # what one system has no need of

    found = foremost(report.together, partial(json_line, name=report.gold.name), waiting)
    yield '  "suspects": ['
    for number, line in enumerate(found.told(), 1):
        yield f"    {line}{'' if number == found.count else ','}"
    yield "  ],"


def _metric(metric: Metric) -> dict[str, Any]:
    ratios = [
        {
            "name": ratio.name,
            "title": ratio.title,
            "numerator": dict(ratio.numerator),
            "denominator": dict(ratio.denominator),
            "scale": ratio.scale,
            "unit": ratio.unit,
            "higher_is_better": ratio.higher_is_better,
        }
        for ratio in metric.ratios
    ]
    return {"name": metric.name, "source": metric.source, "scores": ratios}


def _system(
    report: Report, system: SystemReport, lengths: Sequence[Lengths], last: bool
) -> Iterator[str]:
    yield "    {"
    yield f'      "source": {_dump(system.source._asdict())},'
    yield f'      "pairing": {_dump(system.pairing._asdict())},'
    yield '      "corpus": {'
    yield from _blocks(system.blocks, report.metrics)
    yield "      }," if system.files or system.behind is not None else "      }"
    if system.files:
        yield from _files(report, system)
    if system.behind is not None:
        found = [
            {
                "kind": one.kind,
                "gold": numbers(one.gold),
                "system": numbers(one.system),
                **({"reworded": one.reworded} if one.reworded else {}),
            }
            for one in system.uncertain
        ]
        yield f'      "uncertain": {_dump(found)},'
        yield from _breakdown(report, system.behind, lengths)
        yield '      "groups": ['
        yield from _groups(report, system)
        yield "      ]"
    yield "    }" if last else "    },"


def _blocks(blocks: Sequence[ScoreBlock], metrics: Sequence[Metric]) -> Iterator[str]:
    for block in blocks:
        comma = "" if block is blocks[-1] else ","
        value = {
            "title": block.title,
            "sentences": block.sentences,
            **_scored(block.scores, block.total, metrics),
        }
        yield f"        {_dump(block.key)}: {_dump(value)}{comma}"


def _files(report: Report, system: SystemReport) -> Iterator[str]:
    yield '      "files": ['
    for file in system.files:
        value = {
            "name": file.name,
            "folder": file.is_folder,
            "sentences": file.blocks[0].sentences,
            **_scored(file.blocks[0].scores, file.blocks[0].total, report.metrics),
        }
        yield f"        {_dump(value)}{'' if file is system.files[-1] else ','}"
    yield "      ]"


def _breakdown(report: Report, behind: Behind, lengths: Sequence[Lengths]) -> Iterator[str]:
    """Every label and tag, what is taken for what, and the scores by gold's length."""
    kinds = confusions(behind)
    names = {kind.key: [row._asdict() for row in kind.by_name()] for kind in kinds}
    taken = {
        kind.key: [
            {"gold": gold, "system": system, "times": times}
            for gold, system, times in kind.confused()
        ]
        for kind in kinds
    }
    stretches = [
        {
            "first": one.first,
            "last": one.last,
            "sentences": one.sentences,
            **_scored(scores(one.total, report.metrics), one.total, report.metrics),
        }
        for one in lengths
    ]
    yield f'      "names": {_dump(names)},'
    yield f'      "confusions": {_dump(taken)},'
    yield f'      "lengths": {_dump(stretches)},'


def _groups(report: Report, system: SystemReport) -> Iterator[str]:
    assert system.rows is not None  # there is something behind it
    line = ""
    for row in system.rows():
        if line:
            yield f"{line},"
        gold, other = row.group
        gold_line, system_line = row.lines
        value = {
            "gold": [sentence + 1 for sentence in gold],
            "system": [sentence + 1 for sentence in other],
            "gold_line": gold_line or None,
            "system_line": system_line or None,
            "length": row.length,
            "different": row.different,
            **_scored(row.scores, row.total, report.metrics),
        }
        line = f"        {_dump(value)}"
    if line:
        yield line


def _scored(found: Sequence[Score], total: Tallies, metrics: Sequence[Metric]) -> dict[str, Any]:
    return {
        "scores": {score.ratio.name: score.value for score in found},
        "counts": counts(total, metrics),
    }


def _dump(value: object) -> str:
    # What cannot be written as UTF-8 (half of a surrogate pair, in a file's name) is escaped
    # by whoever writes this, in a way that JSON reads back.
    return json.dumps(value, ensure_ascii=False)
