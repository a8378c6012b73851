"""Scores in words and Markdown tables, the same in the status, in hovers and in lenses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from treelens.metrics import Score, headlines
from treelens.session.pair import Pair

_TABLES = (
    (
        "brackets",
        (
            ("labelled", "F1", "precision", "recall"),
            ("unlabelled", "UF1", "unlabelled-precision", "unlabelled-recall"),
        ),
    ),
    (
        "attachment",
        (
            ("LAS", "LAS", "LAS-precision", "LAS-recall"),
            ("UAS", "UAS", "UAS-precision", "UAS-recall"),
            ("ELAS", "ELAS", "ELAS-precision", "ELAS-recall"),
        ),
    ),
)
"""Small tables; each is shown where its scores are counted."""

_BESIDE = (
    (("TedEval", "tedeval"), ("unlabelled", "tedeval-unlabelled")),
    (("LA", "LA"), ("CLAS", "CLAS"), ("MLAS", "MLAS"), ("BLEX", "BLEX")),
    (("UPOS", "UPOS"), ("XPOS", "XPOS"), ("UFeats", "UFeats"), ("lemmas", "Lemmas")),
    (("tagging", "tagging"),),
    (("leaf-ancestor", "leaf-ancestor-sampson"), ("plain", "leaf-ancestor-plain")),
    (("MWE", "MWE"), ("with part of speech", "MWE-POS"), ("components", "MWE-components")),
)
"""Lines of numbers that need no table."""


def number(score: Score) -> str:
    """Two decimals, as reports have them; a dash where there is nothing to divide by."""
    return "–" if score.value is None else f"{score.value:.2f}"


def short(scores: Iterable[Score], before: Iterable[Score] = ()) -> str:
    """The headlines, for a status bar or a lens: ``F1 83.33 · TedEval 91.20``; with what they were
    before, the first one with its change: ``F1 83.33, +0.31 · TedEval 91.20``. What there is
    nothing of, as brackets in a lattice, is left out, unless there is nothing of all."""
    shown = [score for score in scores if score.ratio.headline]
    shown = [score for score in shown if score.value is not None] or shown[:1]
    texts = [f"{score.ratio.headline} {number(score)}" for score in shown]
    moved = change(shown[0], by_name(before).get(shown[0].ratio.name)) if shown else ""
    return " · ".join([*(f"{text}, {moved}" for text in texts[:1] if moved), *texts[bool(moved) :]])


def headlines_of(pair: Pair, group: int | None = None, before: Iterable[Score] = ()) -> str:
    """:func:`short` of a pair, or of a group of it; empty where a tree is held against a table, and
    there is nothing of any headline."""
    scores = pair.scores(group)
    counted = any(score.value is not None for score in scores if score.ratio.headline)
    return short(scores, before) if counted or not pair.is_mixed else ""


def change(now: Score, before: Score | None) -> str:
    """``+0.31``, of the numbers as they are shown; empty where they are the same."""
    if before is None or before.value is None or now.value is None:
        return ""
    moved = round(now.value, 2) - round(before.value, 2)
    return f"{moved:+.2f}" if abs(moved) > 0.001 else ""


def by_name(scores: Iterable[Score]) -> dict[str, Score]:
    return {score.ratio.name: score for score in scores}


def table(scores: Sequence[Score]) -> str:
    """PARSEVAL and attachment, whichever is counted, as small Markdown tables."""
    named = by_name(scores)
    found = []
    for title, rows in _TABLES:
        shown = [(heading, names) for heading, *names in rows if named.keys() >= {*names}]
        if not shown:
            continue
        lines = [f"| {title} | F1 | precision | recall |", "|:--|--:|--:|--:|"]
        for heading, names in shown:
            f1, precision, recall = (named[name] for name in names)
            lines.append(
                f"| {heading} | **{number(f1)}** | {_share(precision)} | {_share(recall)} |"
            )
        found.append("\n".join(lines))
    return "\n\n".join(found)


def other_metrics(scores: Sequence[Score]) -> str:
    """What other metrics say, in a line or two; nothing of what there is nothing of."""
    named = by_name(score for score in scores if score.value is not None)
    if "UPOS" in named:
        named.pop("tagging", None)  # the same, by another name
    parts = [
        [f"{title} {_stressed(named[name])}" for title, name in line if name in named]
        for line in _BESIDE
    ]
    return " · ".join(", ".join(part) for part in parts if part)


def _stressed(score: Score) -> str:
    return f"**{number(score)}**" if score.ratio.headline else number(score)


def _share(score: Score) -> str:
    return f"{number(score)} ({score.numerator:,}/{score.denominator:,})"


def worse_sentences(pair: Pair, group: int) -> int | None:
    """How many groups have a lower first headline than one; None if it has none."""
    above, below = pair.fractions(headlines(pair.metrics)[0])
    if not below[group]:
        return None
    # Multiplied out: whole numbers, so that equal scores are equal.
    return int(np.count_nonzero((above * below[group] < above[group] * below) & (below > 0)))
