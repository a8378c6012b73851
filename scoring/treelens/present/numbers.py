"""Scores in words and Markdown tables, the same in the status, in hovers and in lenses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from treelens.metrics import Score, fractions, headlines
from treelens.session.pair import Pair

_ROWS = (
    ("labelled", "F1", "precision", "recall"),
    ("unlabelled", "UF1", "unlabelled-precision", "unlabelled-recall"),
)


def number(score: Score) -> str:
    """Two decimals, as reports have them; a dash where there is nothing to divide by."""
    return "–" if score.value is None else f"{score.value:.2f}"


def short(scores: Iterable[Score]) -> str:
    """The headlines, for a status bar or a lens: ``F1 83.33 · TedEval 91.20``."""
    shown = [score for score in scores if score.ratio.headline]
    return " · ".join(f"{score.ratio.headline} {number(score)}" for score in shown)


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


def beside(scores: Sequence[Score]) -> str:
    """What other metrics than PARSEVAL say, in a line."""
    named = by_name(scores)
    tedeval, unlabelled = named["tedeval"], named["tedeval-unlabelled"]
    return (
        f"TedEval **{number(tedeval)}**, unlabelled {number(unlabelled)} · "
        f"tagging {number(named['tagging'])}"
    )


def _share(score: Score) -> str:
    return f"{number(score)} ({score.numerator:,}/{score.denominator:,})"


def worse_sentences(pair: Pair, group: int) -> int | None:
    """How many groups have a lower first headline than one; None if it has none."""
    above, below = fractions(pair.tallies(), pair.metrics, headlines(pair.metrics)[0])
    if not below[group]:
        return None
    # Multiplied out: whole numbers, so that equal scores are equal.
    return int(np.count_nonzero((above * below[group] < above[group] * below) & (below > 0)))
