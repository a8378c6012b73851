"""Scores in words and Markdown tables, the same in the status, in hovers and in lenses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treelens.metrics import Score

_ROWS = (
    ("labelled", "F1", "precision", "recall"),
    ("unlabelled", "UF1", "unlabelled-precision", "unlabelled-recall"),
)


def number(score: Score) -> str:
    """Two decimals, as reports have them; a dash where there is nothing to divide by."""
    return "–" if score.value is None else f"{score.value:.2f}"


def short(scores: Iterable[Score]) -> str:
    """The one number for a status bar or a lens: ``F1 83.3``."""
    f1 = by_name(scores)["F1"]
    return "F1 –" if f1.value is None else f"F1 {f1.value:.2f}"


def by_name(scores: Iterable[Score]) -> dict[str, Score]:
    return {score.ratio.name: score for score in scores}


def table(scores: Sequence[Score]) -> str:
    """PARSEVAL as a small Markdown table."""
    named = by_name(scores)
    lines = ["| brackets | F1 | precision | recall |", "|:--|--:|--:|--:|"]
    for title, *names in _ROWS:
        f1, precision, recall = (named[name] for name in names)
        lines.append(f"| {title} | **{number(f1)}** | {_share(precision)} | {_share(recall)} |")
    return "\n".join(lines)


def _share(score: Score) -> str:
    return f"{number(score)} ({score.numerator:,}/{score.denominator:,})"
