"""The tables that the programs print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treelens.dropin.ud.scores import Score

METRICS = (
    "Tokens",
    "Sentences",
    "Words",
    "UPOS",
    "XPOS",
    "UFeats",
    "AllTags",
    "Lemmas",
    "UAS",
    "LAS",
    "CLAS",
    "MLAS",
    "BLEX",
)
ENHANCED = ("ELAS", "EULAS")
_RULE = "-----------+-----------+-----------+-----------+-----------"


def short(scores: Mapping[str, Score]) -> Iterator[str]:
    """The official scores, a line each."""
    yield f"LAS F1 Score: {100 * scores['LAS'].f1:.2f}"
    for name in ("MLAS", "BLEX"):
        yield f"{name} Score: {100 * scores[name].f1:.2f}"
    for name in ENHANCED:
        if name in scores:
            yield f"{name} F1 Score: {100 * scores[name].f1:.2f}"


def ratios(scores: Mapping[str, Score]) -> Iterator[str]:
    """All metrics in per cent (-v)."""
    yield "Metric     | Precision |    Recall |  F1 Score | AligndAcc"
    yield _RULE
    for name in (*METRICS, *ENHANCED):
        if name in scores:
            score = scores[name]
            accuracy = score.aligned_accuracy
            last = "" if accuracy is None else f"{100 * accuracy:10.2f}"
            cells = (100 * score.precision, 100 * score.recall, 100 * score.f1)
            yield f"{name:11}|" + "".join(f"{cell:10.2f} |" for cell in cells) + last


def counts(scores: Mapping[str, Score]) -> Iterator[str]:
    """All metrics as counts (-c). Nothing aligned leaves its cell blank."""
    yield "Metric     | Correct   |      Gold | Predicted | Aligned"
    yield _RULE
    for name in (*METRICS, *ENHANCED):
        if name in scores:
            score = scores[name]
            aligned = score.aligned or (score.correct if name == "Words" else "")
            cells = (score.correct, score.gold, score.system)
            yield f"{name:11}|" + "".join(f"{cell:10} |" for cell in cells) + f"{aligned:10}"
