"""Scores as comma-separated values: lines of the corpus, of its files and folders if it has many,
and of every group of sentences where these are at hand.

Every count has a column of its own, named ``metric.count``, so that nothing is lost to
rounding; 0/0 is an empty cell. The signature is the last cell of the corpus's lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from treelens.metrics import Score, Tallies
from treelens.render.sheet import csv_line
from treelens.report.content import Report, numbers

PLACES = (
    "system",
    "scope",
    "gold_sentence",
    "system_sentence",
    "gold_line",
    "system_line",
    "length",
    "different",
)


def comma_separated(report: Report) -> Iterator[str]:
    """The whole report, line by line."""
    ratios = [ratio.name for metric in report.metrics for ratio in metric.ratios]
    counts = [f"{metric.name}.{count}" for metric in report.metrics for count in metric.counts]
    yield csv_line([*PLACES, *ratios, *counts, "signature"])
    for system in report.systems:
        name = system.source.name
        for block in system.blocks:
            places = [name, block.key, *[""] * (len(PLACES) - 2)]
            yield csv_line([*places, *_values(block.scores, block.total), report.signature])
        for file in system.files:
            places = [f"{name}/{file.name}", "folder" if file.is_folder else "file"]
            places += [""] * (len(PLACES) - 2)
            yield csv_line([*places, *_values(file.blocks[0].scores, file.blocks[0].total), ""])
        for row in system.rows() if system.rows else ():
            gold, other = row.group
            yield csv_line(
                [
                    name,
                    "sentence",
                    numbers(gold),
                    numbers(other),
                    *(str(line or "") for line in row.lines),
                    str(row.length),
                    str(int(row.different)),
                    *_values(row.scores, row.total),
                    "",
                ]
            )


def _values(scores: tuple[Score, ...], total: Tallies) -> list[str]:
    values = ["" if score.value is None else f"{score.value:.2f}" for score in scores]
    return values + [str(count) for count in total.tolist()]
