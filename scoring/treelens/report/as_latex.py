"""Scores as a LaTeX table for a paper: ``booktabs`` rules, a system a row, the best in bold.

Each metric has a block of rows of its own, so that what a paper does not need goes by deleting
lines. The comments at the top say what the numbers depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.metrics import Metric, Score
from treelens.render.tex import comment, escaped
from treelens.report.as_table import number
from treelens.report.content import Report, ScoreBlock, best, short_names


def latex(report: Report) -> Iterator[str]:
    """The table of all sentences' scores, line by line. Needs ``booktabs``, and UTF-8."""
    names = [escaped(name) for name in short_names([s.source.name for s in report.systems])]
    blocks = [system.blocks[0] for system in report.systems]
    columns = max(len(metric.ratios) for metric in report.metrics)
    yield f"% {comment(report.signature)}"
    yield f"% gold: {comment(report.gold.name)} ({report.gold.sentences} sentences)"
    yield r"% needs \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * columns}}}"
    first = 0
    for metric in report.metrics:
        yield r"\midrule" if first else r"\toprule"
        yield from _rows(metric, names, blocks, first)
        first += len(metric.ratios)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _rows(
    metric: Metric, names: Sequence[str], blocks: Sequence[ScoreBlock], first: int
) -> Iterator[str]:
    """One metric: the names of its scores, and each system's values."""
    # (A block's title need not be said again.)
    heads = [
        escaped(ratio.title.removeprefix(metric.title).lstrip(", ") or ratio.title)
        for ratio in metric.ratios
    ]
    yield _row([rf"\textit{{{escaped(metric.title)}}}", *heads])
    yield r"\midrule"
    scores = [block.scores[first : first + len(heads)] for block in blocks]
    tops = [_best(column) for column in zip(*scores, strict=True)]
    for name, of_system in zip(names, scores, strict=True):
        yield _row([name, *map(_value, of_system, tops)])


def _best(column: Sequence[Score]) -> float | None:
    return best([score.value for score in column], column[0].ratio.higher_is_better)


def _value(score: Score, top: float | None) -> str:
    text = number(score).replace("–", "--")
    return rf"\textbf{{{text}}}" if top is not None and score.value == top else text


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
